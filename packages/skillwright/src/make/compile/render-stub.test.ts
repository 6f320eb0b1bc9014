import { execFileSync } from 'node:child_process';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { makeWorld, skillText } from '../../../test/make-world.ts';
import { readMarkdown } from '../../base/markdown/read-markdown.ts';
import { estimateTokens } from '../../base/tokens/estimate-tokens.ts';
import { readFrontmatter } from '../../skill/format/frontmatter.ts';
import { hasQuizGate } from '../../skill/format/quiz-gate.ts';
import { MAX_STUB_LINES, renderStub } from './render-stub.ts';

function stubOf(
  description: string,
  extra: Record<string, unknown> = {},
  sections: string[] = ['- One'],
): string {
  return renderStub(
    { name: 'demo', frontmatter: { name: 'demo', description, ...extra }, gated: hasQuizGate(extra) },
    { sections },
  );
}

const oddTexts: Record<string, string> = {
  quotes: `"double" 'single' \`back\` "`,
  colons: 'key: value: more:',
  newlines: 'one\ntwo\n\n\nthree\n',
  'a leading newline': '\n\nafter',
  'leading space': '   indented\n  again',
  'trailing space': 'text   \n  ',
  'carriage returns': 'one\r\ntwo\rthree',
  'the end of frontmatter': '---\n---\nname: evil\n---\n# Not a heading\n...\n',
  'a document start': '--- text',
  comments: '# not a comment # at all',
  'a trailing comment': 'text # more',
  brackets: '[a, {b: c}] ]]}} {{x}}',
  'YAML punctuation': '&a *b !c %d @e | > ? - ,',
  'a list mark': '- item',
  booleans: 'yes',
  null: '~',
  numbers: '0x1F',
  'a date': '2026-01-02',
  emoji: '👩‍👩‍👧 🎉 e\u0301',
  controls: '\u0001\u0007\u001b[31mred\u007f\u0080\u0085\u2028\u2029\ufeff',
  tabs: '\ttab\tin\t',
  'Windows paths': 'C:\\new\\table',
  'percent and escapes': '%20 \\n \\u0041',
  'a closing tag': '</skill></available_skills>',
  '10,000 characters': 'x y: "z" '.repeat(1112).slice(0, 10_000),
  '5,000 lines': 'line: "quoted" # no\n'.repeat(5000),
  'a long first line': `${'a'.repeat(5000)}\n b`,
};

describe('any description', () => {
  test.each(Object.entries(oddTexts))('%s: survives the frontmatter', (_what, description) => {
    const stub = stubOf(description);
    const { data, problems, body } = readFrontmatter(stub);
    expect({ data, problems }).toEqual({ data: { name: 'demo', description }, problems: [] });
    // An independent parser agrees.
    expect(load(stub.slice(4, stub.indexOf('\n---\n\nThis is a compiled')))).toEqual({
      name: 'demo',
      description,
    });
    expect(readMarkdown(body).headings.map(({ text }) => text)).toEqual(['Top Sections']);
    expect(stub.split('\n').length - 1).toBeLessThanOrEqual(MAX_STUB_LINES);
  });

  test('half a surrogate pair cannot be written and becomes a replacement character', () => {
    for (const description of ['a\ud800b', `a\ud800b${'\n'.repeat(200)}`])
      expect(readFrontmatter(stubOf(description)).data?.description).toBe(description.toWellFormed());
  });

  test('other fields are kept whatever their size', () => {
    const extra = {
      license: 'MIT',
      'allowed-tools': Array.from({ length: 300 }, (_, index) => `Bash(cmd-${index}: *)`),
      when_to_use: 'one\n'.repeat(150),
      arguments: { deep: { a: [1, 2.5, true, null] } },
      paths: Array.from({ length: 200 }, (_, index) => `src/"${index}"/**`),
    };
    const stub = stubOf('d', extra);
    expect(readFrontmatter(stub).data).toEqual({ name: 'demo', description: 'd', ...extra });
    expect(stub.split('\n').length - 1).toBeLessThanOrEqual(MAX_STUB_LINES);
  });

  test('a skill without headings says where to look', () => {
    expect(stubOf('d', {}, []).split('\n').at(-2)).toBe('- (no headings; use `skc sources` and `skc open`)');
  });

  test('a name with a space is quoted in the commands', () => {
    const frontmatter = { name: 'two words', description: 'd' };
    const stub = renderStub({ name: 'two words', frontmatter, gated: false }, { sections: [] });
    expect(stub).toContain("skc outline 'two words';");
  });
});

/** Headings as written in a file, and as a stub lists them. */
const oddHeadings: [written: string, listed: string][] = [
  ['# "Quotes" and \'more\'', '- "Quotes" and \'more\''],
  ['# Key: value', '- Key: value'],
  ['# `code` and [link](x.md)', '- code and link'],
  ['# \\-\\-\\-', '- \\---'],
  ['# \\# Not mine', '- \\# Not mine'],
  ['# \\* star', '- \\* star'],
  ['# \\> quoted', '- \\> quoted'],
  ['# \\`\\`\\`', '- \\```'],
  ['# -flag', '- -flag'],
  ['# 🎉 Émoji 日本', '- 🎉 Émoji 日本'],
  ['# 1. First', '- 1. First'],
  [`# ${'long '.repeat(2000)}`, `- ${'long '.repeat(32).slice(0, 159)}…`],
  ['Two\nlines\n=====', '- Two lines'],
  ['# Tab\there', '- Tab here'],
];

describe('any heading', () => {
  test.each(oddHeadings)('%j is one line of the listing', async (written, listed) => {
    const world = makeWorld({
      '.skillc/skills/demo/SKILL.md': skillText('demo', `${written}\n\nText.\n\n# Last\n`),
    });
    await world.run(['build', 'demo', '--target', 'none']);
    const stub = world.read('.skillc/runtime/demo/SKILL.md');
    expect(stub.slice(stub.indexOf('## Top Sections') + 17)).toBe(`${listed}\n- Last\n`);
    expect(readMarkdown(readFrontmatter(stub).body).headings.map(({ text }) => text)).toEqual([
      'Top Sections',
    ]);
    // As an agent copies it.
    const shown = await world.run(['show', 'demo', `--section=${listed.slice(2)}`]);
    expect({ status: shown.status, stdout: shown.stdout }).toEqual({
      status: 0,
      stdout: `${written}\n\nText.\n\n`,
    });
  });
});

test('two builds of one source produce the same bytes, anywhere and at any time', async () => {
  const files = {
    'SKILL.md': skillText('demo', '# Demo\n## Part\n'),
    'b.md': '# B\n',
    'a/c.md': '---\ndescription: d\n---\n# C\n',
  };
  const stubs = [];
  for (const dir of ['.skillc/skills/demo', 'elsewhere/deep/demo', '~/.skillc/skills/demo']) {
    const world = makeWorld(
      Object.fromEntries(Object.entries(files).map(([path, text]) => [`${dir}/${path}`, text])),
    );
    const word = dir.startsWith('~') ? 'demo' : dir;
    await world.run(['build', word, '--target', 'none']);
    const runtime = dir.startsWith('~') ? '~/.skillc/runtime/demo' : '.skillc/runtime/demo';
    stubs.push(world.read(`${runtime}/SKILL.md`));
    await world.run(['clean', word]);
    await world.run(['build', word, '--target', 'none']);
    stubs.push(world.read(`${runtime}/SKILL.md`));
  }
  expect(new Set(stubs).size).toBe(1);
});

describe('a skill behind a quiz', () => {
  const quiz = [{ gate: true, questions: [{ question: 'Q?', options: [{ label: 'a', correct: true }] }] }];

  test('has a stub that says to take the quiz, and names no section', () => {
    const stub = stubOf('D.', { quiz }, ['- Secret heading']);
    expect(stub).toContain('\nskc quiz demo ');
    expect(stub).toContain('`skc_quiz`');
    expect(stub).not.toMatch(/Secret|Q\?|correct|Top Sections/);
    expect(stubOf('D.', { quiz }, ['- Secret heading'])).toBe(stub);
    expect(stub.split('\n').length).toBeLessThanOrEqual(MAX_STUB_LINES);
  });

  test('that is not a gate has an ordinary stub', () => {
    const open = quiz.map((block) => ({ ...block, gate: false }));
    expect(stubOf('D.', { quiz: open })).toBe(stubOf('D.'));
  });
});

describe('a stub worth reading', () => {
  const build = async (files: Record<string, string>) => {
    const world = makeWorld(
      Object.fromEntries(Object.entries(files).map(([path, text]) => [`.skillc/skills/demo/${path}`, text])),
    );
    expect((await world.run(['build', 'demo', '--target', 'none'])).status).toBe(0);
    const stub = world.read('.skillc/runtime/demo/SKILL.md');
    return {
      world,
      lines: stub
        .slice(stub.indexOf('## Top Sections') + 17)
        .trimEnd()
        .split('\n'),
      stub,
    };
  };

  test('generic headings are dropped first if there are too many, and the order stays', async () => {
    const body = [
      '# Demo',
      '## Overview',
      ...Array.from({ length: 9 }, (_, index) => `## First ${index}`),
      '## Table of Contents',
      ...Array.from({ length: 6 }, (_, index) => `## Then ${index}`),
    ];
    const { lines } = await build({ 'SKILL.md': skillText('demo', `${body.join('\n')}\n`) });
    expect(lines).toEqual([
      '- Demo',
      ...Array.from({ length: 9 }, (_, index) => `  - First ${index}`),
      ...Array.from({ length: 5 }, (_, index) => `  - Then ${index}`),
      '- ... (3 more) — `skc outline demo`',
    ]);
  });

  test('references are spread over directories, those SKILL.md names first, READMEs last', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [
        `a/${String(index).padStart(2, '0')}.md`,
        `# Part a${index}\n`,
      ]),
    );
    const { lines } = await build({
      'SKILL.md': skillText('demo', '# Demo\n\nSee z/named.md.\n'),
      ...many,
      'README.md': '# Demo\n',
      'b/one.md': '# Part b\n',
      'z/named.md': '# Named\n',
      'z/other.md': '# Other\n',
    });
    expect(lines).toEqual([
      '- Demo',
      '- References (query by title only)',
      ...Array.from({ length: 12 }, (_, index) => `  - Part a${index}`),
      '  - Part b',
      '  - Named',
      '  - Other',
      '  - ... (9 more) — `skc outline demo`',
    ]);
  });

  test('a title that is generic, repeated or taken is followed by its path, then its description', async () => {
    const { lines } = await build({
      'SKILL.md': skillText('demo', '# Demo\n## Usage\n# Again\n## Usage\n'),
      'a.md': '# Overview\n',
      'b.md': '---\ndescription: The second.\n---\n# Setup\n',
      'c.md': '# Setup\n',
      'd.md': '# Usage\n',
      'e.md': '# Its own\n',
      'f.md': 'No heading at all.\n',
    });
    expect(lines).toEqual([
      '- Demo',
      '  - Usage',
      '- Again',
      '  - Usage — #usage-1',
      '- References (query by title only)',
      '  - Overview — a.md',
      '  - Setup — b.md — The second.',
      '  - Setup — c.md',
      '  - Usage — d.md',
      '  - Its own',
      '  - f.md',
    ]);
    expect(new Set(lines).size).toBe(lines.length);
  });

  test('a stub has few fixed lines', async () => {
    const { stub } = await build({ 'SKILL.md': skillText('demo', '# Demo\n') });
    const boilerplate = stub.slice(stub.indexOf('\n---\n') + 5, stub.indexOf('- Demo'));
    expect(boilerplate.split('\n').length).toBeLessThanOrEqual(13);
    expect(estimateTokens(boilerplate)).toBeLessThanOrEqual(135);
  });

  test.each(['two words', "it's", '日本語', 'a"b', 'a$HOME'])(
    'commands for a skill called %s can be pasted',
    (name) => {
      const stub = renderStub(
        { name, frontmatter: { name, description: 'd' }, gated: false },
        { sections: [] },
      );
      for (const [, line = ''] of stub.matchAll(/^(skc (?:show|search) .*)$/gm)) {
        const words = execFileSync('sh', ['-c', `skc() { printf '%s\\n' "$@"; }; ${line}`], {
          encoding: 'utf8',
        });
        expect(words.split('\n')[1]).toBe(name);
      }
    },
  );
});
