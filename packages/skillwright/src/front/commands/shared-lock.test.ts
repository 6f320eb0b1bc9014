// One lock on several machines: copies that are behind, edits of the project, conflicts, and what git ignores.

import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeWorld, skillText, type World } from '../../../test/make-world.ts';

const lines = (change: Record<number, string> = {}) =>
  Array.from({ length: 20 }, (_, index) => change[index] ?? `line ${index}`).join('\n');

const text = (change: Record<number, string> = {}) => skillText('demo', `# Demo\n\n${lines(change)}\n`);

const store = '.skillc/skills/demo';

async function installed(files = {}): Promise<World> {
  const w = makeWorld({ '~/source/SKILL.md': text(), '~/source/references/a.md': '# A\n', ...files });
  expect((await w.run(['install', join(w.home, 'source'), '--yes'])).status).toBe(0);
  return w;
}

/** The project as another machine has it after a clone: everything but what is restored; the home is new. */
function otherMachine(w: World, without: readonly string[] = []): World {
  const other = makeWorld({ '~/source/SKILL.md': text(), '~/source/references/a.md': '# A\n' });
  const shared = Object.entries(w.list(join(w.project, '.skillc'))).filter(
    ([path, content]) => content !== '/' && /^(?:lock\.json|edits\/)/.test(path) && !without.includes(path),
  );
  other.write(Object.fromEntries(shared.map(([path, content]) => [`.skillc/${path}`, content])));
  return other;
}

async function edited(): Promise<World> {
  const w = await installed();
  w.write({ [`${store}/SKILL.md`]: text({ 2: 'mine' }), [`${store}/references/mine.md`]: '# Mine\n' });
  expect((await w.run(['update', '--yes'])).status).toBe(0);
  return w;
}

describe('edits of the project', () => {
  test('are stored next to the lock, and restored on another machine', async () => {
    const w = await edited();
    expect(w.list(join(w.project, '.skillc/edits'))).toEqual({
      demo: '/',
      'demo/SKILL.md': text({ 2: 'mine' }),
      'demo/references': '/',
      'demo/references/mine.md': '# Mine\n',
    });
    const other = otherMachine(w);
    expect((await other.run(['install'])).stdout).toBe('demo: restored for claude\n');
    expect(other.list(join(other.project, store))).toEqual(w.list(join(w.project, store)));
    expect((await other.run(['verify', '--strict'])).status).toBe(0);
  });

  test('are an error if missing, and --force says what it drops', async () => {
    const other = otherMachine(await edited(), ['edits/demo/SKILL.md']);
    const lock = other.read('.skillc/lock.json');
    const refused = await other.run(['install', '--json']);
    expect(refused.status).toBe(1);
    expect(refused.json()).toMatchObject({
      skills: [],
      failed: [{ name: 'demo', code: 'E224', data: { files: ['SKILL.md'] } }],
    });
    expect(existsSync(join(other.project, store))).toBe(false);
    expect(other.read('.skillc/lock.json')).toBe(lock);
    const forced = await other.run(['install', '--force']);
    expect(forced.status).toBe(0);
    expect(forced.stderr).toContain("demo: restored without the project's edits");
    expect((await other.run(['verify', '--strict'])).stdout).toBe('demo: ok\n');
    expect(other.read(`${store}/SKILL.md`)).toBe(text());
  });

  test('are refused if they differ from the lock', async () => {
    const other = otherMachine(await edited());
    other.write({ '.skillc/edits/demo/SKILL.md': text({ 2: 'forged' }) });
    expect((await other.run(['install', '--json'])).json()).toMatchObject({ failed: [{ code: 'E224' }] });
  });

  test('are not written through a link', async () => {
    const w = await installed();
    const outside = join(w.root, 'outside');
    mkdirSync(outside);
    symlinkSync(outside, join(w.project, '.skillc/edits'));
    w.write({ [`${store}/SKILL.md`]: text({ 2: 'mine' }) });
    const before = w.read('.skillc/lock.json');
    const { status, stderr } = await w.run(['update', '--yes']);
    expect({ status, code: /error\[(\w+)\]/.exec(stderr)?.[1] }).toEqual({ status: 1, code: 'E017' });
    expect(w.list(outside)).toEqual({});
    expect(w.read('.skillc/lock.json')).toBe(before);
    expect(w.read(`${store}/SKILL.md`)).toBe(text({ 2: 'mine' }));
  });

  test('survive a deleted directory, an update and a reinstallation', async () => {
    const w = await edited();
    rmSync(join(w.project, store), { recursive: true });
    const again = await w.run(['install', join(w.home, 'source'), '--yes']);
    expect({ status: again.status, code: /error\[(\w+)\]/.exec(again.stderr)?.[1] }).toEqual({
      status: 1,
      code: 'E212',
    });
    w.write({ '~/source/SKILL.md': text({ 15: 'theirs' }) });
    expect((await w.run(['update', '--yes'])).status).toBe(0);
    expect(w.read(`${store}/SKILL.md`)).toBe(text({ 2: 'mine', 15: 'theirs' }));
    expect(w.read('.skillc/edits/demo/SKILL.md')).toBe(text({ 2: 'mine', 15: 'theirs' }));
  });

  test('are removed with the skill', async () => {
    const w = await edited();
    expect((await w.run(['uninstall', 'demo', '--force'])).status).toBe(0);
    expect(existsSync(join(w.project, '.skillc/edits/demo'))).toBe(false);
  });
});

describe('a lock that somebody else changed', () => {
  test('removes the skill, unless it was edited here', async () => {
    const w = await installed();
    w.write({ '.skillc/lock.json': '{ "version": 1, "skills": {} }\n' });
    expect((await w.run(['verify'])).stdout).toContain('demo: no longer in the lock, but still at');
    expect((await w.run(['verify'])).status).toBe(0);
    expect((await w.run(['verify', '--strict'])).status).toBe(1);
    expect((await w.run(['install', '--dry-run'])).stdout).toBe(
      'demo: would be removed, because it is no longer in the lock\n',
    );
    w.write({ [`${store}/SKILL.md`]: text({ 2: 'mine' }) });
    const kept = await w.run(['install']);
    expect({ status: kept.status, code: /warning\[(\w+)\]/.exec(kept.stderr)?.[1] }).toEqual({
      status: 0,
      code: 'W222',
    });
    expect(w.read(`${store}/SKILL.md`)).toBe(text({ 2: 'mine' }));
    w.write({ [`${store}/SKILL.md`]: text() });
    expect((await w.run(['install'])).stdout).toBe('demo: removed, because it is no longer in the lock\n');
    expect(existsSync(join(w.project, store))).toBe(false);
    expect(existsSync(join(w.project, '.claude/skills/demo'))).toBe(false);
    expect((await w.run(['verify', '--strict'])).stdout).toBe('no skills installed\n');
  });

  test('never removes a skill that skc did not install, whatever a project ships', async () => {
    const w = makeWorld({
      [`${store}/SKILL.md`]: text(),
      '.skillc/lock.json': '{ "version": 1, "skills": {} }\n',
      '.skillc/placed/forged.json': '{ "version": 1, "skills": {} }\n',
    });
    expect((await w.run(['install'])).status).toBe(0);
    expect(w.read(`${store}/SKILL.md`)).toBe(text());
  });

  test('removes nothing if the lock itself is gone', async () => {
    const w = await installed();
    rmSync(join(w.project, '.skillc/lock.json'));
    expect((await w.run(['install'])).status).toBe(0);
    expect(existsSync(join(w.project, store, 'SKILL.md'))).toBe(true);
  });

  test('removes links of agents that it no longer names', async () => {
    const w = await installed();
    const lock = JSON.parse(w.read('.skillc/lock.json'));
    const cursor = { agent: 'cursor', method: 'link' };
    w.write({
      '.skillc/lock.json': JSON.stringify({
        ...lock,
        skills: { demo: { ...lock.skills.demo, targets: [cursor] } },
      }),
    });
    expect((await w.run(['install'])).status).toBe(0);
    expect(existsSync(join(w.project, '.claude/skills/demo'))).toBe(false);
    expect(existsSync(join(w.project, '.agents/skills/demo/SKILL.md'))).toBe(true);
  });
});

describe('conflicts', () => {
  async function conflicting(): Promise<World> {
    const w = await installed();
    w.write({
      [`${store}/SKILL.md`]: text({ 2: 'mine' }),
      [`${store}/references/a.md`]: '# My A\n',
      '~/source/SKILL.md': text({ 2: 'theirs', 15: 'new' }),
    });
    rmSync(join(w.home, 'source/references/a.md'));
    return w;
  }

  test('name the lines, and the commands that help', async () => {
    const w = await conflicting();
    const { status, stderr } = await w.run(['update', '--yes']);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr:
        "error[E212]: local edits in the way: 'demo'\n" +
        '  SKILL.md: line 10\n' +
        '  references/a.md: you changed it, and the source deleted it\n' +
        "help: both you and the source changed the same lines; 'skc diff demo --upstream' shows them, " +
        "'skc update demo --conflict markers' writes both versions into the files for you to resolve " +
        "('--conflict files' writes three separate files), and --force takes the new version and backs up yours\n",
    });
  });

  test('as three files leave yours in place, and the next update records your resolution', async () => {
    const w = await conflicting();
    const left = await w.run(['update', '--yes', '--conflict', 'files', '--json']);
    expect(left.status).toBe(1);
    expect(left.json()).toMatchObject({
      updated: [
        {
          status: 'conflicts',
          conflicts: ['SKILL.md: line 10', 'references/a.md: you changed it, and the source deleted it'],
        },
      ],
    });
    expect(w.list(join(w.project, '.skillc/conflicts/demo'))).toEqual({
      'SKILL.md.base': text(),
      'SKILL.md.theirs': text({ 2: 'theirs', 15: 'new' }),
      'SKILL.md.yours': text({ 2: 'mine' }),
      references: '/',
      'references/a.md.base': '# A\n',
      'references/a.md.yours': '# My A\n',
    });
    expect(w.read(`${store}/SKILL.md`)).toBe(text({ 2: 'mine' }));
    expect((await w.run(['verify'])).stdout).toBe(
      'demo: differs from the lock\n  modified: SKILL.md\n  extra: references/a.md\n',
    );
    w.write({ [`${store}/SKILL.md`]: text({ 2: 'both', 15: 'new' }) });
    rmSync(join(w.project, store, 'references/a.md'));
    expect((await w.run(['update', '--yes'])).status).toBe(0);
    expect((await w.run(['verify', '--strict'])).stdout).toBe('demo: ok\n  edited: SKILL.md\n');
    expect(existsSync(join(w.project, '.skillc/conflicts/demo'))).toBe(false);
  });

  test('are not written with --dry-run', async () => {
    const w = await conflicting();
    const before = w.list(w.project);
    expect((await w.run(['update', '--dry-run', '--conflict', 'markers'])).stdout).toContain(
      'would be updated, with conflicts',
    );
    expect(w.list(w.project)).toEqual(before);
  });
});

describe('skc diff', () => {
  test('distinguishes edits of the project, your edits and changes of the source', async () => {
    const w = await edited();
    expect((await w.run(['diff', 'demo', '--json'])).json()).toMatchObject({
      files: [
        { path: 'SKILL.md', status: 'changed', by: 'project' },
        {
          path: 'references/mine.md',
          status: 'added',
          by: 'project',
          diff: expect.stringContaining('+# Mine\n'),
        },
      ],
    });
    w.write({ [`${store}/references/a.md`]: '# \u001b[2J\n', '~/source/SKILL.md': text({ 15: 'theirs' }) });
    const { stdout } = await w.run(['diff', 'demo']);
    expect(stdout).toContain('demo/references/a.md: changed (edited here)\n');
    expect(stdout).not.toContain('\u001b');
    expect((await w.run(['diff', 'demo', '--upstream'])).stdout).toContain(
      'demo/SKILL.md: changed (changed in the source)\n',
    );
  });

  test('matches the lock, or is not installed', async () => {
    const w = await installed({ '.skillc/skills/own/SKILL.md': skillText('own') });
    expect((await w.run(['diff', 'demo'])).stdout).toBe('demo: matches the lock\n');
    expect((await w.run(['diff', 'demo', '--upstream'])).stdout).toBe('demo: matches the source\n');
    expect((await w.run(['diff', 'own', '--json'])).json()).toMatchObject({ error: { code: 'E001' } });
  });
});

describe('what git ignores', () => {
  const ignore = '.skillc/.gitignore';

  test('is written once by init and the first installation, and keeps existing lines', async () => {
    const w = makeWorld({ '.git/HEAD': '', [ignore]: 'own\n!/cache/', '~/source/SKILL.md': text() });
    expect((await w.run(['init'])).status).toBe(0);
    const written = w.read(ignore);
    expect(written).toBe(
      'own\n!/cache/\n# Made by skc, and made again by skc install. Add lines of your own as you like.\n' +
        '/.install/\n/backups/\n/conflicts/\n/logs/\n/runtime/\n/skills/.*.bak-*/\n',
    );
    expect((await w.run(['init'])).status).toBe(0);
    expect((await w.run(['install', join(w.home, 'source'), '--yes'])).status).toBe(0);
    expect(w.read(ignore)).toBe(written);
    expect(w.read(`${store}/.gitignore`)).toBe('# Restored by skc install\n*\n');
    expect((await w.run(['verify', '--strict'])).stdout).toBe('demo: ok\n');
    expect((await w.run(['uninstall', 'demo'])).status).toBe(0);
  });

  test('is not installed skills where the project commits them', async () => {
    const w = makeWorld({ '.git/HEAD': '', [ignore]: '!/skills/\n', '~/source/SKILL.md': text() });
    expect((await w.run(['install', join(w.home, 'source'), '--yes'])).status).toBe(0);
    expect(existsSync(join(w.project, store, '.gitignore'))).toBe(false);
  });

  test('is written outside a repository too, but not in the home directory or behind a link', async () => {
    // A repository may come later: then the runtime directory must not be in it.
    const plain = await installed();
    expect(plain.read(ignore)).toContain('\n/runtime/\n');
    expect(existsSync(join(plain.project, store, '.gitignore'))).toBe(false);
    const w = makeWorld({
      '.git/HEAD': '',
      '~/.git/HEAD': '',
      '~/source/SKILL.md': text(),
      '~/other': 'text\n',
    });
    symlinkSync(join(w.home, 'other'), join(w.project, ignore));
    expect((await w.run(['install', join(w.home, 'source'), '--yes'])).status).toBe(0);
    expect(readFileSync(join(w.home, 'other'), 'utf8')).toBe('text\n');
    expect((await w.run(['install', join(w.home, 'source'), '--yes', '--scope', 'user'])).status).toBe(0);
    expect(existsSync(join(w.home, ignore))).toBe(false);
    expect(existsSync(join(w.home, store, '.gitignore'))).toBe(false);
  });

  test('does not hide edits: files added to the skill are still noticed', async () => {
    const w = makeWorld({ '.git/HEAD': '', '~/source/SKILL.md': text() });
    expect((await w.run(['install', join(w.home, 'source'), '--yes'])).status).toBe(0);
    writeFileSync(join(w.project, store, '.gitignore'), 'mine\n');
    expect((await w.run(['uninstall', 'demo'])).status).toBe(1);
  });
});
