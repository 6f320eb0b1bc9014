// An OpenID Connect provider on this machine. The account in `person` is signed in without a question.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';
import type { IdentityProvider } from '../src/settings/settings.ts';

type Person = Readonly<Record<string, unknown>>;

/** A running provider. */
export interface TestProvider {
  /** Settings for a registry that trusts it. */
  settings(changes?: Partial<IdentityProvider>): IdentityProvider;
  /** Signs the person in at an authorization address; the address the browser is sent back to. */
  visit(url: string, subject: string): Promise<string>;
  close(): Promise<void>;
}

const SCOPE = 'openid profile email groups';

export async function startProvider(people: Readonly<Record<string, Person>>): Promise<TestProvider> {
  let subject = '';
  let provider: Provider | undefined;
  const server = createServer((request, response) => {
    response.setHeader('connection', 'close');
    if (request.url?.startsWith('/interaction/'))
      void provider!.interactionFinished(request, response, { login: { accountId: subject } });
    else provider!.callback()(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'registry',
        client_secret: 'a secret of the registry',
        redirect_uris: ['http://registry.test/signin/callback'],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['for tests'] },
    features: { devInteractions: { enabled: false } },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 600,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    pkce: { required: () => true },
    claims: {
      openid: ['sub'],
      profile: ['name', 'preferred_username'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...people[id] }),
    }),
    loadExistingGrant: async ({
      oidc,
    }: {
      oidc: { client: { clientId: string }; session: { accountId: string } };
    }) => {
      const grant = new provider!.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      });
      grant.addOIDCScope(SCOPE);
      await grant.save();
      return grant;
    },
  });
  return {
    settings: (changes = {}) => ({
      name: 'house',
      title: 'House account',
      issuer,
      clientId: 'registry',
      clientSecret: 'a secret of the registry',
      scope: SCOPE,
      domains: [],
      groups: [],
      groupsClaim: 'groups',
      trustsEmail: false,
      accounts: 'create',
      ...changes,
    }),
    async visit(url, person) {
      subject = person;
      const cookies = new Map<string, string>();
      let address = url;
      while (new URL(address).origin === issuer) {
        const response = await fetch(address, {
          redirect: 'manual',
          headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        });
        for (const line of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          cookies.set(name, value);
        }
        const location = response.headers.get('location');
        if (location === null) throw new Error(`${response.status} ${await response.text()}`);
        address = new URL(location, address).href;
      }
      return address;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
