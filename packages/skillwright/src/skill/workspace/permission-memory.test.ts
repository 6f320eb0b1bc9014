import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { canRemember, readPermissionMemory, rememberPermission } from './permission-memory.ts';
import { checkInside, leadsOut, storeAt } from './project.ts';

const full = { tool: 'skill_load', skill_name: 'demo', path: '/p/demo', digest: 'abc' };
const { path: _, digest: __, ...nameOnly } = full;

const storeWith = (state?: string) =>
  storeAt('user', makeDirectory(state === undefined ? {} : { '.skillc/state.json': state }));
const stateOf = (...allow: unknown[]) => JSON.stringify({ permissions: { allow } });

describe('stored permissions', () => {
  test.each<[string, string | undefined, readonly unknown[]]>([
    ['no file', undefined, []],
    ['an empty file', '', []],
    ['not JSON', '{', []],
    ['not a table', '[]', []],
    ['no permissions', '{}', []],
    ['permissions that are a list', '{"permissions": []}', []],
    ['permissions without a list', '{"permissions": {"allow": {}}}', []],
    ['one', stateOf(full), [full]],
    ['several', stateOf(full, { ...full, path: '/q' }), [full, { ...full, path: '/q' }]],
  ])('%s', (_name, state, remembered) => {
    expect(readPermissionMemory(storeWith(state))).toEqual({ remembered, diagnostics: [] });
  });

  test('one for a name alone no longer counts, and says so', () => {
    const store = storeWith(stateOf(nameOnly, full));
    expect(readPermissionMemory(store)).toEqual({
      remembered: [full],
      diagnostics: [
        {
          code: 'W010',
          severity: 'warning',
          message: expect.stringContaining("the permission to load 'demo' names no particular skill"),
          help: 'you will be asked again; your answer then applies to that one skill in its current version',
        },
      ],
    });
  });

  test.each<[string, unknown]>([
    ['text', 'demo'],
    ['a list', [full]],
    ['no tool', { ...full, tool: undefined }],
    ['no name', { ...full, skill_name: undefined }],
    ['every skill', { tool: 'skill_load' }],
    ['an unknown field', { ...full, more: 1 }],
    ['a path that is not text', { ...full, path: 5 }],
    ['a digest that is not text', { ...full, digest: 5 }],
    ['a path without a digest', { ...full, digest: undefined }],
    ['a digest without a path', { ...full, path: undefined }],
    ['an empty digest', { ...full, digest: '' }],
    ['an empty path', { ...full, path: '' }],
  ])('%s is an error, so that it is neither lost nor widened', (_name, entry) => {
    const store = storeWith(stateOf(full, entry));
    expect(() => readPermissionMemory(store)).toThrow(
      expect.objectContaining({
        code: 'E110',
        message: `invalid configuration: ${store.state}: permissions.allow.1 is not a rule for one skill`,
      }),
    );
  });
});

describe('storing one', () => {
  const other = { ...full, path: '/q/demo' };
  const otherTool = { ...full, tool: 'skill_run' };
  const otherName = { ...nameOnly, skill_name: 'other' };
  const changed = { ...full, digest: 'def' };
  test.each<[string, readonly unknown[], readonly unknown[]]>([
    ['the first', [], [changed]],
    ['replaces the one for this directory', [full], [changed]],
    ['replaces the one for its name alone', [nameOnly], [changed]],
    ['keeps the one for another directory', [other], [other, changed]],
    ['keeps the one for another tool', [otherTool], [otherTool, changed]],
    ['keeps the one for another name', [otherName], [otherName, changed]],
    ['keeps what it does not understand', ['?'], ['?', changed]],
    ['all of them', [full, other, nameOnly, otherTool], [other, otherTool, changed]],
  ])('%s', (_name, before, after) => {
    const store = storeWith(JSON.stringify({ disabled: ['x'], permissions: { allow: before, more: 1 } }));
    expect(rememberPermission(store, changed)).toBe(true);
    expect(JSON.parse(readFileSync(store.state, 'utf8'))).toEqual({
      version: 1,
      disabled: ['x'],
      permissions: { allow: after, more: 1 },
    });
  });

  test('without a state file, or with permissions that are not a table', () => {
    for (const state of [undefined, '{"permissions": 5}']) {
      const store = storeWith(state);
      expect(rememberPermission(store, full)).toBe(true);
      expect(JSON.parse(readFileSync(store.state, 'utf8'))).toEqual({
        version: 1,
        permissions: { allow: [full] },
      });
    }
  });

  test.each<[string, typeof full, boolean]>([
    ['a skill', full, true],
    ['a name that rules cannot have', { ...full, skill_name: 'a/b' }, false],
    ['a directory without content', { ...full, digest: '' }, false],
  ])('%s can be stored: %#', (_name, permission, expected) => {
    const store = storeWith('{"kept": 1}');
    expect(canRemember(permission)).toBe(expected);
    expect(rememberPermission(store, permission)).toBe(expected);
    expect(Object.keys(JSON.parse(readFileSync(store.state, 'utf8')))).toEqual(
      expected ? ['version', 'kept', 'permissions'] : ['kept'],
    );
  });
});

describe('a path where skc writes', () => {
  test.each<[string, boolean]>([
    ['.', true],
    ['a.txt', true],
    ['dir/new/file', true],
    ['inside/new', true],
    ['out', false],
    ['out/new/file', false],
    ['out-file', false],
    ['../outside', true],
  ])('%s is really in the project: %s', (path, isAllowed) => {
    const root = makeDirectory({
      'project/a.txt': '',
      'project/dir/x': '',
      'project/inside': { link: 'dir' },
      'project/out': { link: '../outside' },
      'project/out-file': { link: '../outside/secret' },
      'outside/secret': '',
      linked: { link: 'project' },
    });
    for (const project of ['project', 'linked'].map((name) => join(root, name))) {
      const check = () => checkInside(project, join(project, path));
      if (isAllowed) expect(check).not.toThrow();
      else
        expect(check).toThrow(
          expect.objectContaining({ code: 'E016', message: leadsOut(join(project, path)).message }),
        );
    }
  });

  test('the error says why', () => {
    expect(leadsOut('/p/x').message).toContain('it leads out of the project');
  });
});
