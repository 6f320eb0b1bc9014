import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const source = fileURLToPath(new URL('../src/', import.meta.url));

/** Who may import whom, lowest first: a row names rows above it only. */
const mayImport: Record<string, readonly string[]> = {
  'version.ts': [],
  streams: [],
  diagnostics: [],
  files: ['diagnostics'],
  markdown: [],
  tokens: [],
  format: ['diagnostics', 'files', 'markdown'],
  places: ['diagnostics', 'files'],
  config: ['diagnostics', 'files', 'format', 'places'],
  author: ['diagnostics', 'files', 'format', 'places'],
  lint: ['diagnostics', 'files', 'markdown', 'tokens', 'format', 'places'],
  index: ['diagnostics', 'files', 'markdown', 'format', 'places'],
  compile: ['version.ts', 'diagnostics', 'files', 'markdown', 'format', 'places', 'index'],
  quiz: ['diagnostics', 'files', 'markdown', 'format', 'places'],
  gateway: ['diagnostics', 'files', 'markdown', 'format', 'places', 'index', 'compile', 'quiz'],
  usage: ['version.ts', 'diagnostics', 'files', 'tokens', 'places', 'config'],
  catalog: ['diagnostics', 'files', 'markdown', 'format', 'places', 'config', 'index', 'compile'],
  execute: ['version.ts', 'diagnostics', 'files', 'format', 'places', 'config'],
  scan: ['diagnostics', 'files', 'markdown', 'format', 'places'],
  network: ['version.ts', 'diagnostics', 'files', 'markdown', 'format', 'config'],
  install: [
    'version.ts',
    'diagnostics',
    'files',
    'markdown',
    'format',
    'places',
    'config',
    'compile',
    'catalog',
    'scan',
    'network',
  ],
  runtime: [
    'diagnostics',
    'files',
    'markdown',
    'tokens',
    'format',
    'places',
    'config',
    'index',
    'gateway',
    'usage',
    'catalog',
    'quiz',
    'execute',
  ],
  doctor: [
    'version.ts',
    'diagnostics',
    'files',
    'tokens',
    'format',
    'places',
    'config',
    'index',
    'compile',
    'usage',
    'catalog',
    'execute',
    'install',
    'runtime',
  ],
  adapters: ['diagnostics', 'format', 'quiz', 'runtime'],
  commands: [
    'version.ts',
    'diagnostics',
    'files',
    'markdown',
    'tokens',
    'format',
    'places',
    'config',
    'author',
    'lint',
    'index',
    'compile',
    'gateway',
    'usage',
    'catalog',
    'quiz',
    'execute',
    'scan',
    'network',
    'install',
    'runtime',
    'doctor',
  ],
  mcp: [
    'version.ts',
    'streams',
    'diagnostics',
    'files',
    'markdown',
    'format',
    'places',
    'index',
    'compile',
    'catalog',
    'quiz',
    'runtime',
    'commands',
  ],
  picker: ['diagnostics', 'markdown', 'gateway', 'catalog', 'quiz', 'commands'],
  rpc: [
    'version.ts',
    'streams',
    'diagnostics',
    'files',
    'markdown',
    'format',
    'places',
    'config',
    'catalog',
    'quiz',
    'runtime',
    'commands',
  ],
  cli: ['version.ts', 'diagnostics', 'files', 'commands', 'mcp', 'picker', 'rpc'],
  'index.ts': ['version.ts', 'diagnostics', 'commands'],
};

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
);

const unitOf = (path: string) => path.split('/')[0]!;

const textOf = (path: string) => readFileSync(join(source, path), 'utf8');

/** The relative imports of a file, static, dynamic and for types, as paths from the source directory. */
function importsOf(path: string): string[] {
  const found = [...textOf(path).matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'(\.{1,2}\/[^']+)'/g)];
  return found.map(([, specifier]) => join(path, '..', specifier!));
}

test('the table is the order of the layers', () => {
  const rows = Object.keys(mayImport);
  const upward = Object.entries(mayImport).flatMap(([unit, others], index) =>
    others.filter((other) => !rows.slice(0, index).includes(other)).map((other) => `${unit} -> ${other}`),
  );
  expect(upward).toEqual([]);
});

test('every folder has a row', () => {
  expect([...new Set(files.map(unitOf))].filter((unit) => mayImport[unit] === undefined)).toEqual([]);
});

test('imports keep to the table', () => {
  const broken = files.flatMap((path) =>
    importsOf(path)
      .filter(
        (target) => unitOf(target) !== unitOf(path) && !mayImport[unitOf(path)]?.includes(unitOf(target)),
      )
      .map((target) => `${path} -> ${target}`),
  );
  expect(broken).toEqual([]);
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
const knowsProcess = ['cli/main.ts', 'picker/own-terminal.ts', 'streams/claim-standard-streams.ts'];

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
