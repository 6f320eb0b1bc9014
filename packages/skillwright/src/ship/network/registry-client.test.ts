import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { workspaceAt } from '../../../test/open-workspace.ts';
import { serveRegistry } from '../../../test/registry-server.ts';
import { serve } from '../../../test/serve.ts';
import type { SkillwrightError } from '../../base/diagnostics/skillwright-error.ts';
import { sha256 } from '../../base/files/hash.ts';
import { MAX_STATES } from '../protocol/index.ts';
import { chooseVersion } from './choose-version.ts';
import { createFetcher } from './create-fetcher.ts';
import { openIndexMemory } from './index-memory.ts';
import { createRegistryAccount } from './registry-account.ts';
import { createRegistryClient } from './registry-client.ts';

const fetcher = createFetcher({ allowPrivate: true, timeout: 60_000 });
const archive = (text: string) => gzipSync(text);
const client = (url: string, token?: string) => createRegistryClient({ url, fetcher, token });
const account = (url: string, token: string) => createRegistryAccount({ url, fetcher, token });
const acmePdf = { owner: 'acme', name: 'pdf' };

const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('it did not fail'),
    (error: SkillwrightError) => error,
  );

const pdf = {
  description: 'Fills PDF forms.',
  level: 'verified' as const,
  rating: { mean: 4.5, count: 2 },
  downloads: 1200,
  repository: 'https://github.com/acme/pdf',
  versions: {
    '1.0.0': archive('1.0.0'),
    '1.2.0': archive('1.2.0'),
    '1.3.0': archive('1.3.0'),
    '2.0.0-beta.1': archive('2.0.0-beta.1'),
    '2.1.0': archive('2.1.0'),
    '2.2.0': archive('2.2.0'),
    '2.3.0': archive('2.3.0'),
  },
  yanked: { '1.3.0': 'broken' },
  quarantined: { '2.2.0': 'under review' },
  purged: { '2.3.0': 'leaked a key' },
};

describe('search', () => {
  test('by words, page by page', async () => {
    const { url, requests } = await serveRegistry({
      '@acme/pdf': pdf,
      '@other/pdf': { ...pdf, tags: ['forms'] },
      '@acme/word': { versions: {}, description: '' },
    });
    const first = await client(url).search({ q: 'pdf forms', limit: 1 });
    expect([first.total, first.next, first.skills.map(({ name }) => name)]).toEqual([2, '1', ['@acme/pdf']]);
    const second = await client(url).search({ q: 'pdf forms', limit: 1, cursor: first.next! });
    expect([second.next, second.skills.map(({ name }) => name)]).toEqual([null, ['@other/pdf']]);
    expect(requests).toEqual([
      'GET /api/v1/search?q=pdf+forms&limit=1',
      'GET /api/v1/search?q=pdf+forms&limit=1&cursor=1',
    ]);
  });

  test('by owner, tag and level', async () => {
    const { url, requests } = await serveRegistry({
      '@acme/pdf': pdf,
      '@other/pdf': { ...pdf, tags: ['forms'] },
    });
    const names = async (query: object) => (await client(url).search(query)).skills.map(({ name }) => name);
    expect(await names({ owner: 'acme' })).toEqual(['@acme/pdf']);
    expect(await names({ tag: 'forms', level: 'verified' })).toEqual(['@other/pdf']);
    expect(await names({ level: 'official' })).toEqual([]);
    expect(requests[1]).toBe('GET /api/v1/search?tag=forms&level=verified');
  });
});

describe('the index', () => {
  test('has all versions with their states, newest first', async () => {
    const { url } = await serveRegistry({ '@acme/pdf': pdf });
    const index = await client(`${url}/`).index(acmePdf);
    expect(index).toMatchObject({ name: '@acme/pdf', level: 'verified', latest: '2.1.0' });
    expect(index.versions.map(({ version, installable }) => [version, installable.answer])).toEqual([
      ['2.3.0', 'no'],
      ['2.2.0', 'no'],
      ['2.1.0', 'yes'],
      ['2.0.0-beta.1', 'yes'],
      ['1.3.0', 'exact'],
      ['1.2.0', 'yes'],
      ['1.0.0', 'yes'],
    ]);
  });

  test('is asked for again only when it changed', async () => {
    const { url, mark } = await serveRegistry({ '@acme/pdf': pdf });
    const root = makeDirectory();
    const statuses: number[] = [];
    const counted = {
      ...fetcher,
      get: async (...words: Parameters<typeof fetcher.get>) => {
        const answer = await fetcher.get(...words);
        statuses.push(answer.status);
        return answer;
      },
    };
    const asked = () => {
      const memory = openIndexMemory(workspaceAt({ cwd: root, home: root }), { url });
      return createRegistryClient({ url, fetcher: counted, memory }).index(acmePdf);
    };
    const first = await asked();
    expect(await asked()).toEqual(first);
    mark('@acme/pdf', '1.2.0', 'yanked', 'old');
    expect((await asked()).versions[5]).toMatchObject({ version: '1.2.0', yanked: 'old' });
    expect(statuses).toEqual([200, 304, 200]);
  });

  test('of a skill that does not exist', async () => {
    const { url, requests } = await serveRegistry({ '@acme/pdf': pdf });
    const { code, message } = await failure(client(url).index({ owner: 'acme', name: 'none' }));
    expect([code, message]).toEqual(['E201', "not found: '@acme/none'"]);
    expect(requests).toEqual(['GET /api/v1/skills/@acme/none']);
  });

  test('of a private skill needs a token', async () => {
    const secret = { ...pdf, visibility: 'private' as const };
    const { url } = await serveRegistry({ '@acme/pdf': secret }, { token: 'secret' });
    expect((await failure(client(url).index(acmePdf))).code).toBe('E201');
    expect((await client(url, 'secret').index(acmePdf)).visibility).toBe('private');
  });

  test.each([
    ['{"name":"pdf"}', 'name: must be @owner/name'],
    ['<html>', 'a web page, not JSON'],
  ])('that does not follow the protocol', async (body, why) => {
    const { url } = await serve((_, response) => void response.end(body));
    const error = await failure(client(url).index(acmePdf));
    expect([error.code, error.data?.why]).toEqual(['E215', why]);
  });
});

describe('choosing a version', () => {
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
    ['2.2.0', "E237 '@acme/pdf@2.2.0' cannot be installed: quarantined: under review"],
    ['2.3.0', "E236 '@acme/pdf@2.3.0' was purged from its registry: leaked a key"],
    ['^3', "E201 not found: '@acme/pdf@^3'"],
    ['9.9.9', "E201 not found: '@acme/pdf@9.9.9'"],
    ['nonsense', "E201 not found: '@acme/pdf@nonsense'"],
  ])('%s is %s', async (range, expected) => {
    const { url } = await serveRegistry({ '@acme/pdf': pdf });
    const index = await client(url).index(acmePdf);
    const chosen = (() => {
      try {
        return chooseVersion(index, range).version;
      } catch (error) {
        const { code, message } = error as SkillwrightError;
        return `${code} ${message}`;
      }
    })();
    expect(chosen).toBe(expected);
  });

  test('only prereleases, and only yanked versions', async () => {
    const { url } = await serveRegistry({
      '@acme/early': { versions: { '1.0.0-a': archive('a'), '1.0.0-b': archive('b') } },
      '@acme/gone': { versions: { '1.0.0': archive('a') }, yanked: { '1.0.0': 'x' } },
    });
    const chosen = async (name: string) => chooseVersion(await client(url).index({ owner: 'acme', name }));
    expect((await chosen('early')).version).toBe('1.0.0-b');
    expect((await failure(chosen('gone'))).help).toBe('it has no version that can be installed');
  });
});

describe('document and archive', () => {
  const resolved = async (url: string, version: string) => {
    const index = await client(url).index(acmePdf);
    return client(url).document(acmePdf, chooseVersion(index, version));
  };

  test('the archive is checked against the document', async () => {
    const { url, tamper, requests } = await serveRegistry({ '@acme/pdf': pdf });
    const file = join(makeDirectory(), 'pdf.tar.gz');
    const found = await resolved(url, '1.2.0');
    expect(await client(url).download(found, file)).toMatchObject({ sha256: sha256(archive('1.2.0')) });
    expect(readFileSync(file).equals(archive('1.2.0'))).toBe(true);
    const digest = `sha256:${sha256(archive('1.2.0'))}`;
    expect(requests).toEqual([
      'GET /api/v1/skills/@acme/pdf',
      'GET /api/v1/skills/@acme/pdf/1.2.0',
      `GET /api/v1/archives/${digest}`,
    ]);

    tamper('@acme/pdf', '1.2.0', archive('9.9.9'));
    const other = `${file}.2`;
    const { code, message } = await failure(client(url).download(found, other));
    expect([code, message]).toEqual([
      'E204',
      `integrity mismatch: '@acme/pdf@1.2.0 from ${url}/api/v1/archives/${digest}'`,
    ]);
    expect(existsSync(other)).toBe(false);

    tamper('@acme/pdf', '1.2.0', Buffer.alloc(10_000));
    expect((await failure(client(url).download(found, other))).code).toBe('E207');
    expect(existsSync(other)).toBe(false);
  });

  test('an archive that was withheld after the index was read', async () => {
    const { url, mark } = await serveRegistry({ '@acme/pdf': pdf });
    const file = join(makeDirectory(), 'pdf.tar.gz');
    const found = await resolved(url, '1.2.0');
    mark('@acme/pdf', '1.2.0', 'quarantined', 'a report');
    const held = await failure(client(url).download(found, file));
    expect([held.code, held.message]).toEqual([
      'E237',
      "'@acme/pdf@1.2.0' cannot be installed: quarantined: a report",
    ]);
    mark('@acme/pdf', '1.2.0', 'purged', 'leaked a key');
    const gone = await failure(client(url).download(found, file));
    expect([gone.code, gone.message]).toEqual([
      'E236',
      "'@acme/pdf@1.2.0' was purged from its registry: leaked a key",
    ]);
    expect(existsSync(file)).toBe(false);
  });

  test('the token goes only to the registry', async () => {
    const seen: (string | undefined)[] = [];
    const elsewhere = await serve(({ headers }, response) => {
      seen.push(headers.authorization);
      response.end(archive('1.2.0'));
    });
    const home = await serve(({ headers }, response) => {
      seen.push(headers.authorization);
      response.writeHead(302, { location: `${elsewhere.url}/a` }).end();
    });
    const { url } = await serveRegistry({ '@acme/pdf': pdf });
    const found = await resolved(url, '1.2.0');
    await client(home.url, 'secret').download(found, join(makeDirectory(), 'a'));
    expect(seen).toEqual(['Bearer secret', undefined]);
  });
});

describe('states', () => {
  test('in batches, in order', async () => {
    const { url, requests } = await serveRegistry({ '@acme/pdf': pdf });
    const known = Object.keys(pdf.versions).map((version) => ({ name: '@acme/pdf', version }));
    const unknown = Array.from({ length: MAX_STATES }, (_, at) => ({
      name: '@acme/none',
      version: `${at}.0.0`,
    }));
    const states = await client(url).states([...unknown, ...known]);
    expect(requests).toEqual(['POST /api/v1/states', 'POST /api/v1/states']);
    expect(
      states.slice(MAX_STATES).map(({ version, installable }) => [version, installable?.answer]),
    ).toEqual([
      ['1.0.0', 'yes'],
      ['1.2.0', 'yes'],
      ['1.3.0', 'exact'],
      ['2.0.0-beta.1', 'yes'],
      ['2.1.0', 'yes'],
      ['2.2.0', 'no'],
      ['2.3.0', 'no'],
    ]);
    expect(states.slice(0, MAX_STATES).every((state) => !state.known)).toBe(true);
  });

  test('of other versions than asked for', async () => {
    const { url, forge } = await serveRegistry({ '@acme/pdf': pdf });
    forge('/api/v1/states', ({ body }) => ({ body: body.toString().replace('1.2.0', '1.0.0') }));
    const { code } = await failure(client(url).states([{ name: '@acme/pdf', version: '1.2.0' }]));
    expect(code).toBe('E215');
  });
});

describe('publishing', () => {
  test('a version is published once, and can be installed', async () => {
    const { url, archiveOf } = await serveRegistry({}, { token: 'secret' });
    const bytes = archive('new');
    expect(await account(url, 'secret').publish({ ...acmePdf, version: '1.0.0' }, bytes)).toMatchObject({
      version: '1.0.0',
      archive: `sha256:${sha256(archive('new'))}`,
      yanked: null,
      installable: { answer: 'yes', reasons: [] },
    });
    expect(archiveOf('@acme/pdf', '1.0.0')!.length).toBe(archive('new').length);
    const { code, message, detail } = await failure(
      account(url, 'secret').publish({ ...acmePdf, version: '1.0.0' }, bytes),
    );
    expect([code, message, detail]).toEqual([
      'E203',
      "version exists: '@acme/pdf@1.0.0'",
      '  @acme/pdf@1.0.0 exists and is never replaced',
    ]);
    expect((await client(url).index(acmePdf)).latest).toBe('1.0.0');
  });

  test('with a token that may not publish', async () => {
    const { url, archiveOf } = await serveRegistry({}, { token: 'secret' });
    const bytes = archive('new');
    const { code, message } = await failure(
      account(url, 'wrong').publish({ ...acmePdf, version: '1.0.0' }, bytes),
    );
    expect([code, message]).toEqual(['E251', "not allowed: '@acme/pdf@1.0.0': this token may not do that"]);
    expect(archiveOf('@acme/pdf', '1.0.0')).toBeUndefined();
  });

  test('a skill that the registry refuses', async () => {
    const { url } = await serveRegistry({}, { token: 'secret' });
    const bytes = Buffer.from('no archive');
    const { code, message, data } = await failure(
      account(url, 'secret').publish({ ...acmePdf, version: '1.0.0' }, bytes),
    );
    expect([code, message, data?.error]).toEqual([
      'E218',
      "refused by the registry: '@acme/pdf@1.0.0': not a .tar.gz",
      'invalid_skill',
    ]);
  });

  test('yank and deprecate, and undo both', async () => {
    const { url } = await serveRegistry({ '@acme/pdf': pdf }, { token: 'secret' });
    const changes = account(url, 'secret');
    const yank = (name: string, yanked: string | null) =>
      changes.call('yankVersion', { path: { owner: 'acme', name, version: '2.1.0' }, body: { yanked } });
    const deprecate = (deprecated: string | null) =>
      changes.call('changeSkill', { path: acmePdf, body: { deprecated } });
    expect((await yank('pdf', 'broken')).yanked).toBe('broken');
    expect((await client(url).index(acmePdf)).latest).toBe('1.2.0');
    expect((await yank('pdf', null)).yanked).toBeNull();
    expect((await deprecate('use forms')).deprecated).toBe('use forms');
    expect((await deprecate(null)).deprecated).toBeNull();
    expect((await failure(yank('none', 'x'))).code).toBe('E201');
  });
});

test.each([
  ['http://registry.example', 'E206'],
  ['https://me:x@registry.example', 'E206'],
  ['nonsense', 'E206'],
])('a token for %s is %s', (url, code) => {
  expect(() => client(url, 'secret')).toThrow(expect.objectContaining({ code }));
  expect(() => account(url, 'secret')).toThrow(expect.objectContaining({ code }));
});
