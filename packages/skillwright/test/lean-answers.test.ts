// Answers for a model keep to a token budget and say how to get the rest.

import { expect, test } from 'vitest';
import { estimateTokens } from '../src/base/tokens/estimate-tokens.ts';
import { connectInProcess } from './judge-mcp-rows.ts';
import { makeWorld, skillText, type World } from './make-world.ts';

const chapter = (name: string) =>
  `# ${name}\n\n${Array.from(
    { length: 12 },
    (_, index) =>
      `## ${name} part ${index}\n\nneedle text of ${name}.\n\n### Detail ${index} of ${name}\n\nmore.\n`,
  ).join('\n')}`;

/** A skill with 750 headings in 31 files. */
function makeLarge(): World {
  const names = Array.from({ length: 30 }, (_, index) => `chapter-${String(index).padStart(2, '0')}`);
  return makeWorld({
    '.skillc/skills/large/SKILL.md': skillText('large', chapter('Large')),
    ...Object.fromEntries(names.map((name) => [`.skillc/skills/large/references/${name}.md`, chapter(name)])),
    ...Object.fromEntries(
      Array.from({ length: 90 }, (_, index) => [
        `.skillc/skills/large/assets/group-${index % 9}/a-file-with-quite-a-long-name-${index}.txt`,
        'x',
      ]),
    ),
  });
}

interface Answer {
  readonly text: string;
  readonly structure: Record<string, unknown>;
}

async function connectTo(world: World) {
  const client = await connectInProcess(world);
  return async (name: string, args: Record<string, unknown>): Promise<Answer> => {
    const { content, structuredContent } = await client.callTool({ name, arguments: args });
    return {
      text: (content as { text: string }[])[0]!.text,
      structure: structuredContent as Record<string, unknown>,
    };
  };
}

/** The call that a hint spells. */
function readCall(hint: string): [string, Record<string, unknown>] {
  const [, name, json] = /^(skc_\w+) (\{.*\})$/.exec(hint)!;
  return [name!, JSON.parse(json!)];
}

test('an outline keeps to its budget, and every hint lists more', async () => {
  const call = await connectTo(makeLarge());
  const { text, structure } = await call('skc_outline', { skill: 'large' });
  expect(estimateTokens(text)).toBeLessThanOrEqual(2000);
  expect(estimateTokens(text)).toBeGreaterThan(300);
  expect(structure).toEqual({
    skill: 'large',
    total: 775,
    left_out: {
      headings: expect.any(Number),
      files: 0,
      next: [
        expect.stringMatching(/^skc_outline \{"skill":"large","file":"/),
        expect.stringMatching(/^skc_outline \{"skill":"large","budget":\d+\}$/),
      ],
    },
  });
  // The deepest level went first; every file is still named.
  expect(text).not.toContain('### Detail');
  expect(text.match(/^references\/chapter-\d+\.md/gm)).toHaveLength(30);
  const { next } = structure.left_out as { next: string[] };
  for (const hint of next) expect(text).toContain(`  ${hint}\n`);
  const [one, everything] = await Promise.all(next.map((hint) => call(...readCall(hint))));
  expect(one!.structure).toMatchObject({ total: 25 });
  expect(one!.structure).not.toHaveProperty('left_out');
  expect(everything!.structure).toEqual({ skill: 'large', total: 775 });
  expect(everything!.text.match(/^ +#+ /gm)).toHaveLength(775);
});

test('a tiny budget still names something', async () => {
  const call = await connectTo(makeLarge());
  const { text, structure } = await call('skc_outline', { skill: 'large', budget: 200 });
  expect(estimateTokens(text)).toBeLessThanOrEqual(250);
  expect(text).toMatch(/^SKILL\.md \(\+\d+\)\n {2}# Large\n/);
  const { next, files } = structure.left_out as { next: string[]; files: number };
  expect(files).toBeGreaterThan(20);
  expect(next).toContain('skc_sources {"skill":"large"}');
});

test('on the command line an agent has the budget, a person and a program have everything', async () => {
  const world = makeLarge();
  const outline = async (words: string[], options = {}) =>
    (await world.run(['outline', 'large', ...words], options)).stdout;
  const piped = await outline([]);
  expect(estimateTokens(piped)).toBeLessThanOrEqual(2000);
  expect(piped).toContain('  skc outline large --all\n');
  expect((await outline(['--all'])).match(/^ +#+ /gm)).toHaveLength(775);
  expect((await outline([], { terminal: true })).match(/ #+ /gm)).toHaveLength(775);
  const { headings } = JSON.parse(await outline(['--json'])) as { headings: unknown[] };
  expect(headings).toHaveLength(775);
  expect(estimateTokens(await outline(['--budget', '600']))).toBeLessThanOrEqual(650);
  world.write({ '.skillc/config.toml': '[gateway]\nbudget = 900\n' });
  expect(estimateTokens(await outline([]))).toBeLessThanOrEqual(950);
  expect(await outline(['--file', 'references/chapter-03.md', '--level', '1'])).toBe(
    'references/chapter-03.md\n  # chapter-03\n',
  );
  expect(await world.run(['outline', 'large', '--file', 'nowhere.md'])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("error[E021]: file not found: 'nowhere.md'"),
  });
  expect(await world.run(['outline', 'large', '--file', '../x.md'])).toMatchObject({ status: 1 });
});

test('a search keeps to its budget, and marks cost little', async () => {
  const world = makeLarge();
  const call = await connectTo(world);
  const { text, structure } = await call('skc_search', { skill: 'large', query: ['needle'], limit: 100 });
  expect(estimateTokens(text)).toBeLessThanOrEqual(2100);
  expect(text).toContain('**needle**');
  expect(text).not.toContain('[MATCH]');
  const { next, results } = structure.left_out as { next: string; results: number };
  expect(structure.results as unknown[]).toHaveLength(100 - results);
  expect(Object.keys((structure.results as object[])[0]!)).toEqual([
    'file',
    'section',
    'start_line',
    'end_line',
  ]);
  const more = await call(...readCall(next));
  expect(more.structure.results).toHaveLength(100);
  expect(more.structure).not.toHaveProperty('left_out');
  // Programs get the marks that the format promises.
  const { stdout } = await world.run(['search', 'large', 'needle', '--json', '--fresh']);
  expect(stdout).toContain('[MATCH]needle[/MATCH]');
});

test('a list of files keeps to its budget, and every hint lists more', async () => {
  const call = await connectTo(makeLarge());
  const whole = await call('skc_sources', { skill: 'large', limit: 500, budget: 100_000 });
  expect(whole.structure).toEqual({ skill: 'large', root: 'large', total: 132, next: null });
  const { text, structure } = await call('skc_sources', { skill: 'large', limit: 500, budget: 700 });
  expect(estimateTokens(text)).toBeLessThanOrEqual(700);
  const { depth, next } = structure.left_out as { depth: number; next: string[] };
  expect(depth).toBe(2);
  expect(text).toContain('group-0/ (10 files)');
  const [directory, everything] = await Promise.all(next.map((hint) => call(...readCall(hint))));
  expect(directory!.text).toMatch(/^assets\/group-0\/\n/);
  expect(everything!.text).toBe(whole.text);
});

test('what is left out does not change which section a line means', async () => {
  const world = makeWorld({
    '.skillc/skills/twice/SKILL.md': skillText(
      'twice',
      `# Twice\n\n## First\n\n#### Example\n\nwrong\n\n${Array.from({ length: 80 }, (_, index) => `#### Filler heading number ${index}\n`).join('\n')}\n## Example\n\nright\n`,
    ),
  });
  const call = await connectTo(world);
  const { text } = await call('skc_outline', { skill: 'twice', budget: 300 });
  const line = /## (Example.*)/.exec(text)![1]!;
  const shown = await call('skc_show', { skill: 'twice', section: [line] });
  expect(shown.text).toContain('right');
});

test('reading tools take the same names for the same things', async () => {
  const call = await connectTo(makeLarge());
  const isGood = ({ structure }: Answer) => !('error' in structure);
  expect(isGood(await call('skc_load', { skill: 'large' }))).toBe(true);
  expect(isGood(await call('skc_load', { name: 'large' }))).toBe(true);
  expect(isGood(await call('skc_open', { skill: 'large', file: 'SKILL.md' }))).toBe(true);
  expect(isGood(await call('skc_show', { skill: 'large', heading: 'Large', path: 'SKILL.md' }))).toBe(true);
  expect(isGood(await call('skc_lint', { skill: 'large' }))).toBe(true);
  expect(isGood(await call('skc_outline', { skill: 'large', file: 'SKILL.md' }))).toBe(true);
});

test('help names tools, and what only a person can do is left to the user', async () => {
  const world = makeWorld({ '.skillc/skills/demo/SKILL.md': skillText('demo') });
  const call = await connectTo(world);
  const missing = await call('skc_show', { skill: 'demo', section: ['zzzzzzzzzz'] });
  expect(missing.structure).toMatchObject({
    error: { code: 'E020', help: expect.stringContaining('skc_outline {"skill":"demo"}') },
  });
  const texts = await Promise.all([
    call('skc_show', { skill: 'demo', section: ['zzzzzzzzzz'] }),
    call('skc_search', { skill: 'demo', query: ['zzzzzzzzzz'] }),
    call('skc_open', { skill: 'demo', path: 'nowhere.md' }),
    call('skc_outline', { skill: 'nobody' }),
    call('skc_list', { pattern: 'zzz' }),
    call('skc_find', { query: ['zzzzzzzzzz'] }),
  ]);
  for (const { text } of texts) expect(text).not.toMatch(/(?<!ask the user to run ')\bskc [a-z]+ /);
});

test('a model gets sections with all words, then those with some, their sentences and the words used instead', async () => {
  const world = makeWorld({
    '.skillc/skills/demo/SKILL.md': skillText(
      'demo',
      '# Demo\n\n## Extraction\n\n```sh\nextract --repo\n```\n\nIt reads pages. Extract each repository once.\n\n## Pages\n\nPages are numbered.\n',
    ),
    '.skillc/skills/demo/scripts/extract.py': 'repository = extract(repository)\n',
  });
  const call = await connectTo(world);
  const { text, structure } = await call('skc_search', { skill: 'demo', query: ['extract repositories'] });
  expect(text).toContain('**Extract** each **repository** once.');
  expect((structure.results as { section: string; file: string }[])[0]).toMatchObject({
    section: 'Extraction',
  });
  expect((structure.results as { file: string }[])[1]).toMatchObject({ file: 'scripts/extract.py' });
  const some = await call('skc_search', { skill: 'demo', query: ['extract', 'numberz'] });
  expect(some.text).toContain('"numberz" is not in this skill; searched for numbered instead');
  expect(some.text).toContain('(without: numberz)');
});
