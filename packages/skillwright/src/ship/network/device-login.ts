// Login through a browser on any device (RFC 8628): a code is shown, and the registry is asked until somebody confirms it.

import * as z from 'zod';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { checkUrl, isThisMachine } from './check-url.ts';
import { readJson } from './create-fetcher.ts';
import type { Fetcher } from './fetcher.ts';
import { misunderstood, refused, showUrl } from './network-error.ts';
import { parseJson } from './parse-json.ts';
import { readServerWords, serverLine } from './server-words.ts';

/** Name under which skc introduces itself. */
export const CLIENT_ID = 'skc';

/** A token that a registry issued. */
export const IssuedToken = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,4096}$/),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.number().positive().optional(),
  scope: z.string().optional(),
});
export type IssuedToken = z.output<typeof IssuedToken>;

/** A refusal by its code, such as `access_denied`, and a sentence about it that is safe to print. */
interface OauthRefusal {
  readonly status: number;
  readonly error: string;
  readonly why: string;
}

const Refusal = z.object({
  error: z.string().regex(/^[\x20-\x7e]{1,100}$/),
  error_description: z.string().optional(),
});

/** Surroundings of a request. */
export interface OauthOptions {
  readonly fetcher: Fetcher;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a form to `oauth/<endpoint>` of a registry. A refusal in the form of the standard is a value; other failures are
 * those of the fetcher. E206 without https, because the answer is a secret.
 */
export async function askOauth<Schema extends z.ZodType>(
  { registry, endpoint, form }: { registry: string; endpoint: string; form: Record<string, string> },
  schema: Schema,
  { fetcher, signal }: OauthOptions,
): Promise<{ readonly value: z.output<Schema> } | { readonly refusal: OauthRefusal }> {
  const url = new URL(`oauth/${endpoint}`, checkUrl(registry));
  if (url.protocol === 'http:' && !isThisMachine(url)) throw refused(url, 'a token is sent only over https');
  const { status, body } = await fetcher.send(url, {
    method: 'POST',
    body: Buffer.from(new URLSearchParams(form).toString()),
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    expect: [400, 401, 403, 404],
    signal,
  });
  if (status < 400) return { value: readJson(body, schema, url.href) };
  const parsed = parseJson(body);
  const said = Refusal.safeParse(parsed.problem === undefined ? parsed.value : undefined);
  if (!said.success) {
    const why = readServerWords(body)?.message ?? `status ${status}`;
    return { refusal: { status, error: '', why } };
  }
  const { error, error_description } = said.data;
  return { refusal: { status, error, why: serverLine(error_description ?? error, 500) } };
}

const DeviceCode = z.object({
  device_code: z.string().min(1).max(4096),
  user_code: z.string().regex(/^[\x21-\x7e](?:[\x20-\x7e]{0,62}[\x21-\x7e])?$/),
  verification_uri: z.string(),
  verification_uri_complete: z.string().optional(),
  expires_in: z
    .number()
    .positive()
    .max(24 * 60 * 60),
  interval: z.number().nonnegative().max(300).default(5),
});

/** A login that waits for its confirmation. */
type StartedLogin = Awaited<ReturnType<typeof startDeviceLogin>>;

/** Clock of a login. */
interface LoginClock {
  now(): Date;
  /** Waits; ends early when the signal is aborted. */
  pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
}

/** Asks a registry for a code. E248 when it offers no such login. */
export async function startDeviceLogin(
  { registry, scopes }: { readonly registry: string; readonly scopes: readonly string[] },
  options: OauthOptions,
) {
  const form = { client_id: CLIENT_ID, scope: scopes.join(' ') };
  const answer = await askOauth({ registry, endpoint: 'device_authorization', form }, DeviceCode, options);
  if ('refusal' in answer) {
    const { status, why } = answer.refusal;
    throw loginFailed(registry, status === 404 ? 'it offers no login in a browser' : why, {
      help: `create a token on its page, then run 'skc login ${registry} --token-stdin'`,
    });
  }
  const { value } = answer;
  const address = checkAddress(value.verification_uri, registry);
  return {
    registry,
    deviceCode: value.device_code,
    /** Shown to the person, who compares or types it. */
    userCode: value.user_code,
    address,
    /** The address with the code in it. */
    completeAddress: checkAddress(value.verification_uri_complete ?? address, registry),
    expiresIn: value.expires_in,
    interval: value.interval,
  };
}

/** Extra seconds after the registry asked for fewer requests, or did not answer. */
const SLOWER = 5;

/**
 * Asks until the login is confirmed. E248 when it is denied or its code expires, E091 when it is cancelled. An
 * unreachable registry is asked again, more slowly.
 */
export async function awaitDeviceToken(
  { registry, deviceCode, expiresIn, ...login }: StartedLogin,
  clock: LoginClock,
  options: OauthOptions,
): Promise<IssuedToken> {
  const { signal } = options;
  const end = clock.now().getTime() + expiresIn * 1000;
  const form = {
    client_id: CLIENT_ID,
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: deviceCode,
  };
  let interval = Math.max(1, login.interval);
  for (;;) {
    if (signal?.aborted)
      throw SkillwrightError.of('E091', { what: 'skc login' }, { help: 'nothing was stored' });
    const answer = await askOauth({ registry, endpoint: 'token', form }, IssuedToken, options).catch(
      (error: unknown) => {
        // Only a registry that cannot be reached, or is overloaded, may answer later.
        if (error instanceof SkillwrightError && ['E200', 'E209'].includes(error.code)) return undefined;
        throw error;
      },
    );
    if (answer === undefined) interval += SLOWER;
    else if ('value' in answer) return answer.value;
    else if (answer.refusal.error === 'slow_down') interval += SLOWER;
    else if (answer.refusal.error === 'access_denied') throw loginFailed(registry, 'it was denied');
    else if (answer.refusal.error === 'expired_token') throw expired(registry);
    else if (answer.refusal.error !== 'authorization_pending')
      throw loginFailed(registry, answer.refusal.why);
    if (clock.now().getTime() + interval * 1000 >= end) throw expired(registry);
    await clock.pause(interval * 1000, signal);
  }
}

/** E248: a login that did not succeed. */
function loginFailed(
  registry: string,
  why: string,
  details: { readonly help?: string; readonly cause?: unknown } = {},
): SkillwrightError {
  const url = showUrl(registry);
  return SkillwrightError.of('E248', { url, why }, { data: { url, why }, ...details });
}

const expired = (registry: string) => loginFailed(registry, 'nobody confirmed the code in time');

/** An address a browser may open. E215 for anything but a web address. */
function checkAddress(text: string, registry: string): string {
  try {
    return checkUrl(text).href;
  } catch (error) {
    if (error instanceof SkillwrightError)
      throw misunderstood(registry, 'the address for the login is not a web address');
    throw error;
  }
}
