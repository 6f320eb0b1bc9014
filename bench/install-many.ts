// Installs 500 skills from one local git repository, compared with copying and hashing the same files.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare, type Figure, median } from './figure.ts';
import { inWorkplace, paragraph, skc, smallSkill, write } from './workplace.ts';

const SKILLS = 500;
const ROUNDS = 3;

/** A full run of the executable: fetch, scan, lock, compile, and link for one agent. */
export function measureInstall(): Promise<Figure[]> {
  return inWorkplace((directory) => {
    const source = join(directory, 'team');
    for (let number = 0; number < SKILLS; number++) {
      const { name, text } = smallSkill(number);
      write(join(source, 'skills', name, 'SKILL.md'), text);
      write(join(source, 'skills', name, 'references/more.md'), `# More\n\n${paragraph(number, 400)}.\n`);
    }
    run('git', ['init', '--quiet'], source);
    run('git', ['add', '.'], source);
    const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
    run('git', [...author, 'commit', '--quiet', '-m', 'Add skills'], source);
    const rounds = Array.from({ length: ROUNDS }, (_, round) => {
      const copying = timed(() => copyAndHash(join(source, 'skills'), join(directory, `copy-${round}`)));
      const project = join(directory, `project-${round}`);
      const home = join(directory, `home-${round}`);
      for (const dir of [join(project, '.skillc'), home]) mkdirSync(dir, { recursive: true });
      const words = ['install', source, '--all', '--target', 'claude', '--yes', '--scope', 'project'];
      const installing = timed(() => run(skc, words, project, home));
      const installed = readdirSync(join(project, '.skillc/skills')).length;
      if (installed !== SKILLS) throw new Error(`${installed} skills were installed`);
      return { copying, installing };
    });
    return [
      compare(`install of ${SKILLS} skills`, median(rounds.map(({ installing }) => installing)), {
        name: 'copying and hashing the same files',
        value: median(rounds.map(({ copying }) => copying)),
        atMost: 3,
      }),
    ];
  });
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function run(program: string, words: readonly string[], cwd: string, home = cwd): void {
  const env = { PATH: process.env.PATH, HOME: home };
  const { status, stderr } = spawnSync(program, words, { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr.slice(-500));
}

function copyAndHash(from: string, to: string): string[] {
  cpSync(from, to, { recursive: true });
  return readdirSync(to, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      createHash('sha256')
        .update(readFileSync(join(parentPath, name)))
        .digest('hex'),
    );
}
