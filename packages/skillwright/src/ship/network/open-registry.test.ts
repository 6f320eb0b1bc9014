import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { workspaceAt } from '../../../test/open-workspace.ts';
import { createFetcher } from './create-fetcher.ts';
import { openRegistry, registryToken } from './open-registry.ts';

const fetcher = createFetcher();
const url = 'https://registry.example';
const toml = `[registry]\nurl = "${url}"\n`;

const open = async (files: Record<string, string>, env: Record<string, string>) => {
  const root = makeDirectory({ 'work/.skillc': { directory: true }, home: { directory: true }, ...files });
  const registry = await openRegistry(
    workspaceAt({ cwd: join(root, 'work'), home: join(root, 'home') }, { env }),
    { fetcher },
  );
  return registry && [registry.client.url, registry.token, registry.withheld];
};

test.each<[string, Record<string, string>, Record<string, string>, unknown]>([
  ['no registry', {}, { SKC_TOKEN: 'x' }, undefined],
  ["the user's, no token", { 'home/.skillc/config.toml': toml }, {}, [`${url}/`, undefined, undefined]],
  ["the user's", { 'home/.skillc/config.toml': toml }, { SKC_TOKEN: 'x' }, [`${url}/`, 'x', undefined]],
  ['the environment', {}, { SKC_TOKEN: 'x', SKC_REGISTRY_URL: url }, [`${url}/`, 'x', undefined]],
  [
    "the project's alone: the token stays here",
    { 'work/.skillc/config.toml': toml },
    { SKC_TOKEN: 'x' },
    [
      `${url}/`,
      undefined,
      `the project chose this registry; confirm it with 'skc config registry.url ${url}/ --scope user'`,
    ],
  ],
  [
    "the project's overrides the user's: the token is not sent",
    {
      'work/.skillc/config.toml': toml,
      'home/.skillc/config.toml': '[registry]\nurl = "https://mine.example"\n',
    },
    { SKC_TOKEN: 'x' },
    [`${url}/`, undefined, expect.stringContaining('confirm it')],
  ],
  [
    'the same in both',
    { 'work/.skillc/config.toml': toml, 'home/.skillc/config.toml': toml },
    { SKC_TOKEN: 'x' },
    [`${url}/`, 'x', undefined],
  ],
  [
    'an address without https',
    {},
    { SKC_TOKEN: 'x', SKC_REGISTRY_URL: 'http://registry.example' },
    ['http://registry.example/', undefined, 'a token is sent only over https'],
  ],
  [
    'this machine',
    {},
    { SKC_TOKEN: 'x', SKC_REGISTRY_URL: 'http://127.0.0.1:8080' },
    ['http://127.0.0.1:8080/', 'x', undefined],
  ],
])('%s', async (_, files, env, expected) => {
  expect(await open(files, env)).toEqual(expected);
});

test('a token with invalid characters', async () => {
  await expect(open({}, { SKC_REGISTRY_URL: url, SKC_TOKEN: 'a\r\nx: y' })).rejects.toEqual(
    expect.objectContaining({ code: 'E110' }),
  );
});

test('SKC_TOKEN belongs to registry.url, and is not sent to the registry of an owner', async () => {
  const root = makeDirectory({
    'work/.skillc': { directory: true },
    'home/.skillc/config.toml': `${toml}[registries.acme]\nurl = "https://acme.example"\n`,
  });
  const workspace = workspaceAt(
    { cwd: join(root, 'work'), home: join(root, 'home') },
    { env: { SKC_TOKEN: 'x' } },
  );
  expect(await openRegistry(workspace, { fetcher, owner: 'acme' })).toMatchObject({
    url: 'https://acme.example/',
    withheld: 'SKC_TOKEN is the token of the registry in registry.url, not of https://acme.example/',
    isUsers: true,
  });
});

describe('the token of a login', () => {
  const login = (registry: string, more: object = {}) => ({
    registry,
    account: 'alice',
    expires: null,
    token: 'skr_login',
    ...more,
  });
  const openWith = async (
    logins: readonly object[],
    { files = {}, env = {} }: { files?: Record<string, string>; env?: Record<string, string> } = {},
  ) => {
    const root = makeDirectory({
      'work/.skillc': { directory: true },
      'home/.skillc/credentials.json': JSON.stringify({ version: 1, logins }),
      ...files,
    });
    chmodSync(join(root, 'home/.skillc/credentials.json'), 0o600);
    const workspace = workspaceAt({ cwd: join(root, 'work'), home: join(root, 'home') }, { env });
    return { workspace, opened: await openRegistry(workspace, { fetcher }) };
  };
  const users = { 'home/.skillc/config.toml': toml };
  const projects = { 'work/.skillc/config.toml': toml };
  const trusted = { 'home/.skillc/config.toml': `[registry]\ntrusted = ["${url}"]\n` };

  test.each<[string, readonly object[], Parameters<typeof openWith>[1], unknown]>([
    ["the user's registry", [login(`${url}/`)], { files: users }, ['skr_login', undefined]],
    [
      'SKC_TOKEN wins',
      [login(`${url}/`)],
      { files: users, env: { SKC_TOKEN: 'skr_env' } },
      ['skr_env', undefined],
    ],
    ['another registry', [login('https://other.example/')], { files: users }, [undefined, undefined]],
    ['another path', [login(`${url}/team/`)], { files: users }, [undefined, undefined]],
    ['another port', [login(`${url}:8443/`)], { files: users }, [undefined, undefined]],
    [
      "the project's choice",
      [login(`${url}/`)],
      { files: projects },
      [undefined, expect.stringContaining('the project chose this registry')],
    ],
    [
      "the project's choice, confirmed by the user",
      [login(`${url}/`)],
      { files: { ...projects, ...trusted } },
      ['skr_login', undefined],
    ],
    [
      'no https',
      [login('http://registry.example/')],
      { env: { SKC_REGISTRY_URL: 'http://registry.example' } },
      [undefined, 'a token is sent only over https'],
    ],
    [
      'expired',
      [login(`${url}/`, { expires: '2020-01-01T00:00:00.000Z' })],
      { files: users },
      [undefined, `your login has expired; run 'skc login ${url}/'`],
    ],
  ])('%s', async (_, logins, options, expected) => {
    const { opened } = await openWith(logins, options);
    expect([opened?.token, opened?.withheld]).toEqual(expected);
  });

  test('a registry that the user names now', async () => {
    const { workspace } = await openWith([login(`${url}/`)], { files: projects });
    expect(await registryToken(url, workspace, { isNamed: true })).toEqual({ token: 'skr_login' });
  });

  test('invalid characters', async () => {
    await expect(openWith([login(`${url}/`, { token: 'a\nb' })], { files: users })).rejects.toEqual(
      expect.objectContaining({ code: 'E110' }),
    );
  });
});
