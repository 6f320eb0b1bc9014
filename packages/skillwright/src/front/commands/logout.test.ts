import { expect, test } from 'vitest';
import { SECRET } from '../../../test/account-server.ts';
import { makeRegistryWorld } from '../../../test/registry-world.ts';

const logins = (world: { read(path: string): string }) =>
  JSON.parse(world.read('~/.skillc/credentials.json')).logins;

test('revokes the token, and removes it', async () => {
  const world = await makeRegistryWorld();
  await world.skc(['login']);
  const run = await world.skc(['logout']);
  expect([run.status, run.stdout, run.stderr]).toEqual([
    0,
    'logged out of <registry>/ (alice): token removed and revoked\n',
    '',
  ]);
  expect([world.server.world.tokens.size, logins(world)]).toEqual([0, []]);
  const again = await world.skc(['logout', '--json']);
  expect(again.json()).toEqual({
    registry: '<registry>/',
    account: null,
    removed: false,
    revoked: false,
    why_not: null,
  });
});

test.each<[string, (world: Awaited<ReturnType<typeof makeRegistryWorld>>) => void, string | undefined]>([
  [
    'the registry is in trouble',
    ({ server }) => {
      server.world.interrupt = (_, response) => Boolean(response.writeHead(500).end());
    },
    "no usable answer from '<registry>/api/v1/whoami'",
  ],
  [
    'the token is already revoked',
    ({ server }) => {
      server.world.tokens.clear();
    },
    undefined,
  ],
  [
    'the registry refuses it',
    ({ server }) => {
      server.world.interrupt = ({ method }, response) =>
        method === 'DELETE' && Boolean(response.writeHead(403).end());
    },
    "not allowed: 'token tok_1': status 403",
  ],
])('%s: the token is removed here', async (_, spoil, why) => {
  const world = await makeRegistryWorld();
  await world.skc(['login']);
  spoil(world);
  const run = await world.skc(['logout', '--json']);
  expect([run.status, run.json(), logins(world)]).toEqual([
    0,
    {
      registry: '<registry>/',
      account: 'alice',
      removed: true,
      revoked: why === undefined,
      why_not: why ?? null,
    },
    [],
  ]);
  expect(run.stderr.split('\n')[0]).toBe(
    why === undefined ? '' : `warning[W248]: the token is still valid at '<registry>/': ${why}`,
  );
  expect(run.stdout + run.stderr).not.toContain(SECRET);
});
