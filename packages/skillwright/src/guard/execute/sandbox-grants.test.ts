import { expect, test } from 'vitest';
import { declaredGrants, readGrants, spellGrant } from './sandbox-grants.ts';

const none = 'is not network, write(directory) or env(NAME)';

const texts: [string, string[], string[]][] = [
  ['', [], []],
  ['network', ['network'], []],
  ['network write(out) env(GITHUB_TOKEN)', ['network', 'write(out)', 'env(GITHUB_TOKEN)'], []],
  ['  write(out/)\n write(./out) ', ['write(out)'], []],
  ['write(a, b/c) env(A,B)', ['write(a)', 'write(b/c)', 'env(A)', 'env(B)'], []],
  ['write(my files) write(ärger_1.0-x)', ['write(my files)', 'write(ärger_1.0-x)'], []],
  ['everything', [], [`'everything' ${none}`]],
  ['constructor toString(x)', [], [`'constructor' ${none}`, `'toString(x)' ${none}`]],
  ['network(example.com)', [], ["'network(example.com)': it takes no value"]],
  ['write', [], ["'write': it needs a directory of the skill"]],
  ...[
    '..',
    '../x',
    'a/../b',
    '.',
    '',
    '/etc',
    'a//b',
    '.git',
    'a/.hidden',
    'c:\\x',
    'a\\b',
    'a\0b',
    "a'; id; '",
    'a$HOME',
    'a`id`',
    'a\u202eb',
    '-x',
  ].map((path): [string, string[], string[]] => [
    `write(${path})`,
    [],
    [`'write(${path})': it must be a visible directory of the skill`],
  ]),
  ...['scripts', 'Scripts/lib', 'toolsets', 'hooks', 'skill.md', 'SKILL.md', 'node_modules/x'].map(
    (path): [string, string[], string[]] => [
      `write(${path})`,
      [],
      [`'write(${path})': a skill may not change its own code`],
    ],
  ),
  ['env', [], ["'env': it needs the name of a variable"]],
  ['env(A=B)', [], ["'env(A=B)': not a valid variable name"]],
  ...['PATH', 'SKILL_DIR', 'LD_PRELOAD', 'BASH_ENV', 'NODE_OPTIONS', 'BUN_OPTIONS', 'PYTHONPATH', 'ENV'].map(
    (name): [string, string[], string[]] => [
      `env(${name})`,
      [],
      [`'env(${name})': ${name} is reserved for the sandbox`],
    ],
  ),
  ['network)', ['network'], [`')' ${none}`]],
  [
    'write(a(b))',
    [],
    ["'write': it needs a directory of the skill", ...['(', 'a(b)', ')'].map((word) => `'${word}' ${none}`)],
  ],
];

test.for(texts)('%j', ([text, grants, problems]) => {
  const read = readGrants(text);
  expect(read.grants.map(spellGrant)).toEqual(grants);
  expect(read.problems).toEqual(problems);
  // The written form parses to the same grants.
  expect(readGrants(grants.join(' ')).grants).toEqual(read.grants);
});

test('the declaration must be text', () => {
  expect(declaredGrants({ metadata: { sandbox: 'network' } })).toEqual({
    grants: [{ kind: 'network' }],
    problems: [],
  });
  expect(declaredGrants({ metadata: { sandbox: ['network'] } })).toEqual({
    grants: [],
    problems: ['metadata.sandbox must be text'],
  });
  for (const frontmatter of [
    {},
    { metadata: 'network' },
    { metadata: {} },
    { metadata: { sandbox: null } },
    { sandbox: 'network' },
  ])
    expect(declaredGrants(frontmatter)).toEqual({ grants: [], problems: [] });
});
