import { describe, expect, test } from 'vitest';
import { INDEX_SCHEMA, IndexShape, MAX_INDEX_ENTRIES, readIndex } from './read-index.ts';

const BASE = 'https://example.com/.well-known/agent-skills/index.json';
const DIGEST = `sha256:${'0a'.repeat(32)}`;
const good = { name: 'pdf', type: 'skill-md', description: 'PDF.', url: 'pdf/SKILL.md', digest: DIGEST };
const read = (index: object, base = BASE) => readIndex(IndexShape.parse(index), base);
const current = (...skills: unknown[]) => read({ $schema: INDEX_SCHEMA, skills });
const old = (...skills: unknown[]) => read({ skills });
const without = (field: string) =>
  Object.fromEntries(Object.entries(good).filter(([name]) => name !== field));

test('an index of version 0.2.0', () => {
  const { version, skills, diagnostics } = current(
    good,
    { ...good, name: 'a', type: 'archive', url: '/files/a.tar.gz', extra: true },
    { ...good, name: 'b', url: 'https://cdn.example/b.md' },
    { ...good, name: 'c', url: '../c.md' },
  );
  expect([version, diagnostics]).toEqual(['0.2.0', []]);
  expect(skills).toEqual([
    { ...good, url: 'https://example.com/.well-known/agent-skills/pdf/SKILL.md' },
    { ...good, name: 'a', type: 'archive', url: 'https://example.com/files/a.tar.gz' },
    { ...good, name: 'b', url: 'https://cdn.example/b.md' },
    { ...good, name: 'c', url: 'https://example.com/.well-known/c.md' },
  ]);
});

test('an index of version 0.1.0', () => {
  expect(
    old({ name: 'pdf', description: ' PDF. ', files: ['SKILL.md', 'references/a b.md'], version: 3 }),
  ).toEqual({
    version: '0.1.0',
    url: BASE,
    skills: [
      {
        name: 'pdf',
        description: 'PDF.',
        type: 'files',
        url: 'https://example.com/.well-known/agent-skills/pdf/',
        files: ['SKILL.md', 'references/a b.md'],
      },
    ],
    diagnostics: [],
  });
});

describe('mistakes of publishers', () => {
  const types = "the types are 'skill-md' and 'archive'";
  const written = "write it as digest: 'sha256:<64 hex digits>'";
  const hex = "write it as 'sha256:' and 64 lower-case hex digits";
  test.each<[unknown, string, string | undefined]>([
    [{ ...good, type: 'task' }, 'entry 1 ("pdf"): unknown type "task"', types],
    [without('type'), 'entry 1 ("pdf"): no \'type\'', types],
    [
      { ...without('digest'), sha256: 'ab' },
      "entry 1 (\"pdf\"): has 'sha256' where 'digest' belongs",
      written,
    ],
    [without('digest'), 'entry 1 ("pdf"): no \'digest\'', written],
    [{ ...good, digest: 'a'.repeat(64) }, `entry 1 ("pdf"): an invalid digest: "${'a'.repeat(64)}"`, hex],
    [{ ...good, digest: 'sha512:ab' }, 'entry 1 ("pdf"): an invalid digest: "sha512:ab"', hex],
    [
      { ...good, digest: DIGEST.toUpperCase() },
      `entry 1 ("pdf"): an invalid digest: "${DIGEST.toUpperCase()}"`,
      hex,
    ],
    [without('url'), 'entry 1 ("pdf"): no \'url\'', undefined],
    [{ ...good, url: 'http://[' }, 'entry 1 ("pdf"): an invalid url: "http://["', undefined],
    [
      { ...good, url: 'http://example.com/a' },
      'entry 1 ("pdf"): the url changes from https to http',
      undefined,
    ],
    [
      { ...good, url: 'file:///etc/passwd' },
      'entry 1 ("pdf"): address refused: \'file:///etc/passwd\': only http and https are supported, not file',
      undefined,
    ],
    [
      { name: 'pdf', description: 'x', files: ['SKILL.md'] },
      'entry 1 ("pdf"): has \'files\', which belongs to version 0.1.0',
      'give type, url and digest, or leave out $schema',
    ],
    [without('name'), "entry 1: no 'name'", undefined],
    [{ ...good, name: '../x' }, 'entry 1 ("../x"): the name is not a skill name', undefined],
    [
      { ...good, name: 'PDF\u001b[31m' },
      'entry 1 ("PDF\\u001b[31m"): the name is not a skill name',
      undefined,
    ],
    [{ ...good, description: '  ' }, 'entry 1 ("pdf"): no \'description\'', undefined],
    [null, 'entry 1: not an object', undefined],
    ['pdf', 'entry 1: not an object', undefined],
    [[], 'entry 1: not an object', undefined],
  ])('%j', (entry, why, help) => {
    const { skills, diagnostics } = current(entry, { ...good, name: 'next' });
    expect(skills.map(({ name }) => name)).toEqual(['next']);
    expect(diagnostics).toEqual([
      {
        code: 'W215',
        severity: 'warning',
        message: `left out of '${BASE}': ${why}`,
        ...(help === undefined ? {} : { help }),
      },
    ]);
  });

  test.each([
    ['https://agentskills.io/schema.json'],
    ['https://schemas.agentskills.io/discovery/0.3.0/schema.json'],
    [3],
    [null],
  ])('an index with the unknown $schema %j is ignored', ($schema) => {
    const { version, skills, diagnostics } = read({ $schema, skills: [good] });
    expect([version, skills]).toEqual([null, []]);
    expect(diagnostics).toEqual([
      {
        code: 'W215',
        severity: 'warning',
        message: `left out of '${BASE}': unknown $schema ${JSON.stringify($schema)}; the index is ignored`,
        help: `expected ${INDEX_SCHEMA}`,
      },
    ]);
  });

  test('no $schema, but entries of version 0.2.0', () => {
    expect(old(good).diagnostics.map(({ message, help }) => [message, help])).toEqual([
      [
        `left out of '${BASE}': entry 1 ("pdf"): no 'files', and the index has no $schema`,
        `an index of version 0.2.0 has "$schema": "${INDEX_SCHEMA}"`,
      ],
    ]);
  });

  test.each<[unknown, string]>([
    [undefined, "no 'files'"],
    ['SKILL.md', "no 'files'"],
    [[], "no SKILL.md among its 'files'"],
    [['skill.md'], "no SKILL.md among its 'files'"],
    [['SKILL.md', '../x'], 'an unsafe path: "../x"'],
    [['SKILL.md', '/etc/passwd'], 'an unsafe path: "/etc/passwd"'],
    [['SKILL.md', 'a/../../x'], 'an unsafe path: "a/../../x"'],
    [['SKILL.md', 'a\\b'], 'an unsafe path: "a\\\\b"'],
    [['SKILL.md', 'C:x'], 'an unsafe path: "C:x"'],
    [['SKILL.md', '.env'], 'an unsafe path: ".env"'],
    [['SKILL.md', 'a//b'], 'an unsafe path: "a//b"'],
    [['SKILL.md', 'a/'], 'an unsafe path: "a/"'],
    [['SKILL.md', 'a\0'], 'an unsafe path: "a\\u0000"'],
    [['SKILL.md', 'nul.txt'], 'an unsafe path: "nul.txt"'],
    [['SKILL.md', 'https://x.example/a'], 'an unsafe path: "https://x.example/a"'],
    [['SKILL.md', 7], 'an unsafe path: 7'],
    [['SKILL.md', 'a.md', 'A.md'], 'two files whose paths differ only in case'],
    [['SKILL.md', 'SKILL.md'], 'two files whose paths differ only in case'],
    [Array(1001).fill('SKILL.md'), '1001 files; at most 1000 are allowed'],
  ])('files %#', (files, why) => {
    const { skills, diagnostics } = old({ name: 'pdf', description: 'x', files });
    expect(skills).toEqual([]);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      `left out of '${BASE}': entry 1 ("pdf"): ${why}`,
    ]);
  });

  test('the first of two with the same name counts', () => {
    const { skills, diagnostics } = current(good, { ...good, url: 'other.md' });
    expect(skills.map(({ url }) => url)).toEqual([
      'https://example.com/.well-known/agent-skills/pdf/SKILL.md',
    ]);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      `left out of '${BASE}': entry 2 ("pdf"): a duplicate name`,
    ]);
  });
});

test('100,000 entries, most of them bad', () => {
  const entries = Array.from({ length: 100_000 }, (_, index) => ({
    ...good,
    name: index < 200 ? '..' : `s${index}`,
  }));
  const { skills, diagnostics } = current(...entries);
  expect(skills).toHaveLength(MAX_INDEX_ENTRIES - 200);
  expect(diagnostics[0]!.message).toBe(
    `left out of '${BASE}': 100000 entries; only the first 10000 are read`,
  );
  expect([diagnostics.length, diagnostics.at(-1)!.message]).toEqual([
    101,
    `left out of '${BASE}': 101 more entries`,
  ]);
});
