import { describe, expect, test } from 'vitest';
import { makeSharedDirectory } from '../../../test/make-directory.ts';
import { createPermissions, noneOff } from '../workspace/index.ts';
import { createJudge, type JudgeOptions } from './judge.ts';
import { findReach, nestedManifests, type Reach, wholeReach } from './reach.ts';
import type { Actor } from './standing.ts';

const text = (name: string, fields = '') =>
  `---\nname: ${name}\ndescription: D.\n${fields}---\n# Top\n\n## Free\n\n## Rest\n`;
/** A gate that leaves one section and one file readable. */
const quiz = `quiz:
  gate: true
  questions:
    - question: Which?
      options: [{ label: a, correct: true }, { label: b }]
      on-incorrect: { goto: Free, load-reference: free.md }
`;
const FREE = text('x', quiz).split('\n').indexOf('## Free') + 1;

const parts = (name: string, fields?: string) => ({
  [`${name}/SKILL.md`]: text(name.split('/').at(-1)!, fields),
  [`${name}/free.md`]: '# Free\n',
  [`${name}/rest.md`]: '# Rest\n',
});

const nested = (outer: string) => ({
  ...parts(`${outer}/open`),
  ...parts(`${outer}/closed`, quiz),
  ...parts(`${outer}/denied`),
  ...parts(`${outer}/denied/deeper`),
  ...parts(`${outer}/asked`),
  ...parts(`${outer}/hidden`, 'disable-model-invocation: true\n'),
  [`${outer}/to-closed.md`]: { link: 'closed/rest.md' } as const,
  [`${outer}/to-denied`]: { link: 'denied' } as const,
  [`${outer}/out.md`]: { link: '../denied/rest.md' } as const,
});

const root = makeSharedDirectory({
  ...parts('plain'),
  ...parts('denied'),
  ...parts('gated', quiz),
  ...parts('outer'),
  ...nested('outer'),
  ...parts('outer-gated', quiz),
  ...nested('outer-gated'),
});

const rule = (skill_name: string) => ({ tool: 'skill_load', skill_name });
const judge = createJudge(
  { rules: createPermissions({ user: { deny: [rule('denied')], confirm: [rule('asked')] } }), off: noneOff },
  () => undefined,
);

const own = ['SKILL.md', 'free.md', 'rest.md'];
const inner = ['open', 'closed', 'denied', 'denied/deeper', 'asked', 'hidden'].flatMap((name) =>
  own.map((file) => `${name}/${file}`),
);
const links = ['to-closed.md', 'to-denied/rest.md'];

function reachInto(
  directory: string,
  { files, by = 'model', ...options }: { files: readonly string[]; by?: Actor } & JudgeOptions,
): Promise<Reach> {
  const dir = `${root}/${directory}`;
  return findReach(judge, { dir }, { files, question: { operation: 'read', by }, ...options });
}

/** Paths of which everything, a section, or the name may be known. */
const shown = (reach: Reach, files: readonly string[]) => ({
  isWhole: reach.isWhole,
  gate: reach.gate?.skill,
  fenced: reach.fenced,
  files: files.filter(reach.allowsFile),
  sections: files.flatMap((file) =>
    [
      ['first', 1],
      ['free', FREE],
      ['rest', FREE + 2],
    ].flatMap(([word, start_line]) =>
      reach.allowsSection({ file, start_line: start_line as number }) ? `${file} ${word}` : [],
    ),
  ),
  unnamed: files.filter((file) => !reach.allowsName(file)),
});

const allSections = (files: readonly string[]) =>
  files.flatMap((file) => ['first', 'free', 'rest'].map((word) => `${file} ${word}`));

describe('what may be read', () => {
  test('of a skill: everything', async () => {
    expect(shown(await reachInto('plain', { files: own }), own)).toEqual({
      isWhole: true,
      gate: undefined,
      fenced: [],
      files: own,
      sections: allSections(own),
      unnamed: [],
    });
  });

  test('behind a quiz: the parts it names', async () => {
    expect(shown(await reachInto('gated', { files: own }), own)).toEqual({
      isWhole: false,
      gate: 'gated',
      fenced: [],
      files: ['free.md'],
      sections: ['SKILL.md free', ...allSections(['free.md'])],
      unnamed: [],
    });
  });

  test('by its author: everything but other skills', async () => {
    expect(shown(await reachInto('gated', { files: own, author: true }), own)).toMatchObject({
      isWhole: true,
      gate: undefined,
      files: own,
    });
  });

  const files = [...own, ...inner, ...links];

  test('of a skill with others in it: not those, but the open parts of one behind a quiz', async () => {
    const readable = [...own, ...own.map((file) => `open/${file}`)];
    expect(shown(await reachInto('outer', { files }), files)).toEqual({
      isWhole: false,
      gate: undefined,
      fenced: ['closed/', 'denied/', 'asked/', 'hidden/', 'to-denied/'],
      files: [...readable, 'closed/free.md'],
      sections: [...allSections(readable), 'closed/SKILL.md free', ...allSections(['closed/free.md'])],
      unnamed: [...inner.filter((path) => /^(?:denied|asked|hidden)\//.test(path)), 'to-denied/rest.md'],
    });
  });

  test('of a skill behind a quiz with others in it: what its own quiz leaves open, and none of those', async () => {
    expect(shown(await reachInto('outer-gated', { files }), files)).toEqual({
      isWhole: false,
      gate: 'outer-gated',
      fenced: ['open/', 'closed/', 'denied/', 'asked/', 'hidden/', 'to-denied/'],
      files: ['free.md'],
      sections: ['SKILL.md free', ...allSections(['free.md'])],
      unnamed: [...inner.filter((path) => /^(?:denied|asked|hidden)\//.test(path)), 'to-denied/rest.md'],
    });
  });

  test('by the author of both: quizzes do not count, rules do', async () => {
    const reach = await reachInto('outer-gated', { files, by: 'user', author: true });
    expect(shown(reach, files)).toMatchObject({
      gate: undefined,
      fenced: ['denied/', 'asked/', 'to-denied/'],
      files: files.filter((path) => !/denied|asked/.test(path)),
    });
  });

  test.each<[string, readonly string[], boolean]>([
    ['to-closed.md', ['closed/'], false],
    ['to-denied/rest.md', ['to-denied/', 'denied/'], false],
    ['to-denied/none.md', ['to-denied/'], false],
    ['open/free.md', [], true],
    ['closed/rest.md', ['closed/'], false],
    ['out.md', [], true],
    ['none.md', [], true],
  ])('a single path, %s: a link does not lead into another skill', async (path, fenced, isAllowed) => {
    const reach = await reachInto('outer', { files: [path] });
    expect([reach.fenced, reach.allowsFile(path)]).toEqual([fenced, isAllowed]);
  });

  test('skills in which no file is asked for are not judged', async () => {
    const reach = await reachInto('outer', { files: ['SKILL.md', 'open/free.md'] });
    expect([reach.isWhole, reach.fenced]).toEqual([true, []]);
  });
});

describe('the refusal', () => {
  test.each<[string, string | undefined, string]>([
    ['outer', undefined, "E021 file not found: 'word'"],
    ['outer', 'rest.md', "E021 file not found: 'rest.md'"],
    ['outer', 'closed/rest.md', "E062 quiz gate not passed: 'closed'"],
    ['outer', 'to-closed.md', "E062 quiz gate not passed: 'closed'"],
    ['outer', 'denied/rest.md', "E060 denied by permission rule: 'denied'"],
    ['outer', 'denied/deeper/rest.md', "E060 denied by permission rule: 'denied'"],
    ['outer', 'asked/rest.md', "E061 confirmation required: 'asked'"],
    ['outer', 'hidden/rest.md', "E060 denied by permission rule: 'hidden'"],
    ['outer-gated', undefined, "E062 quiz gate not passed: 'word'"],
    ['outer-gated', 'rest.md', "E062 quiz gate not passed: 'word'"],
    ['outer-gated', 'denied/rest.md', "E060 denied by permission rule: 'denied'"],
  ])('%s, %s: %s', async (directory, path, expected) => {
    const reach = await reachInto(directory, { files: [...own, ...inner, ...links] });
    const { code, message } = reach.refusal('word', path);
    expect(`${code} ${message}`).toBe(expected);
  });

  test('a skill that is switched off does not exist', async () => {
    const off = createJudge(
      { rules: createPermissions({}), off: { ...noneOff, has: (names) => names.includes('denied') } },
      () => undefined,
    );
    const question = { operation: 'read', by: 'model' } as const;
    const reach = await findReach(off, { dir: `${root}/outer` }, { files: inner, question });
    expect([reach.allowsName('denied/rest.md'), reach.refusal('word', 'denied/rest.md').message]).toEqual([
      false,
      "file not found: 'denied/rest.md'",
    ]);
  });
});

test('a reach without limits', () => {
  expect(shown(wholeReach, own)).toEqual({
    isWhole: true,
    gate: undefined,
    fenced: [],
    files: own,
    sections: allSections(own),
    unnamed: [],
  });
  expect(wholeReach.refusal('word').message).toBe("file not found: 'word'");
  expect(wholeReach.refusal('word', 'a.md').message).toBe("file not found: 'a.md'");
});

test('nested manifests', () => {
  expect(nestedManifests(['SKILL.md', 'a/SKILL.md', 'a/b/SKILL.md', 'xSKILL.md', 'a/SKILL.md.bak'])).toEqual([
    'a/SKILL.md',
    'a/b/SKILL.md',
  ]);
});
