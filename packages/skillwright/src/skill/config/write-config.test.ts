import { chmodSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { writeConfigValue } from './write-config.ts';

/** The file after the change. */
function write(before: string | undefined, key: string, value: unknown): string {
  const root = makeDirectory(before === undefined ? {} : { 'config.toml': before });
  const place = join(root, 'config.toml');
  const changed = writeConfigValue(place, key, value);
  const after = statSync(place, { throwIfNoEntry: false }) === undefined ? '' : readFileSync(place, 'utf8');
  expect(changed).toBe(after !== (before ?? ''));
  return after;
}

describe('setting', () => {
  test.each([
    ['a new file', undefined, '[gateway]\nauto_build = true\n'],
    ['an empty file', '', '[gateway]\nauto_build = true\n'],
    [
      'another table',
      '[lint]\nprofile = "spec"\n',
      '[lint]\nprofile = "spec"\n\n[gateway]\nauto_build = true\n',
    ],
    [
      'no last line end',
      '[lint]\nprofile = "spec"',
      '[lint]\nprofile = "spec"\n\n[gateway]\nauto_build = true\n',
    ],
    ['blank lines at the end', 'x = 1\n\n\n', 'x = 1\n\n\n\n[gateway]\nauto_build = true\n'],
    ['an empty table', '[gateway]\n', '[gateway]\nauto_build = true\n'],
    ['an empty table at the end', '[gateway]', '[gateway]\nauto_build = true\n'],
    ['a table with a comment', '[gateway] # c\n# d\n[x]\n', '[gateway] # c\nauto_build = true\n# d\n[x]\n'],
    ['the value', '[gateway]\nauto_build = false\n', '[gateway]\nauto_build = true\n'],
    ['the same value', '[gateway]\nauto_build  =  true # c\n', '[gateway]\nauto_build  =  true # c\n'],
    [
      'formatting',
      '  [ gateway ]\n\t"auto_build"  =false  # why\n',
      '  [ gateway ]\n\t"auto_build"  =true  # why\n',
    ],
    ['a dotted key', 'gateway.auto_build = false # c\n', 'gateway.auto_build = true # c\n'],
    [
      'a table written in dotted keys',
      'gateway.x = 1 # c\n[y]\n',
      'gateway.x = 1 # c\ngateway.auto_build = true\n[y]\n',
    ],
    ['CRLF', '# a\r\n[gateway]\r\nauto_build = false\r\n', '# a\r\n[gateway]\r\nauto_build = true\r\n'],
    ['CRLF, added', '[gateway]\r\n# b\r\n', '[gateway]\r\nauto_build = true\r\n# b\r\n'],
    [
      'mixed line ends',
      'x = 1\n[gateway]\r\nauto_build = false\n',
      'x = 1\n[gateway]\r\nauto_build = true\n',
    ],
    ['a byte order mark', '\ufeff[gateway]\nauto_build = false\n', '\ufeff[gateway]\nauto_build = true\n'],
    [
      'headers inside values',
      'x = """\n[gateway]\nauto_build = false\n"""\n',
      'x = """\n[gateway]\nauto_build = false\n"""\n\n[gateway]\nauto_build = true\n',
    ],
    [
      'the key in the middle of a file',
      '# top\n[a]\nb = 1\n\n[gateway] # g\n# note\nauto_build = false\nother = 2\n\n[c]\n',
      '# top\n[a]\nb = 1\n\n[gateway] # g\n# note\nauto_build = true\nother = 2\n\n[c]\n',
    ],
    [
      'a table below the one wanted',
      '[gateway.deeper]\nx = 1\n',
      '[gateway.deeper]\nx = 1\n\n[gateway]\nauto_build = true\n',
    ],
  ])('%s', (_, before, after) => {
    expect(write(before, 'gateway.auto_build', true)).toBe(after);
  });

  test('a list over several lines becomes one line, and the rest stays', () => {
    const before = '[build]\ntargets = [ # agents\n  "a", # ]\n  "b",\n] # end\nx = 1\n';
    expect(write(before, 'build.targets', ['c', 'd'])).toBe('[build]\ntargets = ["c", "d"] # end\nx = 1\n');
  });

  test('rules go into their table, or next to their dotted siblings', () => {
    expect(write('[lint.rules]\nSKL101 = "off"\n\n[x]\n', 'lint.rules.SKL102', 'off')).toBe(
      '[lint.rules]\nSKL101 = "off"\nSKL102 = "off"\n\n[x]\n',
    );
    expect(write('[lint]\nprofile = "spec"\nrules.SKL101 = "off"\n', 'lint.rules.SKL102', 'off')).toBe(
      '[lint]\nprofile = "spec"\nrules.SKL101 = "off"\nrules.SKL102 = "off"\n',
    );
    expect(write('[lint]\nprofile = "spec"\n', 'lint.rules.SKL102', { severity: 'info', max: 3 })).toBe(
      '[lint]\nprofile = "spec"\n\n[lint.rules]\nSKL102 = { severity = "info", max = 3 }\n',
    );
    expect(write('', 'lint.rules.odd name', 'off')).toBe('[lint.rules]\n"odd name" = "off"\n');
  });

  test.each([
    'plain',
    'with "quotes" and \'single\'',
    'back\\slash',
    'line\nbreak\r\n\ttab',
    '# no comment',
    '"""',
    "'''",
    '\u0000\u0007\u001b\u007f',
    'Grüße 😀',
    '',
  ])('the text %j survives', (value) => {
    expect(parse(write('# c\n', 'registry.url', value))).toEqual({ registry: { url: value } });
    expect(parse(write('[registry]\nurl = "old"\n', 'registry.url', value))).toEqual({
      registry: { url: value },
    });
  });

  test.each([
    [['a', 'b, c', '"']],
    [[]],
    [[{ tool: 'x', skill_name: 'y' }, { 'odd key': [1, 2.5] }]],
    [{}],
    [5],
    [1.5],
    [false],
  ])('the value %j survives', (value) => {
    expect(parse(write('', 'a.b', value))).toEqual({ a: { b: value } });
  });
});

describe('removing', () => {
  test.each([
    ['no file', undefined, ''],
    ['not set', '[x]\ny = 1\n', '[x]\ny = 1\n'],
    ['alone', '[gateway]\nauto_build = true\n', '[gateway]\n'],
    ['with its comment', '# a\n[gateway]\nauto_build = true # b\n# c\n', '# a\n[gateway]\n# c\n'],
    ['dotted', 'gateway.auto_build = true\nx = 1\n', 'x = 1\n'],
    ['without a line end', '[gateway]\nauto_build = true', '[gateway]\n'],
    ['over several lines', '[gateway]\nauto_build = [\n  1,\n]\nx = 1\r\n', '[gateway]\nx = 1\r\n'],
    ['first of all', '\ufeffgateway.auto_build = 1\n', '\ufeff'],
  ])('%s', (_, before, after) => {
    expect(write(before, 'gateway.auto_build', undefined)).toBe(after);
  });
});

describe('refusing', () => {
  const refusal = 'is written in a form that cannot be changed automatically; edit the file';

  test.each([
    ['an inline table', 'gateway = { x = 1 }\n', 'gateway.auto_build', true, refusal],
    ['a key in an inline table', 'gateway = { auto_build = 1 }\n', 'gateway.auto_build', true, refusal],
    [
      'a key to remove from an inline table',
      'gateway = { auto_build = 1 }\n',
      'gateway.auto_build',
      undefined,
      refusal,
    ],
    ['a section that is a value', 'gateway = 1\n', 'gateway.auto_build', true, refusal],
    ['a section that is a list', '[[gateway]]\nx = 1\n', 'gateway.auto_build', true, refusal],
    ['rules to be added to an array', '[[permissions.deny]]\ntool = "x"\n', 'permissions.deny', [], refusal],
    ['a broken file', '[gateway\n', 'gateway.auto_build', true, 'config.toml:1: '],
    ['a table twice', '[gateway]\n[gateway]\n', 'gateway.auto_build', true, 'config.toml:2: '],
  ])('%s', (_, before, key, value, why) => {
    const root = makeDirectory({ 'config.toml': before });
    const place = join(root, 'config.toml');
    expect(() => writeConfigValue(place, key, value)).toThrow(expect.objectContaining({ code: 'E110' }));
    expect(() => writeConfigValue(place, key, value)).toThrow(why);
    expect(readFileSync(place, 'utf8')).toBe(before);
    expect(readdirSync(root)).toEqual(['config.toml']);
  });

  test('a directory in its place', () => {
    const root = makeDirectory({ 'config.toml/x': '' });
    expect(() => writeConfigValue(join(root, 'config.toml'), 'a.b', 1)).toThrow(
      `cannot read '${root}/config.toml': not a regular file`,
    );
  });
});

test("keeps the file's permissions and links", () => {
  const root = makeDirectory({
    'dotfiles/skc.toml': 'x = 1\n',
    'config.toml': { link: 'dotfiles/skc.toml' },
  });
  chmodSync(join(root, 'dotfiles/skc.toml'), 0o600);
  writeConfigValue(join(root, 'config.toml'), 'usage.enabled', false);
  expect(lstatSync(join(root, 'config.toml')).isSymbolicLink()).toBe(true);
  expect(statSync(join(root, 'dotfiles/skc.toml')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(root, 'dotfiles/skc.toml'), 'utf8')).toBe('x = 1\n\n[usage]\nenabled = false\n');
});
