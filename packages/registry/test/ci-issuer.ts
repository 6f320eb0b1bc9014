// An issuer of CI identity tokens on this machine, with the claims of GitHub Actions and GitLab.

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

type Claims = Readonly<Record<string, unknown>>;

/** A running issuer. */
export interface TestIssuer {
  readonly url: string;
  /** Requests for keys so far. */
  readonly fetches: () => number;
  /** The public key tokens are signed with now. */
  readonly publicKey: () => JWK;
  /** Replaces the key; the old one is withdrawn. */
  rotate(): Promise<void>;
  /** A signed token. */
  sign(claims: Claims, options?: { readonly at?: Date; readonly seconds?: number }): Promise<string>;
  close(): Promise<void>;
}

export async function startIssuer(): Promise<TestIssuer> {
  let fetches = 0;
  let keys = await newKeys();
  const server = createServer((request, response) => {
    response.setHeader('connection', 'close');
    response.setHeader('content-type', 'application/json');
    if (request.url === '/.well-known/openid-configuration')
      response.end(JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` }));
    else {
      fetches++;
      response.end(JSON.stringify({ keys: [keys.publicKey] }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    fetches: () => fetches,
    publicKey: () => keys.publicKey,
    async rotate() {
      keys = await newKeys();
    },
    sign: (claims, { at = new Date(), seconds = 300 } = {}) => {
      const now = Math.floor(at.getTime() / 1000);
      return new SignJWT({ iss: url, iat: now, nbf: now, exp: now + seconds, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: keys.publicKey.kid!, typ: 'JWT' })
        .sign(keys.privateKey);
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function newKeys() {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  return {
    privateKey,
    publicKey: { ...(await exportJWK(publicKey)), kid: randomUUID(), alg: 'RS256', use: 'sig' },
  };
}

/** Claims of a push in GitHub Actions. */
export function githubClaims(changes: Claims = {}): Claims {
  return {
    jti: randomUUID(),
    sub: 'repo:acme/skills:ref:refs/heads/main',
    aud: 'http://registry.test',
    ref: 'refs/heads/main',
    sha: '2f1a3c5e7b9d0f2a4c6e8b0d1f3a5c7e9b1d3f50',
    repository: 'acme/skills',
    repository_owner: 'acme',
    repository_owner_id: '4711',
    run_id: '8001',
    run_number: '12',
    run_attempt: '1',
    repository_visibility: 'private',
    repository_id: '815',
    actor_id: '99',
    actor: 'anna',
    workflow: 'Release',
    head_ref: '',
    base_ref: '',
    event_name: 'push',
    ref_protected: 'true',
    ref_type: 'branch',
    workflow_ref: 'acme/skills/.github/workflows/release.yml@refs/heads/main',
    workflow_sha: '2f1a3c5e7b9d0f2a4c6e8b0d1f3a5c7e9b1d3f50',
    job_workflow_ref: 'acme/skills/.github/workflows/release.yml@refs/heads/main',
    job_workflow_sha: '2f1a3c5e7b9d0f2a4c6e8b0d1f3a5c7e9b1d3f50',
    runner_environment: 'github-hosted',
    ...changes,
  };
}

/** Claims of a push in a GitLab of one's own. */
export function gitlabClaims(host: string, changes: Claims = {}): Claims {
  return {
    namespace_id: '72',
    namespace_path: 'team/tools',
    project_id: '20',
    project_path: 'team/tools/skills',
    user_id: '1',
    user_login: 'anna',
    user_email: 'anna@example.test',
    pipeline_id: '574',
    pipeline_source: 'push',
    job_id: '302',
    ref: 'v1.0.0',
    ref_type: 'tag',
    ref_path: 'refs/tags/v1.0.0',
    ref_protected: 'true',
    groups_direct: ['team'],
    environment: 'production',
    environment_protected: 'false',
    deployment_tier: 'production',
    environment_action: 'start',
    runner_id: 1,
    runner_environment: 'self-hosted',
    sha: '714a629c0b401fdce83e847fc9589983fc6f46bc',
    project_visibility: 'private',
    ci_config_ref_uri: `${host}/team/tools/skills//.gitlab-ci.yml@refs/tags/v1.0.0`,
    ci_config_sha: '714a629c0b401fdce83e847fc9589983fc6f46bc',
    jti: randomUUID(),
    sub: 'project_path:team/tools/skills:ref_type:tag:ref:v1.0.0',
    aud: 'http://registry.test',
    ...changes,
  };
}
