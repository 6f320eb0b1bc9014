// The commands of an account against a registry: what they send, print and refuse.

import { describe, expect, test } from 'vitest';
import { SECRET } from '../../../test/account-server.ts';
import { makeRegistryWorld, type RegistryWorld } from '../../../test/registry-world.ts';
import { toolTable } from '../mcp/tool-table.ts';
import { createClient } from './create-client.ts';
import { rpcMethods } from './session/methods.ts';
import { commandNames, commandTable } from './table.ts';

const env = { SKC_TOKEN: SECRET };

const asAlice = async () => {
  const world = await makeRegistryWorld();
  const run = async (...words: string[]) => {
    const { status, stdout, stderr } = await world.skc(words, { env });
    return status === 0 ? stdout + stderr : stderr;
  };
  return { world, run };
};

test('whoami', async () => {
  const { world, run } = await asAlice();
  await run('owner', 'create', 'acme');
  world.server.world.transfers.set('tr9', {
    id: 'tr9',
    owner: 'tools',
    from: 'bob',
    to: 'alice',
    expires: '2099-01-02T03:04:05.000Z',
  });
  expect(await run('whoami')).toBe(
    [
      'alice (Alice A.) at <registry>/',
      'token: skc login (read, publish, rate, owner), expires 2099-01-02',
      '@acme: admin',
      'bob offers you @tools until 2099-01-02: skc owner accept @tools',
      '',
    ].join('\n'),
  );
});

describe('token', () => {
  test('list, create, revoke', async () => {
    const { world, run } = await asAlice();
    expect(await run('token')).toBe(
      [
        'ID     NAME       STARTS WITH  SCOPES                   OWNER  EXPIRES     LAST USED',
        'tok_1  skc login  skr_s3       read publish rate owner  -      2099-01-02  never',
        '1 token',
        '',
      ].join('\n'),
    );
    const words = ['token', 'create', 'ci', '--scope', 'publish', '--owner', '@acme', '--days', '30'];
    const created = await world.skc(words, { env });
    expect([created.stdout, created.stderr]).toEqual([
      'skr_new1NEWNEWNEW\n',
      'created ci (publish), expires 2099-01-02; the token is not shown again\n',
    ]);
    expect(JSON.parse(world.server.world.seen.at(-1)!.body)).toEqual({
      name: 'ci',
      scopes: ['publish'],
      owner: 'acme',
      days: 30,
    });
    await run('token', 'create', 'forever', '--days', '0');
    expect(JSON.parse(world.server.world.seen.at(-1)!.body)).toEqual({
      name: 'forever',
      scopes: ['read'],
      owner: null,
      days: null,
    });
    expect(await run('token', 'revoke', 'tok_2')).toBe('revoked tok_2\n');
    expect(await run('token', 'revoke', 'tok_2')).toBe(
      "error[E201]: not found: 'token tok_2'\n  no such token\n",
    );
  });

  test('the list never has a secret', async () => {
    const { world } = await asAlice();
    const list = await world.skc(['token', 'list', '--json'], { env });
    expect([list.json(), list.stdout.includes(SECRET)]).toEqual([
      expect.objectContaining({ secret: null, tokens: [expect.objectContaining({ id: 'tok_1' })] }),
      false,
    ]);
  });
});

test('owner: create, show, add, remove, transfer, accept, decline', async () => {
  const { world, run } = await asAlice();
  const bob = { ...[...world.server.world.tokens.values()][0]!, id: 'tok_b', account: 'bob' };
  world.server.world.tokens.set('skr_bob', bob);
  const asBob = async (...words: string[]) =>
    (await world.skc(words, { env: { SKC_TOKEN: 'skr_bob' } })).stdout;
  expect(await run('owner', 'create', '@acme', '--title', 'Acme', '--url', 'https://acme.example')).toBe(
    'created @acme at <registry>/\n',
  );
  expect(await run('owner', 'create', '@acme')).toContain(
    "error[E252]: not possible now: '@acme': @acme is taken\n",
  );
  expect(await run('owner', 'add', '@acme', 'carol')).toBe('carol is now reader of @acme\n');
  expect(await run('owner', 'add', '@acme', 'carol', '--role', 'publisher', '--role', 'reviewer')).toBe(
    'carol is now publisher, reviewer of @acme\n',
  );
  expect(await run('owner', 'show', '@acme')).toBe(
    [
      '@acme (Acme): 0 skills, since 2026-01-02',
      'https://acme.example',
      'alice: admin',
      'carol: publisher, reviewer',
      '',
    ].join('\n'),
  );
  expect(await run('owner', 'remove', '@acme', 'carol')).toBe('removed carol from @acme\n');
  const offered =
    "offered @acme to bob until 2099-01-02; it changes hands when bob runs 'skc owner accept @acme --registry <registry>/'\n";
  expect(await run('owner', 'transfer', '@acme', 'bob')).toBe(offered);
  expect(await asBob('owner', 'decline', 'acme')).toBe('declined @acme\n');
  expect(await run('owner', 'accept', '@acme')).toContain("error[E201]: not found: 'offer of @acme'\n");
  await run('owner', 'transfer', '@acme', 'bob');
  expect(await asBob('owner', 'accept', '@acme')).toBe('@acme is yours\n');
  expect(await run('owner', 'remove', '@acme', 'bob')).toContain(
    "error[E251]: not allowed: 'bob of @acme': you are not an admin of it\n",
  );
  expect(await run('owner', 'show', '@nobody')).toContain('error[E201]');
});

test('printed commands reach a registry that is not configured, too', async () => {
  const world = await makeRegistryWorld({ isConfigured: false });
  const offer = { id: 'tr9', owner: 'tools', from: 'bob', to: 'alice', expires: '2099-01-02T03:04:05.000Z' };
  world.server.world.transfers.set('tr9', offer);
  await world.skc(['login', world.registry]);
  const { stdout } = await world.skc(['whoami', world.registry]);
  expect(stdout).toContain(': skc owner accept @tools --registry <registry>/\n');
});

test('rate', async () => {
  const { world, run } = await asAlice();
  expect(await run('rate', '@acme/pdf', '4')).toBe('gave 4 stars to @acme/pdf (4.0 from 1 rating)\n');
  expect(world.server.world.ratings.get('@acme/pdf')).toBe(4);
  expect(await run('rate', '@acme/pdf', '--remove')).toBe('removed your rating of @acme/pdf\n');
  expect(world.server.world.ratings.size).toBe(0);
});

test('yank and deprecate', async () => {
  const { world, run } = await asAlice();
  expect(await run('yank', '@acme/pdf@1.2.0', '--reason', 'wrong template')).toBe(
    'yanked @acme/pdf@1.2.0: wrong template\n',
  );
  expect(world.server.world.skill.versions[0]!.yanked).toBe('wrong template');
  expect(await run('yank', '@acme/pdf@1.2.0', '--undo')).toBe('offering @acme/pdf@1.2.0 again\n');
  expect(world.server.world.skill.versions[0]!.yanked).toBe(null);
  expect(await run('yank', '@acme/pdf@9.0.0', '--undo')).toContain(
    "error[E201]: not found: '@acme/pdf@9.0.0'\n  no version '9.0.0'\n",
  );
  expect(await run('deprecate', '@acme/pdf', '--reason', 'use @acme/documents')).toBe(
    '@acme/pdf is now deprecated: use @acme/documents\n',
  );
  expect(world.server.world.skill.deprecated).toBe('use @acme/documents');
  expect(await run('deprecate', '@acme/pdf', '--undo')).toBe('@acme/pdf is no longer deprecated\n');
});

test('access', async () => {
  const { world, run } = await asAlice();
  expect(await run('access', '@acme/pdf', 'public')).toBe('@acme/pdf is now public\n');
  expect(JSON.parse(world.server.world.seen.at(-1)!.body)).toEqual({ visibility: 'public' });
  expect(await run('access', '@acme/pdf', '--no-require-provenance', 'private')).toBe(
    '@acme/pdf is now private, published by any publisher\n',
  );
  expect(JSON.parse(world.server.world.seen.at(-1)!.body)).toEqual({
    visibility: 'private',
    requireProvenance: false,
  });
});

test('the library has the same functions', async () => {
  const { world } = await asAlice();
  const client = createClient({
    cwd: world.project,
    home: world.home,
    env: { ...env, SKC_NETWORK_ALLOW_PRIVATE: '127.0.0.1' },
  });
  expect((await client.rate({ address: '@acme/pdf', stars: 5 })).rating).toEqual({ mean: 5, count: 1 });
  expect((await client.whoami()).account).toBe('alice');
  await expect(client.yank({ address: '@acme/pdf@8.0.0', reason: 'x' })).rejects.toEqual(
    expect.objectContaining({ code: 'E201' }),
  );
});

describe('a dry run sends nothing', () => {
  test.each<[string[], string]>([
    [['yank', '@acme/pdf@1.2.0', '--reason', 'x'], 'would yank @acme/pdf@1.2.0: x\n'],
    [['deprecate', '@acme/pdf', '--reason', 'x'], '@acme/pdf would be deprecated: x\n'],
    [['access', '@acme/pdf', 'public'], '@acme/pdf would be public\n'],
    [['rate', '@acme/pdf', '1'], 'would give 1 star to @acme/pdf\n'],
    [['owner', 'add', '@acme', 'bob'], 'would offer bob to be reader of @acme\n'],
    [['owner', 'invite', '@acme', 'bob'], 'would invite bob as reader of @acme\n'],
    [['owner', 'remove-publisher', '@acme', '--id', 'p1'], 'would remove publisher p1 from @acme\n'],
    [
      ['owner', 'add-publisher', '@acme', '--skill', 'pdf', '--repository', 'acme/skills'],
      'would add a publisher to @acme\n',
    ],
    [['verification', 'apply', '@acme/pdf', '--statement', 'Acme'], 'would apply\n'],
    [['verification', 'grant', 'v1', '--reason', 'ok'], 'would grant the application\n'],
    [['token', 'create', 'x'], 'would create a token\n'],
    [['token', 'revoke', 'tok_1'], 'would revoke tok_1\n'],
  ])('%j', async (words, text) => {
    const { world, run } = await asAlice();
    expect(await run(...words, '--dry-run')).toBe(text);
    expect(world.server.requests).toEqual([]);
  });
});

describe('mistakes are found before anything is sent', () => {
  test.each<[string[], string]>([
    [['yank', '@acme/pdf', '--reason', 'x'], 'name one version, such as @acme/pdf@1.2.0'],
    [['yank', 'pdf@1.0.0', '--reason', 'x'], "'pdf@1.0.0' is not @owner/name"],
    [['yank', '@acme/pdf@1.2.0'], 'give a --reason, or --undo'],
    [['yank', '@acme/pdf@1.2.0', '--reason', 'x', '--undo'], 'give a --reason, or --undo'],
    [['yank', '@acme/../x@1.2.0', '--undo'], "'@acme/../x@1.2.0' is not @owner/name"],
    [['deprecate', '@acme/pdf@1.0.0', '--undo'], 'a skill is deprecated as a whole'],
    [['rate', '@acme/pdf'], 'give one to five stars, or --remove'],
    [['rate', '@acme/pdf', '6'], '<stars>'],
    [['access', '@acme/pdf'], 'nothing to change'],
    [['owner', 'add', '@acme'], 'missing <account>'],
    [['owner', 'show', '@acme', 'bob'], "unexpected argument 'bob'"],
    [['owner', 'show', '@Acme!'], "'@Acme!' is not the name of an owner"],
    [['owner', 'add', '@acme', '..'], "'..' is not a name"],
    [['owner', 'add', '@acme', 'bob', '--days', '3'], '--days belongs to invite'],
    [['owner', 'show', '@acme', '--role', 'admin'], '--role belongs to add and invite'],
    [['owner', 'publishers', '@acme', '--workflow', 'x.yml'], '--workflow belongs to add-publisher'],
    [['owner', 'add-publisher', '@acme', '--skill', 'pdf'], 'missing --repository'],
    [
      ['owner', 'remove-publisher', '@acme'],
      "missing --id\nhelp: 'skc owner publishers @acme' shows the ids",
    ],
    [
      ['owner', 'remove-publisher', '@acme', '--registry', 'skills.example.com'],
      "missing --id\nhelp: 'skc owner publishers @acme --registry skills.example.com' shows the ids",
    ],
    [
      ['owner', 'add-publisher', '@acme', '--skill', '@other/pdf', '--repository', 'acme/skills'],
      "'@other/pdf' is not a skill of @acme",
    ],
    [['verification', 'apply', '@acme/pdf'], 'missing --statement'],
    [['verification', 'apply', '--statement', 'x'], 'name the skill'],
    [['verification', 'apply', '@acme/pdf@1.2.0', '--statement', 'x'], 'a skill is verified as a whole'],
    [['verification', 'grant', 'v1'], 'missing --reason'],
    [['verification', 'list', '--reason', 'x'], '--reason does not belong to list'],
    [['verification', 'list', 'x'], "unexpected argument 'x'"],
    [['verification', 'decline', '--reason', 'x'], 'name the id of the application'],
    [['token', 'revoke', '..'], "'..' is not a name"],
    [['token', 'create'], 'name the new token'],
    [['token', 'list', 'x'], "unexpected argument 'x'"],
    [['whoami', 'ftp://x.example'], "'ftp://x.example' is not the address of a registry"],
    [
      ['whoami', 'https://a:b@x.example'],
      'the address of a registry has no user name, password or parameters',
    ],
  ])('%j', async (words, message) => {
    const { world, run } = await asAlice();
    expect(await run(...words)).toContain(`error[E100]: ${message}`);
    expect(world.server.requests).toEqual([]);
  });
});

/** One line per command that sends something. */
const lines: Record<string, string[]> = {
  whoami: ['whoami'],
  'token list': ['token'],
  'token create': ['token', 'create', 'x'],
  'token revoke': ['token', 'revoke', 'tok_1'],
  'owner show': ['owner', 'show', '@acme'],
  'owner create': ['owner', 'create', '@acme'],
  'owner add': ['owner', 'add', '@acme', 'bob'],
  'owner transfer': ['owner', 'transfer', '@acme', 'bob'],
  'owner accept': ['owner', 'accept', '@acme'],
  'owner invite': ['owner', 'invite', '@acme', 'bob'],
  'owner publishers': ['owner', 'publishers', '@acme'],
  'owner add-publisher': [
    'owner',
    'add-publisher',
    '@acme',
    '--skill',
    'pdf',
    '--repository',
    'a/b',
    '--repository-owner-id',
    '7',
  ],
  'owner remove-publisher': ['owner', 'remove-publisher', '@acme', '--id', 'p1'],
  'verification list': ['verification'],
  'verification apply': ['verification', 'apply', '@acme/pdf', '--statement', 'Acme Ltd'],
  'verification grant': ['verification', 'grant', 'v1', '--reason', 'ok'],
  rate: ['rate', '@acme/pdf', '5'],
  yank: ['yank', '@acme/pdf@1.2.0', '--undo'],
  deprecate: ['deprecate', '@acme/pdf', '--undo'],
  access: ['access', '@acme/pdf', 'public'],
};

describe.each(Object.entries(lines))('%s fails with a code', (_, words) => {
  const answers: Record<string, [number, Record<string, string>, string]> = {
    E202: [401, {}, '{"error":{"code":"unauthorised","message":"no"}}'],
    E209: [429, { 'retry-after': '3600' }, '{"error":{"code":"rate_limited","message":"slower"}}'],
    E200: [503, {}, 'down'],
    E215: [200, { 'content-type': 'text/html' }, '<html>Log in to the hotel network</html>'],
  };
  test.each(Object.keys(answers))('%s', async (code) => {
    const { world } = await asAlice();
    world.server.world.interrupt = (_, response) => {
      const [status, headers, body] = answers[code]!;
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
      return true;
    };
    const run = await world.skc([...words, '--json'], { env });
    const { error } = run.json() as { error: { code: string; help: string } };
    expect([run.status, error.code]).toEqual([1, code]);
    if (code === 'E202')
      expect(error.help).toBe(
        "put another token into SKC_TOKEN, or unset it and run 'skc login <registry>/'",
      );
    if (code === 'E209') expect(error.help).toBe('try again in 3600 seconds');
    expect(run.stdout + run.stderr).not.toContain(SECRET);
  });

  test('E247 without a token', async () => {
    const world = await makeRegistryWorld();
    const run = await world.skc(words);
    expect([run.status, run.stderr]).toEqual([
      1,
      "error[E247]: not logged in to '<registry>/'\nhelp: run `skc login <registry>/`, or put a token into SKC_TOKEN\n",
    ]);
    expect(world.server.requests).toEqual([]);
  });
});

test('a registry that does not answer in time', async () => {
  const { world } = await asAlice();
  world.server.world.interrupt = () => true;
  const run = await world.skc(['whoami', '--json'], { env: { ...env, SKC_NETWORK_TIMEOUT: '1' } });
  expect((run.json() as { error: { code: string } }).error.code).toBe('E200');
});

test('without a registry', async () => {
  const world = await makeRegistryWorld({ isConfigured: false });
  for (const words of Object.values(lines)) {
    const run = await world.skc(words, { env });
    expect(run.stderr).toContain('error[E110]: invalid configuration: registry.url: no registry is set\n');
  }
});

test('two registries by owner, each with its own login; --registry names one', async () => {
  const first: RegistryWorld = await makeRegistryWorld();
  const second = await makeRegistryWorld({ isConfigured: false });
  first.write({
    '~/.skillc/config.toml': `[registry]\nurl = "${first.registry}"\n[registries.acme]\nurl = "${second.registry}"\n`,
  });
  await first.skc(['login', second.registry]);
  expect((await first.skc(['rate', '@acme/pdf', '3'])).status).toBe(0);
  expect(second.server.world.ratings.get('@acme/pdf')).toBe(3);
  expect(first.server.world.seen).toEqual([]);
  const other = await first.skc(['rate', '@acme/pdf', '3'], { env });
  expect([other.status, second.server.world.seen.at(-1)!.authorization]).toEqual([0, `Bearer ${SECRET}`]);
  const named = await first.skc(['rate', '@acme/pdf', '2', '--registry', first.registry], { env });
  expect([named.status, first.server.world.ratings.get('@acme/pdf')]).toEqual([0, 2]);
});

test('none of these commands is a tool or a method for models', () => {
  const group = commandNames.filter((name) => commandTable[name].group === 'Publish');
  expect(group).toEqual([
    'publish',
    'login',
    'logout',
    'whoami',
    'yank',
    'deprecate',
    'access',
    'owner',
    'registry',
    'verification',
    'token',
    'rate',
  ]);
  expect(group.filter((name) => name in toolTable)).toEqual([]);
  expect(group.filter((name) => Object.keys(rpcMethods).some((method) => method.includes(name)))).toEqual([]);
});
