import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BuildOptions, buildIndex } from './build-index.ts';
import { indexFileName, indexHash, indexPath } from './database.ts';
import { openIndex } from './open-index.ts';

let root: string;
let sourceDir: string;
let indexDir: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'skill-index-')));
  sourceDir = join(root, 'demo');
  indexDir = join(root, 'runtime', '.skillc');
  write('SKILL.md', '# Demo\n\nalpha\n');
  write('references/a.md', '# Reference\n\nbeta\n');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(join(sourceDir, path)), { recursive: true });
  writeFileSync(join(sourceDir, path), text);
}

function build(options: Partial<BuildOptions> = {}) {
  const result = buildIndex({ sourceDir, indexDir, tokenizer: 'porter', now: new Date(), ...options });
  return [result.status, result.indexed, result.removed] as const;
}

/** All content of an index, found by searching for every word. */
function contents(directory: string, words: readonly string[]) {
  const index = openIndex({ skill: 'demo', sourceDir, indexDir: directory });
  try {
    index.checkFresh();
    const answers = words.map((word) => index.search(word, { limit: 50 }));
    const files = index.files().map(({ path, sha256 }) => [path, sha256]);
    return { headings: index.headings(), answers, files, sourceHash: index.sourceHash };
  } finally {
    index.close();
  }
}

const path = () => indexPath(indexDir, sourceDir);

test('the file is named for the source path', () => {
  expect(indexHash('/skills/demo')).toBe('992eb301246fe76b');
  expect(indexFileName('/skills/demo')).toBe('search-992eb301246fe76b.db');
});

describe('status', () => {
  test('created, unchanged, updated', () => {
    expect(build()).toEqual(['created', 2, 0]);
    expect(build()).toEqual(['unchanged', 0, 0]);
    write('SKILL.md', '# Demo\n\ngamma\n');
    expect(build()).toEqual(['updated', 1, 0]);
    rmSync(join(sourceDir, 'references/a.md'));
    write('b.md', '# B\n');
    expect(build()).toEqual(['updated', 1, 1]);
    utimesSync(join(sourceDir, 'b.md'), 1, 1);
    expect(build()).toEqual(['unchanged', 0, 0]);
    expect(build({ tokenizer: 'unicode' })).toEqual(['created', 2, 0]);
    expect(readdirSync(indexDir)).toEqual([indexFileName(sourceDir)]);
  });

  test('the source hash includes files that are not indexed', () => {
    const hashes = ['x', 'y'].map((text) => {
      write('logo.png', `\0${text}`);
      return buildIndex({ sourceDir, indexDir, tokenizer: 'porter', now: new Date() }).sourceHash;
    });
    expect(new Set(hashes).size).toBe(2);
  });

  test('the tables have the columns of the specification', () => {
    build({ now: new Date('2026-01-02T03:04:05.000Z') });
    const database = new DatabaseSync(path(), { readOnly: true });
    const meta = database
      .prepare('SELECT skill_path, schema_version, tokenizer, indexed_at FROM index_meta')
      .all();
    database.close();
    expect(meta.map((row) => ({ ...row }))).toEqual([
      {
        skill_path: sourceDir,
        schema_version: 11,
        tokenizer: 'porter',
        indexed_at: '2026-01-02T03:04:05.000Z',
      },
    ]);
  });
});

test('an updated index returns the same results as a new one', () => {
  const vocabulary = [
    'red',
    'green',
    'blue',
    'install',
    'deploy',
    'token',
    'query',
    '数据库',
    'python',
    'error',
  ];
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const word = () => vocabulary[random(vocabulary.length)] as string;
  const page = () =>
    Array.from(
      { length: 1 + random(5) },
      () => `${'#'.repeat(1 + random(3))} ${word()} ${word()}\n\n${word()} ${word()} ${word()}\n`,
    ).join('\n');
  for (let file = 0; file < 40; file++) write(`pages/${file}.md`, page());
  build();
  for (let round = 0; round < 4; round++) {
    for (let change = 0; change < 5; change++) write(`pages/${random(50)}.md`, page());
    rmSync(join(sourceDir, `pages/${random(40)}.md`), { force: true });
    expect(build()[0]).toBe('updated');
  }
  const queries = [...vocabulary, 'red install', 'how do I deploy a token in python?', '数据库 blue'];
  const rebuilt = join(root, 'rebuilt');
  buildIndex({ sourceDir, indexDir: rebuilt, tokenizer: 'porter', now: new Date() });
  expect(contents(indexDir, queries)).toEqual(contents(rebuilt, queries));
});

test('an index keeps little free space after many updates', () => {
  const words = (from: number) => Array.from({ length: 30 }, (_, index) => `word${from + index}`).join(' ');
  const page = (seed: number) =>
    Array.from({ length: 40 }, (_, part) => `# Part ${part}\n\n${words(seed * part)}\n`).join('\n');
  const freeShare = () => {
    const database = new DatabaseSync(path(), { readOnly: true });
    const read = (name: string) => Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
    const share = read('freelist_count') / read('page_count');
    database.close();
    return share;
  };
  for (let file = 0; file < 20; file++) write(`pages/${file}.md`, page(file));
  build();
  for (let round = 0; round < 40; round++) {
    write(`pages/${round % 20}.md`, page(round + 100));
    build();
    expect(freeShare()).toBeLessThanOrEqual(0.25);
  }
});

describe('other files in its place', () => {
  test.each([
    ['nothing in the file', () => writeFileSync(path(), '')],
    ['garbage', () => writeFileSync(path(), Buffer.alloc(9000, 'garbage'))],
    ['a shortened index', () => truncateSync(path(), 8192)],
    ['an empty directory', () => [rmSync(path()), mkdirSync(path())]],
    [
      'a directory with something in it',
      () => [rmSync(path()), mkdirSync(join(path(), 'x'), { recursive: true })],
    ],
    [
      'a database with other tables',
      () => {
        rmSync(path());
        const database = new DatabaseSync(path());
        database.exec('CREATE TABLE t (x)');
        database.close();
      },
    ],
    [
      'another version',
      () => {
        const database = new DatabaseSync(path());
        database.exec('UPDATE index_meta SET schema_version = 0');
        database.close();
      },
    ],
  ])('rebuilds the index: %s', (_, damage) => {
    build();
    damage();
    expect(() => contents(indexDir, ['alpha'])).toThrow("run 'skc build demo'");
    expect(build()).toEqual(['created', 2, 0]);
    expect(contents(indexDir, ['alpha']).answers[0]?.results).toHaveLength(1);
  });

  test('a damaged page is E002 once read, and then the index is rebuilt', () => {
    for (let file = 0; file < 50; file++)
      write(`pages/${file}.md`, `# Page ${file}\n\n${'word '.repeat(200)}\n`);
    build();
    const bytes = readFileSync(path());
    const meta = new DatabaseSync(path(), { readOnly: true });
    const pages = meta.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'sections_fts_data'").all();
    meta.close();
    const start = (Number(pages[0]?.rootpage) - 1) * 4096;
    writeFileSync(path(), bytes.fill(0xff, start, start + 4096));
    expect(() => contents(indexDir, ['word'])).toThrow("run 'skc build demo'");
    expect(build()).toEqual(['created', 52, 0]);
    expect(contents(indexDir, ['word']).answers[0]?.results).toHaveLength(50);
  });

  test('the index of another skill is E003 and is kept', () => {
    const other = join(root, 'other');
    mkdirSync(other);
    buildIndex({ sourceDir: other, indexDir, tokenizer: 'porter', now: new Date() });
    copyFileSync(indexPath(indexDir, other), path());
    const message = `index hash collision; delete .skillc/search-${indexHash(sourceDir)}.db and rebuild`;
    const before = readFileSync(path());
    expect(() => build()).toThrow(message);
    expect(() => contents(indexDir, ['alpha'])).toThrow(message);
    expect(readFileSync(path())).toEqual(before);
  });

  test('removes old leftovers of killed builds, and keeps files of other indexes', () => {
    build();
    const leftover = (name: string, age: number) => {
      const file = join(indexDir, name);
      writeFileSync(file, 'x');
      utimesSync(file, Date.now() / 1000 - age, Date.now() / 1000 - age);
      return file;
    };
    const old = leftover(`.${indexFileName(sourceDir)}.1-aa.tmp`, 3600);
    const young = leftover(`.${indexFileName(sourceDir)}.2-bb.tmp`, 5);
    const foreign = leftover('.search-0000000000000000.db.3-cc.tmp', 3600);
    const otherIndex = leftover('search-0000000000000000.db', 3600);
    build();
    expect([old, young, foreign, otherIndex].map((file) => existsSync(file))).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });
});

test('every kind of build records whether a quiz locks the skill', () => {
  const gate = '---\nname: demo\nquiz:\n  gate: true\n---\n';
  const isGated = () => {
    build();
    const index = openIndex({ skill: 'demo', sourceDir, indexDir });
    index.close();
    return index.gated;
  };
  expect(isGated()).toBe(false);
  write('SKILL.md', `${gate}# Demo\n`);
  expect(isGated()).toBe(true);
  write('references/a.md', '# Other\n');
  expect(isGated()).toBe(true);
  write('SKILL.md', '---\nname: demo\nquiz:\n  gate: false\n---\n# Demo\n');
  expect(isGated()).toBe(false);
  // Too large to be indexed: the file itself decides.
  write('SKILL.md', `# Demo\n${'x'.repeat(16 * 1024 * 1024)}`);
  expect(isGated()).toBe(true);
});
