// `npm run walks`: how far a command walks through the house. Prints how many files ran a function, how often the work
// went on in another file, and how often a fact about a skill was derived. Exits with 1 when a walk is longer than planned.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Notes } from './walk-hook.ts';

/** Functions that derive a fact of a skill or a project. */
const facts = [
  'openWorkspace',
  'loadCatalog',
  'openSkill',
  'readFrontmatter',
  'nameSkill',
  'walkTree',
  'readLock',
  'scanSkill',
] as const;

type Fact = (typeof facts)[number];

/** A walk, and the most it may take. */
interface Walk {
  readonly name: string;
  /** Words of `skc`, or a program below `scripts/walks`. */
  readonly words: readonly string[] | { readonly program: string };
  readonly files: number;
  readonly hops: number;
  readonly facts?: Partial<Record<Fact, number>>;
}

const once = { openSkill: 1, readFrontmatter: 1, nameSkill: 1 };

/** In this order: the last one changes the project. */
const walks: readonly Walk[] = [
  {
    name: 'skc show demo --section Steps',
    words: ['show', 'demo', '--section', 'Steps'],
    files: 60,
    hops: 200,
  },
  {
    name: 'session.load({ name })',
    words: { program: 'load-skill.ts' },
    files: 50,
    hops: 200,
  },
  { name: 'skc build demo, unchanged', words: ['build', 'demo'], files: 80, hops: 300, facts: once },
  { name: 'skc lint demo', words: ['lint', 'demo'], files: 110, hops: 900, facts: once },
  { name: 'skc scan demo', words: ['scan', 'demo'], files: 90, hops: 500, facts: once },
  {
    name: 'studio page of a skill, second view',
    words: { program: 'studio-page.ts' },
    files: 90,
    hops: 700,
    facts: { scanSkill: 0, loadCatalog: 1 },
  },
  {
    name: 'skc install <directory>, one file',
    words: ['install', '../elsewhere/other', '--yes'],
    files: 140,
    hops: 900,
    facts: { openSkill: 2, readFrontmatter: 2, nameSkill: 2, walkTree: 3, readLock: 2 },
  },
];

const root = fileURLToPath(new URL('..', import.meta.url));
const main = join(root, 'packages/skillwright/src/front/cli/main.ts');
const hook = pathToFileURL(join(root, 'scripts/walk-hook.ts')).href;
const place = mkdtempSync(join(tmpdir(), 'skillwright-walks-'));

/** A project with the built skill `demo`, and a skill elsewhere. */
function makeWorld(): string {
  const world = join(place, 'world');
  const skill = (name: string) =>
    `---\nname: ${name}\ndescription: Reports on ${name}. Use when rows are counted.\n---\n\n# ${name}\n\n## Steps\n\nCount rows.\n`;
  const files = {
    'project/.skillc/skills/demo/SKILL.md': skill('demo'),
    'elsewhere/other/SKILL.md': skill('other'),
    'home/.profile': '',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(world, dirname(path)), { recursive: true });
    writeFileSync(join(world, path), text);
  }
  for (const words of [
    ['build', 'demo'],
    ['show', 'demo', '--section', 'Steps'],
  ])
    start([main, ...words], world);
  return world;
}

function start(args: readonly string[], world: string, env: Readonly<Record<string, string>> = {}): void {
  const { status, stderr } = spawnSync(process.execPath, ['--no-warnings', ...args], {
    cwd: join(world, 'project'),
    env: { PATH: process.env.PATH, SKC_HOME: join(world, 'home'), ...env },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${args.map((word) => basename(word)).join(' ')}: ${stderr}`);
}

/** Takes a walk, and reads the notes of all its processes. */
function take({ words }: Walk, world: string): Notes[] {
  const own = mkdtempSync(join(place, 'walk-'));
  const program = 'program' in words ? [join(root, 'scripts/walks', words.program)] : [main, ...words];
  start(['--import', hook, ...program], world, { WALK_NOTES: join(own, 'notes') });
  return readdirSync(own).map((name) => JSON.parse(readFileSync(join(own, name), 'utf8')) as Notes);
}

/** Counts a walk: files that ran, steps from one file to another, facts derived. */
function count(notes: readonly Notes[]) {
  const files = new Set<string>();
  const derived: Partial<Record<Fact, number>> = {};
  let hops = 0;
  for (const { functions, ran } of notes) {
    let last = '';
    for (const number of ran) {
      const [file, name] = functions[number]!;
      files.add(file);
      const fact = facts.find((known) => known === name);
      if (fact !== undefined) derived[fact] = (derived[fact] ?? 0) + 1;
      if (file === last) continue;
      hops++;
      last = file;
    }
  }
  return { files: files.size, hops, derived };
}

try {
  const world = makeWorld();
  let isOver = false;
  const limit = (value: number, most: number | undefined) => {
    if (most === undefined || value <= most) return `${value}`;
    isOver = true;
    return `${value} (at most ${most})`;
  };
  for (const walk of walks) {
    const { files, hops, derived } = count(take(walk, world));
    const named = facts
      .filter((fact) => derived[fact] !== undefined)
      .map((fact) => `${fact} ${limit(derived[fact]!, walk.facts?.[fact])}`);
    console.log(walk.name);
    console.log(`  files ${limit(files, walk.files)}, hops ${limit(hops, walk.hops)}`);
    if (named.length > 0) console.log(`  ${named.join(', ')}`);
  }
  process.exitCode = isOver ? 1 : 0;
} finally {
  rmSync(place, { recursive: true, force: true });
}
