// A team for tests: one remote repository, machines with their own homes and clones of it, and real git.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { makeDirectory, type Tree, writeTree } from './make-directory.ts';
import { skillText } from './make-world.ts';
import { type SkcResult, skc } from './run-in-process.ts';

const lines = (change: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 30 }, (_, index) => change[index] ?? `Line ${index} of the text.`).join('\n');

/** A skill of thirty lines, some of them changed. */
export const text = (name: string, change: Readonly<Record<number, string>> = {}) =>
  skillText(name, `# ${name}\n\n${lines(change)}\n`);

/** One machine of the team. */
export interface Machine {
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
export function makeTeam(skills: Tree) {
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
  // The source is next to both projects, so that the lock spells it the same for both.
  const release = (tree: Tree) => writeTree(stranger, tree);
  return { ada, ben, machine, release, source: '../../stranger' };
}

type Entry = { files: Record<string, string>; edits?: Record<string, string | null> };

/** The skills of the lock. */
export const lockOf = ({ read }: Machine) =>
  (JSON.parse(read('.skillc/lock.json')) as { skills: Record<string, Entry> }).skills;

/** Digests in the lock, and digests of the store. */
export function bytesOf({ project }: Machine, names: readonly string[]): Record<string, string> {
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
export async function expectSettled(machine: Machine): Promise<void> {
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

/** A result that has to be a success. */
export const ok = (result: SkcResult): SkcResult => {
  expect(result.status, `${result.stdout}${result.stderr}`).toBe(0);
  return result;
};

/** Flags that accept skills with a low trust score. */
export const accept = ['--yes', '--accept', 'low-trust', '--reason', 'a test'];
