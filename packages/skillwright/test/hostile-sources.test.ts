// Registries, repositories, packages and addresses that are not what they seem.

import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../src/base/files/hash.ts';
import { digestOf } from '../src/ship/install/lock/lock.ts';
import { makeTarGz } from './make-archive.ts';
import { makeRepository } from './make-repository.ts';
import { makeWorld, skillText, type World } from './make-world.ts';
import { serveRegistry } from './registry-server.ts';
import { serve, serveFiles } from './serve.ts';
import { serveGit } from './serve-git.ts';

const codeOf = (stderr: string) => /error\[(\w+)\]/.exec(stderr)?.[1];
const lockOf = (w: World, place = '.skillc/lock.json') => JSON.parse(w.read(place)).skills;
const LOCAL = '[network]\nallow_private = ["127.0.0.1"]\n';
const urlLine = (url: string) => `[registry]\nurl = "${url}"\n`;

const good = { 'SKILL.md': skillText('demo', '# Good\n') };
const evil = { 'SKILL.md': skillText('demo', '# Evil\n') };
const registryOf = (files: Record<string, string>, facts = {}) =>
  serveRegistry({ '@acme/demo': { versions: { '1.0.0': makeTarGz(files) }, ...facts } });

describe('a registry that a project names', () => {
  test("never stands in for the user's, in either scope", async () => {
    const [mine, theirs] = [await registryOf(good), await registryOf(evil)];
    const w = makeWorld({ '~/.skillc/config.toml': LOCAL + urlLine(mine.url) });
    const elsewhere = { cwd: w.home };
    expect((await w.run(['install', '@acme/demo', '--scope', 'user', '--yes'], elsewhere)).status).toBe(0);
    expect(lockOf(w, '~/.skillc/lock.json').demo.source).toBe(`registry+${mine.url}/#@acme/demo`);
    w.write({ '.skillc/config.toml': urlLine(theirs.url) });
    const commands = [
      ['install', '@acme/demo', '--scope', 'user', '--yes'],
      ['update', 'demo', '--scope', 'user', '--yes'],
      ['outdated', '--scope', 'user'],
      ['install', '--scope', 'user', '--force'],
    ];
    for (const words of commands) expect((await w.run(words)).status).toBe(0);
    rmSync(join(w.home, '.skillc/skills/demo'), { recursive: true });
    rmSync(join(w.home, '.skillc/cache'), { recursive: true });
    expect((await w.run(['install', '--scope', 'user'])).status).toBe(0);
    expect(w.read('~/.skillc/skills/demo/SKILL.md')).toBe(good['SKILL.md']);
    expect(theirs.requests).toEqual([]);
  });

  test('is confirmed once, by a command that the error names', async () => {
    const theirs = await registryOf(good);
    const w = makeWorld({ '~/.skillc/config.toml': LOCAL, '.skillc/config.toml': urlLine(theirs.url) });
    const refused = await w.run(['install', '@acme/demo', '--yes']);
    expect(refused.stderr).toBe(
      `error[E220]: registry not confirmed: '${theirs.url}/'\n` +
        `help: if you rely on it: skc config registry.trusted '${theirs.url}/' --scope user\n`,
    );
    expect(theirs.requests).toEqual([]);
    expect((await w.run(['config', 'registry.trusted', `${theirs.url}/`, '--scope', 'user'])).status).toBe(0);
    const installed = await w.run(['install', '@acme/demo', '--yes', '--json']);
    expect([installed.status, installed.json()]).toMatchObject([
      0,
      { source: `registry+${theirs.url}/#@acme/demo` },
    ]);
    expect(installed.stderr).toContain(`from @acme/demo (${theirs.url}/) at 1.0.0`);
  });

  test('cannot confirm itself', async () => {
    const theirs = await registryOf(evil);
    const own = `[registry]\nurl = "${theirs.url}"\ntrusted = ["${theirs.url}"]\n`;
    const w = makeWorld({ '~/.skillc/config.toml': LOCAL, '.skillc/config.toml': own });
    expect(codeOf((await w.run(['install', '@acme/demo', '--yes'])).stderr)).toBe('E220');
    expect(theirs.requests).toEqual([]);
  });

  test('cannot come in by the lock', async () => {
    const theirs = await registryOf(evil);
    const w = makeWorld({
      '~/.skillc/config.toml': LOCAL,
      ...lockFrom(`registry+${theirs.url}/#@acme/demo`),
    });
    for (const words of [['install'], ['update', '--yes'], ['doctor', '--fix']])
      expect(codeOf((await w.run(words)).stderr)).toBe('E220');
    const outdated = await w.run(['outdated', '--json']);
    expect(outdated.json()).toMatchObject({ skills: [{ status: 'unreachable', error: { code: 'E220' } }] });
    expect(theirs.requests).toEqual([]);
  });

  test('asserts nothing', async () => {
    const facts = {
      level: 'official',
      rating: { mean: 5, count: 2 },
      downloads: 100_000,
      repository: 'https://github.com/a/b',
    };
    const theirs = await registryOf(good, { ...facts, description: 'Demo.' });
    const w = makeWorld({ '~/.skillc/config.toml': LOCAL, '.skillc/config.toml': urlLine(theirs.url) });
    const trawl = () => w.run(['trawl', 'demo', '--source', 'registry', '--json']);
    expect((await trawl()).json()).toMatchObject({
      results: [],
      sources: [
        {
          status: 'skipped',
          reason: `the project names ${theirs.url}/; to use it: skc config registry.trusted '${theirs.url}/' --scope user`,
        },
      ],
    });
    w.write({ '~/.skillc/config.toml': `${LOCAL}[registry]\ntrusted = ["${theirs.url}"]\n` });
    expect((await trawl()).json()).toMatchObject({
      results: [
        {
          source: `registry+${theirs.url}/#@acme/demo`,
          level: null,
          repository: null,
          reasons: ['the name matches the query', 'the description contains demo'],
        },
      ],
    });
    const installed = (await w.run(['install', '@acme/demo', '--yes', '--json'])).json() as Installed;
    expect(pointsOf(installed)).toMatchObject({ level: 0, rating: 0, downloads: 0, repository: 0 });
  });

  test("a lock without an origin means the user's registry, and says so", async () => {
    const [mine, theirs] = [await registryOf(good), await registryOf(evil)];
    const w = makeWorld({
      '~/.skillc/config.toml': LOCAL + urlLine(mine.url),
      '.skillc/config.toml': urlLine(theirs.url),
      ...lockFrom('@acme/demo', good),
    });
    const restored = await w.run(['install']);
    expect([restored.status, restored.stderr]).toEqual([
      0,
      expect.stringContaining(
        `warning[W217]: the lock does not say which registry 'demo' came from; asking yours: '${mine.url}/'`,
      ),
    ]);
    expect(w.read('.skillc/skills/demo/SKILL.md')).toBe(good['SKILL.md']);
    expect((await w.run(['update', '--yes'])).status).toBe(0);
    expect(lockOf(w).demo.source).toBe(`registry+${mine.url}/#@acme/demo`);
    expect(theirs.requests).toEqual([]);
  });
});

interface Installed {
  skills: { review: { trust: { factors: { factor: string; points: number; reason: string }[] } } }[];
}

const pointsOf = ({ skills: [first] }: Installed) =>
  Object.fromEntries(first!.review.trust.factors.map(({ factor, points }) => [factor, points]));

/** A hostile lock. */
function lockFrom(source: string, files: Record<string, string> = evil): { '.skillc/lock.json': string } {
  const digests = Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, `sha256:${sha256(text)}`]),
  );
  const entry = {
    source,
    path: '',
    resolution: /^registry|^@/.test(source) ? { version: '1.0.0' } : {},
    digest: digestOf(digests),
    files: digests,
    targets: [],
    installed_at: '2026-01-02T03:04:05.000Z',
  };
  return { '.skillc/lock.json': JSON.stringify({ version: 1, skills: { demo: entry } }) };
}

describe('a tag that was moved', () => {
  const version = (text: string) => ({ 'skills/demo/SKILL.md': skillText('demo', `# ${text}\n`) });

  async function moved(annotated = false) {
    const repository = makeRepository(version('One'));
    const first = repository.git(['rev-parse', 'HEAD']);
    const tag = annotated ? ['tag', '-f', '-a', '-m', 'v1', 'v1'] : ['tag', '-f', 'v1'];
    repository.git(tag);
    const { url } = await serveGit(repository.dir);
    const source = `git+${url}/${basename(repository.dir)}/.git#v1`;
    const w = makeWorld();
    expect((await w.run(['install', source, '--all', '--yes'])).status).toBe(0);
    const second = repository.commit(version('Two'));
    repository.git(tag);
    return { w, first, second, source, repository };
  }

  test.each([false, true])('is an error with both commits, annotated: %s', async (annotated) => {
    const { w, first, second, source } = await moved(annotated);
    expect(lockOf(w).demo.resolution).toEqual({ commit: first, tag: true });
    for (const words of [
      ['update', '--yes'],
      ['install', source, '--all', '--yes'],
    ]) {
      const { stderr } = await w.run(words);
      expect(stderr).toMatch(/error\[E221\]: moved: 'tag v1 of http:\S+'\n/);
      expect(stderr).toContain(`  installed ${first}\n  now       ${second}\n`);
      expect(stderr).toMatch(
        /help: ask its publisher; to accept the new content: skc (?:update demo|install \S+ .*--skill demo) .*--accept-moved\n/,
      );
    }
    expect(w.read('.skillc/skills/demo/SKILL.md')).toContain('# One');
    const outdated = await w.run(['outdated', '--json']);
    expect(outdated.json()).toMatchObject({
      skills: [{ status: 'moved', current: first.slice(0, 12), wanted: second.slice(0, 12) }],
    });
    expect((await w.run(['update', '--yes', '--accept-moved'])).status).toBe(0);
    expect(w.read('.skillc/skills/demo/SKILL.md')).toContain('# Two');
  });

  test('also when a branch takes its name', async () => {
    const { w, repository } = await moved();
    repository.git(['tag', '-d', 'v1']);
    repository.git(['branch', 'v1']);
    expect(codeOf((await w.run(['update', '--yes'])).stderr)).toBe('E221');
  });

  test('also when another skill of the repository is installed by it', async () => {
    const { w, repository, source } = await moved();
    repository.commit({ 'skills/other/SKILL.md': skillText('other') });
    repository.git(['tag', '-f', 'v1']);
    const { stderr } = await w.run(['install', source, '--skill', 'other', '--yes']);
    expect(codeOf(stderr)).toBe('E221');
  });

  test('a version of a registry with another content', async () => {
    const [before, after, other] = [await registryOf(good), await registryOf(evil), await registryOf(good)];
    after.log.key = before.log.key;
    await other.publish('@acme/demo', '1.1.0', makeTarGz(evil));
    let current = before;
    const proxy = await serve(async (request, response) => {
      const answer = await fetch(`${current.url}${request.url}`);
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
    const w = makeWorld({ '~/.skillc/config.toml': LOCAL + urlLine(proxy.url) });
    expect((await w.run(['install', '@acme/demo', '--yes'])).status).toBe(0);
    current = after;
    expect((await w.run(['update', '--yes'])).stderr).toContain(
      "error[E241]: the registry went back: the index of '@acme/demo': version 1.0.0 has another document\n",
    );
    current = other;
    expect((await w.run(['update', '--yes'])).stderr).toContain(
      "error[E230]: log note not signed by the pinned key: 'registry.test'\n",
    );
    current = after;
    rmSync(join(w.home, '.skillc/registries'), { recursive: true });
    expect((await w.run(['update', '--yes'])).stderr).toMatch(
      /error\[E221\]: moved: 'version 1.0.0 of registry\+/,
    );
    expect(w.read('.skillc/skills/demo/SKILL.md')).toBe(good['SKILL.md']);
  });
});

describe('secrets in addresses', () => {
  const secrets = /s3cr3t|abcdef0123456789/;

  test('are neither written down nor shown', async () => {
    const archive = makeTarGz(good);
    const { url } = await serve((request, response) => {
      if (request.url?.startsWith('/demo.tgz')) response.end(archive);
      else response.writeHead(404).end();
    });
    const w = makeWorld({ '~/.skillc/config.toml': LOCAL });
    for (const source of [
      `${url}/demo.tgz?token=s3cr3t&X-Amz-Signature=abcdef0123456789`,
      `${url}/demo.tgz?ref=main&sig=s3cr3t`,
      `${url}/demo.tgz#access_token=s3cr3t`,
      `git+${url}/demo.git?private_token=s3cr3t`,
      `registry+${url}/?key=s3cr3t#@acme/demo`,
      `${url.replace('//', '//me:s3cr3t@')}/demo.tgz`,
    ]) {
      const run = await w.run(['install', source, '--yes', '--json']);
      expect([source, codeOf(run.stderr) ?? (run.json() as { error: { code: string } }).error.code]).toEqual([
        source,
        'E210',
      ]);
      expect(run.stdout + run.stderr).not.toMatch(secrets);
    }
    expect(JSON.stringify(w.list())).not.toMatch(secrets);
  });

  test('of a redirect are not kept', async () => {
    const archive = makeTarGz(good);
    const { url } = await serve((request, response) => {
      if (request.url === '/demo.tgz')
        response.writeHead(302, { location: '/signed?X-Amz-Signature=s3cr3t' }).end();
      else response.end(archive);
    });
    const w = makeWorld({ '~/.skillc/config.toml': LOCAL });
    const run = await w.run(['install', `${url}/demo.tgz`, '--yes']);
    expect([run.status, lockOf(w).demo.source]).toEqual([0, `${url}/demo.tgz`]);
    expect(run.stdout + run.stderr + JSON.stringify(w.list())).not.toMatch(secrets);
  });

  test('of a redirect that fails are not shown', async () => {
    const { url } = await serve((request, response) => {
      if (request.url === '/demo.tgz')
        response.writeHead(302, { location: '/signed?X-Amz-Signature=s3cr3t' }).end();
      else response.writeHead(403).end();
    });
    const w = makeWorld({ '~/.skillc/config.toml': LOCAL });
    const run = await w.run(['install', `${url}/demo.tgz`, '--yes', '--json']);
    expect(run.stdout + run.stderr).toContain('X-Amz-Signature=***');
    expect(run.stdout + run.stderr).not.toMatch(secrets);
  });

  test('of an index are not shown by trawl', async () => {
    const index = {
      $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
      skills: [
        {
          name: 'demo',
          type: 'archive',
          description: 'Demo.',
          url: '/demo.tgz?token=s3cr3t',
          digest: `sha256:${'0'.repeat(64)}`,
        },
      ],
    };
    const { url } = await serveFiles({ '/.well-known/agent-skills/index.json': JSON.stringify(index) });
    const w = makeWorld({ '~/.skillc/config.toml': LOCAL });
    for (const words of [
      ['trawl', 'demo', '--source', 'well-known', '--domain', url],
      ['install', url, '--yes'],
    ]) {
      const run = await w.run([...words, '--json']);
      expect(run.stdout).toContain('demo');
      expect(run.stdout + run.stderr).not.toMatch(secrets);
    }
  });

  test('in a lock that somebody else wrote are not shown', async () => {
    const w = makeWorld(lockFrom('https://example.com/x.tgz?token=s3cr3t'));
    for (const words of [
      ['install'],
      ['update', '--yes'],
      ['outdated'],
      ['verify'],
      ['doctor'],
      ['doctor', '--fix'],
    ])
      for (const form of [[], ['--json']]) {
        const run = await w.run([...words, ...form]);
        expect(run.stdout + run.stderr).not.toMatch(secrets);
      }
  });
});

test('a package cannot say where it was fetched from', async () => {
  const tarball = makeTarGz({
    'package/package.json': JSON.stringify({
      name: 'demo',
      version: '1.0.0',
      repository: 'github:someone/else',
    }),
    'package/skills/demo/SKILL.md': skillText('demo').replace(
      'name: demo',
      'name: demo\nrepository: https://github.com/someone/else\ntrust-level: official',
    ),
  });
  const { url } = await serve((request, response) => {
    if (request.url === '/demo.tgz') return void response.end(tarball);
    const dist = { tarball: `${url}/demo.tgz` };
    response.end(JSON.stringify({ 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': { dist } } }));
  });
  const w = makeWorld({ '~/.skillc/config.toml': LOCAL, '~/.npmrc': `registry=${url}/\n` });
  const run = await w.run(['install', 'npm:demo', '--yes', '--json']);
  const { skills } = run.json() as Installed;
  const { factors } = skills[0]!.review.trust;
  expect(factors.filter(({ factor }) => ['repository', 'level', 'integrity'].includes(factor))).toEqual([
    { factor: 'level', points: 0, max: 0, reason: 'not counted: it does not come from a registry' },
    { factor: 'repository', points: 0, max: 10, reason: 'the repository is known from the skill alone' },
    { factor: 'integrity', points: 0, max: 10, reason: 'its source provides no digest to check' },
  ]);
});

describe('addresses that nobody may ask', () => {
  test('an index, a lock or a redirect does not lead to a metadata service, whatever is allowed', async () => {
    const metadata = 'http://169.254.169.254/latest/meta-data/iam.tgz';
    const index = {
      $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
      skills: [
        {
          name: 'demo',
          type: 'archive',
          description: 'Demo.',
          url: metadata,
          digest: `sha256:${'0'.repeat(64)}`,
        },
      ],
    };
    const { url } = await serve((request, response) => {
      if (request.url === '/demo.tgz') response.writeHead(302, { location: metadata }).end();
      else if (request.url === '/.well-known/agent-skills/index.json') response.end(JSON.stringify(index));
      else response.writeHead(404).end();
    });
    for (const allowed of ['true', '["127.0.0.1", "169.254.169.254"]', '["0.0.0.0/0", "::/0"]']) {
      const w = makeWorld({ '~/.skillc/config.toml': `[network]\nallow_private = ${allowed}\n` });
      for (const source of [url, `${url}/demo.tgz`, metadata, 'https://metadata.google.internal/x.git']) {
        const { stderr } = await w.run(['install', source, '--yes']);
        expect([allowed, source, codeOf(stderr)]).toEqual([allowed, source, 'E206']);
      }
      w.write(lockFrom(metadata));
      expect(codeOf((await w.run(['install'])).stderr)).toBe('E206');
    }
  });

  test('git is neither sent on by a server, nor to a metadata service', async () => {
    const target = await serve((_, response) => void response.end());
    const { url } = await serve((_, response) => {
      response.writeHead(302, { location: `${target.url}/x.git/info/refs?service=git-upload-pack` }).end();
    });
    const w = makeWorld();
    const env = { PATH: process.env.PATH! };
    const sent = await w.run(['install', `${url}/x.git`, '--yes'], { env });
    expect(sent.stderr).toContain("error[E214]: 'git' failed: the repository has moved to another address");
    expect(target.requests).toEqual([]);
    for (const source of [
      'https://169.254.169.254/x.git',
      'ssh://git@169.254.169.254/x.git',
      'git@169.254.169.254:x',
    ])
      expect([source, codeOf((await w.run(['install', source, '--yes'], { env })).stderr)]).toEqual([
        source,
        'E206',
      ]);
  });

  test('a project cannot open an address', async () => {
    const { url, requests } = await serve((_, response) => void response.end());
    const w = makeWorld({ '.skillc/config.toml': '[network]\nallow_private = ["127.0.0.1", "localhost"]\n' });
    expect(codeOf((await w.run(['install', `${url}/x.tgz`, '--yes'])).stderr)).toBe('E206');
    expect(requests).toEqual([]);
  });
});

test('a secret in an address that was searched for is not written to the access log', async () => {
  const w = makeWorld({ 'demo/SKILL.md': skillText('demo', '# Demo\n\nText.\n') });
  const env = { SKC_NO_LOG: '' };
  await w.run(['build', './demo', '--target', 'none'], { env });
  await w.run(['search', './demo', 'https://example.com/x?token=s3cr3t'], { env });
  const stats = await w.run(['stats', './demo', '--group-by', 'search', '--json'], { env });
  expect(stats.stdout).toContain('token=***');
  expect(JSON.stringify(w.list())).not.toContain('s3cr3t');
});
