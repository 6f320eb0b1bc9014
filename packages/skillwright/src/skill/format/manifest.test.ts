import { expect, test } from 'vitest';
import { readFrontmatter } from './frontmatter.ts';
import { readManifest, SkillManifest } from './manifest.ts';

test('normalises every field and keeps unknown ones', () => {
  const yaml = `name: Any Name
description: >
  Does it.
compatibility: [git, jq]
allowed-tools: Read, Bash(git add:*)
metadata: { version: 1.10, nested: { a: 1 }, internal: true }
user-invocable: no
arguments: a b
tags: x, y
version: 1.0
effort: ultra
quiz: { questions: [{ question: Q, options: [{ label: 1, correct: yes }, { label: 2 }] }] }
triggers: { keywords: k }
toolsets: t:T
displayName: Kept
icon: { path: a.png }`;
  const { manifest, issues } = readManifest(readFrontmatter(`---\n${yaml}\n---\n`).data!);
  expect(issues).toEqual([]);
  expect(manifest).toEqual({
    name: 'Any Name',
    description: 'Does it.',
    compatibility: 'git, jq',
    'allowed-tools': ['Read', 'Bash(git add:*)'],
    metadata: { version: '1.10', nested: { a: 1 }, internal: 'true' },
    'user-invocable': false,
    arguments: ['a', 'b'],
    tags: ['x', 'y'],
    version: '1.0',
    effort: 'ultra',
    quiz: [
      {
        gate: false,
        'passing-score': 100,
        questions: [
          {
            question: 'Q',
            options: [
              { label: '1', correct: true },
              { label: '2', correct: false },
            ],
          },
        ],
      },
    ],
    triggers: { keywords: ['k'], verbs: [], patterns: [] },
    toolsets: ['t:T'],
    displayName: 'Kept',
    icon: { path: 'a.png' },
  });
  expect(SkillManifest.parse(manifest)).toEqual(manifest);
  expect(readManifest(manifest)).toEqual({ manifest, issues: [] });
});

test('a field of the wrong type is left out and reported, the rest is kept', () => {
  const data = {
    name: ['a'],
    description: 'b',
    mode: 'maybe',
    license: null,
    metadata: 'x',
    'allowed-tools': ['Read', {}],
    other: null,
  };
  expect(readManifest(data)).toEqual({
    manifest: { description: 'b', other: null },
    issues: [
      {
        kind: 'type',
        field: 'name',
        path: ['name'],
        message: 'name must be text, not a list',
        severity: 'error',
      },
      {
        kind: 'type',
        field: 'mode',
        path: ['mode'],
        message: 'mode must be true or false, not the text "maybe"',
        severity: 'error',
      },
      {
        kind: 'empty',
        field: 'license',
        path: ['license'],
        message: 'license is empty',
        severity: 'warning',
      },
      {
        kind: 'type',
        field: 'metadata',
        path: ['metadata'],
        message: 'metadata must be a mapping, not the text "x"',
        severity: 'error',
      },
      {
        kind: 'type',
        field: 'allowed-tools',
        path: ['allowed-tools', 1],
        message: 'allowed-tools[1] must be text, not a mapping',
        severity: 'error',
      },
    ],
  });
});

test('a __proto__ field in the data does not change a prototype', () => {
  const { manifest } = readManifest(JSON.parse('{"__proto__":{"polluted":1},"name":"a"}'));
  expect(manifest).toEqual({ name: 'a' });
  expect(Object.getPrototypeOf(manifest)).toBe(Object.prototype);
});
