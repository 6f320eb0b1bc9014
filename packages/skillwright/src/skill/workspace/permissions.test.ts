import { describe, expect, test } from 'vitest';
import { createPermissions } from './create-permissions.ts';
import type { PermissionLayers } from './permissions.ts';

const load = (skill_name: string, ...aliases: string[]) => ({ tool: 'skill_load', skill_name, aliases });
const rule = (skill_name?: string) => ({
  tool: 'skill_load',
  ...(skill_name === undefined ? {} : { skill_name }),
});
const effectOf = (layers: PermissionLayers, name: string) =>
  createPermissions(layers).check(load(name)).effect;

describe('deny > allow > confirm', () => {
  test.each([
    [{}, 'allow'],
    [{ user: { confirm: [rule()] } }, 'confirm'],
    [{ user: { confirm: [rule()], allow: [rule('x')] } }, 'allow'],
    [{ user: { confirm: [rule()], allow: [rule('y')] } }, 'confirm'],
    [{ user: { allow: [rule('x')], deny: [rule('x')] } }, 'deny'],
    [{ user: { allow: [rule('x')], deny: [rule()] } }, 'deny'],
    [{ builtIn: { deny: [rule('x')] }, user: { allow: [rule('x')] } }, 'deny'],
    [{ builtIn: { allow: [rule('x')] }, user: { confirm: [rule('x')] } }, 'allow'],
    [{ user: { deny: [{ tool: 'skill_run', skill_name: 'x' }] } }, 'allow'],
  ] as const)('%j: %s', (layers, effect) => {
    expect(effectOf(layers, 'x')).toBe(effect);
  });

  test('the answer names the rule and its layer', () => {
    const permissions = createPermissions({ user: { deny: [rule('x')] }, project: { confirm: [rule('y')] } });
    expect(permissions.check(load('x'))).toEqual({ effect: 'deny', layer: 'user', rule: rule('x') });
    expect(permissions.check(load('y'))).toEqual({ effect: 'confirm', layer: 'project', rule: rule('y') });
    expect(permissions.check(load('z'))).toEqual({ effect: 'allow', layer: 'default', rule: null });
    expect(permissions.check({ tool: 'skill_load' })).toEqual({
      effect: 'allow',
      layer: 'default',
      rule: null,
    });
  });
});

test('of equal rules, the one of the first layer is named', () => {
  for (const equal of [rule(), rule('x')]) {
    const rules = { deny: [equal] };
    for (const [layers, layer] of [
      [{ builtIn: rules, user: rules, project: rules }, 'built-in'],
      [{ user: rules, project: rules }, 'user'],
    ] as const)
      expect(createPermissions(layers).check(load('x'))).toEqual({ effect: 'deny', layer, rule: equal });
  }
  const allow = { allow: [rule('x')] };
  expect(createPermissions({ builtIn: allow, user: allow }).check(load('x')).layer).toBe('built-in');
});

describe('a project may only narrow', () => {
  test("it denies and asks, on top of the user's rules", () => {
    const layers = { user: { allow: [rule('a'), rule('b')] }, project: { deny: [rule('a')] } };
    expect(effectOf(layers, 'a')).toBe('deny');
    expect(effectOf(layers, 'b')).toBe('allow');
  });

  test('it cannot allow uses the user denies or asks about', () => {
    const layers = {
      user: { deny: [rule('a')], confirm: [rule()] },
      project: { allow: [rule('a'), rule('b'), rule()] },
    };
    expect(effectOf(layers, 'a')).toBe('deny');
    expect(effectOf(layers, 'b')).toBe('confirm');
    expect(createPermissions(layers).diagnostics).toEqual([
      {
        code: 'W110',
        severity: 'warning',
        message: "unknown configuration key: the project's rules: permissions.allow",
        help: 'a project may only narrow what the user allows; its allow rules are ignored',
      },
    ]);
  });
});

describe('a malformed rule is an error, never a wider rule', () => {
  test.each([
    ['text', 'skill_load', 'must be a table'],
    ['no tool', {}, 'tool: must be text'],
    ['an empty tool', { tool: '' }, 'tool: must have at least 1 character'],
    ['a pattern for a tool', { tool: '*' }, 'tool: must be the name of one tool'],
    ['two words', { tool: 'use skill_load' }, 'tool: must be the name of one tool'],
    ["another program's notation", { tool: 'Skill(x)' }, 'tool: must be the name of one tool'],
    ['a number', { tool: 'skill_load', skill_name: 5 }, 'skill_name: must be text'],
    ['null', { tool: 'skill_load', skill_name: null }, 'skill_name: must be text'],
    ['a list', { tool: 'skill_load', skill_name: ['x'] }, 'skill_name: must be text'],
    ['an empty name', { tool: 'skill_load', skill_name: '' }, 'skill_name: must be a skill name'],
    ['a path', { tool: 'skill_load', skill_name: 'a/b' }, 'skill_name: must be a skill name'],
    ['a misspelt tool', { tool: 'skil_load' }, "tool: permission rules do not cover 'skil_load'"],
    [
      'a tool that skill_load covers',
      { tool: 'skill_read' },
      "tool: permission rules do not cover 'skill_read'",
    ],
    ['a wildcard', { tool: 'skill_load', skill_name: 'a*' }, 'skill_name: must be a skill name'],
    ['a misspelt field', { tool: 'skill_load', skil_name: 'x' }, 'Unrecognized key: "skil_name"'],
  ])('%s', (_, malformed, why) => {
    for (const effect of ['allow', 'deny', 'confirm'] as const) {
      const attempt = () => createPermissions({ user: { [effect]: [rule('fine'), malformed] } });
      expect(attempt).toThrow(
        expect.objectContaining({
          code: 'E110',
          message: `invalid configuration: permissions.${effect}.1 (user): ${why}`,
        }),
      );
    }
  });

  test('a misspelt tool names the one that is meant', () => {
    expect(() => createPermissions({ user: { deny: [{ tool: 'skil_load' }] } })).toThrow(
      expect.objectContaining({ help: "did you mean 'skill_load'?" }),
    );
  });

  test.each(['skill_load', { tool: 'skill_load' }, 5])('not a list of rules: %j', (list) => {
    for (const effect of ['allow', 'deny', 'confirm'] as const) {
      expect(() => createPermissions({ builtIn: { [effect]: list } })).toThrow(
        expect.objectContaining({
          code: 'E110',
          message: `invalid configuration: permissions.${effect} (built-in): must be a list of rules`,
        }),
      );
    }
  });

  test("a project's malformed allow rule is an error too", () => {
    expect(() => createPermissions({ project: { allow: [{ tool: 5 }] } })).toThrow(
      expect.objectContaining({ code: 'E110' }),
    );
  });
});

describe('no spelling gets around a deny rule', () => {
  const permissions = createPermissions({
    user: { deny: [rule('dangerous'), rule('rm-all')], confirm: [rule('maybe')] },
  });

  test.each([
    'dangerous',
    'Dangerous',
    'DANGEROUS',
    ' dangerous ',
    'dangerous\u200b',
    'dan\u00adgerous',
    'dang\u0301erous',
    'd\u202eangerous',
    'dаngerous', // Cyrillic a
    'dаngеrоuѕ', // four Cyrillic letters
    'dαngεrous', // Greek
    'DΑNGΕROUS', // Greek capitals
    'ｄａｎｇｅｒｏｕｓ', // full width
    '𝐝𝐚𝐧𝐠𝐞𝐫𝐨𝐮𝐬', // mathematical
    'ⓓangerous', // circled
    'danɡerous', // script g
    'dangerouꜱ', // small capital
    'ᗪangerous', // Canadian syllabics
    'dangerous\u0000',
    'rm‐all', // another hyphen
    'rm−all', // minus
    'rm_all',
    'rm all',
  ])('%j is denied', (name) => {
    expect(permissions.check(load(name)).effect).toBe('deny');
  });

  test.each(['danger', 'dangerous-2', 'not-dangerous', 'rmall', '日本語スキルの例', 'опасно', 'αβγδεζηθι'])(
    '%j is another name',
    (name) => {
      expect(permissions.check(load(name)).effect).toBe('allow');
    },
  );

  test('other names of the same skill count', () => {
    expect(permissions.check(load('harmless', 'dangerous')).effect).toBe('deny');
    expect(permissions.check(load('harmless', 'MAYBE')).effect).toBe('confirm');
  });

  test('the tool may be spelled in any case', () => {
    expect(permissions.check({ tool: 'Skill_Load', skill_name: 'dangerous' }).effect).toBe('deny');
  });
});

test('an allow rule matches its exact name only: a look-alike needs a confirmation', () => {
  const permissions = createPermissions({ user: { confirm: [rule()], allow: [rule('deploy')] } });
  expect(permissions.check(load('deploy')).effect).toBe('allow');
  for (const name of ['Deploy', 'dеploy', 'ｄeploy', 'deploy ', 'deploy\u200b'])
    expect(permissions.check(load(name)).effect).toBe('confirm');
  expect(permissions.check(load('evil', 'deploy')).effect).toBe('confirm');
});

test('a stored permission applies to one path and one content, and never overrides a deny rule', () => {
  const permissions = createPermissions({ user: { confirm: [rule()], deny: [rule('no')] } });
  const at = (name: string, dir: string, digest: string) =>
    permissions.check({ ...load(name), dir, digest: () => digest }).effect;
  expect(at('yes', '/p/yes', 'a')).toBe('confirm');
  permissions.remember({ tool: 'skill_load', skill_name: 'yes', path: '/p/yes', digest: 'a' });
  permissions.remember({ tool: 'skill_load', skill_name: 'no', path: '/p/no', digest: 'a' });
  expect(at('yes', '/p/yes', 'a')).toBe('allow');
  expect(permissions.check({ ...load('yes'), dir: '/p/yes', digest: () => 'a' })).toEqual({
    effect: 'allow',
    layer: 'user',
    rule: rule('yes'),
  });
  expect(permissions.check({ ...load('yes'), dir: '/p/yes' }).effect).toBe('confirm');
  expect(at('yes', '/p/yes', 'b')).toBe('confirm');
  expect(at('yes', '/q/yes', 'a')).toBe('confirm');
  expect(at('no', '/p/no', 'a')).toBe('deny');
  expect(permissions.check(load('yes')).effect).toBe('confirm');
});

describe('rules can name every possible skill', () => {
  const names = ['数据处理', 'my skill', 'PDF', 'Überblick', 'v1.2_x'];

  test.each(names)('%s', (name) => {
    expect(effectOf({ user: { deny: [rule(name)] } }, name)).toBe('deny');
    expect(effectOf({ user: { deny: [rule(name)] } }, 'other')).toBe('allow');
    expect(effectOf({ user: { confirm: [rule()], allow: [rule(name)] } }, name)).toBe('allow');
  });

  test('restrictions match other spellings, permissions do not', () => {
    const layers = { user: { confirm: [rule()], allow: [rule('PDF')], deny: [rule('My Skill')] } };
    expect(['PDF', 'pdf', 'my-skill', 'My Skill'].map((name) => effectOf(layers, name))).toEqual([
      'allow',
      'confirm',
      'deny',
      'deny',
    ]);
  });
});

test('warns about a tool skc never checks, unless the host names it', () => {
  const deny = [{ tool: 'Bash' }];
  expect(createPermissions({ user: { deny } }).diagnostics).toEqual([
    {
      code: 'W018',
      severity: 'warning',
      message: "rule for an unknown tool: permissions.deny.0 (user): 'Bash'",
      help: 'permission rules cover skill_load and skill_run',
    },
  ]);
  expect(createPermissions({ builtIn: { deny } }).diagnostics).toEqual([]);
});

test('with all skills switched off, the denial names the origin', () => {
  const where = 'skills.enabled is false in /home/config.toml';
  const permissions = createPermissions({ user: { allow: [rule()] }, switchedOff: { layer: 'user', where } });
  expect(permissions.check(load('x'))).toEqual({
    effect: 'deny',
    layer: 'user',
    rule: { tool: 'skill_load' },
  });
  expect(permissions.diagnostics).toEqual([
    { code: 'W111', severity: 'warning', message: `skills are switched off: ${where}` },
  ]);
});
