import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDirectory, type Tree } from '../../../../test/make-directory.ts';
import { skillText } from '../../../../test/make-world.ts';
import { type FindOptions, findSourceSkills } from './find-source-skills.ts';

function find(tree: Tree, options: FindOptions = {}) {
  const root = makeDirectory(tree);
  const { skills, diagnostics } = findSourceSkills(root, options);
  return {
    skills: Object.fromEntries(skills.map(({ name, within }) => [name, within])),
    diagnostics: diagnostics.map(({ code, message }) => `${code} ${message}`.replaceAll(root, '')),
  };
}

const found = (skills: Record<string, string>) => ({ skills, diagnostics: [] });
const json = (value: unknown) => JSON.stringify(value);

describe('layouts', () => {
  const cases: [string, Tree, Record<string, string>][] = [
    ['one skill at the root', { 'SKILL.md': skillText('a') }, { a: '' }],
    [
      'skills/',
      { 'skills/a/SKILL.md': skillText('a'), 'skills/b/SKILL.md': skillText('b') },
      { a: 'skills/a', b: 'skills/b' },
    ],
    ['skills/ by category', { 'skills/docs/a/SKILL.md': skillText('a') }, { a: 'skills/docs/a' }],
    [
      'curated, experimental and system',
      {
        'skills/.system/c/SKILL.md': skillText('c'),
        'skills/.curated/a/SKILL.md': skillText('a'),
        'skills/.experimental/b/SKILL.md': skillText('b'),
      },
      { a: 'skills/.curated/a', b: 'skills/.experimental/b', c: 'skills/.system/c' },
    ],
    [
      'agent directories',
      {
        '.claude/skills/a/SKILL.md': skillText('a'),
        '.agents/skills/b/SKILL.md': skillText('b'),
        '.github/skills/c/SKILL.md': skillText('c'),
        '.cursor/skills/d/SKILL.md': skillText('d'),
        '.config/goose/skills/e/SKILL.md': skillText('e'),
      },
      {
        a: '.claude/skills/a',
        b: '.agents/skills/b',
        c: '.github/skills/c',
        d: '.cursor/skills/d',
        e: '.config/goose/skills/e',
      },
    ],
    [
      'the root and skills next to it',
      { 'SKILL.md': skillText('a'), 'skills/b/SKILL.md': skillText('b') },
      { a: '', b: 'skills/b' },
    ],
    ['plugins/', { 'plugins/x/skills/a/SKILL.md': skillText('a') }, { a: 'plugins/x/skills/a' }],
    [
      'anywhere if no layout matches',
      { 'x/y/z/w/v/a/SKILL.md': skillText('a'), 'docs/b/SKILL.md': skillText('b') },
      { a: 'x/y/z/w/v/a', b: 'docs/b' },
    ],
    ['thirteen levels are too many', { '1/2/3/4/5/6/7/8/9/10/11/12/a/SKILL.md': skillText('a') }, {}],
    ['deep below skills/', { 'skills/x/y/z/a/SKILL.md': skillText('a') }, { a: 'skills/x/y/z/a' }],
    [
      'tests are not offered next to a layout',
      { 'skills/a/SKILL.md': skillText('a'), 'test/b/SKILL.md': skillText('b') },
      { a: 'skills/a' },
    ],
    [
      'a marketplace that names every skill',
      {
        '.claude-plugin/marketplace.json': json({
          name: 'm',
          plugins: [{ name: 'p', source: './', strict: false, skills: ['./documents/a', './documents/b'] }],
        }),
        'documents/a/SKILL.md': skillText('a'),
        'documents/b/SKILL.md': skillText('b'),
        'documents/c/SKILL.md': skillText('c'),
      },
      { a: 'documents/a', b: 'documents/b' },
    ],
    [
      'a marketplace of plugins',
      {
        '.claude-plugin/marketplace.json': json({
          metadata: { pluginRoot: './tools' },
          plugins: [
            { name: 'p', source: 'p' },
            { name: 'q', source: './q', skills: './extra' },
          ],
        }),
        'tools/p/skills/a/SKILL.md': skillText('a'),
        'q/extra/b/SKILL.md': skillText('b'),
      },
      { a: 'tools/p/skills/a', b: 'q/extra/b' },
    ],
    [
      'a plugin that is one skill',
      {
        '.claude-plugin/marketplace.json': json({ plugins: [{ name: 'p', source: './p' }] }),
        'p/SKILL.md': skillText('a'),
      },
      { a: 'p' },
    ],
    [
      'the manifest of a plugin',
      {
        '.claude-plugin/plugin.json': json({ name: 'p', skills: ['./more/'] }),
        'more/a/SKILL.md': skillText('a'),
      },
      { a: 'more/a' },
    ],
    [
      'a vendor-neutral plugin',
      { 'plugin.json': json({ name: 'p' }), 'skills/a/SKILL.md': skillText('a') },
      { a: 'skills/a' },
    ],
  ];
  test.each(cases)('%s', (_, tree, skills) => {
    expect(find(tree)).toEqual(found(skills));
  });
});

describe('which directories are skills', () => {
  test('a skill inside another is part of it', () => {
    const tree = { 'skills/a/SKILL.md': skillText('a'), 'skills/a/assets/b/SKILL.md': skillText('b') };
    expect(find(tree)).toEqual(found({ a: 'skills/a' }));
    const named = { '.claude-plugin/plugin.json': json({ name: 'p', skills: './skills/a/assets/b' }) };
    expect(find({ ...tree, ...named })).toEqual(found({ a: 'skills/a' }));
  });

  test('the file must be spelled SKILL.md', () => {
    expect(find({ 'skills/a/skill.md': skillText('a'), 'skills/b/Skill.MD': skillText('b') })).toEqual(
      found({}),
    );
  });

  test('compiled stubs are left out', () => {
    const manifest = json({
      version: 1,
      skill: 'a',
      built_at: '',
      source_hash: '',
      source_path: './a',
      generator: '',
      stub_hash: '',
      files: 1,
      bytes: 1,
    });
    expect(
      find({
        'skills/a/SKILL.md': skillText('a'),
        'skills/a/.skillc/manifest.json': manifest,
        'skills/b/SKILL.md': skillText('b'),
        'skills/b/.skillc-meta/x': '',
        'skills/c/SKILL.md': skillText('c'),
      }),
    ).toEqual(found({ c: 'skills/c' }));
  });

  test('internal skills are not offered', () => {
    const tree = {
      'skills/a/SKILL.md': '---\nname: a\ndescription: A\nmetadata:\n  internal: true\n---\n',
      'skills/b/SKILL.md': skillText('b'),
    };
    expect(find(tree)).toEqual(found({ b: 'skills/b' }));
  });

  test('of two skills with one name the first by layout is kept, and both are reported', () => {
    const root = makeDirectory({
      'skills/x/SKILL.md': skillText('a'),
      '.claude/skills/a/SKILL.md': skillText('a'),
    });
    const { skills, diagnostics } = findSourceSkills(root);
    expect(skills.map(({ within }) => within)).toEqual(['skills/x']);
    expect(diagnostics).toEqual([
      {
        code: 'W004',
        severity: 'warning',
        message: "skill 'a' shadowed by another of the same name",
        detail: '  skills/x is offered\n  .claude/skills/a is left out',
      },
    ]);
  });

  test('a link to a skill of the same repository is that skill', () => {
    const tree = { 'skills/a/SKILL.md': skillText('a'), '.claude/skills/a': { link: '../../skills/a' } };
    expect(find(tree)).toEqual(found({ a: 'skills/a' }));
    expect(
      find({ 'shared/a/SKILL.md': skillText('a'), '.claude/skills/a': { link: '../../shared/a' } }),
    ).toEqual(found({ a: '.claude/skills/a' }));
  });
});

describe('names', () => {
  const named = (name: string) => `---\nname: ${JSON.stringify(name)}\ndescription: d\n---\n`;
  test.each([
    'PDF Processing',
    '../../x',
    '/etc/x',
    '..',
    'a\\b',
    'con',
    '-rf',
    'C++',
    'shadcn/ui',
    '数据处理',
  ])('%s is replaced by the directory name, with a warning', (name) => {
    expect(find({ 'skills/x/SKILL.md': named(name) })).toEqual({
      skills: { x: 'skills/x' },
      diagnostics: [`W006 '${name}' is not a valid skill name; using the directory name 'x'`],
    });
  });

  test('the root is named after the source', () => {
    expect(find({ 'SKILL.md': named('A Title') }, { rootName: 'repo' }).skills).toEqual({ repo: '' });
    expect(find({ 'SKILL.md': named('A Title') }, { rootName: 'Re po' }).diagnostics).toEqual([
      "E014 unreadable frontmatter in 'SKILL.md': neither 'A Title' nor its directory name is a valid skill name",
    ]);
  });

  test('without a name there is no skill', () => {
    expect(find({ 'skills/x/SKILL.md': '---\ndescription: d\n---\n' })).toEqual({
      skills: {},
      diagnostics: ["E011 missing frontmatter field 'name' in SKILL.md"],
    });
  });
});

describe('bad skills and manifests do not hide the rest', () => {
  const good = { 'skills/good/SKILL.md': skillText('good') };
  const cases: [string, Tree, string[]][] = [
    [
      'no description',
      { 'skills/x/SKILL.md': '---\nname: x\n---\n' },
      ["E011 missing frontmatter field 'description' in SKILL.md"],
    ],
    [
      'no frontmatter',
      { 'skills/x/SKILL.md': '# x\n' },
      ["E011 missing frontmatter field 'name' in SKILL.md"],
    ],
    [
      'NUL bytes',
      { 'skills/x/SKILL.md': '---\nname: x\0\n---\n' },
      ["E015 cannot read 'skills/x/SKILL.md': not UTF-8 text"],
    ],
    [
      'a directory as SKILL.md',
      { 'skills/x/SKILL.md': { directory: true } },
      ["E015 cannot read 'SKILL.md': not a regular file"],
    ],
    [
      'SKILL.md from outside',
      { 'skills/x/SKILL.md': { link: '/etc/passwd' } },
      ["E012 path escapes skill root: 'SKILL.md'"],
    ],
    ['a skill outside', { 'skills/x': { link: '/etc' } }, ["E012 path escapes skill root: 'skills/x'"]],
    ['a file outside', { 'skills/x': { link: '/etc/passwd' } }, []],
    ['a loop', { 'skills/x': { link: 'x' } }, ["E015 cannot read 'skills/x': too many symbolic links"]],
    ['a manifest that is not JSON', { 'plugin.json': '{' }, ["E015 cannot read 'plugin.json': not JSON"]],
    [
      'a manifest that is a list',
      { '.claude-plugin/plugin.json': '[]' },
      ["E015 cannot read '.claude-plugin/plugin.json': not a manifest"],
    ],
    [
      'a plugin outside',
      { '.claude-plugin/marketplace.json': json({ plugins: [{ name: 'p', source: '../..' }] }) },
      ["E012 path escapes skill root: '../..'"],
    ],
    [
      'an absolute plugin',
      {
        '.claude-plugin/marketplace.json': json({
          plugins: [{ name: 'p', source: './', strict: false, skills: ['/etc'] }],
        }),
      },
      ["E012 path escapes skill root: '/etc'"],
    ],
    [
      'a plugin from elsewhere',
      {
        '.claude-plugin/marketplace.json': json({
          plugins: [
            { name: 'p', source: { source: 'github', repo: 'x/y' } },
            { name: 'q', source: 5 },
          ],
        }),
      },
      ["E015 cannot read '.claude-plugin/marketplace.json': an entry of plugins is not a plugin"],
    ],
    [
      'a plugin through a link to the outside',
      { out: { link: '/' }, '.claude-plugin/plugin.json': json({ name: 'p', skills: './out/etc' }) },
      ["E012 path escapes skill root: 'out/etc'"],
    ],
  ];
  test.each(cases)('%s', (_, tree, diagnostics) => {
    expect(find({ ...good, ...tree })).toEqual({ skills: { good: 'skills/good' }, diagnostics });
  });

  test('a byte order mark and CRLF make no difference', () => {
    const text = `\ufeff${skillText('a').replaceAll('\n', '\r\n')}`;
    const manifest = `\ufeff${json({ plugins: [{ name: 'p', source: './p' }] })}`;
    expect(find({ 'p/SKILL.md': text, '.claude-plugin/marketplace.json': manifest })).toEqual(
      found({ a: 'p' }),
    );
  });

  test('a link back to the root does not loop', () => {
    const root = makeDirectory({ 'skills/a/SKILL.md': skillText('a') });
    symlinkSync('..', join(root, 'skills/loop'));
    expect(findSourceSkills(root).skills.map(({ name }) => name)).toEqual(['a']);
  });
});
