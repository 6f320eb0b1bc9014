// Frontmatter, Markdown, stubs and lint rules as the tests of skillc expect them. A case in
// which we do otherwise names the ruling in docs/decisions/0011-differences-from-skillc.md.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readMarkdown } from '../../src/base/markdown/read-markdown.ts';
import { slugify } from '../../src/base/markdown/slugify.ts';
import { readFrontmatter } from '../../src/skill/format/frontmatter.ts';
import { isSkillName } from '../../src/skill/format/skill-name.ts';
import { makeWorld } from '../make-world.ts';

describe('frontmatter', () => {
  test.each<[string, string, Record<string, unknown> | undefined]>([
    [
      'name and description',
      '---\nname: a\ndescription: "B c"\n---\n\n# X\n',
      { name: 'a', description: 'B c' },
    ],
    [
      'tools',
      '---\nname: a\nallowed-tools: Read, Write\n---\n',
      { name: 'a', 'allowed-tools': 'Read, Write' },
    ],
    ['fields of others are kept', '---\nname: a\nmine: 1\n---\n', { name: 'a', mine: 1 }],
    ['a missing name is read all the same', '---\ndescription: B\n---\n', { description: 'B' }],
    ['no opening fence', '# X\n', undefined],
    ['no closing fence', '---\nname: a\n# X', undefined],
    ['Windows line ends', '---\r\nname: a\r\n---\r\n', { name: 'a' }],
  ])('%s', (_, text, data) => {
    expect(readFrontmatter(text).data).toEqual(data);
  });
});

describe('names', () => {
  test.each([
    ['a', true],
    ['ab', true],
    ['my-skill', true],
    ['skill123', true],
    ['my-skill-2', true],
    ['a1', true],
    ['', false],
    ['My-Skill', false],
    ['-skill', false],
    ['skill-', false],
    ['skill_name', false],
  ])('%j: %j', (name, valid) => expect(isSkillName(name)).toBe(valid));
  test.each([
    ['1skill', true],
    ['a--b', false],
  ])('R12: %j: %j, as the standard has it', (name, valid) => expect(isSkillName(name)).toBe(valid));
});

describe('Markdown', () => {
  const links = (text: string) => readMarkdown(text).links.map(({ target, line }) => `${target}:${line}`);
  test.each<[string, string, string[]]>([
    ['a link', '# T\n\n[a](b.md)\n', ['b.md:3']],
    ['not in a fence', '```markdown\n[x](x.md)\n```\n\n[a](b.md)\n', ['b.md:5']],
    ['not in inline code', 'Write `[t](u)`. [a](b.md)\n', ['b.md:1']],
    ['in a table', '| A | B |\n|---|---|\n| [a](b.md) | c |\n', ['b.md:3']],
    ['not in code in a table', '| A | B |\n|---|---|\n| x | `[t](u)` |\n', []],
    ['pictures too', '![p](p.png)\n', ['p.png:1']],
    ['no pictures in a fence', '```md\n![p](p.png)\n```\n', []],
  ])('links: %s', (_, text, expected) => expect(links(text)).toEqual(expected));

  const headings = (text: string) => {
    const { body, bodyLine } = readFrontmatter(text);
    return readMarkdown(body, { firstLine: bodyLine }).headings.map(
      ({ level, text: said, line }) => `${level} ${said} ${line}`,
    );
  };
  test.each<[string, string, string[]]>([
    ['levels', '# A\n## B\n### C\n', ['1 A 1', '2 B 2', '3 C 3']],
    ['not in a fence', '# A\n\n```bash\n# no\n```\n\n## B\n', ['1 A 1', '2 B 7']],
    ['not in the frontmatter', '---\nname: a\n# no\n---\n\n# A\n', ['1 A 6']],
  ])('headings: %s', (_, text, expected) => expect(headings(text)).toEqual(expected));

  test.each([
    ['Quick Start', 'quick-start'],
    ['Quick Start!', 'quick-start'],
    ['API Reference', 'api-reference'],
    ['my-skill', 'my-skill'],
    ['Section 1.2', 'section-12'],
  ])('the anchor of %j', (text, anchor) => expect(slugify(text)).toBe(anchor));
  test.each([
    ['Résumé', 'résumé'],
    ['日本語', '日本語'],
    ['A & B', 'a--b'],
  ])('R13: the anchor of %j is the one GitHub gives', (text, anchor) => expect(slugify(text)).toBe(anchor));
  test('headings of one text are numbered', () => {
    expect(readMarkdown('# A\n## B\n## B\n').headings.map(({ anchor }) => anchor)).toEqual(['a', 'b', 'b-1']);
  });
});

describe('lint', () => {
  const plain = { name: 'demo', description: 'Draws. Use when asked.', body: '\n# Demo\n' };
  /** The rules that find something in a skill. */
  async function found(
    parts: Partial<typeof plain> & { extra?: string; files?: Record<string, string> } = {},
  ) {
    const { name, description, body, extra = '', files = {} } = { ...plain, ...parts };
    const lines = [
      ...(name === '' ? [] : [`name: ${name}`]),
      ...(description === '' ? [] : [`description: ${JSON.stringify(description)}`]),
    ];
    const world = makeWorld({
      'demo/SKILL.md': `---\n${lines.join('\n')}\n${extra}---\n${body}`,
      ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`demo/${path}`, text])),
    });
    const result = await world.run(['lint', 'demo', '--json']);
    const { findings } = result.json() as { findings: { rule: string }[] };
    return { status: result.status, rules: findings.map(({ rule }) => rule) };
  }

  test.each<[string, Parameters<typeof found>[0], number, string[]]>([
    ['a good skill passes', {}, 0, []],
    ['no description', { description: '' }, 1, ['SKL105']],
    ['no name', { name: '' }, 1, ['SKL101']],
    ['a name in capitals', { name: 'Demo' }, 1, ['SKL102']],
    ['a name of 65 letters', { name: 'a'.repeat(65) }, 1, ['SKL103']],
    ['no occasion', { description: 'Draws.' }, 0, ['SKL108']],
    ['a field nobody knows', { extra: 'mine: 1\n' }, 0, ['SKL109']],
    ['allowed-tools is known', { extra: 'allowed-tools: Read\n' }, 0, []],
    ['a name that is not the directory', { name: 'other-demo' }, 0, ['SKL104']],
    ['551 lines', { body: `\n# Demo\n${'line\n'.repeat(550)}` }, 0, ['SKL201']],
    ['101 lines', { body: `\n# Demo\n${'line\n'.repeat(100)}` }, 0, []],
    ['a title about something else', { body: '\n# Other Thing\n' }, 0, ['SKL203']],
    ['a link to nothing', { body: '\n# Demo\n\n[x](gone.md)\n' }, 1, ['SKL301']],
    ['a link to a file', { body: '\n# Demo\n\n[x](ref.md)\n', files: { 'ref.md': '# R\n' } }, 0, []],
    ['an anchor of nothing', { body: '\n# Demo\n\n[x](#gone)\n' }, 0, ['SKL302']],
    ['an anchor of a heading', { body: '\n# Demo\n\n## Part\n\n[x](#part)\n' }, 0, []],
    ['a web address', { body: '\n# Demo\n\n[x](https://example.com)\n' }, 0, []],
    ['a hidden directory', { files: { '.hidden/secret.md': '[x](gone.md)\n' } }, 0, []],
    ['a link in a fence', { body: '\n# Demo\n\n```md\n[x](gone.md)\n```\n' }, 0, []],
    ['a link in inline code', { body: '\n# Demo\n\nWrite `[x](gone.md)`.\n' }, 0, []],
    ['a link in code in a table', { body: '\n# Demo\n\n| A |\n|---|\n| `[x](gone.md)` |\n' }, 0, []],
  ])('%s', async (_, parts, status, rules) => expect(await found(parts)).toEqual({ status, rules }));

  test.each<[string, string, Record<string, string>, string[]]>([
    ['a file nothing leads to', '', { 'alone.md': '# A\n' }, ['SKL401']],
    ['one below a directory', '', { 'sub/alone.md': '# A\n' }, ['SKL401']],
    ['a file that is linked', '[r](r.md)', { 'r.md': '# R\n' }, []],
    ['from file to file', '[a](a.md)', { 'a.md': '# A\n\n[b](b.md)\n', 'b.md': '# B\n' }, []],
    ['in a circle', '[a](a.md)', { 'a.md': '# A\n\n[b](b.md)\n', 'b.md': '# B\n\n[a](a.md)\n' }, []],
    ['a hidden file', '', { '.hidden/h.md': '# H\n' }, []],
    [
      'files for people',
      '',
      { 'README.md': '# R\n', 'LICENSE.md': '# L\n', 'CHANGELOG.md': '# C\n', 'CONTRIBUTING.md': '# C\n' },
      [],
    ],
  ])('orphans: %s', async (_, link, files, rules) => {
    expect((await found({ body: `\n# Demo\n\n${link}\n`, files })).rules).toEqual(rules);
  });
  test('R14: a body without an H1 is one finding, not two', async () => {
    expect((await found({ body: '\n## Part\n' })).rules).toEqual(['SKL202']);
  });
  test.each(['# Demo', '# DEMO', '# Demo Guide', '# The demo handbook'])(
    'the title %j is about demo',
    async (title) => {
      expect((await found({ body: `\n${title}\n` })).rules).toEqual([]);
    },
  );
  test('R15: a title need only share a word or a part of one with the name', async () => {
    expect((await found({ body: '\n# Democratic Tools\n' })).rules).toEqual([]);
  });
  test.each([
    'Use when working with files',
    'use when testing',
    'When to use: for testing',
    'Triggers on file changes',
    'triggers: file changes',
    'Activate when needed',
    'Use for testing',
  ])('%j names an occasion', async (description) => expect((await found({ description })).rules).toEqual([]));
  test.each(['A simple description', 'This helps with testing'])('%j names none', async (description) => {
    expect((await found({ description })).rules).toEqual(['SKL108']);
  });
  test('a skill that is not there is E001', async () => {
    const { status, stderr } = await makeWorld().run(['lint', 'nobody']);
    expect([status, stderr.slice(0, 11)]).toEqual([1, 'error[E001]']);
  });
});

describe('the sections of a stub', () => {
  async function sections(files: Record<string, string>): Promise<string[]> {
    const world = makeWorld(
      Object.fromEntries(Object.entries(files).map(([path, text]) => [`.skillc/skills/demo/${path}`, text])),
    );
    await world.run(['build', 'demo', '--target', 'none']);
    const stub = readFileSync(join(world.project, '.skillc/runtime/demo/SKILL.md'), 'utf8');
    return stub
      .slice(stub.indexOf('## Top Sections\n\n') + 17)
      .trimEnd()
      .split('\n');
  }
  const skill = (body: string) => `---\nname: demo\ndescription: d\n---\n\n${body}`;
  const references = '- References (query by title only)';
  test.each<[string, Record<string, string>, string[]]>([
    [
      'H1 and H2 of SKILL.md',
      { 'SKILL.md': skill('# My Demo\n## One\n## Two\n') },
      ['- My Demo', '  - One', '  - Two'],
    ],
    [
      'nothing below H2',
      { 'SKILL.md': skill('# My Demo\n## One\n### Sub\n#### Deep\n') },
      ['- My Demo', '  - One'],
    ],
    ['no references without files', { 'SKILL.md': skill('# My Demo\n') }, ['- My Demo']],
    [
      'several H1',
      { 'SKILL.md': skill('# Main\n## Sub\n# Second\n## Other Sub\n') },
      ['- Main', '  - Sub', '- Second', '  - Other Sub'],
    ],
    [
      'the first H1 of a reference',
      { 'SKILL.md': skill('# My Demo\n'), 'docs/multi.md': '# First Title\n# Second Title\n## Part\n' },
      ['- My Demo', references, '  - First Title'],
    ],
    [
      'references in the order of their paths',
      { 'SKILL.md': skill('# My Demo\n'), 'docs/b.md': '# Bee Keeping\n', 'docs/a.md': '# Ant Farming\n' },
      ['- My Demo', references, '  - Ant Farming', '  - Bee Keeping'],
    ],
    [
      'the path of a reference without an H1',
      { 'SKILL.md': skill('# My Demo\n'), 'docs/no-title.md': '## Part\n' },
      ['- My Demo', references, '  - docs/no-title.md'],
    ],
  ])('%s', async (_, files, expected) => expect(await sections(files)).toEqual(expected));
  test('what is more than fifteen is counted, of SKILL.md and of the references', async () => {
    const parts = Array.from({ length: 19 }, (_, index) => `## Part ${index}\n`).join('');
    const refs = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`refs/${index}.md`, `# Topic ${index}\n`]),
    );
    const lines = await sections({ 'SKILL.md': skill(`# My Demo\n${parts}`), ...refs });
    expect(lines.filter((line) => line.includes('(5 more)'))).toHaveLength(2);
    expect(lines).toHaveLength(15 + 1 + 1 + 15 + 1);
  });
});

describe('configuration', () => {
  const read = async (files: Record<string, string>, env: Record<string, string> = {}) => {
    const result = await makeWorld(files).run(['config', 'search.tokenizer', '--json'], { env });
    return JSON.stringify(result.json());
  };
  test.each([
    ['no file', {}, 'porter'],
    ['an empty file', { '.skillc/config.toml': '' }, 'porter'],
    ['the project', { '.skillc/config.toml': '[search]\ntokenizer = "unicode"\n' }, 'unicode'],
    ['the user', { '~/.skillc/config.toml': '[search]\ntokenizer = "unicode"\n' }, 'unicode'],
    [
      'the project over the user',
      {
        '.skillc/config.toml': '[search]\ntokenizer = "porter"\n',
        '~/.skillc/config.toml': '[search]\ntokenizer = "unicode"\n',
      },
      'porter',
    ],
    [
      'a key nobody knows',
      { '.skillc/config.toml': 'mine = 1\n[search]\ntokenizer = "unicode"\n' },
      'unicode',
    ],
  ])('%s', async (_, files, tokenizer) => {
    expect(await read(files as Record<string, string>)).toContain(`"${tokenizer}"`);
  });
  test('the environment over both', async () => {
    const files = { '.skillc/config.toml': '[search]\ntokenizer = "porter"\n' };
    expect(await read(files, { SKC_SEARCH_TOKENIZER: 'unicode' })).toContain('"unicode"');
  });
  test.each(['cjk', 'ascii', 'invalid'])(
    'R16: the tokenizer %j is an error, not a default with a warning',
    async (value) => {
      expect(await read({ '.skillc/config.toml': `[search]\ntokenizer = "${value}"\n` })).toContain('"E110"');
    },
  );
});
