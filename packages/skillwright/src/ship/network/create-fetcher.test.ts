import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { makeDirectory } from '../../../test/make-directory.ts';
import { requireProgram } from '../../../test/required-program.ts';
import { serve } from '../../../test/serve.ts';
import type { SkillwrightError } from '../../base/diagnostics/skillwright-error.ts';
import { sha256 } from '../../base/files/hash.ts';
import { createFetcher } from './create-fetcher.ts';
import type { FetcherSettings } from './fetcher.ts';

const PUBLIC = '93.184.215.14';

/** Answers of the resolver. Addresses that pass the check are dialled on the loopback interface. */
const names: Readonly<Record<string, readonly string[]>> = {
  'public.example': [PUBLIC],
  'other.example': [PUBLIC],
  'both.example': [PUBLIC, '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'private.example': ['192.168.1.7'],
  'mixed.example': [PUBLIC, '10.0.0.1'],
  'mixed6.example': [PUBLIC, '::ffff:127.0.0.1'],
  'empty.example': [],
  'linklocal.example': ['169.254.1.1'],
  localhost: [PUBLIC],
};

/** A fetcher that uses the loopback interface as the public network, and checks every address for real. */
const guarded = (settings: FetcherSettings = {}) =>
  createFetcher({
    timeout: 60_000,
    resolve: async (host) => {
      const known = names[host];
      if (known === undefined) throw Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' });
      return known;
    },
    dial: () => '127.0.0.1',
    ...settings,
  });

async function failure(work: Promise<unknown>): Promise<SkillwrightError> {
  return work.then(
    () => expect.unreachable('it did not fail'),
    (error: SkillwrightError) => error,
  );
}

/** Code and the reason under the message. */
const told = async (work: Promise<unknown>) => {
  const { code, detail } = await failure(work);
  return [code, detail?.trim()];
};

const text = (body: Uint8Array) => Buffer.from(body).toString();

describe('requests', () => {
  test('a plain request sends a user agent and nothing else', async () => {
    const { port } = await serve(({ headers, url, method }, response) => {
      response.setHeader('x-twice', ['a', 'b']);
      response.end(JSON.stringify({ method, url, headers }));
    });
    const { url, status, headers, body } = await guarded().get(`http://public.example:${port}/a?b=1#c`);
    expect([url, status, headers['x-twice']]).toEqual([`http://public.example:${port}/a?b=1`, 200, 'a, b']);
    expect(JSON.parse(text(body))).toEqual({
      method: 'GET',
      url: '/a?b=1',
      headers: {
        accept: '*/*',
        'accept-encoding': 'identity',
        'user-agent': 'skillwright/0.1.0',
        host: `public.example:${port}`,
        connection: 'close',
      },
    });
  });

  test.each([
    ['nonsense', 'not a URL'],
    ['ftp://public.example/', 'only http and https are supported, not ftp'],
    ['file:///etc/passwd', 'only http and https are supported, not file'],
    ['data:text/plain,x', 'only http and https are supported, not data'],
    ['http://me:secret@public.example/', 'the URL contains a user name or a password'],
    ['http://me@public.example/', 'the URL contains a user name or a password'],
    ['http://127.0.0.1/', '127.0.0.1 is loopback'],
    ['http://127.0.0.1./', '127.0.0.1 is loopback'],
    ['http://127.1/', '127.0.0.1 is loopback'],
    ['http://2130706433/', '127.0.0.1 is loopback'],
    ['http://0x7f.0.0.1/', '127.0.0.1 is loopback'],
    ['http://0177.0.0.1/', '127.0.0.1 is loopback'],
    ['http://0xa9fea9fe/latest/meta-data', '169.254.169.254 is link-local'],
    ['http://１２７.0.0.1/', '127.0.0.1 is loopback'],
    ['http://0.0.0.0/', '0.0.0.0 is unspecified'],
    ['http://[::1]/', '::1 is loopback'],
    ['http://[::]/', ':: is unspecified'],
    ['http://[::ffff:127.0.0.1]/', '::ffff:7f00:1 is IPv4 in disguise'],
    ['http://[64:ff9b::a9fe:a9fe]/', '64:ff9b::a9fe:a9fe is IPv4 in disguise (NAT64)'],
    ['http://localhost/', 'localhost is this machine'],
    ['http://LOCALHOST./', 'localhost is this machine'],
    ['http://a.localhost/', 'a.localhost is this machine'],
    ['http://private.example/', 'private.example is 192.168.1.7: private'],
    ['http://mixed.example/', 'mixed.example is 10.0.0.1: private'],
    ['http://mixed6.example/', 'mixed6.example is ::ffff:127.0.0.1: IPv4 in disguise'],
  ])('%s is refused: %s', async (url, why) => {
    expect(await told(guarded().get(url))).toEqual(['E206', why]);
  });

  test('no message shows a password', async () => {
    const error = await failure(guarded().get('http://me:secret@public.example/'));
    expect(JSON.stringify([error.message, error.detail, error.data])).not.toContain('secret');
  });

  test.each(['missing.example', 'empty.example'])('a name that cannot be resolved: %s', async (host) => {
    expect(await told(guarded().get(`http://${host}/`))).toEqual(['E200', 'unknown host name']);
  });

  test('a private address works when the user allows it', async () => {
    const { url } = await serve((_, response) => void response.end('here'));
    expect(text((await createFetcher({ allowPrivate: true }).get(url)).body)).toBe('here');
    expect(await told(createFetcher().get(url))).toEqual(['E206', '127.0.0.1 is loopback']);
  });

  test.each<[string, readonly string[], string | undefined]>([
    ['http://private.example/', ['private.example'], undefined],
    ['http://private.example/', ['private.example:8080'], 'private.example is 192.168.1.7: private'],
    ['http://private.example:8080/', ['private.example:8080'], undefined],
    ['http://private.example/', ['192.168.0.0/16'], undefined],
    ['http://private.example/', ['192.168.1.7'], undefined],
    ['http://private.example/', ['192.168.1.8', 'other.example'], 'private.example is 192.168.1.7: private'],
    ['http://localhost/', ['private.example'], 'localhost is this machine'],
    ['http://169.254.169.254/', ['169.254.169.254'], '169.254.169.254 is link-local'],
    ['http://169.254.169.254/', ['0.0.0.0/0'], '169.254.169.254 is link-local'],
    ['http://[fe80::1]/', ['::/0'], 'fe80::1 is link-local'],
    ['http://[fd00:ec2::254]/', ['fc00::/7'], 'fd00:ec2::254 is a metadata service'],
    ['http://100.100.100.200/', ['100.64.0.0/10'], '100.100.100.200 is a metadata service'],
    ['http://168.63.129.16/', [], '168.63.129.16 is a metadata service'],
    ['http://[::ffff:169.254.169.254]/', ['::/0'], '::ffff:a9fe:a9fe is IPv4 in disguise'],
    ['http://0.0.0.0/', ['0.0.0.0/0'], '0.0.0.0 is unspecified'],
    [
      'http://metadata.google.internal/',
      ['metadata.google.internal'],
      'metadata.google.internal is a metadata service',
    ],
    ['http://linklocal.example/', ['linklocal.example'], 'linklocal.example is 169.254.1.1: link-local'],
  ])('%s with %j allowed: %s', async (url, allowPrivate, why) => {
    const { port } = await serve((_, response) => void response.end('here'));
    const fetcher = guarded({ allowPrivate, dial: () => '127.0.0.1' });
    const target = new URL(url);
    if (why !== undefined) expect(await told(fetcher.get(url))).toEqual(['E206', why]);
    else {
      if (target.port === '') target.port = String(port);
      const allowed = allowPrivate.map((entry) => entry.replace(':8080', `:${port}`));
      if (url.includes(':8080')) target.port = String(port);
      const open = guarded({ allowPrivate: allowed, dial: () => '127.0.0.1' });
      expect(text((await open.get(target)).body)).toBe('here');
    }
  });

  test('true allows loopback and private networks, never link-local ones', async () => {
    const fetcher = createFetcher({ allowPrivate: true });
    expect(await told(fetcher.get('http://169.254.169.254/latest'))).toEqual([
      'E206',
      '169.254.169.254 is link-local',
    ]);
  });

  test('a redirect to a metadata service is always refused', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end();
    });
    const fetcher = createFetcher({ allowPrivate: ['127.0.0.1', '169.254.0.0/16'] });
    expect(await told(fetcher.get(url))).toEqual(['E206', '169.254.169.254 is link-local']);
  });

  test('the name is resolved only once', async () => {
    const { port } = await serve((_, response) => void response.end('first'));
    let asked = 0;
    const fetcher = guarded({
      resolve: async () => {
        asked += 1;
        return [asked === 1 ? PUBLIC : '127.0.0.1'];
      },
    });
    expect(text((await fetcher.get(`http://rebind.example:${port}/`)).body)).toBe('first');
    expect(asked).toBe(1);
  });

  test('the next address is tried when one does not answer', async () => {
    const { port } = await serve((_, response) => void response.end('second'));
    const dial = (address: string) => (address === PUBLIC ? '127.0.0.2' : '127.0.0.1');
    expect(text((await guarded({ dial }).get(`http://both.example:${port}/`)).body)).toBe('second');
  });
});

describe('redirects', () => {
  const redirecting = (targets: Readonly<Record<string, string>>, status = 302) =>
    serve(({ url = '', headers }, response) => {
      const target = targets[url];
      if (target === undefined) response.end(JSON.stringify(headers));
      else response.writeHead(status, { location: target }).end();
    });

  test.each([301, 302, 303, 307, 308])('%i is followed', async (status) => {
    const { port } = await redirecting({ '/a': 'b?c=1' }, status);
    const { url } = await guarded().get(`http://public.example:${port}/a`);
    expect(url).toBe(`http://public.example:${port}/b?c=1`);
  });

  test.each([
    ['http://127.0.0.1/', '127.0.0.1 is loopback'],
    ['http://169.254.169.254/latest/meta-data/', '169.254.169.254 is link-local'],
    ['http://[::1]:8080/', '::1 is loopback'],
    ['//private.example/', 'private.example is 192.168.1.7: private'],
    ['http://localhost:1/', 'localhost is this machine'],
    ['file:///etc/passwd', 'only http and https are supported, not file'],
    ['http://me:secret@public.example/', 'the URL contains a user name or a password'],
  ])('to %s is refused', async (target, why) => {
    const { port, requests } = await redirecting({ '/': target });
    expect(await told(guarded().get(`http://public.example:${port}/`))).toEqual(['E206', why]);
    expect(requests).toEqual(['GET /']);
  });

  test('five are followed, six are not, a loop ends', async () => {
    const steps = Object.fromEntries([1, 2, 3, 4, 5].map((step) => [`/${step}`, `/${step + 1}`]));
    const { port } = await redirecting({ ...steps, '/0': '/1', '/circle': '/circle' });
    const at = (path: string) => guarded().get(`http://public.example:${port}${path}`);
    expect((await at('/1')).url).toBe(`http://public.example:${port}/6`);
    expect(await told(at('/0'))).toEqual(['E200', 'more than 5 redirects']);
    expect(await told(at('/circle'))).toEqual(['E200', 'more than 5 redirects']);
  });

  test('to nonsense', async () => {
    const { port } = await redirecting({ '/': 'http://' });
    expect((await failure(guarded().get(`http://public.example:${port}/`))).message).toBe(
      `unexpected response: 'http://public.example:${port}/': a redirect to something that is not a URL`,
    );
  });

  test("the caller's headers go only to the origin they were meant for", async () => {
    const { port } = await redirecting({});
    const first = await redirecting({
      '/same': '/end',
      '/away': `http://other.example:${port}/end`,
    });
    const back = await redirecting({ '/': `http://public.example:${first.port}/end` });
    const there = await redirecting({ '/': `http://other.example:${back.port}/` });
    const ask = async (url: string) => {
      const headers = { authorization: 'Bearer x', 'x-key': 'y' };
      const answer = await guarded().get(url, { headers, accept: 'text/plain' });
      const seen = JSON.parse(text(answer.body));
      return [seen.accept, seen.authorization, seen['x-key']];
    };
    const base = `http://public.example:${first.port}`;
    expect(await ask(`${base}/same`)).toEqual(['text/plain', 'Bearer x', 'y']);
    expect(await ask(`${base}/away`)).toEqual(['text/plain', undefined, undefined]);
    expect(await ask(`http://public.example:${there.port}/`)).toEqual(['text/plain', undefined, undefined]);
  });

  test('none is followed when a body is sent', async () => {
    const { port } = await redirecting({ '/': '/end' }, 307);
    const body = Buffer.from('x');
    const sending = guarded().send(`http://public.example:${port}/`, { method: 'PUT', body });
    expect((await failure(sending)).code).toBe('E215');
  });
});

describe('answers', () => {
  test.each([
    [300, {}, 'E215', undefined],
    [302, {}, 'E215', undefined],
    [401, {}, 'E202', undefined],
    [403, {}, 'E202', undefined],
    [403, { 'x-ratelimit-remaining': '0' }, 'E209', undefined],
    [404, {}, 'E201', undefined],
    [410, {}, 'E201', undefined],
    [429, {}, 'E209', undefined],
    [429, { 'retry-after': '7' }, 'E209', 'try again in 7 seconds'],
    [429, { 'retry-after': 'Thu, 01 Jan 2026 00:00:00 GMT' }, 'E209', 'try again in 0 seconds'],
    [429, { 'retry-after': 'soon' }, 'E209', undefined],
    [400, {}, 'E200', undefined],
    [500, {}, 'E200', undefined],
    [503, {}, 'E200', undefined],
  ])('status %i with %j is %s', async (status, headers, code, help) => {
    const { url } = await serve((_, response) => void response.writeHead(status, headers).end('no'));
    const error = await failure(createFetcher({ allowPrivate: true, retries: 0 }).get(url));
    expect([error.code, error.help]).toEqual([code, help]);
  });

  test.each([
    ['gzip', gzipSync('packed')],
    ['x-gzip', gzipSync('packed')],
    ['br', brotliCompressSync('packed')],
    ['deflate', deflateSync('packed')],
    ['Identity', Buffer.from('packed')],
  ])('a body in %s is decoded', async (encoding, packed) => {
    const { url } = await serve((_, response) => {
      response.setHeader('content-encoding', encoding).end(packed);
    });
    expect(text((await createFetcher({ allowPrivate: true }).get(url)).body)).toBe('packed');
  });

  test.each([
    ['gzip', 'not packed at all', 'cannot be decoded (gzip)'],
    ['gzip', gzipSync('packed'.repeat(1000)).subarray(0, 30), 'cannot be decoded (gzip)'],
    ['br', 'not packed at all', 'cannot be decoded (br)'],
    ['zstd', 'x', 'an unknown encoding: zstd'],
    ['gzip, gzip', 'x', 'an unknown encoding: gzip, gzip'],
  ])('a body that is not valid %s', async (encoding, packed, why) => {
    const { url } = await serve((_, response) => {
      response.setHeader('content-encoding', encoding).end(packed);
    });
    const error = await failure(createFetcher({ allowPrivate: true }).get(url));
    expect([error.code, error.data?.why]).toEqual(['E215', why]);
  });

  test('a body larger than the limit ends the connection', async () => {
    let closed: () => void = () => {};
    const over = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const { url } = await serve((_, response) => {
      const send = () => {
        if (!response.destroyed && response.write(Buffer.alloc(16 * 1024))) setImmediate(send);
      };
      response.on('drain', send).on('close', closed);
      send();
    });
    const fetcher = createFetcher({ allowPrivate: true, maxBytes: 1024 * 1024 });
    expect(await told(fetcher.get(url))).toEqual(['E207', 'the response is larger than 1 MiB']);
    await over;
  });

  test('a limit is inclusive, and an announced length over it is refused at once', async () => {
    const { url, requests } = await serve((request, response) => {
      if (request.url === '/announced')
        response.writeHead(200, { 'content-length': '900000000' }).flushHeaders();
      else response.end('12345');
    });
    const fetcher = createFetcher({ allowPrivate: true });
    expect(text((await fetcher.get(url, { maxBytes: 5 })).body)).toBe('12345');
    expect((await failure(fetcher.get(url, { maxBytes: 4 }))).code).toBe('E207');
    expect((await failure(fetcher.get(`${url}/announced`))).code).toBe('E207');
    expect(requests).toHaveLength(3);
  });

  test.each([
    ['gzip', gzipSync(Buffer.alloc(64 * 1024 * 1024))],
    ['br', brotliCompressSync(Buffer.alloc(64 * 1024 * 1024))],
  ])('a decompression bomb in %s hits the limit', async (encoding, packed) => {
    const { url } = await serve((_, response) => {
      response.setHeader('content-encoding', encoding).end(packed);
    });
    const fetcher = createFetcher({ allowPrivate: true, maxBytes: 1024 * 1024 });
    expect((await failure(fetcher.get(url))).code).toBe('E207');
  });

  test('a body that ends before its announced length', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('abc', () => response.destroy());
    });
    const fetcher = createFetcher({ allowPrivate: true });
    expect(await told(fetcher.get(url))).toEqual(['E200', 'the connection was closed early']);
  });

  test.each([
    ['slow headers', () => {}],
    ['slow body', (response: { write(text: string): void }) => response.write('a')],
  ])('%s times out', async (_, start) => {
    const { url } = await serve((_request, response) => start(response));
    const fetcher = createFetcher({ allowPrivate: true, timeout: 200 });
    expect(await told(fetcher.get(url))).toEqual(['E200', expect.stringMatching(/^timed out/)]);
  });

  test('a resolver that never answers does not hold up the request', async () => {
    const fetcher = createFetcher({ timeout: 100, resolve: () => new Promise(() => {}) });
    expect(await told(fetcher.get('http://slow.example/'))).toEqual([
      'E200',
      expect.stringMatching(/^timed out/),
    ]);
  });

  test('the total time limit ends a drip feed', async () => {
    const { url } = await serve((_, response) => {
      const timer = setInterval(() => response.write('a'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const error = await failure(createFetcher({ allowPrivate: true }).get(url, { timeout: 300 }));
    expect([error.code, error.detail]).toEqual(['E200', '  timed out after 0.3 s']);
  });

  test('the caller can cancel it', async () => {
    const { url } = await serve(() => {});
    const controller = new AbortController();
    const fetcher = createFetcher({ allowPrivate: true });
    const asking = told(fetcher.get(url, { signal: controller.signal }));
    controller.abort();
    expect(await asking).toEqual(['E200', 'cancelled']);
    expect(await told(fetcher.get(url, { signal: AbortSignal.abort() }))).toEqual(['E200', 'cancelled']);
  });

  test('response headers that are too large', async () => {
    const { url } = await serve((_, response) => {
      response.setHeader('x-large', 'a'.repeat(200_000)).end('x');
    });
    const fetcher = createFetcher({ allowPrivate: true });
    expect(await told(fetcher.get(url))).toEqual(['E200', 'the response headers are too large']);
  });

  test('a server that does not speak HTTP, and no server', async () => {
    const server = createSocketServer((socket) => {
      socket.on('error', () => {});
      socket.resume().end('SSH-2.0-OpenSSH_9.6\r\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const fetcher = createFetcher({ allowPrivate: true });
    expect(await told(fetcher.get(`http://127.0.0.1:${port}/`))).toEqual([
      'E200',
      'the response is not HTTP',
    ]);
    await new Promise<void>((resolve) => server.close(() => resolve()));
    expect(await told(fetcher.get(`http://127.0.0.1:${port}/`))).toEqual(['E200', 'connection refused']);
  });
});

describe('getJson', () => {
  const Shape = z.object({ skills: z.array(z.string()) });

  test.each([
    ['{"skills":["a"],"more":1}', undefined],
    ['\ufeff{"skills":[]}', undefined],
    ['', 'the response is empty'],
    ['<!doctype html><title>x</title>', 'a web page, not JSON'],
    ['{"skills":', 'not JSON'],
    ['{"skills":[1]}', 'skills.0: must be text'],
    ['[]', 'must be a table'],
    [Buffer.from([0x22, 0xff, 0x22]), 'not valid UTF-8'],
    ['['.repeat(100_000), 'nested deeper than 100 levels'],
  ])('%#', async (body, why) => {
    const { url } = await serve((_, response) => void response.end(body));
    const fetcher = createFetcher({ allowPrivate: true });
    if (why === undefined) {
      const { value } = await fetcher.getJson(url, Shape);
      expect(Object.keys(value)).toEqual(['skills']);
    } else {
      const error = await failure(fetcher.getJson(url, Shape));
      expect([error.code, error.data?.why]).toEqual(['E215', why]);
    }
  });

  test('50 MB of brackets are not read to the end', async () => {
    const { url } = await serve((_, response) => void response.end(Buffer.alloc(50_000_000, '[')));
    expect((await failure(createFetcher({ allowPrivate: true }).getJson(url, Shape))).code).toBe('E207');
  });
});

test('send uploads a body of any size and accepts the expected statuses', async () => {
  const { url } = await serve(async (request, response) => {
    let bytes = 0;
    for await (const chunk of request) bytes += (chunk as Buffer).length;
    const { method, headers } = request;
    response
      .writeHead(409)
      .end(JSON.stringify([method, headers['content-length'], bytes, headers.authorization]));
  });
  const fetcher = createFetcher({ allowPrivate: true });
  const body = Buffer.alloc(1_000_000);
  const options = { method: 'PUT', body, headers: { authorization: 'Bearer x' } } as const;
  const answer = await fetcher.send(url, { ...options, expect: [409] });
  expect([answer.status, JSON.parse(text(answer.body))]).toEqual([
    409,
    ['PUT', '1000000', 1_000_000, 'Bearer x'],
  ]);
  expect((await failure(fetcher.send(url, options))).code).toBe('E200');
  const empty = await fetcher.send(url, { method: 'DELETE', expect: [409] });
  expect(JSON.parse(text(empty.body)).slice(0, 3)).toEqual(['DELETE', null, 0]);
});

describe('download', () => {
  test('streams to a file, with its hash and its progress', async () => {
    const body = Buffer.alloc(300_000, 'skill');
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': body.length }).end(body);
    });
    const file = join(makeDirectory(), 'archive');
    const seen: { received: number; total: number | undefined }[] = [];
    const onProgress = (progress: (typeof seen)[number]) => void seen.push(progress);
    const downloaded = await createFetcher({ allowPrivate: true }).download(url, file, { onProgress });
    expect(downloaded).toMatchObject({ status: 200, sha256: sha256(body), bytes: body.length });
    expect(readFileSync(file).equals(body)).toBe(true);
    expect(seen.at(-1)).toEqual({ received: body.length, total: body.length });
  });

  test('bytes are kept as sent', async () => {
    const packed = gzipSync('tar');
    const { url } = await serve(
      (_, response) => void response.setHeader('content-encoding', 'gzip').end(packed),
    );
    const file = join(makeDirectory(), 'archive');
    await createFetcher({ allowPrivate: true }).download(url, file);
    expect(readFileSync(file).equals(packed)).toBe(true);
  });

  test.each([
    ['E207', 'endless'],
    ['E200', 'short'],
    ['E201', 'missing'],
    ['E200', 'quiet'],
  ])('%s: leaves no file when the response is %s', async (code, kind) => {
    const { url } = await serve((_, response) => {
      if (kind === 'missing') response.writeHead(404).end();
      else if (kind === 'short')
        response.writeHead(200, { 'content-length': '9' }).write('abc', () => response.destroy());
      else if (kind === 'quiet') response.write('abc');
      else response.end(Buffer.alloc(2_000_000));
    });
    const dir = makeDirectory();
    const timeout = kind === 'quiet' ? 300 : 10_000;
    const fetcher = createFetcher({ allowPrivate: true, maxBytes: 1_000_000, timeout });
    expect((await failure(fetcher.download(url, join(dir, 'archive')))).code).toBe(code);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('an existing file is not replaced', async () => {
    const { url } = await serve((_, response) => void response.end('new'));
    const dir = makeDirectory({ archive: 'old' });
    const fetcher = createFetcher({ allowPrivate: true });
    expect((await failure(fetcher.download(url, join(dir, 'archive')))).code).toBe('E016');
    expect(readFileSync(join(dir, 'archive'), 'utf8')).toBe('old');
    expect((await failure(fetcher.download(url, join(dir, 'none', 'archive')))).code).toBe('E016');
    expect(existsSync(join(dir, 'none'))).toBe(false);
  });
});

describe('https', () => {
  const secureServer = async (ca: string, key: string, answer: (path: string) => string | undefined) => {
    const server = createSecureServer({ cert: ca, key }, ({ url = '' }, response) => {
      const location = answer(url);
      if (location === undefined) response.end('secure');
      else response.writeHead(302, { location }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    return (server.address() as AddressInfo).port;
  };

  test('the certificate is checked against the requested name', async (context) => {
    requireProgram(context, 'openssl');
    const dir = makeDirectory();
    const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')];
    const name = ['-subj', '/CN=public.example', '-addext', 'subjectAltName=DNS:public.example'];
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const files = ['-keyout', key, '-out', cert, '-days', '2'];
    execFileSync('openssl', ['req', '-x509', ...curve, ...files, ...name], { stdio: 'ignore' });
    const ca = readFileSync(cert, 'utf8');
    const plain = await serve((_, response) => void response.end('plain'));
    const port = await secureServer(ca, readFileSync(key, 'utf8'), (path) =>
      path === '/down' ? `http://public.example:${plain.port}/` : undefined,
    );
    const fetcher = guarded({ ca });
    expect(text((await fetcher.get(`https://public.example:${port}/`)).body)).toBe('secure');
    expect(await told(fetcher.get(`https://other.example:${port}/`))).toEqual([
      'E200',
      expect.stringMatching(/^no secure connection: /),
    ]);
    expect(await told(guarded().get(`https://public.example:${port}/`))).toEqual([
      'E200',
      expect.stringMatching(/^no secure connection: self.signed certificate$/),
    ]);
    expect(await told(fetcher.get(`https://public.example:${port}/down`))).toEqual([
      'E206',
      `public.example:${port} redirects from https to http`,
    ]);
    expect((await failure(fetcher.get(`https://public.example:${plain.port}/`))).code).toBe('E200');
  });
});
