import { describe, expect, test } from 'vitest';
import { PermissionRule } from './config-entries.ts';
import {
  addedUpKeys,
  ConfigSchema,
  configKeys,
  defaultLimit,
  isSection,
  openTables,
  schemaOfKey,
  userOnlyKeys,
} from './config-schema.ts';
import { defaultConfig } from './default-config.ts';

test('an empty file means these values', () => {
  expect(ConfigSchema.parse({})).toEqual({
    skills: { enabled: true },
    search: { tokenizer: 'porter', default_limit: 8, max_limit: 50 },
    gateway: { auto_build: false, budget: 2000 },
    server: { timeout: 60 },
    build: { targets: ['claude'], trusted_targets: [], scope: 'auto', deploy: 'auto' },
    lint: { profile: 'spec', rules: {} },
    catalog: {
      roots: [],
      markers: ['.git', '.jj', '.skillc'],
      max_depth: 6,
      max_directories: 2000,
      max_entries: 200,
      max_bytes: 32768,
    },
    permissions: { allow: [], deny: [], confirm: [] },
    scripts: {
      timeout: 60,
      max_output: 1048576,
      max_memory: 536870912,
      max_processes: 128,
      max_file: 104857600,
      unsandboxed: false,
    },
    usage: { enabled: true },
    report: { licences: { allow: [], deny: [] } },
    network: {
      allow_private: [],
      timeout: 10,
      max_bytes: 104857600,
      max_unpacked: 104857600,
      max_entries: 10000,
      git_url: 'https://github.com',
      github_url: 'https://api.github.com',
      npm_url: 'https://registry.npmjs.org',
      domains: [],
    },
    registry: { trusted: [], witnesses: [] },
    registries: {},
    models: {},
    cache: { max_bytes: 1073741824 },
  });
});

test('two loads do not share defaults', () => {
  const [first, second] = [ConfigSchema.parse({}), ConfigSchema.parse({})];
  first.build.targets.push('x');
  first.lint.rules.SKL101 = 'off';
  expect(second.build.targets).toEqual(['claude']);
  expect(second.lint.rules).toEqual({});
});

test('every key is described', () => {
  expect(configKeys().filter(({ schema }) => !schema.description)).toEqual([]);
});

test.each([
  ['gateway.auto_build', true],
  ['lint.rules', true],
  ['lint.rules.SKL107', true],
  ['lint.rules.a.b', false],
  ['gateway', false],
  ['gateway.auto_build.x', false],
  ['gateway.constructor', false],
  ['constructor.name', false],
  ['__proto__.x', false],
  ['', false],
  ['.', false],
])('schemaOfKey knows %j: %s', (key, known) => {
  expect(schemaOfKey(key) !== undefined).toBe(known);
});

test('keys the code treats specially exist', () => {
  const keys = configKeys().map(({ key }) => key);
  expect([...userOnlyKeys].filter((key) => !keys.includes(key))).toEqual([]);
  expect([...userOnlyKeys]).toEqual([
    'permissions.allow',
    'scripts.unsandboxed',
    'usage.enabled',
    'network.allow_private',
    'network.git_url',
    'network.github_url',
    'network.npm_url',
    'registry.owner',
    'registry.trusted',
    'registry.witnesses',
    'registry.quorum',
    'build.trusted_targets',
    'cache.max_bytes',
  ]);
  expect(keys.filter((key) => defaultLimit(key) !== undefined)).toEqual([
    'search.default_limit',
    'search.max_limit',
    'gateway.budget',
    'server.timeout',
    'catalog.max_depth',
    'catalog.max_directories',
    'catalog.max_entries',
    'catalog.max_bytes',
    'scripts.timeout',
    'scripts.max_output',
    'scripts.max_memory',
    'scripts.max_processes',
    'scripts.max_file',
    'network.timeout',
    'network.max_bytes',
    'network.max_unpacked',
    'network.max_entries',
    'cache.max_bytes',
  ]);
  expect(keys.filter((key) => openTables.has(key))).toEqual(['lint.rules']);
  expect(keys.filter((key) => addedUpKeys.has(key))).toEqual([
    'permissions.allow',
    'permissions.deny',
    'permissions.confirm',
  ]);
  expect(['lint', 'lint.rules', 'toString', ''].map(isSection)).toEqual([true, false, false, false]);
});

describe('PermissionRule', () => {
  test.each([
    [{ tool: 'skill_load' }, true],
    [{ tool: 'skill_load', skill_name: 'pdf-forms' }, true],
    [{}, false],
    [{ tool: '' }, false],
    [{ tool: 'skill_load', skill_name: '' }, false],
    [{ tool: 'skill_load', skill_name: '*' }, false],
    [{ tool: 'skill_load', skill_name: 'PDF' }, true],
    [{ tool: 'skill_load', skill_name: '数据处理' }, true],
    [{ tool: 'skill_load', skill_name: 'my skill' }, true],
    [{ tool: 'skill_load', skill_name: '../x' }, false],
    [{ tool: 'skill_load', skill_name: 'a\nb' }, false],
    [{ tool: 'skill_load', skill_name: 'a\n' }, false],
    [{ tool: 'skill_load', skil_name: 'pdf-forms' }, false],
    [{ tool: 'skill_load', skill_name: ['pdf-forms'] }, false],
  ])('%j is a rule: %s', (rule, valid) => {
    expect(PermissionRule.safeParse(rule).success).toBe(valid);
  });
});

test('the plain defaults equal the schema defaults', () => {
  expect(ConfigSchema.parse({})).toEqual(defaultConfig);
});
