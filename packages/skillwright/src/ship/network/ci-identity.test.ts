import { expect, test } from 'vitest';
import { SECRET, serveAccounts } from '../../../test/account-server.ts';
import { serve } from '../../../test/serve.ts';
import { ciSystemOf, exchangeIdentity } from './ci-identity.ts';
import { createFetcher } from './create-fetcher.ts';

const fetcher = createFetcher({ allowPrivate: true, timeout: 60_000, retries: 0 });
const jwt = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJyZXBvIn0.c2ln';

const exchange = (registry: string, env: Record<string, string>) =>
  exchangeIdentity({ registry, skill: '@acme/pdf-forms' }, env, { fetcher }).catch(
    (error: { code: string; message: string }) => `${error.code} ${error.message}`,
  );

test.each<[Record<string, string>, string | undefined]>([
  [{}, undefined],
  [{ CI: 'true' }, undefined],
  [{ ACTIONS_ID_TOKEN_REQUEST_URL: 'https://x' }, undefined],
  [{ ACTIONS_ID_TOKEN_REQUEST_URL: 'https://x', ACTIONS_ID_TOKEN_REQUEST_TOKEN: 't' }, 'github'],
  [{ SKC_ID_TOKEN: jwt }, 'variable'],
])('%j is %s', (env, system) => {
  expect(ciSystemOf(env)).toBe(system);
});

test('the identity in SKC_ID_TOKEN is exchanged at the registry', async () => {
  const { url, world } = await serveAccounts();
  world.identities.add(jwt);
  expect(await exchange(`${url}/`, { SKC_ID_TOKEN: jwt })).toBe(SECRET);
  expect(world.seen.map(({ line, body }) => [line, Object.fromEntries(new URLSearchParams(body))])).toEqual([
    [
      'POST /oauth/token',
      {
        client_id: 'skc',
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: jwt,
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
        scope: 'publish',
        resource: '@acme/pdf-forms',
      },
    ],
  ]);
});

test('GitHub makes the identity out to the registry', async () => {
  const { url, world } = await serveAccounts();
  world.identities.add(jwt);
  const asked: unknown[] = [];
  const github = await serve((request, response) => {
    asked.push([request.url, request.headers.authorization]);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ value: jwt }));
  });
  const env = {
    ACTIONS_ID_TOKEN_REQUEST_URL: `${github.url}/token?api-version=2.0`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'job-token',
  };
  expect(await exchange(`${url}/`, env)).toBe(SECRET);
  expect(asked).toEqual([
    [`/token?api-version=2.0&audience=${encodeURIComponent(`${url}/`)}`, 'Bearer job-token'],
  ]);
  expect(JSON.stringify(world.seen)).not.toContain('job-token');
});

test.each<[string, Record<string, string>, string]>([
  [
    'no identity',
    {},
    "E249 no identity for trusted publishing: this process has neither SKC_ID_TOKEN nor the variables of a GitHub Actions job with 'id-token: write'",
  ],
  [
    'no JWT',
    { SKC_ID_TOKEN: 'secret' },
    'E249 no identity for trusted publishing: the identity token is not a JWT',
  ],
  [
    'an unknown workflow',
    { SKC_ID_TOKEN: jwt },
    'E249 no identity for trusted publishing: the registry refused it: no publisher matches this identity',
  ],
])('%s', async (_, env, expected) => {
  const { url } = await serveAccounts();
  expect(await exchange(`${url}/`, env)).toBe(expected);
});
