import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { skc } from '../../../test/run-in-process.ts';
import { serve, serveFiles } from '../../../test/serve.ts';

const NOWHERE = 'http://127.0.0.1:1';

const npmServer = () =>
  serve((_, response) => {
    const found = {
      name: 'pdf-forms',
      description: 'Fills\nPDF forms. \u001b[31m',
      keywords: ['agent-skills'],
    };
    response.end(JSON.stringify({ objects: [{ package: found, downloads: { monthly: 12 } }] }));
  });

const env = (npm: string, github = NOWHERE) => ({
  SKC_NETWORK_ALLOW_PRIVATE: '127.0.0.1',
  SKC_NETWORK_NPM_URL: npm,
  SKC_NETWORK_GITHUB_URL: github,
});

describe.each([[['find', '--remote']], [['trawl']]])('skc %j', (command) => {
  test('shows results, how to install them, and every source', async () => {
    const npm = await npmServer();
    const run = await skc([...command, 'pdf', 'forms'], { env: env(npm.url) });
    expect([run.status, run.stderr, run.stdout]).toEqual([
      0,
      '',
      [
        'pdf-forms  0.77  npm',
        '  Fills PDF forms. \\u001b[31m',
        '  the name matches the query; the description contains pdf, forms; 12 downloads',
        '  skc install npm:pdf-forms',
        '',
        'SOURCE      STATUS       FOUND',
        'registry    skipped             no registry is configured (registry.url)',
        'github      unreachable         connection refused',
        'npm         ok               1',
        'well-known  skipped             no domains were named (--domain, network.domains)',
        '',
      ].join('\n'),
    ]);
  });

  test('as JSON', async () => {
    const npm = await npmServer();
    const run = await skc([...command, 'pdf', '--source', 'npm', '--json'], { env: env(npm.url) });
    expect(run.json()).toEqual({
      query: 'pdf',
      count: 1,
      truncated: false,
      results: [
        {
          name: 'pdf-forms',
          description: 'Fills\nPDF forms. \u001b[31m',
          from: 'npm',
          source: 'npm:pdf-forms',
          skill: null,
          score: 0.622,
          reasons: ['the name contains pdf', 'the description contains pdf', '12 downloads'],
          url: null,
          repository: null,
          level: null,
          also: [],
        },
      ],
      total: 1,
      sources: [
        { source: 'npm', domain: null, status: 'ok', reason: null, count: 1, ms: expect.any(Number) },
      ],
    });
  });

  test('fails when no source answered, and says so instead of "nothing"', async () => {
    const run = await skc([...command, 'pdf', '--source', 'npm', '--source', 'registry'], {
      env: env(NOWHERE),
    });
    expect([run.status, run.stdout]).toEqual([
      1,
      [
        'SOURCE    STATUS       FOUND',
        'registry  skipped             no registry is configured (registry.url)',
        'npm       unreachable         connection refused',
        '',
      ].join('\n'),
    ]);
  });

  test('no results from a source that answered', async () => {
    const { url } = await serveFiles({});
    const words = [...command, 'pdf', '--source', 'well-known', '--domain', url];
    const { status, stdout } = await skc(words, { env: env(NOWHERE) });
    expect([status, stdout.split('\n')[0]]).toEqual([0, 'nothing matches "pdf"']);
  });

  test('local addresses are refused unless the user allows them; a project cannot', async () => {
    const npm = await npmServer();
    const files = {
      '.skillc/config.toml': `[network]\nallow_private = ["127.0.0.1"]\nnpm_url = "${npm.url}"\ngithub_url = "${npm.url}"\n`,
    };
    const { SKC_NETWORK_NPM_URL, SKC_NETWORK_GITHUB_URL } = env(npm.url);
    const run = await skc([...command, 'pdf', '--source', 'npm'], {
      files,
      env: { SKC_NETWORK_NPM_URL, SKC_NETWORK_GITHUB_URL },
    });
    expect([run.status, npm.requests]).toEqual([1, []]);
    expect(run.stdout).toContain('address refused: 127.0.0.1 is loopback');
    expect(run.stderr.match(/only the user's own configuration may set network\.\w+/g)).toEqual([
      "only the user's own configuration may set network.allow_private",
      "only the user's own configuration may set network.npm_url",
      "only the user's own configuration may set network.github_url",
    ]);
  });

  test('an empty query', async () => {
    expect((await skc([...command, ' '])).stderr).toContain('E004');
  });
});

test('the same on Bun, guard included', async () => {
  const npm = await npmServer();
  const [bun, main] = ['../../../../../node_modules/.bin/bun', '../cli/main.ts'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  const home = makeDirectory();
  const run = (more: Record<string, string>) =>
    promisify(execFile)(bun!, [main!, 'trawl', 'pdf', '--source', 'npm', '--json'], {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, SKC_NETWORK_NPM_URL: npm.url, ...more },
    }).catch((error: { stdout: string }) => error);
  const allowed = JSON.parse((await run({ SKC_NETWORK_ALLOW_PRIVATE: '127.0.0.1' })).stdout);
  expect([allowed.total, allowed.sources[0].status, npm.requests.length]).toEqual([1, 'ok', 1]);
  const refused = JSON.parse((await run({})).stdout);
  expect([refused.total, refused.sources[0].reason, npm.requests.length]).toEqual([
    0,
    'address refused: 127.0.0.1 is loopback',
    1,
  ]);
});

test.each([
  [['find', 'pdf', '--domain', 'example.com'], '--domain belongs to --remote'],
  [['find', 'pdf', '--source', 'npm'], '--source belongs to --remote'],
  [['find', 'pdf', '--remote', '--scope', 'user'], '--remote and --scope exclude each other'],
  [['trawl', 'pdf', '--limit', '101'], '--limit must be at most 100'],
])('%j is refused', async (words, why) => {
  expect((await skc(words)).stderr.split('\n')[0]).toBe(`error[E100]: ${why}`);
});
