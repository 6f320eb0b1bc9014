// The catalog of 20,000 skills: first and second start, memory, and search.
// usage: node bench/catalog.ts

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadCatalog } from '../packages/skillwright/src/read/catalog/load-catalog.ts';
import { searchSkills } from '../packages/skillwright/src/read/catalog/search-skills.ts';
import type { SkillCatalog } from '../packages/skillwright/src/read/catalog/skill-record.ts';
import { openWorkspace } from '../packages/skillwright/src/skill/workspace/workspace.ts';
import { compare, type Figure, median, time } from './figure.ts';
import { inWorkplace, node, repository, smallSkill, write } from './workplace.ts';

const SKILLS = 20_000;
const GROUPS = 20;
const QUERIES = 200;

/** Every catalog figure in SPEC, each next to its baseline from the same process. */
export function measureCatalog(): Promise<Figure[]> {
  return inWorkplace(async (directory) => {
    const files = writeSkills(directory);
    const home = join(directory, 'home');
    const place = { cwd: directory, home, env: {} };
    const open = async () => loadCatalog(await openWorkspace(place), { maxDirectories: 2 * SKILLS });
    const cache = join(home, '.skillc/cache');
    const read = () => {
      for (const file of files) readFileSync(file);
    };
    const stat = () => {
      for (const file of files) statSync(file);
    };
    const load = async () => {
      const start = performance.now();
      const { skills } = await open();
      if (skills.length !== SKILLS) throw new Error(`${skills.length} skills instead of ${SKILLS}`);
      return performance.now() - start;
    };
    // Take turns, so that all measurements see the same machine. The first round warms up.
    const times = { read: [] as number[], cold: [] as number[], stat: [] as number[], warm: [] as number[] };
    for (let round = 0; round < 8; round++) {
      rmSync(cache, { recursive: true, force: true });
      times.read.push(time(1, read));
      times.cold.push(await load());
      times.stat.push(time(1, stat));
      times.warm.push(await load());
    }
    const [reading, cold, statting, warm] = Object.values(times).map((values) => median(values.slice(1)));
    return [
      compare(`catalog of ${SKILLS} skills, first start`, cold!, {
        name: 'reading the same files',
        value: reading!,
        atMost: 4,
      }),
      compare(`catalog of ${SKILLS} skills, second start`, warm!, {
        name: 'statting the same files',
        value: statting!,
        atMost: 3,
      }),
      ...measureMemory(directory, home),
      ...(await measureSearch(open, home)),
    ];
  });
}

/** Search after everything is loaded, and the cost of the first and the second load. */
async function measureSearch(open: () => Promise<SkillCatalog>, home: string): Promise<Figure[]> {
  const build = async () => {
    const catalog = await open();
    const value = time(1, () => searchSkills(catalog, 'anything'));
    return { catalog, value };
  };
  rmSync(join(home, '.skillc/cache'), { recursive: true, force: true });
  const first = await build();
  const second = await build();
  const times: number[] = [];
  for (let number = 0; number < QUERIES; number++) {
    const query = `${makeWords(number * 31, 4).join(' ')} and ${smallSkill(number).name.replace(/\d+/, '')} of kind ${number}`;
    const start = performance.now();
    searchSkills(second.catalog, query);
    times.push(performance.now() - start);
  }
  const value = median(times);
  const slowest = times.sort((a, b) => a - b)[Math.floor(QUERIES * 0.99)]!;
  return [
    {
      name: 'skill_search, p50',
      value,
      unit: 'ms',
      target: { text: 'under 5 ms', met: value < 5 },
    },
    { name: 'skill_search, p99', value: slowest, unit: 'ms' },
    { name: 'words of all skills, first search', value: first.value, unit: 'ms' },
    { name: 'words of all skills, remembered', value: second.value, unit: 'ms' },
  ];
}

/** Peak memory of a process that loads the catalog, and of one that also searches it. */
function measureMemory(directory: string, home: string): Figure[] {
  const built = (path: string) =>
    JSON.stringify(pathToFileURL(join(repository, 'packages/skillwright/dist', path)).href);
  if (!existsSync(join(repository, 'packages/skillwright/dist'))) return [];
  const run = (then: string): number => {
    rmSync(join(home, '.skillc/cache'), { recursive: true, force: true });
    const script = `
      import { loadCatalog, searchSkills } from ${built('read/index.js')};
      import { openWorkspace } from ${built('skill/index.js')};
      const place = ${JSON.stringify({ cwd: directory, home, env: {} })};
      const catalog = await loadCatalog(await openWorkspace(place), { maxDirectories: ${2 * SKILLS} });
      ${then}
      console.log(process.resourceUsage().maxRSS / 1024);`;
    const { stdout, stderr } = spawnSync(node, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    if (stdout === '') throw new Error(stderr);
    return Number(stdout);
  };
  const loading = run('');
  return [
    {
      name: `memory of a process with ${SKILLS} skills`,
      value: loading,
      unit: 'MB',
      target: { text: 'under 150 MB', met: loading < 150 },
    },
    {
      name: 'memory, with their words for searching',
      value: run("searchSkills(catalog, 'anything');"),
      unit: 'MB',
    },
  ];
}

function writeSkills(directory: string): string[] {
  return Array.from({ length: SKILLS }, (_, number) => {
    const { name, text } = smallSkill(number);
    const path = join(directory, '.agents/skills', `group-${number % GROUPS}`, name, 'SKILL.md');
    // From a few lines to several pages, like real skills.
    const sections = Array.from(
      { length: (number * 7919) % 13 },
      (_, index) =>
        `\n## About ${makeWords(number + index, 2).join(' ')}\n\n${makeWords(number * 17 + index, 20 + ((number * 31) % 90)).join(' ')}.\n`,
    );
    write(path, text + sections.join(''));
    return path;
  });
}

const syllables = 'ba ce di fo gu ka le mi no pu ra se ti vo zu an er in or us'.split(' ');

/** Words from a vocabulary of 8,000, a few of them frequent and most of them rare. */
function makeWords(seed: number, count: number): string[] {
  let state = (seed * 2654435761) >>> 0;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const rank = Math.floor(8000 ** (state / 2 ** 32));
    return `${syllables[rank % 20]}${syllables[Math.floor(rank / 20) % 20]}${syllables[Math.floor(rank / 400)]}`;
  });
}

if (import.meta.main)
  for (const { name, value, unit, ratio, target } of await measureCatalog())
    console.log(
      [name, value.toFixed(1), unit, ratio?.toFixed(2), target && `${target.text}: ${target.met}`].join('  '),
    );
