import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const source = fileURLToPath(new URL('../src/', import.meta.url));

/** The storeys, lowest first, and the rooms in each, lowest first: a room imports from rooms before it alone. */
const house: Readonly<Record<string, readonly string[]>> = {
  base: ['diagnostics', 'files', 'archive', 'sqlite', 'markdown', 'words', 'tokens'],
  skill: ['agents', 'format', 'config', 'workspace', 'skill', 'quiz', 'judge'],
  read: ['index', 'catalog', 'access', 'gateway', 'usage'],
  make: ['author', 'evals', 'lint', 'compile'],
  guard: ['scan', 'execute', 'abilities'],
  ship: ['protocol', 'log', 'results', 'credentials', 'network', 'install', 'doctor'],
  host: ['answers', 'runtime', 'adapters', 'models'],
  front: ['pages', 'streams', 'report', 'commands', 'picker', 'mcp', 'rpc', 'studio', 'cli'],
};

const rooms = Object.entries(house).flatMap(([storey, names]) => names.map((name) => `${storey}/${name}`));

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
);

/** The room of a file: `read/gateway`; undefined for the doors of the package and of a storey, and for the version. */
function roomOf(path: string): string | undefined {
  const [storey, name, file] = path.split('/');
  return file === undefined ? undefined : `${storey}/${name}`;
}

/** Doors that lead out of the package, besides those of the storeys. */
const published = [
  'front/mcp/index.ts',
  'front/rpc/index.ts',
  'front/pages/index.ts',
  'ship/protocol/index.ts',
  'ship/log/index.ts',
];

const textOf = (path: string) => readFileSync(join(source, path), 'utf8');

/** The relative imports of a file, static, dynamic and for types, as paths from the source directory. */
function importsOf(path: string): string[] {
  const found = [...textOf(path).matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'(\.{1,2}\/[^']+)'/g)];
  return found.map(([, specifier]) => join(path, '..', specifier!));
}

/** Every import from one room into another. */
const crossings = files.flatMap((from) =>
  importsOf(from)
    .filter((to) => roomOf(from) !== undefined && roomOf(to) !== undefined && roomOf(to) !== roomOf(from))
    .map((to) => ({ from, to })),
);

test('the house has exactly these rooms', () => {
  expect([...new Set(files.map(roomOf))].filter((room) => room !== undefined).toSorted()).toEqual(
    rooms.toSorted(),
  );
});

test('a room imports from its own storey or lower ones, and from rooms before it alone', () => {
  const upward = crossings.filter(
    ({ from, to }) => rooms.indexOf(roomOf(to)!) > rooms.indexOf(roomOf(from)!),
  );
  expect(upward.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
});

const doorOf = (path: string) => `${roomOf(path)}/index.ts`;

test('a room is entered through its index.ts; only a lazy import goes straight to the one file it loads', () => {
  const throughWindows = crossings.filter(({ from, to }) => {
    if (to === doorOf(to)) return false;
    const isLazy = textOf(from).includes(`import('${relativeTo(from, to)}')`);
    return !isLazy || !textOf(doorOf(to)).includes(`'./${to.slice(roomOf(to)!.length + 1)}'`);
  });
  expect(throughWindows.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
});

function relativeTo(from: string, to: string): string {
  const path = relative(join(from, '..'), to);
  return path.startsWith('.') ? path : `./${path}`;
}

test('a door opens for somebody: what an index.ts exports is used by another room, or published', () => {
  const named = (text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].flatMap(([, names]) =>
      names!
        .split(',')
        .map((part) => part.trim().replace(/^type /, ''))
        .filter(Boolean),
    );
  const unused = rooms.flatMap((room) => {
    const door = `${room}/index.ts`;
    if (!files.includes(door) || published.includes(door)) return [];
    const exported = named(textOf(door), /export (?:type )?\{([^}]*)\} from/g);
    const users = files.filter(
      (path) => roomOf(path) !== room && importsOf(path).some((target) => roomOf(target) === room),
    );
    const words = new Set(users.flatMap((path) => textOf(path).match(/\w+/g) ?? []));
    return exported
      .filter((name) => !words.has(name.split(' as ').at(-1)!))
      .map((name) => `${door}: ${name}`);
  });
  expect(unused).toEqual([]);
});

test('imports lead to files, and none goes round in a circle', () => {
  const graph = new Map(files.map((path) => [path, importsOf(path)]));
  const missing = [...graph].flatMap(([path, targets]) =>
    targets.filter((target) => !graph.has(target)).map((target) => `${path} -> ${target}`),
  );
  expect(missing).toEqual([]);
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
    if (trail.includes(path) || done.has(path)) return;
    // Types are gone at run time, and a command is loaded when it is called: neither makes a circle.
    const text = textOf(path).replace(/import type [^;]+;|\bimport\([^)]*\)/g, '');
    const eager = [...text.matchAll(/\bfrom\s*'(\.{1,2}\/[^']+)'/g)].map(([, target]) =>
      join(path, '..', target!),
    );
    for (const target of eager) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of files) visit(path, []);
  expect(circles).toEqual([]);
});

/** The process around the command line, and around a server or a picker that owns its streams. */
const knowsProcess = [
  'front/cli/main.ts',
  'front/picker/own-terminal.ts',
  'front/streams/claim-standard-streams.ts',
];

describe('only the edges know the process', () => {
  test.each(['process.exit', 'process.cwd', 'process.argv', 'process.stdout', 'process.stderr', 'console.'])(
    '%s',
    (word) => {
      const code = (path: string) => textOf(path).replace(/\/\*[\s\S]*?\*\/|\/\/.*|`[^`]*`|'[^'\n]*'/g, '');
      const users = files.filter((path) => !path.endsWith('.generated.ts') && code(path).includes(word));
      expect(users.filter((path) => !knowsProcess.includes(path))).toEqual([]);
    },
  );
});

test('archives are read in base/archive alone', () => {
  const readers = files.filter(
    (path) =>
      !path.startsWith('base/archive/') &&
      /from '(?:tar\b|yauzl')|'ustar|0x06054b50|0x02014b50|PK\\x0[135]/.test(
        textOf(path).replace(/^import type .*$/gm, ''),
      ),
  );
  expect(readers).toEqual([]);
});
