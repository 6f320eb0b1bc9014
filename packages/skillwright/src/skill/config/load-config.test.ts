import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asNobody } from '../../../test/as-nobody.ts';
import { makeDirectory } from '../../../test/make-directory.ts';
import { SkillwrightError } from '../../base/diagnostics/skillwright-error.ts';
import { configKeys, defaultLimit } from './config-schema.ts';
import { type ConfigOverlay, defaultConfig } from './default-config.ts';
import { loadConfig, variableOf } from './load-config.ts';

interface Given {
  readonly user?: string;
  /** Null outside a project. */
  readonly project?: string | null;
  readonly overlay?: unknown;
  readonly env?: Record<string, string>;
}

function load(given: Given) {
  const root = makeDirectory({
    'p/.skillc': { directory: true },
    'home/.skillc': { directory: true },
    ...(given.user === undefined ? {} : { 'home/.skillc/config.toml': given.user }),
    ...(given.project == null ? {} : { 'p/.skillc/config.toml': given.project }),
  });
  const files = ['p/.skillc/config.toml', 'home/.skillc/config.toml'];
  const shown = (text: string) =>
    files.reduce((shorter, file) => shorter.replaceAll(join(root, file), file), text);
  try {
    const config = loadConfig({
      user: join(root, 'home/.skillc/config.toml'),
      project: given.project === null ? undefined : join(root, 'p/.skillc/config.toml'),
      env: given.env ?? {},
      overlay: given.overlay as ConfigOverlay | undefined,
    });
    const told = config.diagnostics.map(({ code, message, help }) => [
      code,
      shown(message),
      ...(help ? [help] : []),
    ]);
    return { ...config, told, placeOf: (key: string) => shown(config.originOf(key).place ?? '') };
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    return { failure: [error.code, shown(error.message)] };
  }
}

const valuesOf = (given: Given) => {
  const loaded = load(given);
  if ('failure' in loaded) throw new Error(`failed: ${loaded.failure}`);
  return loaded;
};

describe('merging', () => {
  test('project over user, environment over both, key by key', () => {
    const { values, told, originOf, placeOf } = valuesOf({
      user: '[lint]\nprofile = "strict"\n[catalog]\nmax_depth = 20\nmax_entries = 2\nroots = ["a"]\n',
      project: '[catalog]\nmax_depth = 10\nmax_bytes = 30\nroots = ["b"]\n',
      env: { SKC_CATALOG_MAX_BYTES: '31', SKC_HOME: '/x', OTHER: 'y' },
    });
    expect(values.lint.profile).toBe('strict');
    expect(values.catalog).toEqual({
      roots: ['b'],
      markers: ['.git', '.jj', '.skillc'],
      max_depth: 10,
      max_directories: 2000,
      max_entries: 2,
      max_bytes: 31,
    });
    expect(told).toEqual([]);
    const keys = ['lint.profile', 'catalog.max_depth', 'catalog.max_bytes', 'catalog.max_directories'];
    expect(keys.map((key) => originOf(key).layer)).toEqual(['user', 'project', 'environment', 'default']);
    expect(placeOf('lint.profile')).toBe('home/.skillc/config.toml');
  });

  test('rules merge entry by entry, from every layer', () => {
    const { values, originOf } = valuesOf({
      user: '[lint.rules]\nSKL101 = "off"\nSKL102 = "info"\n',
      project: 'lint.rules.SKL102 = "error"\nlint.rules.SKL103 = { severity = "warning", max = 5 }\n',
      env: { SKC_LINT_RULES: '{ SKL103 = "off", SKL104 = "off" }' },
    });
    expect(values.lint.rules).toEqual({ SKL101: 'off', SKL102: 'error', SKL103: 'off', SKL104: 'off' });
    expect(
      ['SKL101', 'SKL102', 'SKL104', 'SKL105'].map((rule) => originOf(`lint.rules.${rule}`).layer),
    ).toEqual(['user', 'project', 'environment', 'default']);
  });

  test('permission rules add up, and a project cannot allow', () => {
    const { values, told } = valuesOf({
      user: '[permissions]\nallow = [{ tool = "a" }]\ndeny = [{ tool = "b" }]\n',
      project:
        '[[permissions.allow]]\ntool = "everything"\n[[permissions.deny]]\ntool = "c"\n[[permissions.confirm]]\ntool = "d"\n',
      env: { SKC_PERMISSIONS_DENY: '[{ tool = "e" }]' },
    });
    expect(values.permissions).toEqual({
      allow: [{ tool: 'a' }],
      deny: [{ tool: 'b' }, { tool: 'c' }, { tool: 'e' }],
      confirm: [{ tool: 'd' }],
    });
    expect(told).toEqual([
      [
        'W110',
        'unknown configuration key: p/.skillc/config.toml:1: permissions.allow',
        "only the user's own configuration may set permissions.allow; the value here is ignored",
      ],
    ]);
  });

  test('a project can turn skills off, but not on again', () => {
    const skills = (enabled: boolean) => `[skills]\nenabled = ${enabled}\n`;
    const both = (user: boolean, project: boolean) => {
      const { told, values } = valuesOf({ user: skills(user), project: skills(project) });
      return [values.skills.enabled, told.map(([, , help]) => help)];
    };
    expect(both(true, false)).toEqual([false, []]);
    expect(both(false, true)).toEqual([
      false,
      ['a project may turn skills.enabled off, not on; the value here is ignored'],
    ]);
    expect(both(true, true)).toEqual([true, []]);
  });

  test('a project can lower limits, but not raise them', () => {
    // Only the user may set the cache size.
    const limits = configKeys().filter(
      ({ key }) => defaultLimit(key) !== undefined && key !== 'cache.max_bytes',
    );
    const set = (value: (key: string) => number) =>
      limits.map(({ key }) => `${key} = ${value(key)}\n`).join('');
    const raised = valuesOf({ project: set((key) => defaultLimit(key)! + 1) });
    expect(raised.values).toEqual(defaultConfig);
    expect(raised.told.map(([code, , help]) => [code, help])).toEqual(
      limits.map(({ key }) => [
        'W110',
        `a project may lower ${key}, not raise it over ${defaultLimit(key)}; the value here is ignored`,
      ]),
    );
    const lowered = valuesOf({ user: set(() => 7), project: set(() => 3) });
    expect([lowered.told, lowered.values.scripts.max_output, lowered.values.network.max_bytes]).toEqual([
      [],
      3,
      3,
    ]);
    const between = valuesOf({ user: set(() => 7), project: set(() => 8) });
    expect([between.told.length, between.values.catalog.max_depth]).toEqual([limits.length, 7]);
  });

  test("a project cannot empty the user's deny list", () => {
    const { values } = valuesOf({
      user: '[[permissions.deny]]\ntool = "x"\n',
      project: 'permissions.deny = []\n',
    });
    expect(values.permissions.deny).toEqual([{ tool: 'x' }]);
  });

  test('allow_private is a list of hosts; true still works, with a warning', () => {
    const read = (value: string) => valuesOf({ user: `[network]\nallow_private = ${value}\n` });
    const { values, told } = read('["localhost", "git.corp:8443", "10.0.0.0/8", "[fd00::1]:80"]');
    expect([values.network.allow_private, told]).toEqual([
      ['localhost', 'git.corp:8443', '10.0.0.0/8', '[fd00::1]:80'],
      [],
    ]);
    const old = read('true');
    expect([old.values.network.allow_private, old.told.map(([, message]) => message)]).toEqual([
      true,
      ["'network.allow_private = true' is replaced by a list of hosts"],
    ]);
    for (const entry of ['10.0.0.0/33', 'http://x', '[10.0.0.1]:80', '*', ''])
      expect(() => read(`["${entry}"]`)).toThrow(/must be a (?:list of hosts|host, host:port)/);
  });

  test('keys only the user may set are ignored in a project', () => {
    const text = '[scripts]\nunsandboxed = true\ntimeout = 5\n[network]\nallow_private = ["10.0.0.1"]\n';
    const { values, told } = valuesOf({ project: text });
    expect([values.scripts.unsandboxed, values.scripts.timeout, values.network.allow_private]).toEqual([
      false,
      5,
      [],
    ]);
    expect(told.map(([, message]) => message)).toEqual([
      'unknown configuration key: p/.skillc/config.toml:2: scripts.unsandboxed',
      'unknown configuration key: p/.skillc/config.toml:5: network.allow_private',
    ]);
    expect(valuesOf({ user: text }).values.scripts.unsandboxed).toBe(true);
    expect(valuesOf({ env: { SKC_SCRIPTS_UNSANDBOXED: 'true' } }).values.scripts.unsandboxed).toBe(true);
  });

  test('accepts a byte order mark and CRLF', () => {
    const { values, told } = valuesOf({ user: '\ufeff[gateway]\r\nauto_build = true\r\n[x]\r\ny = 1\r\n' });
    expect(values.gateway.auto_build).toBe(true);
    expect(told).toEqual([['W110', 'unknown configuration key: home/.skillc/config.toml:4: x.y']]);
  });

  test('no file, an empty file and no project are all fine', () => {
    const { values, layers } = valuesOf({ user: '' });
    expect(values).toEqual(valuesOf({}).values);
    expect(layers.map(({ origin }) => origin.layer)).toEqual(['user']);
  });

  test('names special to JavaScript are ordinary names', () => {
    const { values, told } = valuesOf({
      user: '__proto__.polluted = 1\nconstructor.x = 1\n[lint.rules]\n__proto__ = "off"\nconstructor = "off"\n',
    });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(values.lint.rules.constructor).toBe('off');
    expect(told.map(([, message]) => message)).toEqual([
      'unknown configuration key: home/.skillc/config.toml:1: __proto__.polluted',
      'unknown configuration key: home/.skillc/config.toml:2: constructor.x',
    ]);
  });
});

describe('unknown keys', () => {
  test.each([
    ['[gateway]\nauto_bild = true', '2: gateway.auto_bild', 'did you mean gateway.auto_build?'],
    ['[gatway]\nauto_build = true', '2: gatway.auto_build', 'did you mean gateway.auto_build?'],
    ['nonsense = 1', '1: nonsense', undefined],
    ['a.b.c = 1', '1: a.b.c', undefined],
    ['[lint]\n[lint.nested.deeper]\nx = 1', '3: lint.nested.deeper.x', undefined],
    ['[lint.rules]\n"a.b" = "off"', '2: lint.rules.a.b', 'did you mean lint.rules?'],
    ['x = "\\u001b"\n"\\u001b[2J" = 1', '1: x', undefined],
  ])('%j', (text, where, help) => {
    const [first] = valuesOf({ project: text }).told;
    const message = `unknown configuration key: p/.skillc/config.toml:${where}`;
    expect(first).toEqual(help === undefined ? ['W110', message] : ['W110', message, help]);
  });

  test('their names cannot write to the terminal', () => {
    const { told } = valuesOf({ project: '"\\u001b[2J\\n" = 1' });
    expect(told).toEqual([['W110', 'unknown configuration key: p/.skillc/config.toml:1: \\u001b[2J\\n']]);
  });
});

describe('very many keys', () => {
  const numbered = (most: number, line: (at: number) => string) =>
    Array.from({ length: most }, (_, at) => line(at)).join('');

  test('the first unknown ones are reported, and the number of the others', () => {
    const { told } = valuesOf({ project: numbered(30_000, (at) => `[x${at}]\ny = 1\n`) });
    expect([told.length, ...told.slice(-2)]).toEqual([
      21,
      ['W110', 'unknown configuration key: p/.skillc/config.toml:40: x19.y'],
      ['W110', 'unknown configuration key: p/.skillc/config.toml: 29980 more'],
    ]);
  });

  test("the first of those that only the user's configuration may set are reported", () => {
    const project = numbered(20_000, (at) => `[models.m${at}]\nmodel = "m"\n`);
    expect(valuesOf({ project }).told).toHaveLength(21);
  });

  test('rules of lint, one of them with the name of a field of every object', () => {
    const user = `[lint.rules]\n__proto__ = "off"\n${numbered(30_000, (at) => `SKL${at} = "off"\n`)}`;
    const { rules } = valuesOf({ user }).values.lint;
    expect([Object.keys(rules).length, rules.SKL29999]).toEqual([30_000, 'off']);
  });

  test.each([
    ['dotted', `a${'.a'.repeat(200_000)} = 1`],
    ['in a header', `[a${'.a'.repeat(200)}]\nx = 1`],
    ['in a rule', `[lint.rules.SKL101${'.a'.repeat(2000)}]\nx = 1`],
  ])('keys that are nested too deeply: %s', (_, project) => {
    expect(load({ project })).toEqual({
      failure: ['E110', 'invalid configuration: p/.skillc/config.toml: its tables are nested too deeply'],
    });
  });
});

describe('wrong types', () => {
  test.each([
    ['[gateway]\n\nauto_build = "yes"', '3: gateway.auto_build: must be true or false'],
    ['gateway.auto_build = 1', '1: gateway.auto_build: must be true or false'],
    ['gateway = { auto_build = 1 }', '1: gateway.auto_build: must be true or false'],
    [
      '[lint]\nprofile = "lax"',
      '2: lint.profile: must be one of spec, strict, claude-code, registry, upload',
    ],
    ['[catalog]\nroots = [\n  "a",\n  5,\n]', '4: catalog.roots.1: must be text'],
    ['[catalog]\nmax_depth = 0', '2: catalog.max_depth: must be more than 0'],
    ['[catalog]\nmax_depth = 1979-05-27', '2: catalog.max_depth: must be a number'],
    ['lint = 5', '1: lint: must be a table'],
    ['x = 1\n[[lint]]\nprofile = "spec"', '2: lint: must be a table'],
    ['[lint]\nrules = 5', '2: lint.rules: must be a table'],
    [
      '[lint.rules]\nSKL101 = "off"\nSKL102 = "no"',
      '3: lint.rules.SKL102: must be one of off, info, warning, error, or a table with such a severity',
    ],
    [
      '[lint.rules.SKL102]\nseverity = 3',
      '1: lint.rules.SKL102: must be one of off, info, warning, error, or a table with such a severity',
    ],
    ['[[permissions.deny]]\nskill_name = "x"', '1: permissions.deny.0.tool: must be text'],
    [
      '[[permissions.deny]]\ntool = "a"\n\n[[permissions.deny]]\ntool = "b"\nskill_name = "B*"',
      '6: permissions.deny.1.skill_name: must be a skill name',
    ],
    ['[[permissions.deny]]\ntool = "a"\nskil_name = "b"', '3: permissions.deny.0.skil_name: no such field'],
    [
      '[permissions]\ndeny = [\n  { tool = "a" },\n  { tol = "b" },\n]',
      '4: permissions.deny.1.tool: must be text',
    ],
    ['[permissions.deny]\ntool = "a"', '1: permissions.deny: must be a list'],
    ['[registry]\nurl = "not a url"', '2: registry.url: must be a URL that starts with http:// or https://'],
  ])('%j', (text, where) => {
    expect(load({ user: text })).toEqual({
      failure: ['E110', `invalid configuration: home/.skillc/config.toml:${where}`],
    });
  });

  test.each([
    ['SKC_GATEWAY_AUTO_BUILD', 'maybe', 'maybe: must be true or false'],
    ['SKC_PERMISSIONS_DENY', '[{}]', '[{}]: must be text'],
  ])('%s=%s', (name, value, why) => {
    expect(load({ env: { [name]: value } })).toEqual({
      failure: ['E110', `invalid configuration: ${name}: ${why}`],
    });
  });
});

describe('files that cannot be used', () => {
  test.each([
    ['a = 1\nb = = 2\n', /:2: \w/],
    ['a = 1\na = 2\n', /:2: \w/],
    ['[a\n', /:1: \w/],
    ['a = "x\n', /:1: \w/],
  ])('%j is not TOML', (text, where) => {
    const loaded = load({ user: text });
    const [code, message] = 'failure' in loaded ? loaded.failure : [];
    expect(code).toBe('E110');
    expect(message).toMatch(/^invalid configuration: home\/\.skillc\/config\.toml:\d+: [^\n]+$/);
    expect(message).toMatch(where);
  });

  const context = (root: string) => ({
    user: join(root, 'home/.skillc/config.toml'),
    project: join(root, '.skillc/config.toml'),
    env: {},
  });

  test.each([
    ['a directory', { directory: true }, 'not a regular file'],
    ['far too much', 'x'.repeat(1024 * 1024 + 1), 'larger than 1 MiB'],
  ] as const)('%s', (_, content, why) => {
    const root = makeDirectory({ '.skillc/config.toml': content });
    expect(() => loadConfig(context(root))).toThrow(
      `cannot read '${join(root, '.skillc/config.toml')}': ${why}`,
    );
  });

  test.each(['/dev/zero', 'config.toml', '../other.toml'])('a link to %s', (link) => {
    const root = makeDirectory({ '.skillc/config.toml': { link }, 'other.toml': '' });
    expect(() => loadConfig(context(root))).toThrow(
      `refusing to follow the link '${root}/.skillc/config.toml'`,
    );
  });

  test('a pipe without a writer', () => {
    const root = makeDirectory();
    mkdirSync(join(root, '.skillc'));
    execFileSync('mkfifo', [join(root, '.skillc/config.toml')]);
    expect(() => loadConfig(context(root))).toThrow('not a regular file');
  });

  test('a file without permission', (testContext) => {
    const root = makeDirectory({ '.skillc/config.toml': '' });
    chmodSync(root, 0o755);
    chmodSync(join(root, '.skillc/config.toml'), 0);
    expect(() => asNobody(testContext, () => loadConfig(context(root)))).toThrow(
      `cannot read '${root}/.skillc/config.toml': permission denied`,
    );
  });
});

test('no two keys share a variable', () => {
  const names = configKeys().map(({ key }) => variableOf(key));
  expect(new Set(names).size).toBe(names.length);
  expect(variableOf('gateway.auto_build')).toBe('SKC_GATEWAY_AUTO_BUILD');
  expect(variableOf('lint.rules.SKL107')).toBe('SKC_LINT_RULES');
});

describe('models', () => {
  const own = '[models.local]\nkind = "openai"\nurl = "http://127.0.0.1:8080/v1"\nkey_variable = "MY_KEY"\n';

  test('only the user configures them: a project can neither add nor change one', () => {
    const project =
      '[models.local]\nurl = "https://elsewhere.example"\nkey_variable = "AWS_SECRET_ACCESS_KEY"\n[models.other]\nkind = "command"\ncommand = ["sh"]\napi_key = "x"\n';
    const { values, told } = valuesOf({ user: own, project });
    expect(values.models).toEqual({
      local: { kind: 'openai', url: 'http://127.0.0.1:8080/v1', key_variable: 'MY_KEY' },
    });
    expect(told.map(([code, , help]) => [code, help])).toEqual(
      ['local.url', 'local.key_variable', 'other.kind', 'other.command', 'other.api_key'].map((key) => [
        'W110',
        `only the user's own configuration may set models.${key}; the value here is ignored`,
      ]),
    );
  });

  test.each(['key', 'api_key', 'api-key', 'apikey', 'token', 'secret', 'Authorization'])(
    'a key in the file is an error, which does not repeat it: %s',
    (field) => {
      const loaded = load({ user: `[models.local]\nkind = "openai"\n${field} = "sk-secret"\n` });
      expect(loaded).toEqual({
        failure: [
          'E110',
          `invalid configuration: home/.skillc/config.toml:3: models.local.${field}: a key does not belong in this file; put it into an environment variable and name that in models.local.key_variable`,
        ],
      });
    },
  );

  test('a key in place of the name of its variable', () => {
    expect(load({ user: '[models.local]\nkey_variable = "sk-secret"\n' })).toEqual({
      failure: [
        'E110',
        'invalid configuration: home/.skillc/config.toml:2: models.local.key_variable: must be the name of an environment variable in capitals, never the key itself',
      ],
    });
  });
});

describe('values of the host', () => {
  test('count last, as values of the user, key by key', () => {
    const { values, told, originOf } = valuesOf({
      user: '[catalog]\nmax_depth = 20\nmax_entries = 2\n',
      project: '[catalog]\nmax_entries = 1\n',
      env: { SKC_CATALOG_MAX_DEPTH: '3' },
      overlay: { catalog: { max_depth: 4, max_bytes: undefined }, lint: { rules: { SKL101: 'off' } } },
    });
    expect([values.catalog.max_depth, values.catalog.max_entries, values.catalog.max_bytes]).toEqual([
      4, 1, 32_768,
    ]);
    expect(values.lint.rules).toEqual({ SKL101: 'off' });
    expect([told, originOf('catalog.max_depth'), originOf('catalog.max_bytes')]).toEqual([
      [],
      { layer: 'user' },
      { layer: 'default' },
    ]);
  });

  test('an unknown key is a warning, and has no effect', () => {
    const { told, originOf } = valuesOf({ overlay: { catalog: { max_dept: 4 } } });
    expect(told).toEqual([
      [
        'W110',
        'unknown configuration key: the config of the session: catalog.max_dept',
        'did you mean catalog.max_depth?',
      ],
    ]);
    expect(originOf('catalog.max_dept')).toEqual({ layer: 'default' });
  });

  test.each([
    ['a list', [], 'must be an object'],
    ['a text', 'catalog', 'must be an object'],
    ['a section without keys', { catalog: 5 }, 'catalog: must be a table'],
    ['a wrong type', { catalog: { max_depth: 'deep' } }, 'catalog.max_depth: must be a number'],
  ])('%s is an error', (_, overlay, why) => {
    expect(load({ overlay })).toEqual({
      failure: ['E110', `invalid configuration: the config of the session: ${why}`],
    });
  });
});

test('a variable sets a key of a registry or a model by the name of its entry', () => {
  const { values, originOf } = valuesOf({
    env: {
      SKC_REGISTRIES_MY_TEAM_URL: 'https://skills.test',
      SKC_MODELS_FAST_MODEL: 'small',
      // Neither an entry with a name, nor a field that entries have.
      SKC_REGISTRIES__URL: 'https://nobody.test',
      SKC_REGISTRIES_OTHER_COLOUR: 'green',
      SKC_OTHER_MY_TEAM_URL: 'https://other.test',
    },
  });
  expect([values.registries, values.models]).toEqual([
    { 'my-team': { url: 'https://skills.test' } },
    { fast: { model: 'small' } },
  ]);
  expect(originOf('registries.my-team.url')).toEqual({
    layer: 'environment',
    place: 'SKC_REGISTRIES_MY_TEAM_URL',
  });
});

test.each([
  ['off where the user says nothing', undefined, false, false, []],
  ['on where the user says nothing', undefined, true, true, []],
  ['off where the user has them on', true, false, false, []],
  ['off where the user has them off', false, false, false, []],
  ['on where the user has them off', false, true, false, ['W110']],
])('a project that turns skills %s', (_, user, project, enabled, told) => {
  const set = (value: boolean | undefined) =>
    value === undefined ? '' : `[skills]\nenabled = ${value}\n[gateway]\nauto_build = false\n`;
  const loaded = valuesOf({ user: set(user), project: `${set(project)}[usage]\n` });
  expect([loaded.values.skills.enabled, loaded.told.map(([code]) => code)]).toEqual([enabled, told]);
});

test.each([
  ['the default itself', undefined, 60, 60, 0],
  ['more than the default', undefined, 61, 60, 1],
  ["the user's limit itself", 90, 90, 90, 0],
  ["more than the user's limit", 90, 91, 90, 1],
])('a project may ask for %s, or not', (_, user, project, timeout, warnings) => {
  const { values, told } = valuesOf({
    user: user === undefined ? '' : `[scripts]\ntimeout = ${user}\n`,
    project: `[scripts]\ntimeout = ${project}\n`,
  });
  expect([values.scripts.timeout, told.length]).toEqual([timeout, warnings]);
});

test('outside a project only the file of the user counts', () => {
  const { values, layers } = valuesOf({ user: '[gateway]\nbudget = 5\n', project: null });
  expect([values.gateway.budget, layers.length]).toEqual([5, 1]);
});

test('of several unknown fields of a rule, the first is named', () => {
  expect(load({ user: '[[permissions.deny]]\ntool = "skill_load"\nskil = "a"\nnme = "b"\n' })).toEqual({
    failure: [
      'E110',
      'invalid configuration: home/.skillc/config.toml:3: permissions.deny.0.skil: no such field',
    ],
  });
});

test('the user may link to a file elsewhere', () => {
  const root = makeDirectory({
    'elsewhere.toml': '[gateway]\nbudget = 5\n',
    'home/.skillc/config.toml': { link: '../../elsewhere.toml' },
  });
  const user = join(root, 'home/.skillc/config.toml');
  expect(loadConfig({ user, project: undefined, env: {} }).values.gateway.budget).toBe(5);
});
