// The whole product, used as people use it: the built skc and the server, each in processes of its own.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { makeRepository } from '../../skillwright/test/make-repository.ts';
import { serveGit } from '../../skillwright/test/serve-git.ts';
import { runMain } from '../src/commands/run-main.ts';
import { createPostgresDatabase } from './create-postgres-database.ts';
import { acceptInvitation, Machine } from './journey-machine.ts';
import { requirePostgres } from './open-test-registry.ts';
import { type ServerPlace, type ServerProcess, startServer } from './server-process.ts';

const examples = fileURLToPath(new URL('../../../examples/skills', import.meta.url));
const NAME = '@acme/release-notes';

/** A server that ends with the test. */
async function startRegistry(place: ServerPlace): Promise<ServerProcess> {
  const server = await startServer(place);
  onTestFinished(() => server.stop());
  return server;
}

function makeData(): string {
  const data = mkdtempSync(join(tmpdir(), 'skw-journey-'));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  return data;
}

const tokenOf = ({ lines }: ServerProcess) =>
  /^Admin token, shown once: (skwr_\w+)$/m.exec(lines.join('\n'))![1]!;

/** Sends JSON to the API. */
async function ask(url: string, token: string | undefined, [method, path, body]: [string, string, object?]) {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      accept: 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

/** The example, with the fields a registry wants. */
function writeExample(machine: Machine, version: string, text = ''): void {
  const dir = join(machine.project, 'release-notes');
  cpSync(join(examples, 'release-notes'), dir, { recursive: true });
  const file = join(dir, 'SKILL.md');
  const fields = `version: "${version}"\nauthor: acme\ntags: [release, notes]\n`;
  writeFileSync(file, readFileSync(file, 'utf8').replace('license:', `${fields}license:`) + text);
}

async function readOverMcp(url: string, token: string, name: string, args: object): Promise<string> {
  const client = new Client({ name: 'journey', version: '1.0.0' });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
  );
  const { content } = await client.callTool({ name, arguments: { ...args } });
  await client.close();
  return (content as { text: string }[]).map(({ text }) => text).join('');
}

const linesOf = (text: string) => text.trimEnd().split('\n');

test('from the first start to a restored backup', async (context) => {
  requirePostgres(context);
  const data = makeData();
  const server = await startRegistry({ data, env: { REGISTRY_MIRROR_ALLOW_PRIVATE: '127.0.0.1' } });
  const { url } = server;
  const token = tokenOf(server);
  const [ada, bob] = [new Machine(), new Machine()];
  expect(server.lines).toEqual([
    `Skillwright registry: ${url}`,
    `Admin token, shown once: ${token}`,
    `Next: run 'skc login ${url} --save', and sign in with this token on the page it opens`,
  ]);

  // Ada logs in and publishes. Every refusal says what to do next.
  const login = await ada.logIn(url, token);
  expect(linesOf(login)[0]).toMatch(new RegExp(`^logged in to ${url}/ as admin until \\d{4}-\\d\\d-\\d\\d$`));
  expect(linesOf(login)[2]).toBe('wrote registry.url and registry.key to your configuration');
  cpSync(join(examples, 'release-notes'), join(ada.project, 'release-notes'), { recursive: true });
  expect(linesOf(await ada.fails('publish', 'release-notes'))).toEqual([
    "error[E300]: SKL110 field-types: missing 'version'",
    `  release-notes/SKILL.md:1: SKL110 field-types: missing 'version'; give a semantic version, such as version: "1.0.0"`,
    "  release-notes/SKILL.md:1: SKL110 field-types: missing 'author'; give your name on the registry, such as author: my-team",
    "  release-notes/SKILL.md:1: SKL110 field-types: missing 'tags'; give 1 to 20 tags, such as tags: [testing, ci]",
    "  'release-notes' does not say whose skill it is; pass --owner, as in 'skc publish release-notes --owner acme', or set one for all: 'skc config registry.owner acme --scope user'",
    "help: 'skc publish release-notes --fill' writes version 1.0.0, tags 'release, notes' into release-notes/SKILL.md; correct the rest, and check with 'skc lint release-notes --profile registry'",
  ]);
  writeExample(ada, '1.0.0');
  expect(await ada.fails('publish', 'release-notes')).toContain(
    "pass --owner, as in 'skc publish release-notes --owner acme'",
  );
  const ownerless = await ada.fails('publish', 'release-notes', '--owner', 'acme');
  expect(ownerless).toContain("error[E201]: not found: '@acme/release-notes@1.0.0'\n");
  const [, creating] = /'skc (owner create @acme)'/.exec(ownerless)!;
  expect(await ada.does(...creating!.split(' '))).toBe(`created @acme at ${url}/\n`);
  expect(linesOf(await ada.does('publish', 'release-notes', '--owner', 'acme'))[0]).toMatch(
    /^published @acme\/release-notes@1\.0\.0 \(6 files, /,
  );

  // The next search finds it, for those who may see it.
  const search: [string, string] = ['GET', '/search?q=release%20notes'];
  expect((await ask(url, token, search)).body.skills).toMatchObject([{ name: NAME, latest: '1.0.0' }]);
  expect((await ask(url, undefined, search)).body).toMatchObject({ total: 0, skills: [] });
  expect(await ada.does('trawl', 'release', 'notes', '--source', 'registry')).toContain(`${NAME}  `);

  // Bob has another machine.
  const invitation = await ask(url, token, ['POST', '/invitations', { account: 'bob' }]);
  const bobs = await acceptInvitation(invitation.body.link);
  expect(await bob.fails('install', NAME)).toContain("set one with 'skc config registry.url");
  await bob.does('config', 'registry.url', url, '--scope', 'user');
  expect(await bob.fails('install', NAME, '--yes')).toContain(
    `help: check the name; if the skill is private, run 'skc login ${url}/'\n`,
  );
  expect(linesOf(await bob.logIn(url, bobs))[2]).toBe('wrote registry.key to your configuration');
  expect(await bob.fails('install', NAME, '--yes')).toContain('error[E201]: not found');
  await ada.does('owner', 'add', '@acme', 'bob');
  const { body: offers } = await ask(url, bobs, ['GET', '/whoami']);
  await ask(url, bobs, ['POST', `/transfers/${offers.transfers[0].id}/accept`]);
  expect(await bob.does('install', NAME, '--yes')).toContain('release-notes: installed\n');
  const proved = `release-notes from ${NAME} (${url}/): ok\n  log: the log of ${url}/ contains it\n`;
  expect(await bob.does('verify', '--log', '--offline')).toContain(proved);
  const section = { skill: NAME, section: ['Collect'] };
  expect(await readOverMcp(url, bobs, 'skc_show', section)).toMatch(/^## Collect\n/);
  expect(await readOverMcp(url, bobs, 'skc_find', { query: 'release notes' })).toContain(`${NAME}  1.0.0`);

  // A second version, a rating, and a withdrawal.
  writeExample(ada, '1.1.0', '\n## Publish\n\nSend them.\n');
  await ada.does('config', 'registry.owner', 'acme', '--scope', 'user');
  await ada.does('publish', 'release-notes');
  expect(await bob.does('outdated')).toMatch(/^release-notes +1\.0\.0 +1\.1\.0 +1\.1\.0 +outdated /m);
  expect(await bob.does('update', '--yes')).toContain('updated from 1.0.0 to 1.1.0');
  expect(await bob.does('verify', '--log', '--offline')).toContain(proved);
  expect(await bob.does('rate', NAME, '5')).toBe(`gave 5 stars to ${NAME} (5.0 from 1 rating)\n`);
  expect(await ada.fails('rate', NAME, '5')).toContain('error[E251]: not allowed');
  expect(await bob.fails('yank', `${NAME}@1.1.0`, '--reason', 'x')).toContain('error[E251]: not allowed');
  await ada.does('yank', `${NAME}@1.1.0`, '--reason', 'it lost a heading');
  expect(await bob.does('outdated')).toContain('release-notes: yanked: it lost a heading\n');
  const carl = new Machine();
  await carl.does('config', 'registries.acme.url', url, '--scope', 'user');
  await carl.run(['login', url, '--token-stdin'], { stdin: bobs });
  expect(await carl.does('install', NAME, '--yes')).toContain(' at 1.0.0, ');
  expect(await carl.does('install', `${NAME}@1.1.0`, '--yes', '--force')).toContain(
    `warning[W224]: '${NAME}@1.1.0' is yanked: it lost a heading\n`,
  );

  // Deprecated, quarantined, purged.
  await ada.does('deprecate', NAME, '--reason', 'use @acme/changes');
  expect(await bob.does('verify')).toContain("W224]: 'release-notes' is deprecated: use @acme/changes\n");
  await ada.does('deprecate', NAME, '--undo');
  const moderate = (what: string, body: object) =>
    ask(url, token, ['POST', `/skills/${NAME}/1.1.0/${what}`, body]);
  expect((await moderate('quarantine', { quarantined: 'it sends data away' })).status).toBe(200);
  const dora = new Machine();
  await dora.run(['login', url, '--token-stdin', '--save'], { stdin: bobs });
  expect(await dora.fails('install', `${NAME}@1.1.0`, '--yes')).toContain('quarantined: it sends data away');
  expect(await bob.does('outdated')).toContain('release-notes: quarantined: it sends data away\n');
  expect((await moderate('purge', { purged: 'it held a password' })).status).toBe(200);
  expect(await dora.fails('install', `${NAME}@1.1.0`, '--yes')).toBe(
    `error[E236]: '${NAME}@1.1.0' was purged from its registry: it held a password\nhelp: use another version\n`,
  );
  expect(await ada.fails('publish', 'release-notes')).toContain(
    'version 1.1.0 was purged and stays taken: publish a higher one',
  );

  // A plain name, and a public skill for everybody.
  expect(await dora.fails('install', 'release-notes', '--yes')).toContain('error[E239]');
  await dora.does('config', 'registry.owner', 'acme', '--scope', 'user');
  expect(await dora.does('install', 'release-notes', '--yes')).toContain(`from ${NAME} (${url}/) at 1.0.0`);
  await ada.does('access', NAME, 'public');
  const eve = new Machine();
  await eve.does('config', 'registries.acme.url', url, '--scope', 'user');
  const offered = await (await fetch(`${url}/log/key`)).text();
  expect(await eve.does('install', NAME, '--yes')).toContain(
    `warning[W239]: the key of the log of '${url}/' is pinned from now on, as first seen: ${offered}`,
  );
  expect(await eve.does('verify', '--log', '--offline')).toContain(proved);
  const site = `${url}/${NAME}`;
  const stranger = new Machine();
  expect(await stranger.fails('install', site, '--yes')).toContain('error[E206]: address refused');
  await stranger.does('config', 'network.allow_private', new URL(url).host, '--scope', 'user');
  expect(await stranger.does('install', site, '--yes')).toContain(`from ${site}, for the project\n`);

  // Tokens that do not work.
  const env = { SKC_TOKEN: 'skwr_wrong' };
  const wrong = `put another token into SKC_TOKEN, or unset it and run 'skc login ${url}/'`;
  for (const words of [['whoami'], ['install', NAME, '--dry-run'], ['publish', 'release-notes']]) {
    const { stderr } = await ada.run(words, { env });
    expect(stderr).toContain('this token is unknown, expired or revoked\n');
    expect(stderr).toContain(`help: ${wrong}\n`);
  }
  const spare = await bob.run(['token', 'create', 'spare', '--scope', 'read']);
  const listed = JSON.parse(await bob.does('token', 'list', '--json')) as {
    tokens: { id: string; name: string }[];
  };
  await bob.does('token', 'revoke', listed.tokens.find(({ name }) => name === 'spare')!.id);
  expect((await ask(url, spare.stdout.trim(), ['GET', '/whoami'])).status).toBe(401);
  expect(await bob.does('logout')).toBe(`logged out of ${url}/ (bob): token removed and revoked\n`);
  expect(await bob.fails('whoami')).toContain(`help: run \`skc login ${url}/\``);

  // A git repository becomes versions of a namespace.
  const repository = makeRepository({ 'README.md': '# Skills\n' });
  mkdirSync(join(repository.dir, 'skills'));
  cpSync(join(examples, 'csv-report'), join(repository.dir, 'skills/csv-report'), { recursive: true });
  repository.git(['add', '--all']);
  repository.git(['commit', '--quiet', '--message', 'one']);
  const git = await serveGit(repository.dir);
  const source = `git+${git.url}/${basename(repository.dir)}`;
  const mirror = await ask(url, token, ['POST', '/owners/@acme/mirrors', { source }]);
  expect([
    mirror.status,
    (await ask(url, token, ['POST', `/owners/@acme/mirrors/${mirror.body.id}/sync`])).status,
  ]).toEqual([201, 200]);
  expect(await ada.does('install', '@acme/csv-report', '--yes')).toContain('csv-report: installed\n');

  // A backup, a version it does not have, and the end of the server.
  const backup = join(data, 'backup.tar');
  const quiet = { env: {}, out: () => {}, err: () => {}, stop: new AbortController().signal };
  expect(await runMain(['backup', '--output', backup, '--data', data], quiet)).toBe(0);
  writeExample(ada, '1.2.0', '\n## More\n\nText.\n');
  await ada.does('publish', 'release-notes');
  expect(await eve.does('update', '--yes')).toContain('updated from 1.0.0 to 1.2.0');
  await server.stop();
  expect(await eve.does('outdated')).toContain(`warning[W238]: '${url}/' was not asked`);
  expect(await eve.does('verify', '--log', '--offline')).toContain(proved);
  expect(await eve.fails('install', `${NAME}@1.0.0`, '--yes')).toContain('connection refused');

  // Restored into PostgreSQL, the registry has lost a version. Clients say so, and go on when told to.
  const databaseUrl = await createPostgresDatabase();
  expect(await runMain(['restore', backup, '--database-url', databaseUrl, '--data', makeData()], quiet)).toBe(
    0,
  );
  const restored = await startRegistry({ databaseUrl, port: new URL(url).port });
  expect(restored.lines).toEqual([`Skillwright registry: ${url}`]);
  const lost = await eve.fails('update', '--yes');
  expect(lost).toContain(`error[E241]: the registry went back: the index of '${NAME}'`);
  expect(lost).toContain(`skc cache --forget ${url}/`);
  expect(await eve.does('cache', '--forget', `${url}/`)).toContain(`forgot the log of ${url}/`);
  expect(await eve.does('update', '--yes')).toContain('updated from 1.2.0 to 1.0.0');
  expect(await eve.does('verify', '--log', '--offline')).toContain(proved);
  expect((await ask(url, token, ['GET', '/whoami'])).body.account).toBe('admin');
}, 600_000);

test('the first steps on PostgreSQL', async (context) => {
  requirePostgres(context);
  const server = await startRegistry({ databaseUrl: await createPostgresDatabase() });
  const { url } = server;
  const token = tokenOf(server);
  const [ada, bob] = [new Machine(), new Machine()];
  await ada.logIn(url, token);
  await ada.does('owner', 'create', '@acme');
  writeExample(ada, '1.0.0');
  await ada.does('publish', 'release-notes', '--owner', 'acme', '--visibility', 'public');
  const { body } = await ask(url, token, ['POST', '/invitations', { account: 'bob' }]);
  const bobs = await acceptInvitation(body.link);
  await bob.logIn(url, bobs);
  await bob.does('install', NAME, '--yes');
  expect(await bob.does('verify', '--log', '--offline')).toContain('contains it\n');
  expect(await readOverMcp(url, bobs, 'skc_outline', { skill: NAME })).toContain('## Collect\n');
  expect(await bob.does('rate', NAME, '4')).toBe(`gave 4 stars to ${NAME} (4.0 from 1 rating)\n`);
  await ada.does('yank', `${NAME}@1.0.0`, '--reason', 'it is wrong');
  expect(await bob.does('outdated')).toContain('release-notes: yanked: it is wrong\n');
}, 300_000);
