import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../src/', import.meta.url));

/**
 * The rooms, lowest first: a room imports from rooms before it alone. Those before `registry.ts` know a part of the registry
 * and keep what it remembers; those after it take the whole value.
 */
const rooms = [
  'base',
  'settings',
  'store',
  'access',
  'identity',
  'catalog',
  'search',
  'reading',
  'registry.ts',
  'log',
  'work',
  'accounts',
  'skills',
  'moderation',
  'mirrors',
  'changes',
  'import',
  'backup',
  'doctor',
  'mcp',
  'http',
  'api',
  'web',
  'server',
  'commands',
  'main.ts',
];

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
);

const roomOf = (path: string) => path.split('/')[0]!;
const doorOf = (path: string) => (path.includes('/') ? `${roomOf(path)}/index.ts` : path);
const textOf = (path: string) => readFileSync(join(source, path), 'utf8');

/** The relative imports of a file, as paths from the source directory. */
function importsOf(text: string, path: string): string[] {
  const found = [...text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'(\.{1,2}\/[^']+)'/g)];
  return found.map(([, specifier]) => join(path, '..', specifier!));
}

/** Imports that a program waits for: types are gone at run time, and a lazy import loads one file when it is needed. */
const withoutLazy = (text: string) => text.replace(/\bimport\([^)]*\)/g, '');

/** Every import from one room into another. */
const crossings = files.flatMap((from) =>
  importsOf(textOf(from), from)
    .filter((to) => roomOf(to) !== roomOf(from))
    .map((to) => ({ from, to })),
);

test('the house has exactly these rooms', () => {
  expect([...new Set(files.map(roomOf))].toSorted()).toEqual(rooms.toSorted());
});

test('a room imports from rooms before it alone', () => {
  const upward = crossings.filter(({ from, to }) => rooms.indexOf(roomOf(to)) > rooms.indexOf(roomOf(from)));
  expect(upward.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
});

test('a room is entered through its index.ts; only the program, and a lazy import, go straight to a file', () => {
  const throughWindows = files
    .filter((from) => from !== 'main.ts')
    .flatMap((from) => importsOf(withoutLazy(textOf(from)), from).map((to) => ({ from, to })))
    .filter(({ from, to }) => roomOf(to) !== roomOf(from) && to !== doorOf(to));
  expect(throughWindows.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
});

test('a door opens for somebody: what an index.ts exports is used by another room', () => {
  const unused = rooms.flatMap((room) => {
    const door = `${room}/index.ts`;
    if (!files.includes(door)) return [];
    const exported = [...textOf(door).matchAll(/export (?:type )?\{([^}]*)\} from/g)].flatMap(([, names]) =>
      names!
        .split(',')
        .map((part) => part.trim().replace(/^type /, ''))
        .filter(Boolean),
    );
    const users = crossings.filter(({ to }) => to === door).map(({ from }) => from);
    const words = new Set(users.flatMap((path) => textOf(path).match(/\w+/g) ?? []));
    return exported.filter((name) => !words.has(name)).map((name) => `${door}: ${name}`);
  });
  expect(unused).toEqual([]);
});

test('imports lead to files, and none goes round in a circle', () => {
  const missing = files.flatMap((path) =>
    importsOf(textOf(path), path)
      .filter((target) => !files.includes(target))
      .map((target) => `${path} -> ${target}`),
  );
  expect(missing).toEqual([]);
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
    if (trail.includes(path) || done.has(path)) return;
    const eager = withoutLazy(textOf(path)).replace(/import type [^;]+;/g, '');
    for (const target of importsOf(eager, path)) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of files) visit(path, []);
  expect(circles).toEqual([]);
});

test('only the program knows the process around it', () => {
  const known = /\bprocess\.(?:exit|cwd|argv|stdout|stderr)\b|\bconsole\./;
  const code = (path: string) => textOf(path).replace(/\/\*[\s\S]*?\*\/|\/\/.*|`[^`]*`|'[^'\n]*'/g, '');
  expect(files.filter((path) => path !== 'main.ts' && known.test(code(path)))).toEqual([]);
});
