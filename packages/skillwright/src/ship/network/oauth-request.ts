// Requests to the sign-in endpoints of a registry: form in, JSON out.

import * as z from 'zod';
import { checkUrl, isThisMachine } from './check-url.ts';
import { readJson } from './create-fetcher.ts';
import type { Fetcher } from './fetcher.ts';
import { refused } from './network-error.ts';
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
