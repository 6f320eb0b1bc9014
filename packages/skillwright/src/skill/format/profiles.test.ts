import { describe, expect, test } from 'vitest';
import type { FormatIssue } from './format-issue.ts';
import { readFrontmatter } from './frontmatter.ts';
import { SkillManifestSchema, StandardLayer } from './layers.ts';
import { PROFILES, ProfileName } from './profile-table.ts';
import { checkManifest } from './profiles.ts';

const plain = { name: 'pdf-tools', description: 'Reads PDF files. Use when a PDF turns up.' };
const published = { ...plain, license: 'MIT', version: '1.0.0', author: 'me', tags: ['pdf'] };

type Fault = `${FormatIssue['severity']} ${FormatIssue['kind']} ${string}: ${string}`;
const faults = (data: Record<string, unknown>, profile: ProfileName, directoryName?: string): Fault[] =>
  checkManifest(data, { profile, directoryName }).map(
    (issue): Fault => `${issue.severity} ${issue.kind} ${issue.path.join('.')}: ${issue.message}`,
  );

test('the profiles and the fields they know', () => {
  expect(ProfileName.options).toEqual(['spec', 'strict', 'claude-code', 'registry', 'upload']);
  const counts = ProfileName.options.map((name) => [
    name,
    PROFILES[name].fields.size,
    PROFILES[name].unknown,
  ]);
  expect(counts).toEqual([
    ['spec', 6, 'warning'],
    ['strict', 6, 'error'],
    ['claude-code', 21, 'warning'],
    ['registry', 33, 'warning'],
    ['upload', 6, 'error'],
  ]);
});

test.each(ProfileName.options)('%s finds nothing wrong with a plain skill', (profile) => {
  expect(
    checkManifest(profile === 'registry' ? published : plain, { profile, directoryName: 'pdf-tools' }),
  ).toEqual([]);
});

describe('spec', () => {
  test.each<[string, Record<string, unknown>, Fault[]]>([
    [
      'nothing',
      {},
      ["error missing name: missing 'name'", "error missing description: missing 'description'"],
    ],
    [
      'blanks',
      { name: null, description: ' \n' },
      ['error empty name: name is empty', 'error empty description: description is empty'],
    ],
    [
      'wrong types',
      { name: 5, description: ['a'], license: 5, compatibility: {}, metadata: 'x', 'allowed-tools': true },
      [
        'error type name: name must be text, not the number 5',
        'error type description: description must be text, not a list',
        'error type license: license must be text, not the number 5',
        'error type compatibility: compatibility must be text, not a mapping',
        'error type metadata: metadata must be a mapping, not the text "x"',
        'error type allowed-tools: allowed-tools must be text, not true',
      ],
    ],
    [
      'empty optional fields',
      { ...plain, license: null, compatibility: '', metadata: null, 'allowed-tools': ' ' },
      [
        'warning empty license: license is empty',
        'warning empty compatibility: compatibility is empty',
        'warning empty metadata: metadata is empty',
        'warning empty allowed-tools: allowed-tools is empty',
      ],
    ],
    [
      'lists where the standard wants texts',
      { ...plain, compatibility: ['git'], 'allowed-tools': ['Read', 5] },
      [
        'warning type compatibility: compatibility must be one text, not a list',
        'error type allowed-tools.1: allowed-tools[1] must be text, not the number 5',
        'warning type allowed-tools: allowed-tools must be one text with spaces between the tools, not a list',
      ],
    ],
    [
      'metadata that is not text',
      { ...plain, metadata: { version: 1, draft: true, tags: ['a'], deep: {}, none: null, fine: 'x' } },
      [
        'warning type metadata.version: metadata.version must be text, not the number 1',
        'warning type metadata.draft: metadata.draft must be text, not true',
        'warning type metadata.tags: metadata.tags, metadata.deep and 1 more must be text, not lists or mappings',
      ],
    ],
    [
      'one list in metadata',
      { ...plain, metadata: { tags: ['a'] } },
      ['warning type metadata.tags: metadata.tags must be text, not a list'],
    ],
    [
      'texts that are too long',
      { name: 'a'.repeat(65), description: 'x'.repeat(1025), compatibility: 'x'.repeat(501) },
      [
        'error length name: name may have at most 64 characters, not 65',
        'warning length description: description may have at most 1024 characters, not 1025',
        'warning length compatibility: compatibility may have at most 500 characters, not 501',
      ],
    ],
    ['code points, not code units', { ...plain, description: '😀'.repeat(1024) }, []],
    ['white space around a description', { ...plain, description: ` ${'x'.repeat(1024)}\n` }, []],
    [
      'fields of other layers',
      { ...plain, model: 5, version: 1, quiz: 1, toolz: 1 },
      [
        "warning unknown model: unknown field 'model': Claude Code reads it, but it is not part of the standard",
        "warning unknown version: unknown field 'version': only registries use this field",
        "warning unknown quiz: unknown field 'quiz': Skillwright reads it, but it is not part of the standard",
        "warning unknown toolz: unknown field 'toolz'",
      ],
    ],
  ])('%s', (_, data, expected) => {
    expect(faults(data, 'spec')).toEqual(expected);
  });

  test.each(['../x', '/etc', 'CON', 'a--b', '-a', 'a-', 'навык', 'a b', 'a_b', '.', 'a\nb'])(
    'the name %j',
    (name) => {
      expect(faults({ ...plain, name }, 'spec')).toEqual([
        `error format name: name must be lower-case letters and digits joined by single hyphens, not the text ${JSON.stringify(name)}`,
      ]);
    },
  );

  test.each<[Record<string, unknown>, string | undefined, string | undefined]>([
    [{ ...plain, name: 'PDF Tools' }, undefined, "did you mean 'pdf-tools'?"],
    [{ ...plain, name: 'Über_uns' }, undefined, "did you mean 'uber-uns'?"],
    [{ ...plain, name: 'Something Else' }, 'pdf-tools', "did you mean 'pdf-tools'?"],
    [{ ...plain, name: 'навык' }, undefined, undefined],
    [{ ...plain, allowed_tools: 'x' }, undefined, "did you mean 'allowed-tools'?"],
    [{ ...plain, descripton: 'x' }, undefined, "did you mean 'description'?"],
    [{ ...plain, qwertyuiop: 'x' }, undefined, 'move it into metadata or remove it'],
    [{ ...plain, author: 'x' }, undefined, 'move it into metadata'],
    [{ ...plain, 'allowed-tools': ['Read', 'Bash(ls)'] }, undefined, 'write "Read Bash(ls)"'],
  ])('the help for %j', (data, directoryName, help) => {
    expect(checkManifest(data, { profile: 'spec', directoryName })[0]!.help).toBe(help);
  });

  test('the help for an unquoted number shows it as it was written', () => {
    const { data } = readFrontmatter('---\nname: a\ndescription: b\nmetadata:\n  version: 1.10\n---\n');
    expect(checkManifest(data!, { profile: 'spec' })).toEqual([
      {
        kind: 'type',
        field: 'metadata',
        path: ['metadata', 'version'],
        message: 'metadata.version must be text, not the number 1.1',
        help: 'put quotes around it: "1.10"',
        severity: 'warning',
      },
    ]);
  });
});

test.each<[ProfileName, 'warning' | 'error']>([
  ['spec', 'warning'],
  ['claude-code', 'warning'],
  ['registry', 'warning'],
  ['strict', 'error'],
  ['upload', 'error'],
])('%s: leaving the letter of the standard is a %s', (profile, severity) => {
  const data = { ...published, description: 'x'.repeat(1068), compatibility: ['git'] };
  const found = checkManifest(data, { profile, directoryName: 'elsewhere' });
  const standard = found.filter((issue) => issue.kind !== 'unknown');
  expect(standard.map((issue) => [issue.kind, issue.severity])).toEqual([
    ['mismatch', severity],
    ['length', severity],
    ['type', severity],
  ]);
});

test('strict and upload refuse fields they do not know', () => {
  expect(faults({ ...plain, version: '1.0.0' }, 'strict')).toEqual([
    "error unknown version: unknown field 'version': only registries use this field",
  ]);
  expect(faults({ ...plain, model: 'opus' }, 'upload')).toEqual([
    "error unknown model: unknown field 'model': Claude Code reads it, but it is not part of the standard",
  ]);
});

test('upload reserves words and refuses tags', () => {
  expect(faults({ name: 'my-claude-anthropic', description: 'Uses <b>' }, 'upload')).toEqual([
    "error value name: name must not contain the reserved word 'anthropic'",
    "error value name: name must not contain the reserved word 'claude'",
    "error value description: description must not contain '<' or '>'",
  ]);
});

test('claude-code knows its fields, lists of tools and free metadata', () => {
  const data = {
    ...plain,
    'allowed-tools': ['Read'],
    metadata: { deep: { er: 1 } },
    hooks: 'checked elsewhere',
    when_to_use: 'always',
    arguments: ['a'],
    'disallowed-tools': 'Bash',
    effort: 'max',
    background: 'on',
    paths: '*.ts',
    shell: 'bash',
    'user-invocable': 'no',
  };
  expect(faults(data, 'claude-code')).toEqual([]);
  expect(
    faults(
      { ...plain, mode: 'maybe', effort: 'ultra', context: 'inline', model: 5, agent: null },
      'claude-code',
    ),
  ).toEqual([
    'error type mode: mode must be true or false, not the text "maybe"',
    `error value effort: effort must be one of 'low', 'medium', 'high', 'xhigh', 'max', not the text "ultra"`,
    `error value context: context must be 'fork', not the text "inline"`,
    'error type model: model must be text, not the number 5',
    'warning empty agent: agent is empty',
  ]);
});

describe('registry', () => {
  test('requires the fields publishing needs', () => {
    expect(faults(plain, 'registry')).toEqual([
      "error missing license: missing 'license'",
      "error missing version: missing 'version'",
      "error missing author: missing 'author'",
      "error missing tags: missing 'tags'",
    ]);
  });

  test('fields inside metadata count; the top level wins', () => {
    const metadata = { version: '1.0', author: 'me', tags: 'a, b', category: 'cooking' };
    expect(faults({ ...plain, license: 'MIT', metadata }, 'registry')).toEqual([
      `error format metadata.version: version must be a semantic version such as '1.2.0', not the text "1.0"`,
      'error value metadata.category: category must be one of development, creative, enterprise, data, devops, other, not the text "cooking"',
    ]);
    expect(
      faults({ ...plain, license: 'MIT', version: '1.0.0', category: 'data', metadata }, 'registry'),
    ).toEqual([]);
  });

  test.each<[Record<string, unknown>, Fault[]]>([
    [{ license: '' }, ['error empty license: license is empty']],
    [{ tags: [] }, ['error empty tags: tags is empty']],
    [{ tags: ' , ' }, ['error empty tags: tags is empty']],
    [
      { tags: Array.from({ length: 21 }, (_, index) => `t${index}`) },
      ['error length tags: tags may have at most 20 entries'],
    ],
    [
      { homepage: 'ftp://x' },
      ['error format homepage: homepage must be an http or https URL, not the text "ftp://x"'],
    ],
    [
      { 'trust-level': 'official' },
      ["warning value trust-level: trust-level 'official' has no effect here: a registry grants it"],
    ],
    [
      { toolsets: ['../x:Y'] },
      [
        "error format toolsets.0: toolsets[0] must be 'path:Export' with a path inside the skill, as in 'toolsets/index:MyToolset'",
      ],
    ],
  ])('%j', (extra, expected) => {
    expect(faults({ ...published, ...extra }, 'registry')).toEqual(expected);
  });
});

describe('the hand-written checks and the schemas agree', () => {
  const names = [
    'a',
    'a-b',
    '3d',
    'A',
    'a--b',
    '-a',
    '',
    ' ',
    'a'.repeat(64),
    'a'.repeat(65),
    'é',
    'a\n',
    null,
    5,
    undefined,
  ];
  const descriptions = [
    'x',
    '',
    ' ',
    'x'.repeat(1024),
    'x'.repeat(1025),
    '😀'.repeat(1024),
    '😀'.repeat(1025),
    ` ${'x'.repeat(1024)} `,
    null,
    [],
    undefined,
  ];
  const extras: Record<string, unknown>[] = [
    { license: 'MIT' },
    { license: '' },
    { license: 5 },
    { compatibility: 'x'.repeat(500) },
    { compatibility: 'x'.repeat(501) },
    { compatibility: '😀'.repeat(500) },
    { compatibility: ' ' },
    { compatibility: ['a'] },
    { metadata: {} },
    { metadata: { a: 'b' } },
    { metadata: { a: 1 } },
    { metadata: [] },
    { metadata: 'x' },
    { 'allowed-tools': 'Read' },
    { 'allowed-tools': '' },
    { 'allowed-tools': ['Read'] },
    { version: '1.0.0' },
  ];
  const table = [
    ...names.map((name) => ({ ...plain, name })),
    ...descriptions.map((description) => ({ ...plain, description })),
    ...extras.map((extra) => ({ ...plain, ...extra })),
  ].map((data) => Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)));

  test.each(table)('strict: %j', (data) => {
    expect(checkManifest(data, { profile: 'strict' }).length === 0).toBe(
      SkillManifestSchema.safeParse(data).success,
    );
  });

  test.each(table)('spec reports everything the standard layer refuses: %j', (data) => {
    if (StandardLayer.safeParse(data).success) return;
    expect(checkManifest(data, { profile: 'spec' })).not.toEqual([]);
  });
});
