import { describe, expect, test } from 'vitest';
import { readFrontmatter } from './frontmatter.ts';
import { ClaudeLayer, RegistryLayer, SkillManifestSchema, StandardLayer } from './layers.ts';
import { readRequires } from './requires.ts';

const fields = (yaml: string) => readFrontmatter(`---\n${yaml}\n---\n`).data!;

describe('standard layer', () => {
  test('both spellings of lists, and texts as written', () => {
    const yaml = `name: pdf-tools
description: >
  Reads
  PDF files.
license:
compatibility: [git, docker]
metadata: { version: 1.10, tags: [a, 2.0], draft: true }
allowed-tools: Bash(git add:*), Read Write
model: ignored`;
    expect(StandardLayer.parse(fields(yaml))).toEqual({
      name: 'pdf-tools',
      description: 'Reads PDF files.',
      compatibility: 'git, docker',
      metadata: { version: '1.10', tags: 'a, 2.0', draft: 'true' },
      'allowed-tools': ['Bash(git add:*)', 'Read', 'Write'],
    });
    expect(StandardLayer.parse({ name: 'a', description: 'b', 'allowed-tools': ['Read'] })).toEqual({
      name: 'a',
      description: 'b',
      'allowed-tools': ['Read'],
    });
  });

  test.each([
    {},
    { name: 'a' },
    { name: 'A', description: 'b' },
    { name: 'a', description: ' ' },
    { name: 'a', description: 'b', metadata: { deep: { er: 1 } } },
    { name: 'a', description: 'b', 'allowed-tools': { Read: true } },
    [],
    'text',
    null,
  ])('refuses %j', (value) => {
    expect(StandardLayer.safeParse(value).success).toBe(false);
  });
});

describe('strict manifest', () => {
  const valid = { name: 'a', description: 'b' };
  test.each<[boolean, unknown]>([
    [true, valid],
    [true, { ...valid, license: 'MIT', compatibility: 'git', metadata: { a: 'b' }, 'allowed-tools': 'Read' }],
    [false, { ...valid, version: '1.0.0' }],
    [false, { ...valid, 'allowed-tools': ['Read'] }],
    [false, { ...valid, metadata: { a: 1 } }],
    [false, { ...valid, compatibility: ['git'] }],
    [false, { ...valid, compatibility: 'x'.repeat(501) }],
    [false, { ...valid, description: 'x'.repeat(1025) }],
    [true, { ...valid, description: '😀'.repeat(1024) }],
  ])('%s for %j', (success, value) => {
    expect(SkillManifestSchema.safeParse(value).success).toBe(success);
  });
});

describe('claude layer', () => {
  test('defaults', () => {
    expect(ClaudeLayer.parse({ name: 'a' })).toEqual({
      'disable-model-invocation': false,
      'user-invocable': true,
      mode: false,
      agent: 'general-purpose',
    });
  });

  test('every field, in the spellings authors use', () => {
    const yaml = `when_to_use: on Fridays
argument-hint: [file]
arguments: source target
disable-model-invocation: yes
user-invocable: off
mode: 1
disallowed-tools: [Bash, Write]
model: haiku
effort: high
context: fork
agent: Explore
background: "On"
paths: "src/**/*.{ts,tsx}, docs/**"
shell: bash
hooks: { Stop: [{ hooks: [{ type: prompt, prompt: Done?, model: haiku }] }] }`;
    expect(ClaudeLayer.parse(fields(yaml))).toEqual({
      when_to_use: 'on Fridays',
      'argument-hint': '[file]',
      arguments: ['source', 'target'],
      'disable-model-invocation': true,
      'user-invocable': false,
      mode: true,
      'disallowed-tools': ['Bash', 'Write'],
      model: 'haiku',
      effort: 'high',
      context: 'fork',
      agent: 'Explore',
      background: true,
      paths: ['src/**/*.{ts,tsx}', 'docs/**'],
      shell: 'bash',
      hooks: { Stop: [{ hooks: [{ type: 'prompt', prompt: 'Done?', model: 'haiku' }] }] },
    });
  });

  test.each([{ mode: 'maybe' }, { effort: 'ultra' }, { context: 'inline' }, { shell: 'zsh' }, { model: [] }])(
    'refuses %j',
    (value) => {
      expect(ClaudeLayer.safeParse(value).success).toBe(false);
    },
  );
});

describe('registry layer', () => {
  test('defaults', () => {
    expect(RegistryLayer.parse({ name: 'a' })).toEqual({
      version: '0.0.0',
      author: 'unknown',
      tags: [],
      category: 'other',
      'trust-level': 'community',
    });
  });

  test('fields inside metadata; the top level wins', () => {
    const yaml = `version: 2.0.0
tags: [ci, testing, ci]
metadata:
  version: 1.0.0
  author: 42
  tags: other
  category: devops
  repository: https://example.com/r
  min-skillli-version: 1.10`;
    expect(RegistryLayer.parse(fields(yaml))).toEqual({
      version: '2.0.0',
      author: '42',
      tags: ['ci', 'testing'],
      category: 'devops',
      'trust-level': 'community',
      repository: 'https://example.com/r',
      'min-skillli-version': '1.10',
    });
  });

  test.each([
    { version: '1.0' },
    { category: 'cooking' },
    { 'trust-level': 'best' },
    { homepage: 'javascript:alert(1)' },
    { repository: 'owner/repo' },
    { tags: Array.from({ length: 21 }, (_, index) => `t${index}`) },
    { metadata: { version: 'latest' } },
  ])('refuses %j', (value) => {
    expect(RegistryLayer.safeParse(value).success).toBe(false);
  });
});

test.each<[unknown, string[]]>([
  [undefined, []],
  ['git, docker jq', ['git', 'docker', 'jq']],
  [
    ['git', 'git', 7],
    ['git', '7'],
  ],
  [{ commands: ['git'] }, ['git']],
  [{ bins: 'git jq' }, ['git', 'jq']],
  [{ other: 1 }, []],
  [[{}], []],
  [null, []],
])('requires %j', (requires, commands) => {
  expect(readRequires({ metadata: { requires } })).toEqual(commands);
});
