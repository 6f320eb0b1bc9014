import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { workspaceAt } from '../../../test/open-workspace.ts';
import { createFetcher } from './create-fetcher.ts';
import { openRegistry } from './open-registry.ts';

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
