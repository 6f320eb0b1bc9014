// A week of two machines that share one repository: two homes, two clones, real git. After every step the lock, what
// `verify` says and the bytes of the store agree on the machine that took it.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDirectory, type Tree, writeTree } from './make-directory.ts';
import { skillText } from './make-world.ts';
import { requireProgram } from './required-program.ts';
import { type SkcResult, skc } from './run-in-process.ts';

const lines = (change: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 30 }, (_, index) => change[index] ?? `Line ${index} of the text.`).join('\n');

const text = (name: string, change: Readonly<Record<number, string>> = {}) =>
  skillText(name, `# ${name}\n\n${lines(change)}\n`);

interface Machine {
  readonly home: string;
  readonly project: string;
  run(...words: string[]): Promise<SkcResult>;
  git(...words: string[]): string;
  write(tree: Tree): void;
  read(path: string): string;
  /** Commits everything that git does not ignore, and pushes it. */
  share(message: string): void;
  pull(): void;
}

/** The remote, two machines that cloned it, and the repository of a stranger that skills come from. */
function makeTeam(skills: Tree) {
  const root = makeDirectory();
  const stranger = join(root, 'stranger');
  writeTree(stranger, skills);
  const remote = join(root, 'remote.git');
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', remote]);
  const machine = (name: string): Machine => {
    const [home, project] = [join(root, name, 'home'), join(root, name, 'project')];
    writeTree(root, { [`${name}/home`]: { directory: true } });
    const env = {
      PATH: process.env.PATH,
      HOME: home,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: `${name}@example.com`,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: `${name}@example.com`,
    };
    const git = (...words: string[]) => {
      const options = { cwd: existsSync(project) ? project : root, env, stdio: 'pipe' } as const;
      return execFileSync('git', words, options).toString();
    };
    git('clone', '-q', remote, project);
    return {
      home,
      project,
      git,
      run: (...words) => skc(words, { cwd: project, home, env: { SKC_NO_LOG: '1' } }),
      write: (tree) => writeTree(project, tree),
      read: (path) => readFileSync(join(project, path), 'utf8'),
      share(message) {
        git('add', '-A');
        git('commit', '-q', '-m', message);
        git('push', '-q', 'origin', 'HEAD');
      },
      pull: () => void git('pull', '-q', '--no-rebase', '--no-edit'),
    };
  };
  const ada = machine('ada');
  ada.git('checkout', '-q', '-b', 'main');
  ada.git('commit', '-q', '--allow-empty', '-m', 'Begin');
  ada.git('push', '-q', '-u', 'origin', 'main');
  const ben = machine('ben');
  // The source lies beside both projects, so that the lock spells it the same for both.
  const release = (tree: Tree) => writeTree(stranger, tree);
  return { ada, ben, machine, release, source: '../../stranger' };
}

type Entry = { files: Record<string, string>; edits?: Record<string, string | null> };

const lockOf = ({ read }: Machine) =>
  (JSON.parse(read('.skillc/lock.json')) as { skills: Record<string, Entry> }).skills;

/** What the lock says that the store has to hold, and what it holds. */
function bytesOf({ project }: Machine, names: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (dir: string, path: string): void => {
    for (const name of readdirSync(join(dir, path)).filter((one) => !one.startsWith('.'))) {
      const inner = path === '' ? name : `${path}/${name}`;
      if (lstatSync(join(dir, inner)).isDirectory()) walk(dir, inner);
      else
        found[inner] = `sha256:${createHash('sha256')
          .update(readFileSync(join(dir, inner)))
          .digest('hex')}`;
    }
  };
  const store = join(project, '.skillc/skills');
  for (const name of names) if (existsSync(join(store, name))) walk(store, name);
  return found;
}

/** Everything agrees: the lock and the bytes, verify, and git, which has nothing to commit but what was shared. */
async function expectSettled(machine: Machine): Promise<void> {
  const lock = lockOf(machine);
  const wanted = Object.entries(lock).flatMap(([name, { files, edits = {} }]) =>
    Object.entries({ ...files, ...edits }).flatMap(([path, integrity]) =>
      integrity === null ? [] : [[`${name}/${path}`, integrity] as const],
    ),
  );
  const authored = ['ours'];
  const present = readdirSync(join(machine.project, '.skillc/skills')).filter(
    (name) => !name.startsWith('.') && !authored.includes(name),
  );
  expect(present.sort()).toEqual(Object.keys(lock).sort());
  expect(bytesOf(machine, present)).toEqual(Object.fromEntries(wanted));
  const { stdout, stderr, status } = await machine.run('verify', '--strict', '--scope', 'project');
  expect(status, `${stdout}${stderr}`).toBe(0);
  for (const name of Object.keys(lock))
    expect(existsSync(join(machine.project, '.claude/skills', name, 'SKILL.md'))).toBe(true);
}

const ok = (result: SkcResult): SkcResult => {
  expect(result.status, `${result.stdout}${result.stderr}`).toBe(0);
  return result;
};

const accept = ['--yes', '--accept', 'low-trust', '--reason', 'a test'];

describe('two machines and one repository', () => {
  test('a week', { timeout: 120_000 }, async (context) => {
    requireProgram(context, 'git');
    const { ada, ben, machine, release, source } = makeTeam({
      'skills/pdf/SKILL.md': text('pdf'),
      'skills/pdf/references/more.md': '# More\n',
      'skills/csv/SKILL.md': text('csv'),
    });

    // Monday: Ada installs and writes a skill of the project; Ben has both after a pull.
    ok(await ada.run('install', source, '--skill', 'pdf,csv', '--target', 'claude', ...accept));
    ok(await ada.run('init', 'ours'));
    await expectSettled(ada);
    ada.share('Install skills');
    expect(ada.git('status', '--porcelain')).toBe('');
    expect(ada.git('ls-files').trim().split('\n')).toEqual([
      '.claude/skills/csv',
      '.claude/skills/pdf',
      '.skillc/.gitignore',
      '.skillc/lock.json',
      '.skillc/skills/ours/SKILL.md',
    ]);
    ben.pull();
    const restored = ok(await ben.run('install', '--trust-lock'));
    expect(restored.stdout).toBe('csv: restored\npdf: restored\n');
    await expectSettled(ben);
    expect(ben.git('status', '--porcelain')).toBe('');

    // Tuesday: the source moves on. Ada updates; Ben's copy is behind, not edited.
    release({ 'skills/pdf/SKILL.md': text('pdf', { 3: 'Three, second version.' }) });
    ok(await ada.run('update', ...accept));
    await expectSettled(ada);
    ada.share('Update skills');
    ben.pull();
    const behind = await ben.run('verify', '--scope', 'project');
    expect({ status: behind.status, stdout: behind.stdout }).toEqual({
      status: 1,
      stdout: "csv: ok\npdf: behind the lock; 'skc install' brings it up to date\n  behind: SKILL.md\n",
    });
    expect(ok(await ben.run('install', '--trust-lock')).stdout).toBe(
      'csv: already installed\npdf: restored\n',
    );
    await expectSettled(ben);

    // Wednesday: Ada edits, an update keeps the edit, and it reaches Ben.
    const edited = text('pdf', { 3: 'Three, second version.', 20: 'Twenty, as we do it.' });
    ada.write({
      '.skillc/skills/pdf/SKILL.md': edited,
      '.skillc/skills/pdf/references/house.md': '# House\n',
    });
    rmSync(join(ada.project, '.skillc/skills/pdf/references/more.md'));
    ok(await ada.run('update', 'pdf', ...accept));
    await expectSettled(ada);
    expect(ada.read('.skillc/edits/pdf/SKILL.md')).toBe(edited);
    ada.share('Edit pdf');
    ben.pull();
    ok(await ben.run('install', '--trust-lock'));
    await expectSettled(ben);
    expect(ben.read('.skillc/skills/pdf/SKILL.md')).toBe(edited);
    expect(ok(await ben.run('diff', 'pdf')).stdout).toContain('+Twenty, as we do it.\n');

    // Ben merges: his own edit, made before he pulled, and the new version that Ada took.
    ben.write({ '.skillc/skills/csv/SKILL.md': text('csv', { 25: 'Twenty-five, by Ben.' }) });
    release({ 'skills/csv/SKILL.md': text('csv', { 2: 'Two, second version.' }) });
    ok(await ada.run('update', 'csv', ...accept));
    ada.share('Update csv');
    ben.pull();
    const inTheWay = await ben.run('install', '--trust-lock');
    expect({ status: inTheWay.status, stderr: inTheWay.stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("'skc update csv' keeps them"),
    });
    ok(await ben.run('update', 'csv', ...accept, '--trust-lock'));
    const both = text('csv', { 2: 'Two, second version.', 25: 'Twenty-five, by Ben.' });
    expect(ben.read('.skillc/skills/csv/SKILL.md')).toBe(both);
    await expectSettled(ben);
    ben.share('Edit csv');
    ada.pull();
    ok(await ada.run('install', '--trust-lock'));
    expect(ada.read('.skillc/skills/csv/SKILL.md')).toBe(both);
    await expectSettled(ada);

    // Thursday: a conflict, settled by marks in the file.
    release({ 'skills/csv/SKILL.md': text('csv', { 2: 'Two, second version.', 25: 'By the source.' }) });
    const stopped = await ada.run('update', 'csv', ...accept);
    expect(stopped.status).toBe(1);
    expect(stopped.stderr).toContain('  SKILL.md: line 33\n');
    expect(stopped.stderr).toContain("'skc update csv --conflict markers'");
    await expectSettled(ada);
    const marked = await ada.run('update', 'csv', '--conflict', 'markers', ...accept);
    expect({ status: marked.status, stdout: marked.stdout }).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('  then: skc update csv --yes --scope project\n'),
    });
    expect(ada.read('.skillc/skills/csv/SKILL.md')).toContain(
      '<<<<<<< yours\nTwenty-five, by Ben.\n=======\nBy the source.\n>>>>>>> theirs\n',
    );
    expect(ada.read('.skillc/conflicts/csv/SKILL.md.theirs')).toContain('By the source.');
    expect((await ada.run('verify', '--scope', 'project')).status).toBe(1);
    const tooEarly = await ada.run('update', 'csv', ...accept);
    expect({ status: tooEarly.status, stderr: tooEarly.stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('take out the lines <<<<<<<'),
    });
    const settled = text('csv', { 2: 'Two, second version.', 25: 'By Ben and the source.' });
    ada.write({ '.skillc/skills/csv/SKILL.md': settled });
    ok(await ada.run('update', 'csv', ...accept));
    expect(existsSync(join(ada.project, '.skillc/conflicts/csv'))).toBe(false);
    await expectSettled(ada);
    ada.share('Settle csv');
    ben.pull();
    ok(await ben.run('install', '--trust-lock'));
    expect(ben.read('.skillc/skills/csv/SKILL.md')).toBe(settled);
    await expectSettled(ben);

    // Friday: branches. Ben uninstalls on one, pins on the other, and goes back and forth.
    ben.git('checkout', '-q', '-b', 'without');
    ok(await ben.run('uninstall', 'pdf', '--force'));
    await expectSettled(ben);
    ben.git('add', '-A');
    ben.git('commit', '-q', '-m', 'Uninstall pdf');
    ben.git('push', '-q', '-u', 'origin', 'without');
    for (const branch of ['main', 'without', 'main', 'without']) {
      ben.git('checkout', '-q', branch);
      ok(await ben.run('install', '--trust-lock', '--offline'));
      await expectSettled(ben);
      expect(existsSync(join(ben.project, '.skillc/skills/pdf'))).toBe(branch === 'main');
    }
    ada.git('fetch', '-q');
    ada.git('checkout', '-q', 'without');
    expect(ok(await ada.run('install', '--trust-lock')).stdout).toContain(
      'pdf: removed, as the lock no longer names it\n',
    );
    await expectSettled(ada);
    ada.git('checkout', '-q', 'main');
    rmSync(join(ada.project, '.skillc/skills/csv'), { recursive: true });
    ok(await ada.run('install', '--trust-lock', '--offline'));
    await expectSettled(ada);
    ok(await ada.run('install', source, '--skill', 'pdf', '--target', 'claude', '--pin', ...accept));
    await expectSettled(ada);

    // A third machine clones on Saturday and has everything, the edits included.
    ada.share('Pin pdf');
    const cleo = machine('cleo');
    ok(await cleo.run('install', '--trust-lock'));
    await expectSettled(cleo);
    expect(bytesOf(cleo, ['csv', 'pdf', 'ours'])).toEqual(bytesOf(ada, ['csv', 'pdf', 'ours']));
    expect(cleo.git('status', '--porcelain')).toBe('');
  });
});
