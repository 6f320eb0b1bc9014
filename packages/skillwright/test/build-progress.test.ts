// Progress of a long build, shown only on a terminal.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../src/front/cli/run-cli.ts';
import { makeWorld, skillText } from './make-world.ts';

async function buildAll(options: { isTerminal: boolean; step: number }): Promise<string> {
  const world = makeWorld(
    Object.fromEntries(['a', 'b', 'c'].map((name) => [`.skillc/skills/${name}/SKILL.md`, skillText(name)])),
  );
  let [stderr, time] = ['', 0];
  await runCli(['build', '--all', '--target', 'none'], {
    cwd: world.project,
    home: world.home,
    env: { SKC_NO_LOG: '1', NO_COLOR: '1' },
    now() {
      time += options.step;
      return new Date(Date.UTC(2026, 0) + time);
    },
    stdout: { write: () => {}, isTerminal: false, columns: 80 },
    stderr: { write: (text) => (stderr += text), isTerminal: options.isTerminal, columns: 80 },
    signal: new AbortController().signal,
  });
  return stderr.replaceAll(join(world.project, '.skillc'), '<store>').replaceAll('\r\u001b[2K', '<clear>');
}

test('on a terminal, after half a second, one line that is written over and removed at the end', async () => {
  expect(await buildAll({ isTerminal: true, step: 200 })).toBe(
    `<clear>building 2 of 3 [${'█'.repeat(13)}${'░'.repeat(7)}] 66%<clear>building 3 of 3 [${'█'.repeat(20)}] 100%<clear>`,
  );
});

test('a quick build says nothing', async () => {
  expect(await buildAll({ isTerminal: true, step: 1 })).toBe('');
});

test('without a terminal nothing is printed', async () => {
  expect(await buildAll({ isTerminal: false, step: 1000 })).toBe('');
});
