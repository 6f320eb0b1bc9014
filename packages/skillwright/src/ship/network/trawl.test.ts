import { describe, expect, test } from 'vitest';
import { makeWorld } from '../../../test/make-world.ts';
import { serveRegistry } from '../../../test/registry-server.ts';
import { type Served, serve, serveFiles } from '../../../test/serve.ts';
import { openWorkspace } from '../../skill/workspace/index.ts';
import { createFetcher } from './create-fetcher.ts';
import { INDEX_SCHEMA } from './read-index.ts';
import { createRegistryClient } from './registry-client.ts';
import { askSources, type SourceOptions, type Trawled, trawl } from './trawl.ts';

const fetcher = createFetcher({ allowPrivate: true, timeout: 60_000 });
const NOWHERE = 'http://127.0.0.1:1';

/** By default no source answers. */
const search = (query: string, options: Partial<SourceOptions>) =>
  askSources(query, { fetcher, githubUrl: NOWHERE, npmUrl: NOWHERE, ...options });

const timeless = ({ statuses }: Trawled) =>
  statuses.map(({ ms, ...status }) => {
    expect(ms).toBeGreaterThanOrEqual(0);
    return status;
  });

const json = (value: unknown) => JSON.stringify(value);

const github = (items: readonly unknown[], code: readonly unknown[] = []): Promise<Served> =>
  serve(({ url = '' }, response) => {
    response.end(json({ total_count: 1, items: url.startsWith('/search/code') ? code : items }));
  });

const repository = {
  full_name: 'acme/pdf-skills',
  description: 'Skills for PDF forms',
  html_url: 'https://github.com/acme/pdf-skills',
  stargazers_count: 120,
  topics: ['agent-skills'],
  archived: false,
};

const npmAnswer = {
  total: 3,
  objects: [
    {
      package: {
        name: '@acme/pdf-forms',
        description: 'Fill PDF forms',
        keywords: ['agent-skills'],
        links: { npm: 'https://npm.example/pdf', repository: 'git+https://github.com/acme/other.git' },
      },
      downloads: { monthly: 5000 },
    },
    { package: { name: '--flag', description: 'x' } },
    { nonsense: true },
  ],
};

const index = json({
  $schema: INDEX_SCHEMA,
  skills: [
    {
      name: 'pdf-fill',
      type: 'skill-md',
      description: 'Fills PDF forms.',
      url: 'a.md',
      digest: `sha256:${'0'.repeat(64)}`,
    },
    {
      name: 'unrelated',
      type: 'skill-md',
      description: 'Cooks soup.',
      url: 'b.md',
      digest: `sha256:${'1'.repeat(64)}`,
    },
    { name: 'bad', type: 'task' },
  ],
});

describe('all sources at once', () => {
  test('results from each, ranked, with their install source', async () => {
    const registry = await serveRegistry({
      '@acme/pdf-forms': { description: 'PDF forms.', level: 'verified', versions: {} },
    });
    const domain = await serveFiles({ '/.well-known/agent-skills/index.json': index });
    const npm = await serve((_, response) => void response.end(json(npmAnswer)));
    const hub = await github([repository]);
    const found = await search('pdf forms', {
      registry: { client: createRegistryClient({ url: registry.url, fetcher }), isUsers: true },
      githubUrl: hub.url,
      npmUrl: npm.url,
      domains: [domain.url],
    });
    expect(found.map(({ source, skill, from, score }) => [source, skill, from, score])).toEqual([
      [`registry+${registry.url}/#@acme/pdf-forms`, undefined, 'registry', 0.82],
      ['npm:@acme/pdf-forms', undefined, 'npm', 0.674],
      ['acme/pdf-skills', undefined, 'github', 0.467],
      [domain.url, 'pdf-fill', 'well-known', 0.445],
    ]);
    expect(found.total).toBe(4);
    expect(timeless(found)).toEqual([
      { source: 'registry', status: 'ok', reason: undefined, count: 1 },
      { source: 'github', status: 'ok', reason: undefined, count: 2 },
      { source: 'npm', status: 'ok', reason: undefined, count: 1 },
      {
        source: 'well-known',
        domain: domain.url,
        status: 'ok',
        reason: `left out of '${domain.url}/.well-known/agent-skills/index.json': entry 3 ("bad"): no 'description'`,
        count: 1,
      },
    ]);
    expect(npm.requests).toEqual([
      'GET /-/v1/search?text=pdf+forms+keywords%3Aagent-skill%2Cagent-skills&size=30',
    ]);
    expect([...hub.requests].sort()).toEqual([
      'GET /search/repositories?q=pdf+forms+%22SKILL.md%22+in%3Areadme&per_page=30',
      'GET /search/repositories?q=pdf+forms+topic%3Aagent-skills&per_page=30',
    ]);
  });

  test('only the named sources, and only as many results as asked for', async () => {
    const npm = await serve((_, response) => {
      const names = ['a', 'b', 'c'].map((name) => ({ package: { name, description: 'pdf' } }));
      response.end(json({ objects: names }));
    });
    const found = await search('pdf', { sources: ['npm'], npmUrl: npm.url, maxResults: 2 });
    expect([found.map(({ name }) => name), found.total, timeless(found)]).toEqual([
      ['a', 'b'],
      3,
      [{ source: 'npm', status: 'ok', reason: undefined, count: 3 }],
    ]);
  });
});

describe('sources that do not answer', () => {
  test('each reports the reason', async () => {
    const found = await search('pdf', { domains: [NOWHERE] });
    expect([...found]).toEqual([]);
    expect(timeless(found)).toEqual([
      {
        source: 'registry',
        status: 'skipped',
        reason: 'no registry is configured (registry.url)',
        count: 0,
      },
      { source: 'github', status: 'unreachable', reason: 'connection refused', count: 0 },
      { source: 'npm', status: 'unreachable', reason: 'connection refused', count: 0 },
      {
        source: 'well-known',
        domain: NOWHERE,
        status: 'unreachable',
        reason: 'connection refused',
        count: 0,
      },
    ]);
  });

  test.each<[number, Record<string, string>, string, string, string]>([
    [
      403,
      { 'x-ratelimit-remaining': '0', 'retry-after': '60' },
      '',
      'failed',
      'rate limited; try again in 60 seconds',
    ],
    [401, {}, '', 'failed', 'asks for credentials or refuses them'],
    [404, {}, '', 'failed', 'has no search at this address'],
    [502, {}, '', 'unreachable', 'status 502'],
    [200, {}, '<html>', 'failed', 'a web page, not JSON'],
    [200, {}, '{"objects":3}', 'failed', 'objects: must be a list'],
    [
      302,
      { location: 'ftp://x/' },
      '',
      'failed',
      'address refused: only http and https are supported, not ftp',
    ],
  ])('status %i with %j and %j', async (status, headers, body, kind, reason) => {
    const { url } = await serve((_, response) => void response.writeHead(status, headers).end(body));
    const found = await search('pdf', { sources: ['npm'], npmUrl: url });
    expect(timeless(found)).toEqual([{ source: 'npm', status: kind, reason, count: 0 }]);
  });

  test('a slow source does not delay the others', async () => {
    const silent = await serve(() => {});
    const domain = await serveFiles({ '/.well-known/agent-skills/index.json': index });
    const late = await serve(async (_, response) => {
      await expect.poll(() => domain.requests).not.toEqual([]);
      response.writeHead(404).end();
    });
    const found = await search('pdf', {
      sources: ['npm', 'well-known'],
      npmUrl: silent.url,
      domains: [late.url, domain.url],
      limits: { source: 100, domain: 60_000 },
    });
    expect(timeless(found).map(({ status, reason, count }) => [status, reason?.slice(0, 9), count])).toEqual([
      ['unreachable', 'timed out', 0],
      ['ok', 'publishes', 0],
      ['ok', 'left out ', 1],
    ]);
  });

  test('a domain without skills counts as answered', async () => {
    const { url } = await serveFiles({});
    const found = await search('pdf', { sources: ['well-known'], domains: [url, url] });
    expect(timeless(found)).toEqual([
      { source: 'well-known', domain: url, status: 'ok', reason: 'publishes no skills', count: 0 },
    ]);
  });

  test('no domains', async () => {
    expect(timeless(await search('pdf', { sources: ['well-known'] }))).toEqual([
      {
        source: 'well-known',
        status: 'skipped',
        reason: 'no domains were named (--domain, network.domains)',
        count: 0,
      },
    ]);
  });

  test('many domains are searched in batches, up to a limit', async () => {
    const { url } = await serveFiles({});
    const domains = Array.from({ length: 120 }, (_, at) => `${url}/${at}`);
    const found = await search('pdf', { sources: ['well-known'], domains });
    expect(timeless(found).filter(({ status }) => status === 'ok')).toHaveLength(100);
    expect(timeless(found).at(-1)).toEqual({
      source: 'well-known',
      status: 'skipped',
      reason: '20 more domains were not searched',
      count: 0,
    });
  });

  test('an empty query', async () => {
    await expect(search(' ', {})).rejects.toMatchObject({ code: 'E004' });
  });

  test('the caller cancels it', async () => {
    const found = await search('pdf', { sources: ['npm'], signal: AbortSignal.abort() });
    expect(timeless(found)).toEqual([
      { source: 'npm', status: 'unreachable', reason: 'cancelled', count: 0 },
    ]);
  });
});

describe('GitHub', () => {
  const hit = (path: string) => ({
    path,
    html_url: `https://github.com/acme/pdf-skills/blob/main/${path}`,
    repository,
  });

  test('with a token, single skills are found too', async () => {
    const seen: (string | undefined)[] = [];
    const code = [
      hit('skills/fill/SKILL.md'),
      hit('.claude/skills/sign/SKILL.md'),
      hit('../../x/SKILL.md'),
      hit('skills/Bad Name/SKILL.md'),
      hit('skills/fill/README.md'),
    ];
    const { url } = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.end(json({ items: request.url!.startsWith('/search/code') ? code : [] }));
    });
    const found = await search('pdf', { sources: ['github'], githubUrl: url, githubToken: 'secret' });
    expect(found.map(({ source, skill }) => [source, skill])).toEqual([
      ['acme/pdf-skills/skills/fill', 'fill'],
      ['acme/pdf-skills/.claude/skills/sign', 'sign'],
    ]);
    expect(new Set(seen)).toEqual(new Set(['Bearer secret']));
  });

  test('a redirect to another origin does not carry the token', async () => {
    const seen: (string | undefined)[] = [];
    const other = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.end(json({ items: [] }));
    });
    const { url } = await serve((_, response) => void response.writeHead(302, { location: other.url }).end());
    await search('pdf', { sources: ['github'], githubUrl: url, githubToken: 'secret' });
    expect(new Set(seen)).toEqual(new Set([undefined]));
  });

  test('one of several requests may fail', async () => {
    const { url } = await serve((request, response) => {
      if (request.url!.includes('topic')) response.end(json({ items: [repository, { full_name: 'a/b/c' }] }));
      else response.writeHead(422).end();
    });
    const found = await search('pdf', { sources: ['github'], githubUrl: url });
    expect(found.map(({ source }) => source)).toEqual(['acme/pdf-skills']);
    expect(timeless(found)).toEqual([{ source: 'github', status: 'ok', reason: undefined, count: 1 }]);
  });

  test('an archived repository is reported as deprecated', async () => {
    const { url } = await github([{ ...repository, archived: true }]);
    const found = await search('pdf', { sources: ['github'], githubUrl: url });
    expect(found[0]!.reasons).toContain('deprecated: the repository is archived');
  });
});

describe('with a query and options alone', () => {
  test('asks the named domains with the configuration of the workspace', async () => {
    const { url } = await serveFiles({
      '/.well-known/skills/index.json': json({
        skills: [{ name: 'payments', description: 'Take payments', files: ['SKILL.md'] }],
      }),
    });
    const { project: cwd, home } = makeWorld({
      '~/.skillc/config.toml': '[network]\nallow_private = true\n',
    });
    const workspace = await openWorkspace({ cwd, home, env: {} });
    const results = await trawl('payments', { sources: ['well-known'], domains: [url], workspace });
    expect(results.map(({ name, source }) => [name, source])).toEqual([['payments', url]]);
    expect([results.total, results.statuses.map(({ status }) => status)]).toEqual([1, ['ok']]);
  });

  test('needs no workspace', async () => {
    const results = await trawl('payments', { sources: ['well-known'], domains: [NOWHERE], maxResults: 1 });
    expect([results.length, results.statuses.length]).toEqual([0, 1]);
  });
});
