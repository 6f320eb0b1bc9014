// Checks that compiling real skills loses nothing: every existing relative path that a SKILL.md mentions must open from
// the deployed skill, unless the build said why not. Run with `node bench/lost-paths.ts [directory of skills]`.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { buildSkill } from '../packages/skillwright/src/make/compile/build-skill.ts';
import { deploy } from '../packages/skillwright/src/make/compile/deploy.ts';
import { findSkills } from '../packages/skillwright/src/skill/skill/find-skills.ts';
import type { Figure } from './figure.ts';
import { inWorkplace, repository } from './workplace.ts';

/** Not part of the repository; without it nothing is measured. */
const archive = join(repository, '../shared/data/real-skills-whole.tar.gz');

/** Results for the skills of a directory. */
export interface LostPaths {
  readonly skills: number;
  readonly failed: number;
  readonly forms: Readonly<Record<string, number>>;
  readonly mentioned: number;
  /** Paths that opened from the deployed skill. */
  readonly opened: number;
  /** Paths that did not open, with the reason given by the build. */
  readonly explained: number;
  readonly lost: readonly string[];
  readonly reasons: Readonly<Record<string, number>>;
}

/** Paths in a text: in links, in code, in plain sentences. Independent of how the build finds them. */
function* writtenPaths(text: string): Generator<string> {
  for (const [, target] of text.matchAll(/\]\(<?([^)\s>]+)>?[^)]*\)/g)) yield decode(target!.split('#')[0]!);
  for (const [word] of text.matchAll(/[^\s`"'()<>[\]{},;:|*=]+/g)) yield word.replace(/[.!?]+$/, '');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Relative paths of a SKILL.md that exist in the skill. A bare word counts if it has an extension. */
function existingPaths(dir: string): Set<string> {
  const found = new Set<string>();
  for (const word of writtenPaths(readFileSync(join(dir, 'SKILL.md'), 'utf8'))) {
    const path = posix.normalize(word.replaceAll('\\', '/')).replace(/^\.\//, '').replace(/\/$/, '');
    if (path === '' || path === '.' || path.startsWith('..') || path.startsWith('/')) continue;
    if (path === 'SKILL.md' || (!path.includes('/') && !/\.\w+$/.test(path) && !word.endsWith('/'))) continue;
    if (path.length < 1000 && existsSync(join(dir, path))) found.add(path);
  }
  return found;
}

/** Builds and deploys every skill below a directory, and opens every path. */
export function findLostPaths(skillsDir: string, work: string): LostPaths {
  const result = {
    skills: 0,
    failed: 0,
    forms: {} as Record<string, number>,
    mentioned: 0,
    opened: 0,
    explained: 0,
    lost: [] as string[],
    reasons: {} as Record<string, number>,
  };
  const count = (counts: Record<string, number>, key: string): void => {
    counts[key] = (counts[key] ?? 0) + 1;
  };
  const home = join(work, 'home');
  for (const found of findSkills(skillsDir)) {
    if (found.kind !== 'skill') continue;
    const place = join(work, String(result.skills++));
    try {
      const now = new Date();
      const base = { dir: join(place, 'runtime'), project: undefined };
      const built = buildSkill(found.dir, {
        base,
        home,
        tokenizer: 'porter',
        force: false,
        now,
        deploy: 'auto',
      });
      const target = { id: 'bench', dir: join(place, 'agent') };
      const [deployed] = deploy([target], {
        name: built.name,
        form: built.form,
        source: built.source_path,
        runtimeDir: built.runtime_path,
        home,
        project: undefined,
        copy: false,
        force: false,
        now,
        platform: process.platform,
      });
      count(result.forms, built.form);
      count(result.reasons, `${built.form}: ${built.why.replace(/\d+|refers to .*/g, '…')}`);
      const leftOut = new Map(built.left_out.map(({ path, why }) => [path, why]));
      for (const path of existingPaths(found.dir)) {
        result.mentioned++;
        if (statSync(join(deployed!.path, path), { throwIfNoEntry: false }) !== undefined) result.opened++;
        else if (leftOut.has(path.split('/', 1)[0]!)) {
          result.explained++;
          const why = leftOut.get(path.split('/', 1)[0]!)!;
          count(result.reasons, `left out: ${why}`);
          if (process.argv[3] === why) console.log(`${found.dir}: ${path}`);
        } else result.lost.push(`${found.dir}: ${path}`);
      }
    } catch (error) {
      result.failed++;
      count(result.reasons, `failed: ${(error as Error).message.replace(/'.*'/g, '…')}`);
    }
  }
  return result;
}

/** Share of paths that opened or were explained, over the real skills. */
export function measureLostPaths(): Promise<Figure[]> {
  if (!existsSync(archive)) return Promise.resolve([]);
  return inWorkplace((directory) => {
    const skills = join(directory, 'skills');
    spawnSync('mkdir', [skills]);
    spawnSync('tar', ['xzf', archive, '-C', skills]);
    const { lost, mentioned, skills: amount } = findLostPaths(skills, directory);
    const name = `paths of ${amount} real skills that still open, or are explained`;
    const target = { text: 'all of them', met: lost.length === 0 };
    return [{ name, value: 1 - lost.length / Math.max(1, mentioned), unit: 'ratio' as const, target }];
  });
}

if (import.meta.main && process.argv[2] !== undefined) {
  const skills = process.argv[2];
  await inWorkplace((directory) => {
    const { lost, ...rest } = findLostPaths(skills, directory);
    console.log(JSON.stringify({ ...rest, lost: lost.slice(0, 60), lostCount: lost.length }, null, 2));
    return [];
  });
}
