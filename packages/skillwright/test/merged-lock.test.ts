// A lock that git could not merge: `skc install` brings both sides together, or names the skills that both changed.

import { describe, expect, test } from 'vitest';
import { accept, expectSettled, lockOf, type Machine, makeTeam, ok, text } from './make-team.ts';
import { requireProgram } from './required-program.ts';

const all = ['alpha', 'beta', 'gamma', 'delta'];

/** Two machines with the skill `beta`. */
async function startTeam() {
  const team = makeTeam(Object.fromEntries(all.map((name) => [`skills/${name}/SKILL.md`, text(name)])));
  const { ada, ben, source } = team;
  const install = (machine: Machine, name: string, agents = 'claude') =>
    machine.run('install', source, '--skill', name, '--target', agents, ...accept);
  ok(await install(ada, 'beta'));
  ada.share('Install beta');
  ben.pull();
  ok(await ben.run('install', '--trust-lock'));
  return { ...team, install };
}

/** Both share what they did; Ben, who is later, meets a conflict. */
function collide({ ada, ben }: { ada: Machine; ben: Machine }, style = 'merge'): void {
  ada.share('From Ada');
  ben.git('add', '-A');
  ben.git('commit', '-q', '-m', 'From Ben');
  const pull = ['-c', `merge.conflictStyle=${style}`, 'pull', '-q', '--no-rebase', '--no-edit'];
  expect(() => ben.git(...pull)).toThrow();
  expect(ben.git('diff', '--name-only', '--diff-filter=U').trim()).toBe('.skillc/lock.json');
}

async function settle(ben: Machine): Promise<void> {
  await expectSettled(ben);
  ben.git('add', '.skillc/lock.json');
  ben.git('commit', '-q', '-m', 'Merge');
  ben.git('push', '-q', 'origin', 'HEAD');
}

describe('both sides of a merge', () => {
  test.for(['merge', 'diff3', 'zdiff3'])('each installed another skill (%s)', async (style, context) => {
    requireProgram(context, 'git');
    const team = await startTeam();
    const { ada, ben, install } = team;
    ok(await install(ada, 'gamma'));
    ok(await install(ben, 'delta'));
    collide(team, style);
    for (const words of [['verify'], ['update', '--yes']]) {
      const refused = await ben.run(...words, '--scope', 'project');
      expect({ status: refused.status, stderr: refused.stderr }).toEqual({
        status: 1,
        stderr:
          "error[E211]: lock file unusable: '<cwd>/.skillc/lock.json': it has merge conflict markers\n" +
          "help: 'skc install' merges both sides, skill by skill\n",
      });
    }
    const before = ben.read('.skillc/lock.json');
    const looked = ok(await ben.run('install', '--dry-run', '--trust-lock'));
    expect(looked.stdout).toContain('gamma: would be restored for claude\n');
    expect(ben.read('.skillc/lock.json')).toBe(before);
    const merged = ok(await ben.run('install', '--trust-lock'));
    expect(merged.stderr).toContain(
      "warning[W225]: merged both sides of '<cwd>/.skillc/lock.json': from yours delta; from theirs gamma\n" +
        "help: 'git add .skillc/lock.json' marks it as resolved\n",
    );
    expect(Object.keys(lockOf(ben))).toEqual(['beta', 'delta', 'gamma']);
    await settle(ben);
    ada.pull();
    ok(await ada.run('install', '--trust-lock'));
    await expectSettled(ada);
    expect(lockOf(ada)).toEqual(lockOf(ben));
  });

  test('installed the same skill for different agents', async (context) => {
    requireProgram(context, 'git');
    const team = await startTeam();
    const { ada, ben, install } = team;
    ok(await install(ada, 'gamma', 'claude,goose'));
    ok(await install(ben, 'gamma', 'claude,cursor'));
    collide(team);
    const merged = ok(await ben.run('install', '--trust-lock'));
    expect(merged.stderr).toContain(': from both gamma\n');
    expect(lockOf(ben).gamma).toMatchObject({
      targets: ['claude', 'cursor', 'goose'].map((agent) => ({ agent, method: 'link' })),
    });
    await settle(ben);
  });

  test.each(['ours', 'theirs'] as const)('changed the same skill; --take %s', async (take) => {
    const team = await startTeam();
    const { ada, ben, release, install } = team;
    release({ 'skills/beta/SKILL.md': text('beta', { 3: 'Second.' }) });
    ok(await ada.run('update', ...accept));
    ok(await install(ada, 'gamma'));
    release({ 'skills/beta/SKILL.md': text('beta', { 3: 'Third.' }) });
    ok(await ben.run('update', ...accept));
    collide(team);
    const before = ben.read('.skillc/lock.json');
    const refused = await ben.run('install', '--trust-lock');
    const short = (machine: Machine) =>
      /"digest": "sha256:(.{12})/.exec(machine.read('.skillc/lock.json'))![1];
    expect({ status: refused.status, stderr: refused.stderr }).toEqual({
      status: 1,
      stderr:
        "error[E225]: both sides of a merge changed 'beta' in '<cwd>/.skillc/lock.json'\n" +
        `  beta: yours ${short(ben)}, theirs ${short(ada)}\n` +
        "help: choose with 'skc install --take ours' or 'skc install --take theirs'; everything else is merged\n",
    });
    expect(ben.read('.skillc/lock.json')).toBe(before);
    const line = { ours: 'Third.', theirs: 'Second.' }[take];
    release({ 'skills/beta/SKILL.md': text('beta', { 3: line }) });
    ok(await ben.run('install', '--take', take, '--trust-lock'));
    expect(Object.keys(lockOf(ben))).toEqual(['beta', 'gamma']);
    expect(ben.read('.skillc/skills/beta/SKILL.md')).toBe(text('beta', { 3: line }));
    await settle(ben);
  });
});

test('--take needs the lock', async () => {
  const { ada, source } = makeTeam({ 'skills/beta/SKILL.md': text('beta') });
  const refused = await ada.run('install', source, '--take', 'ours');
  expect(refused.stderr).toContain('error[E100]: --take is for the lock, not for a source\n');
});
