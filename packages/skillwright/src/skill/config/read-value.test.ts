import { expect, test } from 'vitest';
import { schemaOfKey } from './config-schema.ts';
import { readValue } from './read-value.ts';

const read = (key: string, written: string) => readValue(schemaOfKey(key)!, written);

test.each([
  ['gateway.auto_build', 'true', true],
  ['gateway.auto_build', ' false ', false],
  ['catalog.max_depth', '5', 5],
  ['catalog.max_depth', '0x10', 16],
  ['search.tokenizer', 'unicode', 'unicode'],
  ['search.tokenizer', '"unicode"', 'unicode'],
  ['registry.url', 'https://example.org/x', 'https://example.org/x'],
  ['build.targets', 'claude', ['claude']],
  ['build.targets', 'claude, codex,', ['claude', 'codex']],
  ['build.targets', '["a,b", "c"]', ['a,b', 'c']],
  ['build.targets', '', []],
  ['build.targets', '[]', []],
  ['lint.rules.SKL107', 'off', 'off'],
  ['lint.rules.SKL107', '{ severity = "info", max = 3 }', { severity: 'info', max: 3 }],
  [
    'permissions.deny',
    '[{ tool = "skill_load", skill_name = "x" }]',
    [{ tool: 'skill_load', skill_name: 'x' }],
  ],
])('%s from %j is %j', (key, written, value) => {
  expect(read(key, written)).toEqual({ success: true, value });
});

test.each([
  ['gateway.auto_build', 'yes', 'yes: must be true or false'],
  ['gateway.auto_build', '', 'an empty value: must be true or false'],
  ['gateway.auto_build', '1', '1: must be true or false'],
  ['catalog.max_depth', '0', '0: must be more than 0'],
  ['catalog.max_depth', '-3', '-3: must be more than 0'],
  ['catalog.max_depth', '1.5', '1.5: must be a whole number'],
  ['catalog.max_depth', 'inf', 'inf: must be a number'],
  ['catalog.max_depth', '5\nother = 1', '5\nother = 1: must be a number'],
  ['search.tokenizer', 'porker', 'porker: must be one of unicode, porter'],
  [
    'lint.rules.SKL107',
    'on',
    'on: must be one of off, info, warning, error, or a table with such a severity',
  ],
  ['permissions.deny', 'skill_load', 'skill_load: must be a list'],
  ['registry.url', 'file:///etc', 'file:///etc: must be a URL that starts with http:// or https://'],
])('%s cannot be %j: %s', (key, written, why) => {
  expect(read(key, written)).toEqual({ success: false, why });
});
