import { createHmac } from 'node:crypto';
import { type CryptoKey, exportSPKI, importJWK } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { may } from '../src/access/may.ts';
import { findTokenCaller } from '../src/accounts/find-caller.ts';
import type { App } from '../src/http/environment.ts';
import { githubClaims, gitlabClaims, startIssuer, type TestIssuer } from './ci-issuer.ts';
import { onBothDatabases, type TestRegistry } from './open-test-registry.ts';
import { addAccount, addSkill, auditOf } from './test-accounts.ts';
import { accept, clientOf, sendForm } from './test-client.ts';

let github: TestIssuer;
let gitlab: TestIssuer;
let stranger: TestIssuer;
beforeAll(async () => {
  [github, gitlab, stranger] = await Promise.all([startIssuer(), startIssuer(), startIssuer()]);
});
afterAll(async () => {
  await Promise.all([github, gitlab, stranger].map((issuer) => issuer.close()));
});

const settings = () => ({
  ciIssuers: [
    { issuer: github.url, kind: 'github' as const },
    { issuer: gitlab.url, kind: 'gitlab' as const },
  ],
});

function exchange(app: App, token: string, resource?: string) {
  return sendForm(app, '/oauth/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    subject_token: token,
    ...(resource === undefined ? {} : { resource }),
  });
}

const refused = (text: string) => [400, { error: 'invalid_grant', error_description: text }];
const unmatched = refused('no trusted publisher matches this job');
const invalid = refused('the identity token is not valid');

/** The namespace `acme` of anna, with a publisher for `@acme/tables`. */
async function prepare({ app, registry }: TestRegistry, changes: Record<string, unknown> = {}) {
  const anna = clientOf(app, await addAccount(registry, 'anna'));
  await anna('PUT', '/owners/@acme', {});
  const publisher = {
    skill: '@acme/tables',
    issuer: github.url,
    repository: 'Acme/Skills',
    repositoryOwnerId: '4711',
    workflow: 'release.yml',
    ...changes,
  };
  const [status, added] = await anna('POST', '/owners/@acme/publishers', publisher);
  expect(status).toBe(201);
  return { anna, added: added as { id: string; created: string } };
}

onBothDatabases('trusted publishing', (open) => {
  test('a job gets a token for one skill that carries its provenance', async (context) => {
    const made = await open(context, settings());
    const { app, registry, pass } = made;
    const { anna, added } = await prepare(made);
    expect(added).toEqual({
      id: added.id,
      skill: '@acme/tables',
      issuer: github.url,
      repository: 'Acme/Skills',
      repositoryOwnerId: '4711',
      workflow: 'release.yml',
      environment: null,
      pending: true,
      account: 'anna',
      created: added.created,
      used: null,
    });
    const [status, answer] = await exchange(app, await github.sign(githubClaims()));
    const { access_token: token, ...rest } = answer as { access_token: string };
    expect([status, rest]).toEqual([
      200,
      {
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        token_type: 'Bearer',
        expires_in: 900,
        scope: 'publish',
        skill: '@acme/tables',
      },
    ]);
    const caller = await findTokenCaller(registry, token);
    const ownerId = caller.limitedTo!;
    expect({
      account: caller.account?.name,
      scopes: [...caller.scopes],
      skill: caller.onlySkill,
      provenance: caller.provenance,
    }).toEqual({
      account: 'anna',
      scopes: ['publish'],
      skill: 'tables',
      provenance: {
        kind: 'ci',
        issuer: github.url,
        subject: 'repo:acme/skills:ref:refs/heads/main',
        repository: 'acme/skills',
        repositoryId: '815',
        ownerId: '4711',
        commit: '2f1a3c5e7b9d0f2a4c6e8b0d1f3a5c7e9b1d3f50',
        ref: 'refs/heads/main',
        workflow: 'acme/skills/.github/workflows/release.yml@refs/heads/main',
        run: `${github.url}/acme/skills/actions/runs/8001/attempts/1`,
      },
    });
    expect([
      may(caller, 'publish', { ownerId, name: 'tables' }),
      may(caller, 'publish', { ownerId, name: 'other' }),
      may(caller, 'publish', { ownerId }),
      may(caller, 'publish', { ownerId: ownerId + 1, name: 'tables' }),
      may(caller, 'read', { ownerId, name: 'tables' }),
      may(caller, 'manage', { ownerId, name: 'tables' }),
    ]).toEqual([true, false, false, false, false, false]);
    const job = clientOf(app, token);
    expect((await job('POST', '/tokens', { name: 'x', scopes: ['publish'] }))[0]).toBe(403);
    // The page does not open with it either.
    const page = await app.request('/signin', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token }).toString(),
    });
    expect([page.status, page.headers.getSetCookie()]).toEqual([401, []]);
    const [, list] = await anna('GET', '/owners/@acme/publishers');
    expect((list as { publishers: unknown[] }).publishers).toMatchObject([{ repositoryOwnerId: '4711' }]);
    await addSkill(registry, { owner: 'acme', name: 'tables', visibility: 'private' });
    const [, later] = await anna('GET', '/owners/@acme/publishers');
    expect((later as { publishers: unknown[] }).publishers).toMatchObject([{ pending: false }]);
    expect(await auditOf(registry)).toEqual([
      'anna owner.create',
      'anna publisher.add',
      'anna publisher.use',
    ]);
    pass(15 * 60_000 + 1);
    expect((await job('GET', '/whoami'))[0]).toBe(401);
  });

  test('a GitLab of your own publishes too; its merge requests and forks do not', async (context) => {
    const made = await open(context, settings());
    const { app, registry } = made;
    await prepare(made, {
      issuer: gitlab.url,
      repository: 'team/tools/skills',
      repositoryOwnerId: '72',
      workflow: '.gitlab-ci.yml',
      environment: 'production',
    });
    const host = new URL(gitlab.url).host;
    const trial = async (changes: Record<string, unknown>) =>
      exchange(app, await gitlab.sign(gitlabClaims(host, changes)));
    const merge = refused('pipelines for merge requests, and those that others can start, may not publish');
    expect(await trial({ pipeline_source: 'merge_request_event' })).toEqual(merge);
    expect(await trial({ pipeline_source: 'external_pull_request_event' })).toEqual(merge);
    for (const pipeline_source of ['pipeline', 'chat', 'a source of next year'])
      expect(await trial({ pipeline_source })).toEqual(merge);
    expect(await trial({ ref_type: 'merge_request' })).toEqual(merge);
    expect(await trial({ ref_path: 'refs/merge-requests/1/head' })).toEqual(merge);
    expect(await trial({ job_project_id: '21' })).toEqual(refused('jobs of forks may not publish'));
    expect(await trial({ project_path: 'mallory/skills' })).toEqual(unmatched);
    expect(await trial({ namespace_id: '73' })).toEqual(unmatched);
    expect(await trial({ environment: 'staging' })).toEqual(unmatched);
    expect(await trial({ environment: undefined })).toEqual(unmatched);
    expect(await trial({ ci_config_ref_uri: null })).toEqual(unmatched);
    expect(
      await trial({ ci_config_ref_uri: `${host}/mallory/skills//.gitlab-ci.yml@refs/heads/main` }),
    ).toEqual(unmatched);
    const [status, answer] = await trial({ job_project_id: '20' });
    expect(status).toBe(200);
    const caller = await findTokenCaller(registry, (answer as { access_token: string }).access_token);
    expect(caller.provenance).toEqual({
      kind: 'ci',
      issuer: gitlab.url,
      subject: 'project_path:team/tools/skills:ref_type:tag:ref:v1.0.0',
      repository: 'team/tools/skills',
      repositoryId: '20',
      ownerId: '72',
      commit: '714a629c0b401fdce83e847fc9589983fc6f46bc',
      ref: 'refs/tags/v1.0.0',
      workflow: `${host}/team/tools/skills//.gitlab-ci.yml@refs/tags/v1.0.0`,
      run: `${gitlab.url}/team/tools/skills/-/pipelines/574`,
    });
  });

  test('pull requests, other repositories, workflows and recreated owners are refused', async (context) => {
    const made = await open(context, settings());
    const { app } = made;
    await prepare(made);
    const trial = async (changes: Record<string, unknown>) =>
      exchange(app, await github.sign(githubClaims(changes)));
    const foreign = refused('runs for pull requests, and runs that others can start, may not publish');
    for (const event_name of [
      'pull_request',
      'pull_request_target',
      'pull_request_review',
      'workflow_run',
      'issue_comment',
      'issues',
      'fork',
      'discussion_comment',
      'an event of next year',
    ])
      expect([event_name, await trial({ event_name })]).toEqual([event_name, foreign]);
    expect(await trial({ ref: 'refs/pull/7/merge' })).toEqual(foreign);
    expect(await trial({ head_ref: 'patch-1' })).toEqual(foreign);
    expect(await trial({ repository: 'mallory/skills' })).toEqual(unmatched);
    const workflow_ref = 'acme/skills/.github/workflows/other.yml@refs/heads/main';
    expect(await trial({ workflow_ref })).toEqual(unmatched);
    expect(
      await trial({ workflow_ref: 'mallory/skills/.github/workflows/release.yml@refs/heads/main' }),
    ).toEqual(unmatched);
    for (const event_name of ['push', 'release', 'workflow_dispatch', 'repository_dispatch', 'schedule'])
      expect([event_name, (await trial({ event_name }))[0]]).toEqual([event_name, 200]);
    // Letters that fold into those of the name elsewhere do not fold here.
    expect(await trial({ repository: 'acme/s\u212aills' })).toEqual(unmatched);
    expect((await trial({ repository: 'ACME/SKILLS' }))[0]).toBe(200);
    // Someone else registered the name of the deleted owner.
    expect(await trial({ repository_owner_id: '666' })).toEqual(unmatched);
    expect(await trial({ repository_owner_id: undefined })).toEqual(
      refused('the token does not describe a job of the CI system'),
    );
  });

  test('a token that was used before is refused, with and without an id', async (context) => {
    const made = await open(context, settings());
    const { app, pass } = made;
    await prepare(made);
    const used = refused('the identity token was used before');
    for (const changes of [{}, { jti: undefined }]) {
      const token = await github.sign(githubClaims(changes));
      const both = await Promise.all([exchange(app, token), exchange(app, token)]);
      expect(both.map(([status]) => status).toSorted()).toEqual([200, 400]);
      expect(await exchange(app, token)).toEqual(used);
    }
    // Marks stay for as long as the token could still pass, and no longer.
    const token = await github.sign(githubClaims());
    await exchange(app, token);
    pass(300_000 + 45_000);
    expect(await exchange(app, token)).toEqual(used);
    pass(76_000);
    expect(await exchange(app, token)).toEqual(refused('the identity token has expired'));
  });

  test('false audiences, issuers, signatures, algorithms and times are refused', async (context) => {
    const made = await open(context, settings());
    const { app, registry } = made;
    await prepare(made);
    const audience = refused('the audience of the identity token must be http://registry.test');
    expect(await exchange(app, await github.sign(githubClaims({ aud: 'https://pypi.test' })))).toEqual(
      audience,
    );
    const unknown = refused('this registry does not know the issuer');
    const before = stranger.fetches();
    expect(await exchange(app, await stranger.sign(githubClaims()))).toEqual(unknown);
    expect(await exchange(app, 'not a token')).toEqual(unknown);
    // Nothing is fetched from an issuer the settings do not name.
    expect(stranger.fetches()).toBe(before);
    // Signed by a stranger in the name of the trusted issuer.
    expect(await exchange(app, await stranger.sign(githubClaims({ iss: github.url })))).toEqual(invalid);
    expect(await exchange(app, await gitlab.sign(githubClaims({ iss: github.url })))).toEqual(invalid);
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const now = Math.floor(Date.now() / 1000);
    const payload = part({ ...githubClaims(), iss: github.url, iat: now, exp: now + 300 });
    for (const alg of ['none', 'None', 'NONE'])
      expect(await exchange(app, `${part({ alg })}.${payload}.`)).toEqual(invalid);
    // The public key taken for a shared secret.
    const key = github.publicKey();
    const pem = await exportSPKI((await importJWK(key, 'RS256', { extractable: true })) as CryptoKey);
    for (const secret of [pem, JSON.stringify(key), key.n!]) {
      const signed = `${part({ alg: 'HS256', kid: key.kid })}.${payload}`;
      const mac = createHmac('sha256', secret).update(signed).digest('base64url');
      expect(await exchange(app, `${signed}.${mac}`)).toEqual(invalid);
    }
    const at = (seconds: number) => new Date(registry.now().getTime() + seconds * 1000);
    expect(await exchange(app, await github.sign(githubClaims(), { at: at(-400) }))).toEqual(
      refused('the identity token has expired'),
    );
    expect(await exchange(app, await github.sign(githubClaims(), { at: at(120) }))).toEqual(invalid);
    expect((await exchange(app, await github.sign(githubClaims({ aud: 'http://registry.test/' }))))[0]).toBe(
      200,
    );
    // Clocks may differ by a minute.
    expect((await exchange(app, await github.sign(githubClaims(), { at: at(-330) })))[0]).toBe(200);
    expect((await exchange(app, await github.sign(githubClaims(), { at: at(30) })))[0]).toBe(200);
  });

  test('keys are kept, rotated keys found, withdrawn keys forgotten', async (context) => {
    const issuer = await startIssuer();
    try {
      const made = await open(context, { ciIssuers: [{ issuer: issuer.url, kind: 'github' }] });
      const { app, registry, pass } = made;
      await prepare(made, { issuer: issuer.url });
      const sign = () => issuer.sign(githubClaims(), { at: registry.now(), seconds: 3600 });
      expect((await exchange(app, await sign()))[0]).toBe(200);
      expect((await exchange(app, await sign()))[0]).toBe(200);
      expect(issuer.fetches()).toBe(1);
      const old = await sign();
      await issuer.rotate();
      // Unknown keys do not make the registry ask again and again.
      for (let count = 0; count < 3; count++) expect(await exchange(app, await sign())).toEqual(invalid);
      expect(issuer.fetches()).toBe(1);
      pass(31_000);
      expect((await exchange(app, await sign()))[0]).toBe(200);
      expect(issuer.fetches()).toBe(2);
      expect(await exchange(app, old)).toEqual(invalid);
      await issuer.close();
      pass(601_000);
      expect(await exchange(app, await sign())).toEqual([
        503,
        { error: 'temporarily_unavailable', error_description: 'the issuer of the token cannot be reached' },
      ]);
    } finally {
      await issuer.close().catch(() => {});
    }
  });

  test('a repository with several skills names one', async (context) => {
    const made = await open(context, settings());
    const { app } = made;
    const { anna } = await prepare(made);
    await anna('POST', '/owners/@acme/publishers', {
      skill: '@acme/charts',
      issuer: github.url,
      repository: 'acme/skills',
      repositoryOwnerId: '4711',
    });
    const token = await github.sign(githubClaims());
    expect(await exchange(app, token)).toEqual([
      400,
      {
        error: 'invalid_target',
        error_description: 'several skills trust this job: name one as resource',
      },
    ]);
    expect(await exchange(app, token, '@acme/other')).toEqual(unmatched);
    expect((await exchange(app, token, 'charts'))[0]).toBe(400);
    const [status, answer] = await exchange(app, token, '@acme/charts');
    expect([status, (answer as { skill: string }).skill]).toEqual([200, '@acme/charts']);
  });

  test('publishers are managed by admins, stop with their account, and take their tokens along', async (context) => {
    const made = await open(context, settings());
    const { app, registry } = made;
    const { anna, added } = await prepare(made);
    const bert = clientOf(app, await addAccount(registry, 'bert'));
    await anna('PUT', '/owners/@acme/members/bert', { roles: ['publisher'] });
    await accept(bert, 'acme');
    const publisher = {
      skill: '@acme/tables',
      issuer: github.url,
      repository: 'bert/evil',
      repositoryOwnerId: '4711',
    };
    expect((await bert('POST', '/owners/@acme/publishers', publisher))[0]).toBe(403);
    expect((await bert('DELETE', `/owners/@acme/publishers/${added.id}`))[0]).toBe(403);
    expect((await anna('POST', '/owners/@acme/publishers', { ...publisher, skill: '@other/x' }))[0]).toBe(
      400,
    );
    // A name can change hands, so the id of the owner is needed.
    expect(
      (await anna('POST', '/owners/@acme/publishers', { ...publisher, repositoryOwnerId: undefined }))[0],
    ).toBe(400);
    expect((await anna('POST', '/owners/@acme/publishers', { ...publisher, issuer: stranger.url }))[0]).toBe(
      400,
    );
    const [, answer] = await exchange(app, await github.sign(githubClaims()));
    const { access_token: token } = answer as { access_token: string };
    expect((await findTokenCaller(registry, token)).account?.name).toBe('anna');
    expect((await anna('DELETE', `/owners/@acme/publishers/${added.id}`))[0]).toBe(204);
    await expect(findTokenCaller(registry, token)).rejects.toThrow(
      'this token is unknown, expired or revoked',
    );
    expect(await exchange(app, await github.sign(githubClaims()))).toEqual(unmatched);
    // A publisher acts for the account that added it.
    await anna('POST', '/owners/@acme/publishers', { ...publisher, repository: 'acme/skills' });
    expect((await exchange(app, await github.sign(githubClaims())))[0]).toBe(200);
    await anna('PUT', '/owners/@acme/members/bert', { roles: ['admin'] });
    await accept(bert, 'acme');
    await bert('PUT', '/owners/@acme/members/anna', { roles: ['reader'] });
    expect(await exchange(app, await github.sign(githubClaims()))).toEqual(unmatched);
  });
});
