import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeTarGz, makeZip } from '../../../../test/make-archive.ts';
import { makeDirectory, type Tree, writeTree } from '../../../../test/make-directory.ts';
import { makeFetchContext, type TestFetchContext } from '../../../../test/make-fetch-context.ts';
import { listTree, skillText } from '../../../../test/make-world.ts';
import { serveRegistry } from '../../../../test/registry-server.ts';
import { serve, serveFiles } from '../../../../test/serve.ts';
import { SkillwrightError } from '../../../base/diagnostics/skillwright-error.ts';
import { sha256 } from '../../../base/files/hash.ts';
import { makePrivateDirectory } from '../../../base/files/private-directory.ts';
import type { Resolution, SkillSource } from '../source/fetched-source.ts';
import { fetchSource } from './fetch-source.ts';

/** The result of a fetch without the source; checks that the staging directory is empty afterwards. */
async function fetched(source: SkillSource, context: TestFetchContext, resolution?: Resolution) {
  try {
    const result = await fetchSource(source, context, resolution);
    expect(result.source).toEqual(source);
    const { source: _, release, skills, diagnostics, ...facts } = result;
    const shown = {
      ...facts,
      skills: skills.map(({ name, description, within: path, dir, resolution }) => ({
        ...{ name, description, path, files: listTree(dir) },
        ...(resolution === undefined ? {} : { resolution }),
      })),
      diagnostics: diagnostics.map(({ code, message }) => `${code} ${message}`),
    };
    release();
    expect(context.staged()).toEqual([]);
    return shown;
  } catch (error) {
    expect(context.staged()).toEqual([]);
    if (!(error instanceof SkillwrightError)) throw error;
    return `${error.code} ${error.message}`;
  }
}

const digestOf = (bytes: Uint8Array) => `sha256:${sha256(bytes)}`;
const demo = { 'SKILL.md': skillText('demo'), 'references/a.md': 'A' };
const demoFiles = { 'SKILL.md': skillText('demo'), references: '/', 'references/a.md': 'A' };
const demoSkill = (path: string) => ({
  name: 'demo',
  description: 'Use when testing demo.',
  path,
  files: demoFiles,
});

describe('a directory', () => {
  const fetchTree = (tree: Tree) => {
    const path = join(makeDirectory(), 'my-skills');
    writeTree(path, tree);
    return fetched({ kind: 'path', path }, makeFetchContext());
  };

  test('its skills are copied, and a failing one does not hide the rest', async () => {
    const result = await fetchTree({
      'skills/demo/SKILL.md': skillText('demo'),
      'skills/demo/references/a.md': 'A',
      'skills/demo/.env': 'SECRET=1',
      'skills/bad/SKILL.md': skillText('bad'),
      'skills/bad/x': { link: '/etc/passwd' },
      'skills/worse/SKILL.md': '---\nname: x\n---\n',
    });
    expect(result).toEqual({
      resolution: {},
      verified: false,
      repository: undefined,
      skills: [demoSkill('skills/demo')],
      diagnostics: [
        "E011 missing frontmatter field 'description' in SKILL.md",
        "E012 path escapes skill root: 'x'",
      ],
    });
  });

  test('one skill, named after its directory when its own name is invalid', async () => {
    const text = '---\nname: C++\ndescription: d\n---\n';
    expect(await fetchTree({ 'SKILL.md': text })).toMatchObject({
      skills: [{ name: 'my-skills', description: 'd', path: '', files: { 'SKILL.md': text } }],
    });
  });

  test('leftovers of a killed process are removed', async () => {
    const context = makeFetchContext();
    const { pid: gone } = spawnSync(process.execPath, ['--version']);
    const left = makePrivateDirectory(context.stagingDir).path;
    renameSync(left, left.replace(`-${process.pid}-`, `-${gone}-`));
    mkdirSync(join(context.stagingDir, 'other'));
    const result = await fetchSource({ kind: 'path', path: makeDirectory() }, context);
    result.release();
    expect(context.staged()).toEqual(['other']);
  });

  test('nothing', async () => {
    expect(await fetchTree({ 'README.md': '' })).toMatchObject({ skills: [], diagnostics: [] });
  });
});

describe('an archive', () => {
  const archive = makeZip({ 'demo/SKILL.md': skillText('demo'), 'demo/references/a.md': 'A' });
  const expected = {
    resolution: { digest: digestOf(archive) },
    verified: false,
    repository: undefined,
    skills: [demoSkill('')],
    diagnostics: [],
  };

  test('on disk', async () => {
    const location = join(makeDirectory({ 'demo.skill': archive }), 'demo.skill');
    expect(await fetched({ kind: 'archive', location }, makeFetchContext())).toEqual(expected);
    expect(existsSync(location)).toBe(true);
  });

  test('on the web, with progress reports', async () => {
    const { url } = await serveFiles({ '/demo.skill': archive });
    const context = makeFetchContext();
    const location = `${url}/demo.skill`;
    expect(await fetched({ kind: 'archive', location }, context)).toEqual(expected);
    expect(context.told[0]).toBe(`${location}: ${archive.length} bytes of ${archive.length} bytes`);
  });

  test('only the locked one', async () => {
    const { url } = await serveFiles({ '/demo.skill': archive });
    const source: SkillSource = { kind: 'archive', location: `${url}/demo.skill` };
    expect(await fetched(source, makeFetchContext(), { digest: digestOf(archive) })).toEqual({
      ...expected,
      verified: true,
    });
    expect(await fetched(source, makeFetchContext(), { digest: `sha256:${'0'.repeat(64)}` })).toBe(
      `E204 integrity mismatch: '${url}/demo.skill'`,
    );
  });

  test('refused archives', async () => {
    const evil = makeZip({ '../../evil': 'x' });
    const { url } = await serveFiles({
      '/evil.zip': evil,
      '/page.zip': '<html>',
      '/large.zip': Buffer.alloc(5000),
    });
    const context = makeFetchContext({ network: { max_bytes: 4000 } });
    const at = (name: string) => fetched({ kind: 'archive', location: `${url}/${name}` }, context);
    expect(await at('evil.zip')).toBe("E205 unsafe archive: 'entry '../../evil' escapes with '..''");
    expect(await at('page.zip')).toBe("E205 unsafe archive: 'it is neither zip nor tar'");
    expect(await at('large.zip')).toMatch(/^E207 /);
    expect(await at('none.zip')).toMatch(/^E201 /);
    const closed = makeFetchContext({ network: { allow_private: [] } });
    expect(await fetched({ kind: 'archive', location: `${url}/evil.zip` }, closed)).toMatch(/^E206 /);
    const location = join(makeDirectory({ 'large.zip': Buffer.alloc(5000) }), 'large.zip');
    expect(await fetched({ kind: 'archive', location }, context)).toMatch(/^E015 .*larger than/);
  });
});

describe('an npm package', () => {
  const tarball = makeTarGz({
    'package/package.json': JSON.stringify({
      name: 'pdf',
      repository: { url: 'git+https://github.com/o/pdf.git' },
    }),
    'package/skills/demo/SKILL.md': skillText('demo'),
    'package/skills/demo/references/a.md': 'A',
  });
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;

  /** A package registry; `dist` is its statement about every version. */
  async function serveNpm(dist: Record<string, string> = { integrity }, token?: string) {
    const served = await serve((request, response) => {
      const isKnown = token === undefined || request.headers.authorization === `Bearer ${token}`;
      if (!isKnown) response.writeHead(401).end();
      else if (request.url?.endsWith('.tgz')) response.end(tarball);
      else if (request.url === '/pdf' || request.url === '/@scope%2fpdf') {
        const entry = { dist: { tarball: `${served.url}/pdf.tgz`, ...dist } };
        const versions = { '1.0.0': entry, '1.2.0': entry, '2.0.0': entry, '3.0.0-beta.1': entry };
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ 'dist-tags': { latest: '1.2.0', next: '3.0.0-beta.1' }, versions }));
      } else response.writeHead(404).end();
    });
    return served;
  }

  const npmContext = (url: string, npmrc = '') => {
    const context = makeFetchContext();
    writeTree(context.home, { '.npmrc': `registry=${url}/\n${npmrc}` });
    return context;
  };
  const pdf = (range?: string): SkillSource => ({
    kind: 'npm',
    name: 'pdf',
    ...(range === undefined ? {} : { range }),
  });

  test('its skills, after an integrity check', async () => {
    const { url, requests } = await serveNpm();
    expect(await fetched(pdf(), npmContext(url))).toEqual({
      resolution: { version: '1.2.0', digest: digestOf(tarball) },
      verified: true,
      repository: undefined,
      notices: [],
      skills: [demoSkill('skills/demo')],
      diagnostics: [],
    });
    expect(requests).toEqual(['GET /pdf', 'GET /pdf.tgz']);
  });

  test('versions', async () => {
    const { url } = await serveNpm();
    const versionOf = async (range?: string, resolution?: Resolution) => {
      const result = await fetched(pdf(range), npmContext(url), resolution);
      return typeof result === 'string' ? result : result.resolution.version;
    };
    expect(await versionOf('1.0.0')).toBe('1.0.0');
    expect(await versionOf('^1')).toBe('1.2.0');
    expect(await versionOf('>=1')).toBe('1.2.0');
    expect(await versionOf('>1.2')).toBe('2.0.0');
    expect(await versionOf('next')).toBe('3.0.0-beta.1');
    expect(await versionOf('^1', { version: '1.0.0', digest: digestOf(tarball) })).toBe('1.0.0');
    expect(await versionOf('^9')).toBe("E201 not found: 'npm:pdf@^9'");
    expect(await versionOf('__proto__')).toBe("E201 not found: 'npm:pdf@__proto__'");
    expect(await versionOf(undefined, { version: '1.0.0', digest: `sha256:${'0'.repeat(64)}` })).toBe(
      "E204 integrity mismatch: 'npm:pdf@1.0.0'",
    );
  });

  test('a package that does not match its promised integrity', async () => {
    const wrong = await serveNpm({ integrity: `sha512-${'A'.repeat(86)}==` });
    expect(await fetched(pdf(), npmContext(wrong.url))).toBe("E204 integrity mismatch: 'npm:pdf@1.2.0'");
    const weak = await serveNpm({ shasum: '0'.repeat(40) });
    expect(await fetched(pdf(), npmContext(weak.url))).toBe("E204 integrity mismatch: 'npm:pdf@1.2.0'");
    const none = await serveNpm({});
    expect(await fetched(pdf(), npmContext(none.url))).toMatchObject({ verified: false });
  });

  test('the registry and the token of a scope', async () => {
    const { url } = await serveNpm({ integrity }, 'secret');
    const source: SkillSource = { kind: 'npm', name: '@scope/pdf' };
    const host = url.slice('http:'.length);
    const lines = `@scope:registry=${url}\n${host}/:_authToken=\${TOKEN}\n`;
    const context = npmContext('http://127.0.0.1:1', lines);
    expect(await fetched(source, { ...context, env: { TOKEN: 'secret' } })).toMatchObject({ verified: true });
    expect(await fetched(source, { ...context, env: {} })).toMatch(/^E202 /);
  });

  test('the .npmrc of a project is not read', async () => {
    const context = makeFetchContext({ env: { npm_config_registry: 'http://127.0.0.1:1/' } });
    const evil = await serveNpm();
    writeTree(context.cwd, { '.npmrc': `registry=${evil.url}/\n` });
    expect(await fetched(pdf(), context)).toMatch(/^E200 /);
    expect(evil.requests).toEqual([]);
  });
});

describe('a domain', () => {
  const archive = makeTarGz(demo);
  const text = skillText('other');
  const schema = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';
  const entry = (name: string, type: string, url: string, digest: string) => ({
    name,
    type,
    description: 'd',
    url,
    digest,
  });
  const serveIndex = (skills: readonly unknown[], files: Record<string, string | Uint8Array> = {}) =>
    serveFiles({
      '/.well-known/agent-skills/index.json': JSON.stringify({ $schema: schema, skills }),
      '/.well-known/agent-skills/demo.tar.gz': archive,
      '/.well-known/agent-skills/other/SKILL.md': text,
      ...files,
    });
  const both = [
    entry('demo', 'archive', 'demo.tar.gz', digestOf(archive)),
    entry('other', 'skill-md', 'other/SKILL.md', digestOf(Buffer.from(text))),
  ];

  test('its skills, each with its digest', async () => {
    const { url } = await serveIndex(both);
    expect(await fetched({ kind: 'well-known', url }, makeFetchContext())).toEqual({
      resolution: {},
      verified: true,
      skills: [
        { ...demoSkill('demo'), resolution: { digest: digestOf(archive) } },
        {
          name: 'other',
          description: 'Use when testing other.',
          path: 'other',
          files: { 'SKILL.md': text },
          resolution: { digest: digestOf(Buffer.from(text)) },
        },
      ],
      diagnostics: [],
    });
  });

  test('only the wanted skills, and only the locked digest', async () => {
    const { url, requests } = await serveIndex(both);
    const source: SkillSource = { kind: 'well-known', url };
    const only = await fetched(source, makeFetchContext({ only: ['other'] }));
    expect(only).toMatchObject({
      skills: [{ name: 'other' }],
      offered: ['demo', 'other'],
      resolution: { digest: digestOf(Buffer.from(text)) },
    });
    expect(requests).not.toContain('GET /.well-known/agent-skills/demo.tar.gz');
    const pinned = { digest: digestOf(archive) };
    expect(await fetched(source, makeFetchContext(), pinned)).toMatchObject({ skills: [{ name: 'demo' }] });
    expect(await fetched(source, makeFetchContext({ only: ['other'] }), pinned)).toBe(
      `E204 integrity mismatch: 'other at ${url}'`,
    );
  });

  test('a skill that does not match the index is left out, or is the error', async () => {
    const wrong = entry('demo', 'archive', 'demo.tar.gz', `sha256:${'0'.repeat(64)}`);
    const mixed = await serveIndex([wrong, both[1]]);
    const result = await fetched({ kind: 'well-known', url: mixed.url }, makeFetchContext());
    expect(result).toMatchObject({
      skills: [{ name: 'other' }],
      diagnostics: [`E204 integrity mismatch: 'demo from ${mixed.url}/.well-known/agent-skills/demo.tar.gz'`],
    });
    const alone = await serveIndex([wrong]);
    expect(await fetched({ kind: 'well-known', url: alone.url }, makeFetchContext())).toMatch(/^E204 /);
    const renamed = await serveIndex([entry('mine', 'archive', 'demo.tar.gz', digestOf(archive))]);
    expect(await fetched({ kind: 'well-known', url: renamed.url }, makeFetchContext())).toMatch(
      /^E215 .*the index names it mine, but its SKILL.md names it demo/,
    );
    const evil = makeTarGz([
      { name: 'SKILL.md', body: text },
      { name: '../x', body: 'x' },
    ]);
    const hostile = await serveIndex([entry('evil', 'archive', 'evil.tar.gz', digestOf(evil))], {
      '/.well-known/agent-skills/evil.tar.gz': evil,
    });
    expect(await fetched({ kind: 'well-known', url: hostile.url }, makeFetchContext())).toMatch(/^E205 /);
  });

  test('nothing is published', async () => {
    const { url } = await serveFiles({});
    expect(await fetched({ kind: 'well-known', url }, makeFetchContext())).toMatch(/^E201 /);
  });
});

describe('the registry', () => {
  const [first, second] = [makeTarGz(demo), makeTarGz({ ...demo, 'new.md': 'N' })];
  const seeded = {
    '@acme/demo': {
      versions: { '1.0.0': first, '1.1.0': second },
      level: 'verified' as const,
      rating: { mean: 4, count: 3 },
      downloads: 7,
    },
  };
  const from = (url?: string, name = 'demo') =>
    ({ kind: 'registry', owner: 'acme', name, url }) satisfies SkillSource;

  test("a skill, with the registry's statements", async () => {
    const { url } = await serveRegistry(seeded);
    const context = makeFetchContext({ env: { SKC_REGISTRY_URL: url } });
    expect(await fetched({ ...from(url), range: '1.0.0' }, context)).toEqual({
      resolution: {
        version: '1.0.0',
        digest: digestOf(first),
        document: expect.stringMatching(/^sha256:/),
      },
      verified: true,
      repository: undefined,
      notices: [],
      proof: expect.stringContaining('c2sp.org/tlog-proof@v1'),
      remarks: [expect.objectContaining({ code: 'W239' })],
      skills: [demoSkill('')],
      diagnostics: [],
      registry: { level: 'verified', rating: 4, downloads: 7, repository: undefined },
    });
  });

  test('statements of a registry that only the project names are ignored', async () => {
    const { url } = await serveRegistry(seeded);
    const context = makeFetchContext();
    writeTree(context.cwd, { '.skillc/config.toml': `[registry]\nurl = "${url}"\n` });
    const result = await fetched(from(url), context);
    expect(result).toMatchObject({ verified: true, skills: [{ name: 'demo' }] });
    expect(result).toHaveProperty('registry', undefined);
  });

  test('the newest, the locked and a missing version', async () => {
    const { url, tamper } = await serveRegistry(seeded);
    const context = makeFetchContext();
    expect(await fetched(from(url), context)).toMatchObject({ resolution: { version: '1.1.0' } });
    const noted = { version: '1.0.0', digest: digestOf(first) };
    expect(await fetched(from(url), context, noted)).toMatchObject({ resolution: noted });
    const other = { version: '1.0.0', digest: digestOf(second) };
    expect(await fetched(from(url), context, other)).toBe("E204 integrity mismatch: '@acme/demo@1.0.0'");
    expect(await fetched({ ...from(url), range: '^9' }, context)).toMatch(/^E201 /);
    expect(await fetched(from(url, 'none'), context)).toMatch(/^E201 /);
    tamper('@acme/demo', '1.1.0', first);
    expect(await fetched(from(url), context)).toMatch(/^E20[47] /);
  });

  test('an archive with another skill', async () => {
    const { url } = await serveRegistry({ '@acme/pdf': { versions: { '1.0.0': first } } });
    const result = await fetched(from(url, 'pdf'), makeFetchContext());
    expect(result).toMatch(/^E215 .*the archive has no skill named pdf$/);
  });

  test.each([
    ['work/.skillc/config.toml', undefined],
    ['home/.skillc/config.toml', 'Bearer secret'],
  ])('a token goes only to a registry the user chose: %s', async (place, expected) => {
    const seen: (string | undefined)[] = [];
    const { url } = await serve(({ headers }, response) => {
      seen.push(headers.authorization);
      response.writeHead(404).end();
    });
    const root = makeDirectory({ [place]: `[registry]\nurl = "${url}"\n` });
    writeTree(root, { 'home/x': '', 'work/x': '' });
    const context = makeFetchContext({
      cwd: join(root, 'work'),
      home: join(root, 'home'),
      env: { SKC_TOKEN: 'secret' },
    });
    expect(await fetched(from(url), context)).toMatch(/^E201 /);
    expect([...new Set(seen)]).toEqual([expected]);
  });

  test('without a registry', async () => {
    expect(await fetched(from(), makeFetchContext())).toBe(
      "E210 cannot understand source '@acme/demo': no registry is configured",
    );
  });
});
