import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { builtSkc } from '../../../test/built-package.ts';
import { makeWorld, skillText } from '../../../test/make-world.ts';

test('skc build --watch builds after every edit, survives a broken one, and exits cleanly on SIGINT', async () => {
  const world = makeWorld({ '.skillc/skills/demo/SKILL.md': skillText('demo') });
  const env = {
    PATH: process.env.PATH,
    SKC_HOME: world.home,
    SKC_NO_LOG: '1',
    SKC_BUILD_DEPLOY: 'stub',
  };
  const child = spawn(builtSkc, ['build', 'demo', '--watch', '--target', 'none'], {
    cwd: world.project,
    env,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data) => (stdout += data));
  child.stderr.on('data', (data) => (stderr += data));
  const until = async (text: string) => {
    while (!stderr.includes(text)) await once(child.stderr, 'data');
  };
  const skill = join(world.project, '.skillc/skills/demo/SKILL.md');
  const stub = () => readFileSync(join(world.project, '.skillc/runtime/demo/SKILL.md'), 'utf8');

  await until('watching 1 skill; press Ctrl-C to stop\n');
  expect(stderr).toBe(
    'demo: created (1 of 1 file indexed)\n  form: a stub (as requested)\nwatching 1 skill; press Ctrl-C to stop\n',
  );
  writeFileSync(skill, skillText('demo', '# First edit\n'));
  await until('demo: updated (1 indexed)\n');
  expect(stub()).toContain('- First edit\n');

  stderr = '';
  writeFileSync(skill, '---\nname: demo\n---\n');
  await until("error[E011]: missing frontmatter field 'description' in SKILL.md\n");
  world.write({ '.skillc/skills/demo/sub/new.md': '# New file\n' });
  writeFileSync(skill, skillText('demo', '# Second edit\n'));
  await until('demo: updated (2 indexed)\n');
  expect(stub()).toContain('- Second edit\n- References (query by title only)\n  - New file\n');

  stderr = '';
  rmSync(join(world.project, '.skillc/skills/demo/sub'), { recursive: true });
  await until('demo: updated (0 indexed)\n');
  expect(stub()).not.toContain('New file');

  child.kill('SIGINT');
  const [status, signal] = await once(child, 'close');
  expect({ status, signal }).toEqual({ status: 0, signal: null });
  expect(stdout).toBe('demo: created (1 of 1 file indexed)\n  form: a stub (as requested)\n');
  // Not a terminal: no escape sequences.
  expect(stdout + stderr).not.toContain('\u001b');
}, 30_000);
