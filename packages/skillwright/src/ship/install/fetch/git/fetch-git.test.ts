import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeTarGz } from '../../../../../test/make-archive.ts';
import { makeDirectory } from '../../../../../test/make-directory.ts';
import { makeFetchContext, type TestFetchContext } from '../../../../../test/make-fetch-context.ts';
import { makeRepository, type TestRepository } from '../../../../../test/make-repository.ts';
import { listTree, skillText } from '../../../../../test/make-world.ts';
import { requireProgram } from '../../../../../test/required-program.ts';
import { serve } from '../../../../../test/serve.ts';
import { serveGit } from '../../../../../test/serve-git.ts';
import { SkillwrightError } from '../../../../base/diagnostics/skillwright-error.ts';
import type { Resolution, SkillSource } from '../../source/fetched-source.ts';
import { fetchSource } from '../fetch-source.ts';

beforeEach((context) => requireProgram(context, 'git'));

type GitSource = Extract<SkillSource, { kind: 'git' }>;

async function fetchGit(
  repository: Pick<TestRepository, 'url'>,
  part: Partial<GitSource> = {},
  options: { context?: TestFetchContext; resolution?: Resolution } = {},
) {
  const { context = makeFetchContext(), resolution } = options;
  try {
    const fetched = await fetchSource({ kind: 'git', url: repository.url, ...part }, context, resolution);
    const result = {
      source: fetched.source,
      resolution: fetched.resolution,
      skills: Object.fromEntries(
        fetched.skills.map(({ name, within: path, dir }) => [name, { path, files: listTree(dir) }]),
      ),
      diagnostics: fetched.diagnostics.map(({ code, message }) => `${code} ${message}`),
    };
    expect(fetched.skills.every(({ dir }) => dir.startsWith(context.stagingDir))).toBe(true);
    fetched.release();
    expect(context.staged()).toEqual([]);
    return result;
  } catch (error) {
    expect(context.staged()).toEqual([]);
    if (!(error instanceof SkillwrightError)) throw error;
    return `${error.code} ${error.message.replaceAll(repository.url, '<url>')}`;
  }
}

const a = { 'skills/a/SKILL.md': skillText('a'), 'skills/a/references/x.md': 'X\n' };
const aFiles = { 'SKILL.md': skillText('a'), references: '/', 'references/x.md': 'X\n' };

describe('fetched content', () => {
  test('the newest commit of the default branch, without files outside skills', async () => {
    const repository = makeRepository({ ...a, 'src/huge.bin': 'x'.repeat(100_000), 'README.md': '# R\n' });
    const commit = repository.commit({ 'skills/b/SKILL.md': skillText('b') });
    expect(await fetchGit(repository)).toEqual({
      source: { kind: 'git', url: repository.url },
      resolution: { commit },
      skills: {
        a: { path: 'skills/a', files: aFiles },
        b: { path: 'skills/b', files: { 'SKILL.md': skillText('b') } },
      },
      diagnostics: [],
    });
  });

  test('branches, tags, commits and locked commits', async () => {
    const repository = makeRepository(a);
    const first = repository.git(['rev-parse', 'HEAD']);
    repository.git(['tag', 'light']);
    repository.git(['tag', '-a', '-m', 'v1', 'v1']);
    repository.git(['branch', 'feature/x']);
    const second = repository.commit({ 'skills/a/SKILL.md': skillText('a', 'changed\n') });
    const commitOf = async (ref?: string, resolution?: Resolution) => {
      const result = await fetchGit(repository, ref === undefined ? {} : { ref }, {
        resolution: resolution ?? {},
      });
      return typeof result === 'string' ? result : result.resolution.commit;
    };
    expect(await commitOf()).toBe(second);
    expect(await commitOf('main')).toBe(second);
    expect(await commitOf('refs/heads/main')).toBe(second);
    expect(await commitOf('light')).toBe(first);
    expect(await commitOf('v1')).toBe(first);
    expect(await commitOf('feature/x')).toBe(first);
    expect(await commitOf(first)).toBe(first);
    expect(await commitOf('main', { commit: first })).toBe(first);
    expect(await commitOf(first.slice(0, 8))).toBe(`E201 not found: '${first.slice(0, 8)} in <url>'`);
  });

  test('a subdirectory, even where part of its path was read as the ref', async () => {
    const repository = makeRepository({ ...a, 'skills/b/SKILL.md': skillText('b') });
    repository.git(['branch', 'feature/x']);
    const skills = { a: { path: 'skills/a', files: aFiles } };
    expect(await fetchGit(repository, { subpath: 'skills/a' })).toMatchObject({ skills });
    expect(await fetchGit(repository, { ref: 'feature', subpath: 'x/skills/a' })).toMatchObject({
      source: { kind: 'git', url: repository.url, ref: 'feature/x', subpath: 'skills/a' },
      skills,
    });
    expect(await fetchGit(repository, { subpath: 'none' })).toBe("E201 not found: 'none in <url>'");
  });

  test('a skill at the root is named after its repository', async () => {
    const repository = makeRepository({
      'SKILL.md': '---\nname: The Tool\ndescription: d\n---\n',
      'node_modules/x/y': '',
      '.env': 'S=1',
    });
    const renamed = makeDirectory();
    const url = `file://${join(renamed, 'tool.git')}`;
    repository.git(['clone', '--quiet', '--bare', '.', join(renamed, 'tool.git')]);
    const files = { 'SKILL.md': '---\nname: The Tool\ndescription: d\n---\n' };
    expect(await fetchGit({ url })).toMatchObject({ skills: { tool: { path: '', files } } });
  });

  test('bytes as committed: line endings, filters and attributes are not applied', async () => {
    const text = `${skillText('a')}one\r\ntwo\n$Id$\n`;
    const repository = makeRepository({ 'skills/a/run.sh': 'true\n' });
    repository.git(['config', 'core.autocrlf', 'false']);
    repository.commit({ 'skills/a/SKILL.md': text });
    repository.commit({ '.gitattributes': '* text eol=crlf ident export-ignore filter=evil\n' });
    const { chmodSync } = await import('node:fs');
    chmodSync(join(repository.dir, 'skills/a/run.sh'), 0o755);
    repository.git(['update-index', '--chmod=+x', 'skills/a/run.sh']);
    repository.git(['commit', '--quiet', '-m', 'mode']);
    const context = makeFetchContext();
    const fetched = await fetchSource({ kind: 'git', url: repository.url }, context);
    const dir = fetched.skills[0]!.dir;
    expect(readFileSync(join(dir, 'SKILL.md'), 'utf8')).toBe(
      `${repository.git(['cat-file', 'blob', 'HEAD:skills/a/SKILL.md'])}\n`,
    );
    expect(
      ['SKILL.md', 'run.sh'].map((name) => (statSync(join(dir, name)).mode & 0o777).toString(8)),
    ).toEqual(['644', '755']);
    fetched.release();
  });

  test('servers without partial fetch, and SHA-256 repositories', async () => {
    const plain = makeRepository(a, { filter: false });
    expect(await fetchGit(plain)).toMatchObject({ skills: { a: { files: aFiles } } });
    const other = makeRepository(a, { hash: 'sha256' });
    const commit = other.git(['rev-parse', 'HEAD']);
    expect(await fetchGit(other)).toMatchObject({ resolution: { commit }, skills: { a: { files: aFiles } } });
    expect(await fetchGit(other, {}, { resolution: { commit } })).toMatchObject({ resolution: { commit } });
  });

  test('over http, with progress reports', async () => {
    const repository = makeRepository(a);
    const served = await serveGit(repository.dir);
    const context = makeFetchContext();
    const url = `${served.url}/${basename(repository.dir)}`;
    expect(await fetchGit({ url }, {}, { context })).toMatchObject({ skills: { a: { files: aFiles } } });
    expect(context.told[0]).toBe(`${url}: connecting`);
    expect(context.told.some((text) => /Receiving objects: +100%/.test(text))).toBe(true);
  });
});

describe('links', () => {
  test('a skill whose links stay inside is complete, one whose links escape is left out', async () => {
    const repository = makeRepository({
      ...a,
      'skills/a/same.md': { link: 'references/x.md' },
      'skills/b/SKILL.md': skillText('b'),
      'skills/b/passwd': { link: '/etc/passwd' },
      'skills/c/SKILL.md': skillText('c'),
      'skills/c/x': { link: '../a/SKILL.md' },
      'skills/d': { link: '/etc' },
      '.claude/skills/a': { link: '../../skills/a' },
      unrelated: { link: '/etc/shadow' },
    });
    expect(await fetchGit(repository)).toMatchObject({
      skills: { a: { path: 'skills/a', files: { ...aFiles, 'same.md': 'X\n' } } },
      diagnostics: [
        "E012 path escapes skill root: 'skills/d'",
        "E012 path escapes skill root: 'passwd'",
        "E012 path escapes skill root: 'x'",
      ],
    });
  });
});

describe('hostile repositories', () => {
  test('hooks, submodules and configuration in the tree do nothing', async () => {
    const repository = makeRepository({
      ...a,
      '.gitmodules': '[submodule "x"]\n\tpath = sub\n\turl = ext::sh -c touch% pwned\n',
      'hooks/post-checkout': '#!/bin/sh\ntouch pwned\n',
    });
    const head = repository.git(['rev-parse', 'HEAD']);
    repository.git(['update-index', '--add', '--cacheinfo', `160000,${head},skills/sub`]);
    repository.git(['commit', '--quiet', '-m', 'sub']);
    expect(await fetchGit(repository)).toMatchObject({
      skills: { a: { files: aFiles } },
      diagnostics: ['W223 not fetched: a submodule'],
    });
  });

  test('trees with names that git itself would not write', async () => {
    const repository = makeRepository(a);
    const blob = repository.git(['hash-object', '-w', '--stdin'], skillText('x'));
    for (const name of ['..', '.git', 'a/b']) {
      const entry = Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(blob, 'hex')]);
      const tree = repository.git(['hash-object', '-w', '--literally', '-t', 'tree', '--stdin'], entry);
      const commit = repository.git(['commit-tree', tree, '-m', 'x']);
      repository.git(['update-ref', 'refs/heads/evil', commit]);
      const result = await fetchGit(repository, { ref: 'evil' });
      expect(typeof result === 'string' ? result : result.skills).toMatch(
        /^E205 unsafe archive: 'git refuses the repository: (?:has\w+|fullPathname): contains /,
      );
    }
  });

  test('a skill with a name that is not Unicode is left out', async () => {
    const repository = makeRepository(a);
    const blob = repository.git(['hash-object', '-w', '--stdin'], skillText('x'));
    const entry = (name: string) => [Buffer.from(`100644 ${name}\0`, 'latin1'), Buffer.from(blob, 'hex')];
    const tree = repository.git(
      ['hash-object', '-w', '-t', 'tree', '--stdin'],
      Buffer.concat([...entry('SKILL.md'), ...entry('x\xff')]),
    );
    const commit = repository.git(['commit-tree', tree, '-m', 'x']);
    repository.git(['update-ref', 'refs/heads/evil', commit]);
    expect(await fetchGit(repository, { ref: 'evil' })).toMatchObject({
      skills: {},
      diagnostics: ["E205 unsafe archive: 'entry 'x\ufffd' is not valid Unicode'"],
    });
  });

  test('a file in git LFS is reported', async () => {
    const repository = makeRepository({
      ...a,
      'skills/a/model.bin': `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 9\n`,
    });
    expect(await fetchGit(repository)).toMatchObject({
      diagnostics: [
        "E015 cannot read 'skills/a/model.bin': its content is in git LFS, and only the pointer file was fetched",
      ],
    });
  });

  test('skills with colliding names, and one that is too large, do not hide the rest', async () => {
    const repository = makeRepository({
      ...a,
      'skills/b/SKILL.md': skillText('b'),
      'skills/b/A.md': '',
      'skills/b/a.md': '',
      'skills/c/SKILL.md': skillText('c'),
      'skills/c/zeros': '\0'.repeat(60_000),
      'skills/d/SKILL.md': skillText('d'),
      'skills/d/back\\slash': '',
    });
    const context = makeFetchContext({ network: { max_unpacked: 50_000 } });
    expect(await fetchGit(repository, {}, { context })).toMatchObject({
      skills: { a: { files: aFiles } },
      diagnostics: [
        "E205 unsafe archive: ''skills/b/A.md' and 'skills/b/a.md' are the same name on some systems'",
        "E205 unsafe archive: 'more than 49 KiB unpacked'",
        "E205 unsafe archive: 'entry 'skills/d/back\\slash' contains a backslash'",
      ],
    });
  });

  test('a repository over the size limit', async () => {
    const repository = makeRepository({ ...a, 'skills/a/noise': randomBytes(100_000) }, { filter: false });
    const context = makeFetchContext({ network: { max_bytes: 20_000 } });
    const result = await fetchGit(repository, {}, { context });
    expect(typeof result === 'string' ? result : 'fetched').toBe("E207 too large: '<url>, more than 20 KiB'");
  });

  test('a transport that is not allowed, in any spelling of a source', async () => {
    const marker = join(makeDirectory(), 'pwned');
    const context = makeFetchContext();
    expect(await fetchGit({ url: `ext::sh -c touch% ${marker}` }, {}, { context })).toMatch(/^E214 /);
    expect(await fetchGit({ url: `$(touch ${marker})` }, {}, { context })).toMatch(/^E2/);
    expect(() => statSync(marker)).toThrow();
  });
});

describe('failures', () => {
  const answer = (status: number) =>
    serve((_, response) => void response.writeHead(status, { 'www-authenticate': 'Basic realm="x"' }).end());

  test('by the answer of the server', async () => {
    const served = await Promise.all([404, 401, 403, 500].map(answer));
    const results = await Promise.all(served.map(({ url }) => fetchGit({ url: `${url}/x.git` })));
    expect(results.map((result) => String(result).slice(0, 4))).toEqual(['E201', 'E202', 'E202', 'E214']);
    expect(await fetchGit({ url: 'http://127.0.0.1:1/x.git' })).toBe("E200 no usable answer from '<url>'");
    expect(await fetchGit({ url: `file://${makeDirectory()}/none` })).toBe("E201 not found: '<url>'");
  });

  test('a missing commit and a missing branch', async () => {
    const repository = makeRepository(a);
    const gone = '0123456789abcdef0123456789abcdef01234567';
    expect(await fetchGit(repository, {}, { resolution: { commit: gone } })).toBe(
      `E201 not found: '${gone} in <url>'`,
    );
    expect(await fetchGit(repository, { ref: 'none' })).toBe("E201 not found: 'none in <url>'");
    repository.git(['branch', gone]);
    expect(await fetchGit(repository, {}, { resolution: { commit: gone } })).toBe(
      `E201 not found: '${gone} in <url>'`,
    );
  });

  test('an answer that is not a repository', async () => {
    const served = await serve((_, response) => void response.end(makeTarGz({ x: 'x' })));
    expect(await fetchGit({ url: `${served.url}/x.git` })).toMatch(/^E2(?:01|14) /);
  });

  test('git is not installed', async () => {
    const context = makeFetchContext({ env: { PATH: makeDirectory() } });
    expect(await fetchGit({ url: 'https://example.com/x.git' }, {}, { context })).toBe(
      "E214 'git' failed: git is not installed",
    );
  });

  test('an abort stops waiting for a server that never answers', async () => {
    const controller = new AbortController();
    const served = await serve(() => controller.abort(new Error('enough')));
    const context = makeFetchContext({ signal: controller.signal });
    const work = fetchSource({ kind: 'git', url: `${served.url}/x.git` }, context);
    await expect(work).rejects.toThrow('enough');
    expect(context.staged()).toEqual([]);
  });
});
