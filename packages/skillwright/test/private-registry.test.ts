// A registry on a private network works if the user names it. Addresses that a project or a server names stay refused.

import { expect, test } from 'vitest';
import { createFetcher } from '../src/ship/network/create-fetcher.ts';
import { connectRegistry, registryAt } from '../src/ship/network/index.ts';
import { openWorkspace } from '../src/skill/workspace/index.ts';
import { SECRET, serveAccounts } from './account-server.ts';
import { makeTarGz } from './make-archive.ts';
import { makeWorld, skillText } from './make-world.ts';
import { serveRegistry } from './registry-server.ts';

const versions = { '1.0.0': makeTarGz({ 'SKILL.md': skillText('demo') }) };
const startRegistry = () => serveRegistry({ '@acme/demo': { versions } });
const codeOf = (stderr: string) => /error\[(\w+)\]/.exec(stderr)?.[1];

test.each([
  ['registry.url', (url: string) => `[registry]\nurl = "${url}"\n`],
  ['registries.acme.url', (url: string) => `[registries.acme]\nurl = "${url}"\n`],
])("the user's %s", async (_, config) => {
  const { url } = await startRegistry();
  const w = makeWorld({ '~/.skillc/config.toml': config(url) });
  for (const words of [['install', '@acme/demo', '--yes'], ['outdated'], ['update', '--yes'], ['verify']])
    expect([words[0], (await w.run(words)).status]).toEqual([words[0], 0]);
});

test("trawl asks the user's registry, and refuses other private hosts", async () => {
  const [{ url }, other] = [await startRegistry(), await startRegistry()];
  const w = makeWorld({
    '~/.skillc/config.toml': `[registry]\nurl = "${url}"\n[network]\nnpm_url = "${other.url}"\n`,
  });
  const run = await w.run(['trawl', 'demo', '--source', 'registry', '--source', 'npm', '--json']);
  const { sources } = run.json() as { sources: { source: string; status: string }[] };
  expect(sources.map(({ source, status }) => [source, status])).toEqual([
    ['registry', 'ok'],
    ['npm', 'failed'],
  ]);
  expect(other.requests).toEqual([]);
});

test('an address on the command line', async () => {
  const { url } = await serveAccounts();
  const w = makeWorld();
  const named = ['--registry', url];
  const lines = [
    ['login', url, '--token-stdin'],
    ['whoami', url],
    ['owner', 'create', '@acme', ...named],
    ['token', 'list', ...named],
    ['logout', url],
  ];
  for (const words of lines) {
    const { status, stderr } = await w.run(words, { stdin: `${SECRET}\n` });
    expect([words, status, codeOf(stderr)]).toEqual([words, 0, undefined]);
  }
});

test('a registry that only a project names is refused, even if the user agrees to it', async () => {
  const { url, requests } = await startRegistry();
  const w = makeWorld({ '.skillc/config.toml': `[registry]\nurl = "${url}"\n` });
  const workspace = await openWorkspace({ cwd: w.project, home: w.home, env: {} });
  const chosen = await registryAt({ url, owner: 'acme' }, workspace);
  const { client } = await connectRegistry(chosen, workspace, { fetcher: createFetcher() });
  await expect(client.index({ owner: 'acme', name: 'demo' })).rejects.toMatchObject({
    code: 'E206',
    detail: '  127.0.0.1 is loopback',
  });
  expect(codeOf((await w.run(['install', '@acme/demo', '--yes'])).stderr)).toBe('E220');
  expect(requests).toEqual([]);
});

test('a redirect of an archive to another private address is refused', async () => {
  const [registry, other] = [await startRegistry(), await startRegistry()];
  const location = `${other.url}/inside.tar.gz`;
  registry.forge('/api/v1/archives/', () => ({ status: 302, headers: { location } }));
  const w = makeWorld({ '~/.skillc/config.toml': `[registry]\nurl = "${registry.url}"\n` });
  const { stderr } = await w.run(['install', '@acme/demo', '--yes']);
  expect(stderr).toContain(`error[E206]: address refused: '${location}'\n  127.0.0.1 is loopback\n`);
  expect(other.requests).toEqual([]);
});

test('link-local addresses stay refused', async () => {
  const w = makeWorld({ '~/.skillc/config.toml': '[registry]\nurl = "http://169.254.169.254"\n' });
  const { stderr } = await w.run(['install', '@acme/demo', '--yes']);
  expect(stderr).toContain('169.254.169.254 is link-local\nhelp: no setting allows this address\n');
});
