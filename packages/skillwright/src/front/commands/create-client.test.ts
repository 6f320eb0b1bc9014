import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { createClient, createContext } from './create-client.ts';
import { commandNames } from './table.ts';

describe('createClient', () => {
  test('has a function for every command', () => {
    expect(Object.keys(createClient())).toEqual(commandNames);
  });

  test('runs a command and returns its result', async () => {
    const root = makeDirectory({ 'p/.skillc': { directory: true }, 'home/x': '' });
    const client = createClient({ cwd: `${root}/p`, home: `${root}/home`, env: {} });
    expect(await client.init({ name: 'demo' })).toEqual({
      project: `${root}/p`,
      created: true,
      dry_run: false,
      skill: 'demo',
      path: `${root}/p/.skillc/skills/demo`,
      files: ['SKILL.md'],
      next: ['skc lint demo'],
    });
    expect(await client.lint({ paths: ['demo'] })).toMatchObject({
      skills: 1,
      errors: 0,
      findings: [{ rule: 'SKL116' }],
    });
  });

  test('passes on warnings, and is silent without a listener', async () => {
    const root = makeDirectory({ 'home/.skillc/config.toml': 'nonsense = 1\n' });
    const heard: Diagnostic[] = [];
    const options = { cwd: root, home: `${root}/home`, env: {} };
    await createClient({ ...options, onDiagnostic: (diagnostic) => heard.push(diagnostic) }).config();
    expect(heard.map(({ code }) => code)).toEqual(['W110']);
    await createClient(options).config();
  });

  test.each([
    [{ paths: 1 }, 'paths must be a list'],
    [{ pats: ['x'] }, "unknown field 'pats'"],
    [{ max_warnings: -1 }, 'max_warnings must be at least 0'],
    ['x', 'the input must be an object'],
    [null, 'the input must be an object'],
  ])('refuses %j', async (input, why) => {
    await expect(createClient().lint(input as never)).rejects.toThrow(
      expect.objectContaining({ code: 'E100', message: `${why}` }),
    );
  });

  test('names what is missing', async () => {
    await expect(createClient().explain()).rejects.toThrow('missing code');
  });
});

describe('createContext', () => {
  test('uses the surroundings of the process by default', () => {
    const context = createContext();
    expect([context.cwd, context.env]).toEqual([resolve('.'), process.env]);
    expect(createContext({ env: {} }).home).toBe(homedir());
    expect(createContext({ env: { SKC_HOME: 'x' } }).home).toBe(resolve('x'));
    expect(createContext({ env: { SKC_HOME: 'x' }, home: '/y' }).home).toBe('/y');
  });
});
