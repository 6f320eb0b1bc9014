import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { serveRegistry } from '../../../test/registry-server.ts';
import { serve } from '../../../test/serve.ts';
import type { SkillwrightError } from '../../base/diagnostics/skillwright-error.ts';
import { sha256 } from '../../base/files/hash.ts';
import { createFetcher } from './create-fetcher.ts';
import { createRegistryClient } from './registry-client.ts';

const fetcher = createFetcher({ allowPrivate: true, timeout: 5000 });
const archive = (text: string) => gzipSync(text);
const client = (url: string, token?: string) => createRegistryClient({ url, fetcher, token });

const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('it did not fail'),
    (error: SkillwrightError) => error,
  );

const pdf = {
  description: 'Fills PDF forms.',
  level: 'verified' as const,
  rating: 4.5,
  downloads: 1200,
  repository: 'https://github.com/acme/pdf',
  versions: {
    '1.0.0': archive('1.0.0'),
    '1.2.0': archive('1.2.0'),
    '1.3.0': archive('1.3.0'),
    '2.0.0-beta.1': archive('2.0.0-beta.1'),
    '2.1.0': archive('2.1.0'),
  },
  yanked: { '1.3.0': 'broken' },
};

describe('looking', () => {
  test('search finds by words, page by page', async () => {
    const { url, requests } = await serveRegistry({
      pdf,
      'pdf-two': pdf,
      word: { versions: {}, description: '' },
    });
    const found = await client(url).search('pdf forms', { page: 2, limit: 1 });
    expect([found.total, found.page, found.limit, found.skills.map(({ name }) => name)]).toEqual([
      2,
      2,
      1,
      ['pdf-two'],
    ]);
    expect(requests).toEqual(['GET /api/v1/search?q=pdf+forms&page=2&limit=1']);
  });

  test('a skill with its versions, newest first', async () => {
    const { url } = await serveRegistry({ pdf });
    const skill = await client(`${url}/`).skill('pdf');
    expect(skill).toMatchObject({
      name: 'pdf',
      level: 'verified',
      rating: 4.5,
      downloads: 1200,
      latest: '2.1.0',
    });
    expect(skill.versions.map(({ version, yanked }) => [version, yanked])).toEqual([
      ['2.1.0', null],
      ['2.0.0-beta.1', null],
      ['1.3.0', 'broken'],
      ['1.2.0', null],
      ['1.0.0', null],
    ]);
  });

  test('a skill that does not exist, whatever its name', async () => {
    const { url, requests } = await serveRegistry({ pdf });
    for (const name of ['none', '../../admin', 'a/b?c#d'])
      expect((await failure(client(url).skill(name))).code).toBe('E201');
    expect(requests).toEqual([
      'GET /api/v1/skills/none',
      'GET /api/v1/skills/..%2F..%2Fadmin',
      'GET /api/v1/skills/a%2Fb%3Fc%23d',
    ]);
  });

  test.each([
    [undefined, '2.1.0'],
    ['latest', '2.1.0'],
    ['^1.0.0', '1.2.0'],
    ['1', '1.2.0'],
    ['>=1 <2', '1.2.0'],
    ['*', '2.1.0'],
    ['1.3.0', '1.3.0'],
    ['2.0.0-beta.1', '2.0.0-beta.1'],
    ['^2.0.0-beta.0', '2.1.0'],
    ['^3', undefined],
    ['9.9.9', undefined],
    ['nonsense', undefined],
  ])('%s is %s', async (range, version) => {
    const { url } = await serveRegistry({ pdf });
    const resolving = client(url).resolve('pdf', range);
    if (version === undefined) {
      const { code, message, help } = await failure(resolving);
      expect([code, message, help]).toEqual([
        'E201',
        `not found: 'pdf@${range}'`,
        'available: 2.1.0, 2.0.0-beta.1, 1.2.0, 1.0.0',
      ]);
    } else {
      const found = await resolving;
      expect([found.version.version, found.archiveUrl]).toEqual([
        version,
        `${url}/api/v1/skills/pdf/${version}/archive`,
      ]);
    }
  });

  test('only prereleases, and only yanked versions', async () => {
    const { url } = await serveRegistry({
      early: { versions: { '1.0.0-a': archive('a'), '1.0.0-b': archive('b') } },
      gone: { versions: { '1.0.0': archive('a') }, yanked: { '1.0.0': 'x' } },
    });
    expect((await client(url).resolve('early')).version.version).toBe('1.0.0-b');
    expect((await failure(client(url).resolve('gone'))).help).toBe('it has no version that can be installed');
  });

  test.each([
    ['{"name":"pdf"}', 'description: must be text'],
    ['<html>', 'a web page, not JSON'],
  ])('a response that does not follow the protocol', async (body, why) => {
    const { url } = await serve((_, response) => void response.end(body));
    const error = await failure(client(url).skill('pdf'));
    expect([error.code, error.data?.why]).toEqual(['E215', why]);
  });
});

describe('download', () => {
  test('checks the digest', async () => {
    const { url, tamper } = await serveRegistry({ pdf });
    const file = join(makeDirectory(), 'pdf.tar.gz');
    const found = await client(url).resolve('pdf', '1.2.0');
    expect(await client(url).download(found, file)).toMatchObject({ sha256: sha256(archive('1.2.0')) });
    expect(readFileSync(file).equals(archive('1.2.0'))).toBe(true);

    tamper('pdf', '1.2.0', archive('9.9.9'));
    const other = `${file}.2`;
    const { code, message } = await failure(client(url).download(found, other));
    expect([code, message]).toEqual([
      'E204',
      `integrity mismatch: 'pdf@1.2.0 from ${url}/api/v1/skills/pdf/1.2.0/archive'`,
    ]);
    expect(existsSync(other)).toBe(false);

    tamper('pdf', '1.2.0', Buffer.alloc(10_000));
    expect((await failure(client(url).download(found, other))).code).toBe('E207');
    expect(existsSync(other)).toBe(false);
  });

  test('the token goes only to the registry', async () => {
    const seen: (string | undefined)[] = [];
    const answering = () =>
      serve(({ headers }, response) => {
        seen.push(headers.authorization);
        response.end(archive('1.2.0'));
      });
    const [home, elsewhere] = [await answering(), await answering()];
    const { url } = await serveRegistry({ pdf });
    const found = await client(url).resolve('pdf', '1.2.0');
    const dir = makeDirectory();
    const registry = client(home.url, 'secret');
    await registry.download({ ...found, archiveUrl: `${home.url}/a` }, join(dir, 'a'));
    await registry.download({ ...found, archiveUrl: `${elsewhere.url}/a` }, join(dir, 'b'));
    expect(seen).toEqual(['Bearer secret', undefined]);
  });
});

describe('publishing', () => {
  test('a version is published once, and can be installed', async () => {
    const { url, archiveOf } = await serveRegistry({}, { token: 'secret' });
    const registry = client(url, 'secret');
    const publication = { name: 'pdf', version: '1.0.0', archive: archive('new') };
    expect(await registry.publish(publication)).toMatchObject({
      name: 'pdf',
      version: '1.0.0',
      dist: { digest: `sha256:${sha256(archive('new'))}`, size: archive('new').length },
      yanked: null,
    });
    expect(archiveOf('pdf', '1.0.0')!.length).toBe(archive('new').length);
    const { code, message, detail } = await failure(registry.publish(publication));
    expect([code, message, detail]).toEqual([
      'E203',
      "version exists: 'pdf@1.0.0'",
      '  pdf@1.0.0 exists and is never replaced',
    ]);
    expect((await client(url).resolve('pdf')).version.version).toBe('1.0.0');
  });

  test.each([
    [undefined, 'E202', '  a token is needed'],
    ['wrong', 'E202', '  this token may not do that'],
  ])('with the token %s', async (token, code, detail) => {
    const { url, archiveOf } = await serveRegistry({}, { token: 'secret' });
    const publication = { name: 'pdf', version: '1.0.0', archive: archive('new') };
    const error = await failure(client(url, token).publish(publication));
    expect([error.code, error.detail]).toEqual([code, detail]);
    expect(archiveOf('pdf', '1.0.0')).toBeUndefined();
  });

  test('a skill that the registry refuses', async () => {
    const { url } = await serveRegistry({}, { token: 'secret' });
    const publication = { name: 'pdf', version: '1.0.0', archive: Buffer.from('no archive') };
    const { code, message, data } = await failure(client(url, 'secret').publish(publication));
    expect([code, message, data?.error]).toEqual([
      'E218',
      "refused by the registry: 'pdf@1.0.0': not a .tar.gz",
      'invalid_skill',
    ]);
  });

  test('yank and deprecate, and undo both', async () => {
    const { url } = await serveRegistry({ pdf }, { token: 'secret' });
    const registry = client(url, 'secret');
    expect((await registry.yank('pdf', '2.1.0', { reason: 'broken' })).yanked).toBe('broken');
    expect((await registry.resolve('pdf')).version.version).toBe('1.2.0');
    expect((await registry.yank('pdf', '2.1.0', { reason: null })).yanked).toBeNull();
    expect((await registry.deprecate('pdf', { reason: 'use forms' })).deprecated).toBe('use forms');
    expect((await registry.deprecate('pdf', { reason: null })).deprecated).toBeNull();
    expect((await failure(registry.yank('none', '1.0.0', { reason: 'x' }))).code).toBe('E201');
  });
});

test.each([
  ['http://registry.example', 'E206'],
  ['https://me:x@registry.example', 'E206'],
  ['nonsense', 'E206'],
])('a token for %s is %s', (url, code) => {
  expect(() => client(url, 'secret')).toThrow(expect.objectContaining({ code }));
});
