// RFC-0001, Skill Compilation: every MUST and MUST NOT, by the name of its clause.

import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFrontmatter } from '../../src/skill/format/frontmatter.ts';
import { makeDirectory } from '../make-directory.ts';
import { listTree, makeWorld, skillText, type World } from '../make-world.ts';

const source = '.skillc/skills/demo';
const stubPath = '.skillc/runtime/demo/SKILL.md';
const manifestPath = '.skillc/runtime/demo/.skillc/manifest.json';

/** Builds the project's skill `demo` made of these files. */
async function build(files: Record<string, string>, ...flags: string[]) {
  const world = makeWorld(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`${source}/${path}`, text])),
  );
  const result = await world.run(['build', 'demo', ...flags]);
  return { world, result };
}

async function stubOf(files: Record<string, string>): Promise<string> {
  const { world, result } = await build(files);
  expect(result).toMatchObject({ status: 0, stderr: '' });
  return world.read(stubPath);
}

/** The lines under "Top Sections". */
const sectionsOf = (stub: string) => stub.slice(stub.indexOf('## Top Sections\n\n') + 17).trimEnd();

const manifestOf = (world: World) => JSON.parse(world.read(manifestPath));

describe('C-INPUT', () => {
  test('C-INPUT: any directory that is a skill is accepted, by path and by name', async () => {
    const world = makeWorld({
      'docs/demo/SKILL.md': skillText('demo'),
      [`${source}/SKILL.md`]: skillText('demo'),
    });
    expect((await world.run(['build', 'demo', '--target', 'none'])).stdout).toBe(
      'demo: created (1 of 1 file indexed)\n  form: a stub (as requested)\n',
    );
    expect((await world.run(['build', `${source}/SKILL.md`, '--target', 'none'])).stdout).toBe(
      'demo: up to date (1 file)\n  form: a stub (as requested)\n',
    );
    const elsewhere = makeDirectory({ 'SKILL.md': skillText('other') });
    expect((await world.run(['build', elsewhere, '--target', 'none'])).stdout).toBe(
      'other: created (1 of 1 file indexed)\n  form: a stub (as requested)\n',
    );
  });

  test('C-INPUT: name and description are read from the YAML frontmatter of SKILL.md', async () => {
    const stub = await stubOf({ 'SKILL.md': skillText('demo', '# Demo\n', 'What it is: a "demo".') });
    expect(readFrontmatter(stub).data).toEqual({ name: 'demo', description: 'What it is: a "demo".' });
  });

  test('C-INPUT: headings are read from all .md files, and all files are enumerated', async () => {
    const { world } = await build({
      'SKILL.md': skillText('demo', '# Demo\n'),
      'a/deep/er/b.md': '# Deep\n',
      'scripts/run.sh': 'echo\n',
    });
    expect(sectionsOf(world.read(stubPath))).toBe('- Demo\n- References (query by title only)\n  - Deep');
    expect(manifestOf(world).files).toBe(3);
  });

  test.each([
    {
      what: 'SKILL.md is missing',
      text: undefined,
      error:
        "error[E010]: not a valid skill: '<cwd>/x' (missing SKILL.md)\nhelp: create SKILL.md (`skc init my-skill` writes one), or name another directory\n",
    },
    {
      what: 'name is missing',
      text: '---\ndescription: d\n---\n',
      error:
        "error[E011]: missing frontmatter field 'name' in SKILL.md\nhelp: add the field to the frontmatter. `skc lint` lists any other problems\n",
    },
    {
      what: 'name is empty',
      text: '---\nname: ""\ndescription: d\n---\n',
      error:
        "error[E011]: missing frontmatter field 'name' in SKILL.md\nhelp: add the field to the frontmatter. `skc lint` lists any other problems\n",
    },
    {
      what: 'name is not text',
      text: '---\nname: [x]\ndescription: d\n---\n',
      error:
        "error[E011]: missing frontmatter field 'name' in SKILL.md\nhelp: add the field to the frontmatter. `skc lint` lists any other problems\n",
    },
    {
      what: 'description is missing',
      text: '---\nname: x\n---\n',
      error:
        "error[E011]: missing frontmatter field 'description' in SKILL.md\nhelp: add the field to the frontmatter. `skc lint` lists any other problems\n",
    },
    {
      what: 'description is blank',
      text: '---\nname: x\ndescription: "  "\n---\n',
      error:
        "error[E011]: missing frontmatter field 'description' in SKILL.md\nhelp: add the field to the frontmatter. `skc lint` lists any other problems\n",
    },
  ])('C-INPUT: fails with a clear error when $what', async ({ text, error }) => {
    const world = makeWorld(text === undefined ? { x: { directory: true } } : { 'x/SKILL.md': text });
    const before = world.list();
    expect(await world.run(['build', './x'])).toMatchObject({ status: 1, stdout: '', stderr: error });
    expect(world.list()).toEqual(before);
  });

  test('C-INPUT: without any frontmatter the error says what is missing and how to begin', async () => {
    const world = makeWorld({ 'x/SKILL.md': '# Only a heading\n' });
    const { status, stderr } = await world.run(['build', './x']);
    expect({ status, first: stderr.split('\n')[0] }).toEqual({
      status: 1,
      first: "error[E011]: missing frontmatter field 'name' in SKILL.md",
    });
    expect(stderr).toMatch(/^help: .*---/m);
  });
});

describe('C-OUTPUT', () => {
  test('C-OUTPUT: stub and manifest are produced in a runtime directory that is made, and no source is copied', async () => {
    const { world } = await build({
      'SKILL.md': skillText('demo', '# Demo\n\nsecret body\n'),
      'references/a.md': '# A\n\nsecret reference\n',
      'scripts/a.sh': 'secret script\n',
    });
    const hash = createHash('sha256').update(join(world.project, source)).digest('hex').slice(0, 16);
    const runtime = listTree(join(world.project, '.skillc/runtime'));
    expect(Object.keys(runtime)).toEqual([
      'demo',
      'demo/.skillc',
      'demo/.skillc/manifest.json',
      `demo/.skillc/search-${hash}.db`,
      'demo/SKILL.md',
    ]);
    expect(Object.values(runtime).join('\n')).not.toContain('secret');
  });
});

describe('C-STUB', () => {
  const files = {
    'SKILL.md': skillText(
      'demo',
      '# Demo\n\nBody text.\n\n## Part\n\nMore text.\n\n### Detail\n',
      'Use when demonstrating.',
    ),
    'references/guide.md': '# Writing guides\n\nReference text.\n',
    'scripts/run.sh': 'echo hidden\n',
  };

  test('C-STUB: the stub is a valid Agent Skills SKILL.md', async () => {
    const { world } = await build(files);
    const { problems, data } = readFrontmatter(world.read(stubPath));
    expect({ problems, name: data?.name }).toEqual({ problems: [], name: 'demo' });
    const validated = await world.run(['validate', '.skillc/runtime/demo', '--profile', 'strict']);
    expect(validated.status).toBe(0);
  });

  test('C-STUB: frontmatter, notice, MCP preference, gateway commands and sections, and nothing else', async () => {
    expect(await stubOf(files)).toBe(`---
name: demo
description: Use when demonstrating.
---

This is a compiled skill: fetch the sections you need, and do not read its source files. Prefer the MCP tools
\`skc_outline\`, \`skc_show\`, \`skc_search\` etc., if available (faster, structured output); otherwise:

\`\`\`sh
skc show demo --section "<title>" --fresh
skc search demo "<words>" --fresh
skc outline demo; skc sources demo; skc open demo <path>
\`\`\`

## Top Sections

- Demo
  - Part
- References (query by title only)
  - Writing guides
`);
  });

  test('C-STUB: no source content beyond headings, no file listings, no internal or absolute paths', async () => {
    const { world } = await build(files);
    const stub = world.read(stubPath);
    for (const forbidden of [
      'Body text',
      'Reference text',
      'hidden',
      'guide.md',
      'run.sh',
      '.skillc',
      world.root,
    ])
      expect(stub).not.toContain(forbidden);
  });

  test('C-STUB: fields an agent decides by are kept, those of hosts and registries are not', async () => {
    const head = `---
name: demo
description: d
license: MIT
compatibility: needs skc
allowed-tools: Read Bash(git:*)
argument-hint: "[file]"
disable-model-invocation: true
quiz: [{question: q}]
hooks: {PreToolUse: []}
toolsets: ["a:b"]
tags: [x]
version: 1.0.0
metadata: {author: me}
---
# Demo
`;
    expect(readFrontmatter(await stubOf({ 'SKILL.md': head })).data).toEqual({
      name: 'demo',
      description: 'd',
      license: 'MIT',
      compatibility: 'needs skc',
      'allowed-tools': 'Read Bash(git:*)',
      'argument-hint': '[file]',
      'disable-model-invocation': true,
    });
  });
});

describe('C-MANIFEST', () => {
  test('C-MANIFEST: a JSON file with skill, version, built_at and source_hash', async () => {
    const { world } = await build({
      'SKILL.md': skillText('demo'),
      'b.txt': 'bee',
      'a/x.md': '# x\n',
      'a.md': '# a\n',
    });
    const sha = (data: string) => createHash('sha256').update(data).digest('hex');
    const pairs = ['SKILL.md', 'a.md', 'a/x.md', 'b.txt'].map(
      (path) => [path, sha(world.read(`${source}/${path}`))] as const,
    );
    const manifest = manifestOf(world);
    expect(manifest).toEqual({
      skill: 'demo',
      source_hash: sha(pairs.map(([path, hash]) => `${path}\0${hash}\0`).join('')),
      source_path: './.skillc/skills/demo',
      generator: expect.stringMatching(/^skc \d/),
      version: 1,
      built_at: '2026-01-02T03:04:05.000Z',
      files: 4,
      bytes: pairs.reduce((sum, [path]) => sum + world.read(`${source}/${path}`).length, 0),
      stub_hash: sha(world.read(stubPath)),
      deploy: 'stub',
      form: 'stub',
      why: 'as requested',
      beside: [],
      left_out: [
        { path: 'a', why: "Markdown: use 'skc show' or 'skc open'" },
        { path: 'a.md', why: "Markdown: use 'skc show' or 'skc open'" },
        { path: 'b.txt', why: 'no text refers to it' },
      ],
      lost: [],
      deployed: ['~/.claude/skills/demo'],
    });
  });

  test('C-MANIFEST: the hash sees every change, and only changes', async () => {
    const { world } = await build({ 'SKILL.md': skillText('demo'), 'data.bin': '\0one' });
    const hash = async () => {
      await world.run(['build', 'demo']);
      return manifestOf(world).source_hash;
    };
    const first = await hash();
    world.write({ [`${source}/.hidden`]: 'x', [`${source}/node_modules/x/index.js`]: 'x' });
    expect(await hash()).toBe(first);
    world.write({ [`${source}/data.bin`]: '\0two' });
    const second = await hash();
    world.write({ [`${source}/data2.bin`]: '\0two' });
    const third = await hash();
    expect(new Set([first, second, third]).size).toBe(3);
    world.write({ [`${source}/data.bin`]: '\0one' });
    expect(await hash()).not.toBe(third);
  });
});

describe('C-ERRORS', () => {
  test.each([
    {
      words: ['build', 'nothing'],
      error:
        "error[E001]: skill 'nothing' not found\nhelp: check the spelling, give the path of the directory with SKILL.md, or run `skc list` to see all names\n",
    },
    { words: ['build', 'demoo'], error: "error[E001]: skill 'demoo' not found\nhelp: did you mean demo?\n" },
    {
      words: ['build', './empty'],
      error:
        "error[E010]: not a valid skill: '<cwd>/empty' (missing SKILL.md)\nhelp: create SKILL.md (`skc init my-skill` writes one), or name another directory\n",
    },
    {
      words: ['build', './nameless'],
      error:
        "error[E011]: missing frontmatter field 'name' in SKILL.md\nhelp: add the field to the frontmatter. `skc lint` lists any other problems\n",
    },
    {
      words: ['build', './escaping'],
      error:
        "error[E012]: path escapes skill root: 'out'\nhelp: use a path inside the skill. Copy the files it needs into it\n",
    },
    {
      words: ['build', '--colour'],
      error: "error[E100]: invalid option: '--colour'\nhelp: run 'skc build --help'\n",
    },
    { words: ['build', 'demo', '--target'], error: /^error\[E100\]: .*--target.*\n/ },
  ])('C-ERRORS: $words exits with 1 and its message on stderr', async ({ words, error }) => {
    const world = makeWorld({
      [`${source}/SKILL.md`]: skillText('demo'),
      empty: { directory: true },
      'nameless/SKILL.md': '---\ndescription: d\n---\n',
      'escaping/SKILL.md': skillText('escaping'),
      'escaping/out': { link: '/etc' },
    });
    const { status, stdout, stderr } = await world.run(words);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    if (typeof error === 'string') expect(stderr).toBe(error);
    else expect(stderr).toMatch(error);
    expect(world.list(world.home)).toEqual({});
  });

  test('C-ERRORS: as JSON the failure is on stdout too', async () => {
    const world = makeWorld();
    const { status, stderr, json } = await world.run(['build', 'nothing', '--json']);
    expect({ status, stderr, json: json() }).toEqual({
      status: 1,
      stderr:
        "error[E001]: skill 'nothing' not found\nhelp: check the spelling, give the path of the directory with SKILL.md, or run `skc list` to see all names\n",
      json: {
        error: {
          code: 'E001',
          message: "skill 'nothing' not found",
          help: 'check the spelling, give the path of the directory with SKILL.md, or run `skc list` to see all names',
          data: null,
        },
      },
    });
  });
});

describe('C-SECTIONS', () => {
  test('C-SECTIONS: the example of the clause, letter by letter', async () => {
    const stub = await stubOf({
      'SKILL.md': skillText(
        'demo',
        '# Rust CLI\n## Default Flow\n### Too deep\n## Decision Tree\n# Advanced Topics\n## Performance\n#### Deeper\n',
      ),
      'references/clap.md':
        '---\ndescription: "Advanced argument parsing examples"\n---\n# Clap Patterns\n## Inner\n',
      'references/errors.md':
        '---\ndescription: anyhow vs thiserror patterns\n---\n\n# Error Handling\n# Second\n',
      'references/tui.md': '# TUI Guide\n',
    });
    expect(stub.slice(stub.indexOf('## Top Sections'))).toBe(`## Top Sections

- Rust CLI
  - Default Flow
  - Decision Tree
- Advanced Topics
  - Performance
- References (query by title only)
  - Clap Patterns — Advanced argument parsing examples
  - Error Handling — anyhow vs thiserror patterns
  - TUI Guide
`);
  });

  test('C-SECTIONS: at most 15 entries of SKILL.md, then how many more', async () => {
    const headings = Array.from({ length: 20 }, (_, index) => `## Part ${index + 1}\n`);
    const lines = sectionsOf(
      await stubOf({ 'SKILL.md': skillText('demo', `# Demo\n${headings.join('')}`) }),
    ).split('\n');
    expect(lines).toEqual([
      '- Demo',
      ...Array.from({ length: 14 }, (_, index) => `  - Part ${index + 1}`),
      '- ... (6 more) — `skc outline demo`',
    ]);
  });

  test('C-SECTIONS: the first H1 is not treated specially, and H2 without H1 stays a child', async () => {
    const stub = await stubOf({ 'SKILL.md': skillText('demo', '## Before\n# demo\n# demo\n') });
    expect(sectionsOf(stub)).toBe('  - Before\n- demo\n- demo — #demo-1');
  });

  test('C-SECTIONS: without H1 the relative path is the label; no H1 in code counts', async () => {
    const stub = await stubOf({
      'SKILL.md': skillText('demo'),
      'references/plain.md': '---\ndescription: notes\n---\n\n## Only H2\n\n```\n# not a heading\n```\n',
    });
    expect(sectionsOf(stub)).toBe(
      '- demo\n- References (query by title only)\n  - references/plain.md — notes',
    );
  });

  test.each([
    { length: 120, shown: 'x'.repeat(120) },
    { length: 121, shown: `${'x'.repeat(119)}…` },
    { length: 5000, shown: `${'x'.repeat(119)}…` },
  ])('C-SECTIONS: a description of $length characters has at most 120 of them', async ({ length, shown }) => {
    const stub = await stubOf({
      'SKILL.md': skillText('demo'),
      'r.md': `---\ndescription: ${'x'.repeat(length)}\n---\n# R\n`,
    });
    expect(sectionsOf(stub)).toBe(`- demo\n- References (query by title only)\n  - R — ${shown}`);
  });

  test('C-SECTIONS: references are listed alphabetically by path, SKILL.md first, 15 at most', async () => {
    const files = Object.fromEntries(
      [
        'z.md',
        'a.md',
        'b/z.md',
        'b/a.md',
        'B.md',
        'é.md',
        ...Array.from({ length: 12 }, (_, i) => `n/${i}.md`),
      ].map((path) => [path, `# ${path}\n`]),
    );
    const lines = sectionsOf(await stubOf({ ...files, 'SKILL.md': skillText('demo') })).split('\n');
    expect(lines).toEqual([
      '- demo',
      '- References (query by title only)',
      ...[
        'B.md',
        'a.md',
        'b/a.md',
        'b/z.md',
        'n/0.md',
        'n/1.md',
        'n/10.md',
        'n/11.md',
        'n/2.md',
        'n/3.md',
      ].map((path) => `  - ${path}`),
      ...['n/4.md', 'n/5.md', 'n/6.md', 'z.md', 'é.md'].map((path) => `  - ${path}`),
      '  - ... (3 more) — `skc outline demo`',
    ]);
  });

  test('C-SECTIONS: no References without other .md files', async () => {
    expect(sectionsOf(await stubOf({ 'SKILL.md': skillText('demo'), 'a.txt': '# no\n' }))).toBe('- demo');
  });

  test('C-SECTIONS: a title copied from the stub, with its description, is shown', async () => {
    const { world } = await build({
      'SKILL.md': skillText('demo'),
      'clap.md': '---\ndescription: Advanced examples\n---\n# Clap Patterns\n\nUse derive.\n',
    });
    for (const query of ['Clap Patterns', 'Clap Patterns — Advanced examples'])
      expect((await world.run(['show', 'demo', '--section', query])).stdout).toBe(
        '# Clap Patterns\n\nUse derive.\n',
      );
  });
});

describe('C-CONSTRAINTS', () => {
  test('C-CONSTRAINTS: 5,000 headings, 1,000 references and 200 paths: still at most 100 lines, and it says what is missing', async () => {
    const headings = Array.from(
      { length: 5000 },
      (_, index) => `${'#'.repeat((index % 3) + 1)} Heading ${index}\n`,
    );
    const paths = Array.from({ length: 200 }, (_, index) => `src/dir-${index}/**`);
    const references = Array.from({ length: 1000 }, (_, index) => [
      `r/${index}.md`,
      `# Reference ${index}\n`,
    ]);
    const stub = await stubOf({
      'SKILL.md': `---\nname: demo\ndescription: d\npaths: ${JSON.stringify(paths)}\n---\n${headings.join('')}`,
      ...Object.fromEntries(references),
    });
    expect(stub.split('\n').length - 1).toBeLessThanOrEqual(100);
    expect(stub).toMatch(/^- \.\.\. \(\d+ more\) — `skc outline demo`$/m);
    expect(stub).toContain('  - ... (985 more)');
    expect(readFrontmatter(stub).data).toEqual({ name: 'demo', description: 'd', paths });
  });

  test('C-CONSTRAINTS: at most 12 top-level headings, with an indication that more exist', async () => {
    const body = Array.from({ length: 14 }, (_, index) => `# Top ${index + 1}\n`).join('');
    expect(sectionsOf(await stubOf({ 'SKILL.md': skillText('demo', body) })).split('\n')).toEqual([
      ...Array.from({ length: 12 }, (_, index) => `- Top ${index + 1}`),
      '- ... (2 more) — `skc outline demo`',
    ]);
  });

  test('C-CONSTRAINTS: outline and show read .md files only, open and sources any file', async () => {
    const { world } = await build({
      'SKILL.md': skillText('demo'),
      'notes.txt': '# In text\n',
      'code.py': '# In code\n',
    });
    expect((await world.run(['outline', 'demo'])).stdout).toBe('SKILL.md\n  # demo\n');
    expect((await world.run(['show', 'demo', '--section', 'In text'])).status).toBe(1);
    expect((await world.run(['open', 'demo', 'notes.txt'])).stdout).toBe('# In text\n');
    expect((await world.run(['sources', 'demo'])).stdout).toBe(
      'demo/\n├── SKILL.md\n├── code.py\n└── notes.txt\n',
    );
  });

  test('C-CONSTRAINTS: a source with a symlink that escapes the skill root is rejected, one that stays is not', async () => {
    const world = makeWorld({ [`${source}/SKILL.md`]: skillText('demo'), [`${source}/a.md`]: '# A\n' });
    symlinkSync('a.md', join(world.project, source, 'b.md'));
    expect((await world.run(['build', 'demo', '--target', 'none'])).status).toBe(0);
    symlinkSync('/etc/passwd', join(world.project, source, 'c.md'));
    const before = world.list();
    expect(await world.run(['build', 'demo'])).toMatchObject({
      status: 1,
      stderr:
        "error[E012]: path escapes skill root: 'c.md'\nhelp: use a path inside the skill. Copy the files it needs into it\n",
    });
    expect(world.list()).toEqual(before);
  });
});

describe('C-DEPLOYMENT', () => {
  const user = '~/.skillc/skills/demo/SKILL.md';

  test("C-DEPLOYMENT: a project's source goes to the project's runtime and is linked for Claude", async () => {
    const { world, result } = await build({ 'SKILL.md': skillText('demo') });
    expect(result).toMatchObject({
      status: 0,
      stdout:
        'demo: created (1 of 1 file indexed)\n  form: a stub (as requested)\n  claude: <home>/.claude/skills/demo (symlink)\n  for all your projects; --scope project links it for this one only\n',
    });
    expect(readlinkSync(join(world.home, '.claude/skills/demo'))).toBe(
      join(world.project, '.skillc/runtime/demo'),
    );
    expect(existsSync(join(world.home, '.skillc/runtime'))).toBe(false);
  });

  test("C-DEPLOYMENT: a user's source goes to the user's runtime and is linked for Claude", async () => {
    const world = makeWorld({ [user]: skillText('demo') });
    expect((await world.run(['build', 'demo'])).status).toBe(0);
    expect(readlinkSync(join(world.home, '.claude/skills/demo'))).toBe(
      join(world.home, '.skillc/runtime/demo'),
    );
    expect(world.list(join(world.project, '.skillc'))).toEqual({});
  });

  test("C-DEPLOYMENT: --global compiles a project's source for the user", async () => {
    const { world } = await build({ 'SKILL.md': skillText('demo') }, '--global');
    expect(readlinkSync(join(world.home, '.claude/skills/demo'))).toBe(
      join(world.home, '.skillc/runtime/demo'),
    );
    expect(existsSync(join(world.project, '.skillc/runtime'))).toBe(false);
  });

  test('C-DEPLOYMENT: --target names the agents, comma-separated, and parents are made', async () => {
    const { world, result } = await build({ 'SKILL.md': skillText('demo') }, '--target', 'claude,cursor');
    expect(result.stdout).toBe(
      'demo: created (1 of 1 file indexed)\n  form: a stub (as requested)\n  claude: <home>/.claude/skills/demo (symlink)\n  cursor: <home>/.cursor/skills/demo (symlink)\n',
    );
    expect(readFileSync(join(world.home, '.cursor/skills/demo/SKILL.md'), 'utf8')).toBe(world.read(stubPath));
  });

  test('C-DEPLOYMENT: --copy copies what an agent reads', async () => {
    const { world, result } = await build({ 'SKILL.md': skillText('demo') }, '--copy');
    expect(result.stdout).toContain('  claude: <home>/.claude/skills/demo (copy)\n');
    const place = join(world.home, '.claude/skills/demo');
    expect(lstatSync(place).isDirectory()).toBe(true);
    expect(Object.keys(listTree(place))).toEqual(['.skillc', '.skillc/manifest.json', 'SKILL.md']);
  });

  test('C-DEPLOYMENT: an existing link of skc at the target is replaced, and the report says where it led', async () => {
    const { world } = await build({ 'SKILL.md': skillText('demo') });
    const { stdout } = await world.run(['build', 'demo', '--global']);
    expect(stdout).toBe(
      'demo: created (1 of 1 file indexed)\n  form: a stub (as requested)\n  claude: <home>/.claude/skills/demo (symlink; before: <cwd>/.skillc/runtime/demo)\n',
    );
    expect((await world.run(['build', 'demo', '--global'])).stdout).toBe(
      'demo: up to date (1 file)\n  form: a stub (as requested)\n  claude: <home>/.claude/skills/demo (symlink; already there)\n',
    );
  });

  test('C-DEPLOYMENT: a link that skc did not make is replaced with --force alone, and kept', async () => {
    const { world } = await build({ 'SKILL.md': skillText('demo') }, '--target', 'none');
    const link = join(world.home, '.claude/skills/demo');
    mkdirSync(join(link, '..'), { recursive: true });
    symlinkSync(join(world.root, 'nowhere'), link);
    const { status, stderr } = await world.run(['build', 'demo']);
    expect({ status, stderr: stderr.replaceAll(world.root, '<root>') }).toEqual({
      status: 1,
      stderr:
        "error[E013]: refusing to overwrite '<home>/.claude/skills/demo'\nhelp: it is a link to <root>/nowhere that skc did not make; use --force to replace it: the old one is backed up under .skillc/backups\n",
    });
    expect(readlinkSync(link)).toBe(join(world.root, 'nowhere'));
    expect((await world.run(['build', 'demo', '--force'])).status).toBe(0);
    expect(readlinkSync(link)).toBe(join(world.project, '.skillc/runtime/demo'));
    expect(world.list(join(world.home, '.skillc/backups'))).toEqual({
      'demo.bak-20260102T030405Z': `-> ${join(world.root, 'nowhere')}`,
    });
  });

  test('C-DEPLOYMENT: an existing directory is not overwritten without --force', async () => {
    const world = makeWorld({
      [`${source}/SKILL.md`]: skillText('demo'),
      '~/.claude/skills/demo/SKILL.md': 'by hand',
    });
    const before = world.list(join(world.home, '.claude'));
    expect(await world.run(['build', 'demo'])).toMatchObject({
      status: 1,
      stderr:
        "error[E013]: refusing to overwrite '<home>/.claude/skills/demo'\nhelp: skc did not make it; use --force to replace it: the old one is backed up under .skillc/backups\n",
    });
    expect(world.list(join(world.home, '.claude'))).toEqual(before);
  });
});
