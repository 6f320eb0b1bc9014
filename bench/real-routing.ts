// Searches across real skills with their full bodies: how often the skill a question was derived from is the first
// result, or among the first five. Questions leave out the words of its name.
// usage: node bench/real-routing.ts

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { loadCatalog } from '../packages/skillwright/src/read/catalog/load-catalog.ts';
import { searchSkills } from '../packages/skillwright/src/read/catalog/search-skills.ts';
import type { SkillRecord } from '../packages/skillwright/src/read/catalog/skill-record.ts';
import { openWorkspace } from '../packages/skillwright/src/skill/workspace/workspace.ts';
import type { Figure } from './figure.ts';
import { inWorkplace, repository, write } from './workplace.ts';

/** Not part of the repository; without it nothing is measured. */
const archive = join(repository, '../shared/data/real-skills-md.tar.gz');

const KEYWORDS = 4;

/** Derives possible questions from a skill. */
type MakeQuestions = (skill: SkillRecord, body: string) => string[];

export const kinds: Readonly<Record<string, MakeQuestions>> = {
  'words of the description': ({ description, name }) => {
    const words = [...new Set(description.toLowerCase().match(/[a-z][a-z0-9-]{3,}/g))];
    const chosen = words.sort((a, b) => order(a + name) - order(b + name)).slice(0, KEYWORDS);
    return chosen.length < KEYWORDS ? [] : [chosen.join(' ')];
  },
  'a heading': (_skill, body) => [...body.matchAll(/^#{2,3} (.+)$/gm)].map((match) => match[1]!),
  'a sentence': (_skill, body) => body.split('\n').filter((line) => /^[A-Z].{50,200}$/.test(line)),
};

/** Hit@1 and Hit@5 for each kind of question. */
export function measureRealRouting(): Promise<Figure[]> {
  if (!existsSync(archive)) return Promise.resolve([]);
  return inWorkplace(async (directory) => {
    spawnSync('tar', ['xzf', archive, '-C', directory]);
    write(join(directory, '.agents/.keep'), '');
    renameSync(join(directory, 'skills'), join(directory, '.agents/skills'));
    const home = join(directory, 'home');
    const catalog = await loadCatalog(await openWorkspace({ cwd: directory, home, env: {} }), {
      cache: false,
    });
    return Object.entries(kinds).flatMap(([kind, make]) => {
      const questions = makeQuestions(catalog.skills, make);
      const ranks = questions.map(({ query, path }) =>
        searchSkills(catalog, query, { limit: 5 }).findIndex((result) => result.skill.path === path),
      );
      const share = (hits: number[]): number => hits.length / questions.length;
      const name = `skill_search among ${catalog.skills.length} real skills by ${kind}`;
      return [
        { name: `${name}, Hit@1`, value: share(ranks.filter((rank) => rank === 0)), unit: 'score' },
        { name: `${name}, Hit@5`, value: share(ranks.filter((rank) => rank >= 0)), unit: 'score' },
      ] satisfies Figure[];
    });
  });
}

/** One question per skill, skipping text that several skills share. */
export function makeQuestions(
  skills: readonly SkillRecord[],
  make: MakeQuestions,
): { query: string; path: string }[] {
  const all = skills.map((skill) => {
    const text = readFileSync(skill.path, 'utf8');
    const body = text.slice(text.indexOf('\n---', 3) + 4).replace(/```[\s\S]*?```/g, '');
    const named = new Set(skill.name.toLowerCase().split(/[^a-z0-9]+/));
    const queries = make(skill, body)
      .map((query) => query.split(/\s+/).filter((word) => !named.has(word.toLowerCase().replace(/\W/g, ''))))
      .filter((words) => words.length >= 3)
      .map((words) => words.join(' '));
    return { path: skill.path, queries: new Set(queries) };
  });
  const known = new Map<string, number>();
  for (const { queries } of all) for (const query of queries) known.set(query, (known.get(query) ?? 0) + 1);
  return all.flatMap(({ path, queries }) => {
    const own = [...queries].filter((query) => known.get(query) === 1);
    const [query] = own.sort((a, b) => order(a) - order(b));
    return query === undefined ? [] : [{ query, path }];
  });
}

/** A deterministic number without a pattern. */
function order(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

if (import.meta.main)
  for (const { name, value } of await measureRealRouting()) console.log(`${name}  ${value.toFixed(3)}`);
