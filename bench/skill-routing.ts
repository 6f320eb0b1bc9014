// Searches across skills: how often the skill that serves a request is the first result, or among the first five.
// usage: node bench/skill-routing.ts [--misses]

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadCatalog } from '../packages/skillwright/src/read/catalog/load-catalog.ts';
import { searchSkills } from '../packages/skillwright/src/read/catalog/search-skills.ts';
import { openWorkspace } from '../packages/skillwright/src/skill/workspace/workspace.ts';
import type { Figure } from './figure.ts';
import { inWorkplace, repository, write } from './workplace.ts';

/** Not part of the repository; without it nothing is measured. */
const data = join(repository, '../shared/data/skill-routing');

/** Results of BM25 with a small stop list on the same requests. */
const plain = { first: 0.38, five: 0.55 };

/** Hit@1 and Hit@5 of requests in plain language, given only a name and one line of description. */
export function measureRouting(): Promise<Figure[]> {
  if (!existsSync(data)) return Promise.resolve([]);
  return inWorkplace(async (directory) => {
    const readData = <Row>(name: string) => JSON.parse(readFileSync(join(data, name), 'utf8')) as Row[];
    const skills = readData<{ name: string; description: string }>('skills.json');
    const requests = readData<{ query: string; skill: string }>('queries.json');
    skills.forEach(({ name, description }, number) => {
      const text = `---\nname: ${JSON.stringify(name)}\ndescription: ${JSON.stringify(description)}\n---\n`;
      write(join(directory, '.agents/skills', `Skill_${number}`, 'SKILL.md'), text);
    });
    const home = join(directory, 'home');
    const catalog = await loadCatalog(await openWorkspace({ cwd: directory, home, env: {} }), {
      cache: false,
    });
    if (catalog.skills.length !== skills.length) throw new Error('some skills are not in the catalog');
    let first = 0;
    let five = 0;
    for (const { query, skill } of requests) {
      const names = searchSkills(catalog, query, { limit: 5 }).map((result) => result.skill.name);
      if (names[0] === skill) first += 1;
      if (names.includes(skill)) five += 1;
      else if (process.argv.includes('--misses'))
        console.error(`${skill} <- ${query}\n  ${names.join(', ')}`);
    }
    const figure = (name: string, value: number, least: number): Figure => ({
      name,
      value,
      unit: 'score',
      target: { text: `over ${least} (plain BM25)`, met: value > least },
    });
    return [
      figure('skill_search, Hit@1', first / requests.length, plain.first),
      figure('skill_search, Hit@5', five / requests.length, plain.five),
    ];
  });
}

if (import.meta.main)
  for (const { name, value } of await measureRouting()) console.log(`${name}  ${value.toFixed(3)}`);
