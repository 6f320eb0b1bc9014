// Blobs in an object store that speaks S3. Nothing the store says about an object counts: its readers check the digest.

import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { Failure, Problem } from '../base/index.ts';
import { type Blobs, checkKey, isKey } from './blobs.ts';

/** Where the objects are, and who may reach them. */
interface ObjectStore {
  /** `s3://bucket/prefix`. */
  readonly place: string;
  /** Address of the service; by default that of the region at Amazon. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  /** Whether the bucket is a part of the path instead of the host. */
  readonly isPathStyle: boolean;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** Requests at the same time. */
const AT_ONCE = 8;
const TIMEOUT_MS = 60_000;

/** The credentials and the place of `s3://bucket/prefix`, from settings and environment. */
export function readObjectStore(
  place: string,
  settings: {
    readonly endpoint?: string | undefined;
    readonly region: string;
    readonly isPathStyle: boolean;
  },
  env: Readonly<Record<string, string | undefined>> = process.env,
): ObjectStore {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = env;
  if (!accessKeyId || !secretAccessKey)
    throw new Problem(
      `${place} needs credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment`,
    );
  return { place, ...settings, accessKeyId, secretAccessKey, sessionToken: AWS_SESSION_TOKEN || undefined };
}

/** Blobs below a prefix of a bucket. */
export function s3Blobs(store: ObjectStore): Blobs {
  const { accessKeyId, secretAccessKey, sessionToken, region } = store;
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === undefined ? {} : { sessionToken }),
    region,
    service: 's3',
    retries: 3,
  });
  const { bucket, prefix, base } = storeAddress(store);
  const addressOf = (key: string): string => {
    const [algorithm = '', rest = ''] = checkKey(key).split(':');
    return `${base}/${prefix}${algorithm}/${rest.slice(0, 2)}/${rest}`;
  };
  const ask = async (address: string, init: RequestInit = {}): Promise<Response> => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await client.fetch(address, { ...init, signal }).catch((error: unknown) => {
      throw unavailable(`the object store does not answer: ${(error as Error).message}`);
    });
    if (response.ok || response.status === 404) return response;
    const text = await response.text().catch(() => '');
    const [, code = ''] = /<Code>([^<]{1,100})<\/Code>/.exec(text) ?? [];
    throw unavailable(`the object store answered ${response.status} ${code}`.trimEnd());
  };
  const put = async (key: string, bytes: Uint8Array): Promise<void> => {
    const address = addressOf(key);
    const response = await ask(address, {
      method: 'PUT',
      body: bytes as Uint8Array<ArrayBuffer>,
      headers: {
        'content-type': 'application/octet-stream',
        // The signature covers the content, so nothing on the way can exchange it.
        'x-amz-content-sha256': createHash('sha256').update(bytes).digest('hex'),
      },
    });
    await response.arrayBuffer();
    if (!response.ok) throw unavailable(`the object store has no bucket ${bucket}`);
    const stored = await ask(address, { method: 'HEAD' });
    if (Number(stored.headers.get('content-length') ?? -1) !== bytes.byteLength)
      throw unavailable('the object store did not keep the whole of an archive');
  };
  return {
    put,
    async putAll(blobs) {
      const entries = [...blobs];
      for (let at = 0; at < entries.length; at += AT_ONCE)
        await Promise.all(entries.slice(at, at + AT_ONCE).map(([key, bytes]) => put(key, bytes)));
    },
    async get(key) {
      const response = await ask(addressOf(key));
      const bytes = new Uint8Array(
        await response.arrayBuffer().catch(() => {
          throw unavailable('the object store broke off');
        }),
      );
      return response.ok ? bytes : undefined;
    },
    async remove(key) {
      await (await ask(addressOf(key), { method: 'DELETE' })).arrayBuffer();
    },
    async *keys() {
      for (let token: string | undefined; ; ) {
        const query = new URLSearchParams({ 'list-type': '2', prefix: decodeURIComponent(prefix) });
        if (token !== undefined) query.set('continuation-token', token);
        const response = await ask(`${base}/?${query}`);
        const text = await response.text();
        if (!response.ok) throw unavailable(`the object store has no bucket ${bucket}`);
        for (const [, path = ''] of text.matchAll(/<Key>([^<]+)<\/Key>/g)) {
          const [, algorithm, rest] = /(\w+)\/[0-9a-f]{2}\/([^/]+)$/.exec(path) ?? [];
          if (isKey(`${algorithm}:${rest}`)) yield `${algorithm}:${rest}`;
        }
        const [, next] = /<NextContinuationToken>([^<]+)<\/NextContinuationToken>/.exec(text) ?? [];
        if (!text.includes('<IsTruncated>true</IsTruncated>') || next === undefined) return;
        token = next.replaceAll('&amp;', '&');
      }
    },
    async addressOf(key, seconds) {
      const url = new URL(addressOf(key));
      url.searchParams.set('X-Amz-Expires', String(seconds));
      return (await client.sign(url.href, { aws: { signQuery: true } })).url;
    },
  };
}

function storeAddress({ place, endpoint, region, isPathStyle }: ObjectStore) {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(place) ?? [];
  if (bucket === undefined) throw new Problem(`${place} is not a place for blobs: use s3://bucket/prefix`);
  const inner = path.replace(/^\/+|\/+$/g, '');
  const prefix = inner === '' ? '' : `${inner.split('/').map(encodeURIComponent).join('/')}/`;
  const service = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (!isPathStyle) service.hostname = `${bucket}.${service.hostname}`;
  const base = `${service.origin}${service.pathname.replace(/\/+$/, '')}${isPathStyle ? `/${bucket}` : ''}`;
  return { bucket, prefix, base };
}

function unavailable(message: string): Failure {
  return new Failure('unavailable', `${message}; try again in a moment`, { headers: { 'retry-after': '2' } });
}
