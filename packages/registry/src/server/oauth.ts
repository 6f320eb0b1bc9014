// OAuth for programs: device login and trusted publishing.

import type { Context } from 'hono';
import { Scope } from 'skillwright/registry-protocol';
import { exchangeIdentityToken, pollDeviceLogin, startDeviceLogin } from '../accounts/index.ts';
import { type App, type Environment, formField } from '../http/index.ts';
import { OauthError } from '../identity/index.ts';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
const IDENTITY_TOKENS = ['urn:ietf:params:oauth:token-type:id_token', 'urn:ietf:params:oauth:token-type:jwt'];
const DEFAULT_SCOPE = 'read publish rate';

/** `/oauth/*`, and the metadata that leads there. */
export function oauth(app: App): void {
  app.get('/.well-known/oauth-authorization-server', (context) => {
    const { publicUrl } = context.get('registry');
    return context.json({
      issuer: publicUrl,
      device_authorization_endpoint: `${publicUrl}/oauth/device_authorization`,
      token_endpoint: `${publicUrl}/oauth/token`,
      grant_types_supported: [DEVICE_GRANT, EXCHANGE_GRANT],
      response_types_supported: [],
      scopes_supported: Scope.options,
      token_endpoint_auth_methods_supported: ['none'],
    });
  });
  app.post(
    '/oauth/device_authorization',
    oauthHandler(async (context) =>
      startDeviceLogin(context.get('registry'), {
        client: await clientOf(context),
        scopes: readScopes((await formField(context, 'scope')) || DEFAULT_SCOPE),
      }),
    ),
  );
  app.post('/oauth/token', oauthHandler(giveToken));
}

async function giveToken(context: Context<Environment>): Promise<object> {
  const registry = context.get('registry');
  const grant = await formField(context, 'grant_type');
  if (grant === DEVICE_GRANT)
    return pollDeviceLogin(registry, {
      client: await clientOf(context),
      deviceCode: await required(context, 'device_code'),
    });
  if (grant === EXCHANGE_GRANT) {
    if (!IDENTITY_TOKENS.includes(await required(context, 'subject_token_type')))
      throw new OauthError('invalid_request', `subject_token_type must be ${IDENTITY_TOKENS.join(' or ')}`);
    return exchangeIdentityToken(registry, {
      token: await required(context, 'subject_token'),
      skill: (await formField(context, 'resource')) || undefined,
    });
  }
  if (grant === undefined) throw new OauthError('invalid_request', 'grant_type is missing');
  throw new OauthError('unsupported_grant_type', `grant_type must be ${DEVICE_GRANT} or ${EXCHANGE_GRANT}`);
}

function oauthHandler(handle: (context: Context<Environment>) => Promise<object>) {
  return async (context: Context<Environment>): Promise<Response> => {
    context.header('cache-control', 'no-store');
    try {
      if (!/^application\/x-www-form-urlencoded\b/i.test(context.req.header('content-type') ?? ''))
        throw new OauthError('invalid_request', 'the body must be application/x-www-form-urlencoded');
      return context.json(await handle(context));
    } catch (error) {
      if (!(error instanceof OauthError)) throw error;
      return context.json({ error: error.code, error_description: error.message }, error.status);
    }
  };
}

/** Programs name themselves; the name becomes that of the token. Nothing in it can mislead on a page. */
async function clientOf(context: Context<Environment>): Promise<string> {
  const client = (await required(context, 'client_id')).trim();
  if (!/^[\p{L}\p{N} ._:@()-]{1,100}$/u.test(client))
    throw new OauthError('invalid_request', 'client_id must be 1 to 100 letters, digits, spaces and ._:@()-');
  return client;
}

async function required(context: Context<Environment>, name: string): Promise<string> {
  const value = await formField(context, name);
  if (!value) throw new OauthError('invalid_request', `${name} is missing`);
  return value;
}

function readScopes(text: string): Scope[] {
  return [...new Set(text.split(' ').filter(Boolean))].map((word) => {
    const { success, data } = Scope.safeParse(word);
    if (!success) throw new OauthError('invalid_scope', `scopes are ${Scope.options.join(', ')}`);
    return data;
  });
}
