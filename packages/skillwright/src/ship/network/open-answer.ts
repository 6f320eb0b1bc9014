// One request up to the response headers. Redirects are followed by hand so that each hop is checked like the first.

import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { toolVersion } from '../../base/version.ts';
import { checkUrl, resolveHost } from './check-url.ts';
import type { Deadline } from './deadline.ts';
import type { FetchedHead, FetcherSettings, FetchOptions, SendOptions } from './fetcher.ts';
import { describeFailure, misunderstood, refused, unreachable } from './network-error.ts';

const MAX_REDIRECTS = 5;
const SLICE = 64 * 1024;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A response whose body has not been read. */
export interface OpenAnswer extends FetchedHead {
  readonly message: IncomingMessage;
}

/** Parts of a request. */
export interface RequestPlan {
  readonly settings: FetcherSettings;
  readonly options: FetchOptions &
    Partial<Pick<SendOptions, 'body'> & { readonly method: SendOptions['method'] | 'HEAD' }>;
  readonly deadline: Deadline;
}

/** Requests a URL and follows at most five redirects. The caller must read or destroy the message. */
export async function openAnswer(start: string | URL, plan: RequestPlan): Promise<OpenAnswer> {
  const { settings, options } = plan;
  const first = checkUrl(start);
  let url = first;
  let secure = url.protocol === 'https:';
  let headers = options.headers ?? {};
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const answer = await ask(url, { ...plan, options: { ...options, headers } });
    const target = redirects.has(answer.status) ? answer.headers.location : undefined;
    if (target === undefined) return answer;
    answer.message.destroy();
    if (options.method !== undefined && options.method !== 'HEAD')
      throw misunderstood(url, 'a redirect, which is not followed here');
    if (!URL.canParse(target, url.href))
      throw misunderstood(url, 'a redirect to something that is not a URL');
    const next = checkUrl(new URL(target, url));
    if (secure && next.protocol === 'http:' && !settings.allowDowngrade)
      throw refused(next, `${url.host} redirects from https to http`);
    // Headers for one origin are never sent to another, nor again after a redirect back.
    if (next.origin !== url.origin) headers = {};
    secure ||= next.protocol === 'https:';
    url = next;
  }
  throw unreachable(first, `more than ${MAX_REDIRECTS} redirects`);
}

async function ask(url: URL, { settings, options, deadline }: RequestPlan): Promise<OpenAnswer> {
  try {
    const addresses = await deadline.race(resolveHost(url, settings, options));
    return await new Promise<OpenAnswer>((resolve, reject) => {
      const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
        method: options.method ?? 'GET',
        headers: {
          ...options.headers,
          accept: options.accept ?? '*/*',
          'accept-encoding': 'identity',
          'user-agent': `skillwright/${toolVersion}`,
          ...(options.body === undefined ? {} : { 'content-length': options.body.byteLength }),
        },
        // A new connection: never one that was opened for another address.
        agent: false,
        maxHeaderSize: 64 * 1024,
        signal: deadline.signal,
        ...(settings.ca === undefined ? {} : { ca: settings.ca }),
        // The name is not resolved again: the connection goes to the checked address.
        lookup: (_host, { all }, done) => {
          if (all) done(null, [...addresses]);
          else done(null, addresses[0]!.address, addresses[0]!.family);
        },
      });
      request.on('error', reject);
      request.on('response', (message) => {
        deadline.touch();
        resolve({
          url: url.href,
          status: message.statusCode ?? 0,
          headers: flatten(message.headers),
          message,
        });
      });
      if (options.body === undefined) request.end();
      else Readable.from(slices(options.body, deadline)).pipe(request);
    });
  } catch (error) {
    if (deadline.why !== undefined) throw unreachable(url, deadline.why);
    throw error instanceof SkillwrightError ? error : unreachable(url, describeFailure(error), error);
  }
}

/** A body in parts, so that a slow upload differs from a stuck one. */
function* slices(body: Uint8Array, deadline: Deadline): Generator<Uint8Array> {
  for (let at = 0; at < body.byteLength; at += SLICE) {
    deadline.touch();
    yield body.subarray(at, at + SLICE);
  }
  deadline.touch();
}

function flatten(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}
