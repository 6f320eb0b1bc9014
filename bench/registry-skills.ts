// Skills to fill a registry with: real ones, and mixtures of two real ones.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readFrontmatter } from '../packages/skillwright/src/skill/format/frontmatter.ts';
import { paragraph } from './workplace.ts';

/** A file of the directory that BENCH_DATA names; undefined without it. Real skills are not part of the repository. */
export function findData(name: string): string | undefined {
  const directory = process.env.BENCH_DATA;
  if (directory === undefined || directory === '') return undefined;
  const path = join(resolve(directory), name);
  return existsSync(path) ? path : undefined;
}

/** A skill without its files. */
export interface BenchSkill {
  readonly owner: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly body: string;
}

interface Text {
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

const SKILLS_PER_OWNER = 100;

/** Unpacks the real skills into a directory; false when BENCH_DATA does not have them. */
export function unpackRealSkills(directory: string): boolean {
  const archive = findData('real-skills-whole.tar.gz');
  return archive !== undefined && spawnSync('tar', ['xzf', archive, '-C', directory]).status === 0;
}

/** Skills made of the real ones below a directory; without any, of invented text. */
export function makeSkills(directory: string, count: number): BenchSkill[] {
  const skillAt = skillMaker(directory);
  return Array.from({ length: count }, (_, number) => skillAt(number));
}

/** Makes the skill with a number: the same one every time. */
export function skillMaker(directory: string): (number: number) => BenchSkill {
  const texts = readTexts(directory);
  const known = texts.length > 0 ? texts : Array.from({ length: 500 }, (_, number) => inventText(number));
  return (number) => {
    const own = known[number % known.length]!;
    const round = Math.floor(number / known.length);
    const other = known[(number * 7 + round * 31) % known.length]!;
    const text = round === 0 ? own : mix(own, other);
    return {
      ...text,
      owner: `team-${Math.floor(number / SKILLS_PER_OWNER)}`,
      name: `${text.name}-${number}`,
      tags: text.name.split('-').slice(0, 2),
    };
  };
}

function readTexts(directory: string): Text[] {
  const paths = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('SKILL.md'),
  );
  return paths.sort().flatMap((path) => {
    const { data, body } = readFrontmatter(readFileSync(join(directory, path), 'utf8'));
    const name = dirname(path).split('/').at(-1)!.toLowerCase();
    const description = data?.description;
    if (typeof description !== 'string' || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return [];
    return [{ name: name.slice(0, 50).replace(/-$/, ''), description, body }];
  });
}

/** The first half of one and the second half of another. */
function mix(a: Text, b: Text): Text {
  const halves = (first: string, second: string, separator: string) => {
    const [start, end] = [first.split(separator), second.split(separator)];
    return [...start.slice(0, Math.ceil(start.length / 2)), ...end.slice(Math.floor(end.length / 2))].join(
      separator,
    );
  };
  return {
    name: a.name,
    description: halves(a.description, b.description, ' '),
    body: halves(a.body, b.body, '\n'),
  };
}

function inventText(number: number): Text {
  return {
    name: `skill-${number}`,
    description: paragraph(number, 20),
    body: `\n# Skill ${number}\n\n${paragraph(number + 1, 300)}\n`,
  };
}
