// Search quality of the registry compared with `skc find`, on the same skills and requests.
// usage: node bench/registry-quality.ts [--tuning]

import { spawnSync } from 'node:child_process';
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { anonymous } from '../packages/registry/src/access/caller.ts';
import type { Registry } from '../packages/registry/src/registry.ts';
import { searchSkills } from '../packages/registry/src/search/search-skills.ts';
import { openTestRegistry } from '../packages/registry/test/open-test-registry.ts';
import { loadCatalog } from '../packages/skillwright/src/read/catalog/load-catalog.ts';
import { searchSkills as searchCatalog } from '../packages/skillwright/src/read/catalog/search-skills.ts';
import type { SkillRecord } from '../packages/skillwright/src/read/catalog/skill-record.ts';
import { SearchQuery } from '../packages/skillwright/src/ship/protocol/index.ts';
import { openWorkspace } from '../packages/skillwright/src/skill/workspace/workspace.ts';
import type { Figure } from './figure.ts';
import { kinds, makeQuestions } from './real-routing.ts';
import { insertMany } from './registry-import.ts';
import { findData } from './registry-skills.ts';
import { inWorkplace, write } from './workplace.ts';

/** Hit@5 may be this much lower than that of `skc find`. */
const TOLERANCE = 0.02;
const isTuning = process.argv.includes('--tuning');

/**
 * Hit@5 on the routing data and on real skills. Only questions with odd numbers are reported: the even ones are
 * for tuning the ranking.
 */
export function measureRegistryQuality(): Promise<Figure[]> {
  const routing = findData('skill-routing');
  const archive = findData('real-skills-md.tar.gz');
  return inWorkplace(async (directory) => [
    ...(routing === undefined ? [] : await measureRequests(join(directory, 'routing'), routing)),
    ...(archive === undefined ? [] : await measureReal(join(directory, 'real'), archive)),
  ]);
}

async function measureRequests(directory: string, data: string): Promise<Figure[]> {
  const readData = <Row>(name: string) => JSON.parse(readFileSync(join(data, name), 'utf8')) as Row[];
  const skills = readData<{ name: string; description: string }>('skills.json');
  skills.forEach(({ name, description }, number) => {
    const text = `---\nname: ${JSON.stringify(name)}\ndescription: ${JSON.stringify(description)}\n---\n`;
    write(join(directory, '.agents/skills', `Skill_${number}`, 'SKILL.md'), text);
  });
  const requests = readData<{ query: string; skill: string }>('queries.json');
  return compareOn(directory, (catalog) => [
    {
      name: 'requests in plain language',
      questions: requests.flatMap(({ query, skill }) => {
        const path = catalog.find(({ name }) => name === skill)?.path;
        return path === undefined ? [] : [{ query, path }];
      }),
    },
  ]);
}

async function measureReal(directory: string, archive: string): Promise<Figure[]> {
  write(join(directory, '.agents/.keep'), '');
  spawnSync('tar', ['xzf', archive, '-C', directory]);
  renameSync(join(directory, 'skills'), join(directory, '.agents/skills'));
  return compareOn(directory, (catalog) =>
    Object.entries(kinds).map(([kind, make]) => ({
      name: `real skills by ${kind}`,
      questions: makeQuestions(catalog, make),
    })),
  );
}

interface Sample {
  readonly name: string;
  readonly questions: readonly { readonly query: string; readonly path: string }[];
}

async function compareOn(
  directory: string,
  sample: (skills: readonly SkillRecord[]) => Sample[],
): Promise<Figure[]> {
  const workspace = await openWorkspace({ cwd: directory, home: join(directory, 'home'), env: {} });
  const catalog = await loadCatalog(workspace, { cache: false });
  const { registry } = await openTestRegistry('postgres');
  try {
    // Skills of one name have different owners.
    const skills = catalog.skills.map(({ name, description, path }, number) => {
      const text = readFileSync(path, 'utf8');
      const body = text.slice(text.indexOf('\n---', 3) + 4);
      const tags = [...(catalog.skills[number]!.tags ?? [])];
      return { owner: `owner-${number}`, name, description, tags, body };
    });
    await insertMany(registry, skills);
    const figures: Figure[] = [];
    for (const { name, questions: all } of sample(catalog.skills)) {
      const questions = all.filter((_, number) => number % 2 === (isTuning ? 0 : 1));
      let ours = 0;
      let theirs = 0;
      for (const { query, path } of questions) {
        const number = catalog.skills.findIndex((skill) => skill.path === path);
        const found = searchCatalog(catalog, query, { limit: 5 });
        if (found.some(({ skill }) => skill.path === path)) theirs += 1;
        if ((await firstFive(registry, query)).includes(number)) ours += 1;
      }
      const [value, baseline] = [ours / questions.length, theirs / questions.length];
      figures.push({
        name: `registry search, ${name}, Hit@5`,
        value,
        unit: 'score',
        baseline: { name: 'skc find', value: baseline, unit: 'score' },
        target: { text: `at most ${TOLERANCE} below`, met: value >= baseline - TOLERANCE },
      });
    }
    return figures;
  } finally {
    await registry.close();
  }
}

async function firstFive(registry: Registry, query: string): Promise<number[]> {
  const { skills } = await searchSkills(
    registry,
    anonymous,
    SearchQuery.parse({ q: query.slice(0, 500), limit: 5 }),
  );
  return skills.map(({ name }) => Number(/^@owner-(\d+)\//.exec(name)?.[1]));
}

if (import.meta.main) {
  for (const { name, value, baseline } of await measureRegistryQuality())
    console.log(`${name}  ${value.toFixed(3)}  skc find ${baseline!.value.toFixed(3)}`);
  process.exit(0);
}
