import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { listTree, skillText } from '../../../test/make-world.ts';
import { serve, serveFiles } from '../../../test/serve.ts';
import { SkillwrightError } from '../../base/diagnostics/skillwright-error.ts';
import { sha256 } from '../../base/files/hash.ts';
import { createFetcher } from './create-fetcher.ts';
import { type Extract, fetchWellKnownSkill } from './fetch-well-known-skill.ts';
import type { WellKnownSkill } from './read-index.ts';

const fetcher = createFetcher({ allowPrivate: true, timeout: 60_000 });
const common = { name: 'pdf', description: 'D.' };
const digestOf = (content: string | Uint8Array) => `sha256:${sha256(content)}`;

const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('it did not fail'),
    (error: SkillwrightError) => error,
  );

/** Writes the bytes of the archive and its declared format. Unpacking is tested elsewhere. */
const extract: Extract = async (file, dir, { format }) => {
  writeFileSync(join(dir, 'SKILL.md'), `${format} ${readFileSync(file, 'latin1')}`);
};

const world = () => {
  const root = makeDirectory({ skill: { directory: true } });
  const fetchSkill = (skill: WellKnownSkill, options: { extract?: Extract; maxBytes?: number } = {}) =>
    fetchWellKnownSkill(skill, fetcher, { dir: join(root, 'skill'), extract, ...options });
  return { root, fetchSkill };
};

describe('a SKILL.md', () => {
  test('is written once its digest is checked', async () => {
    const { url } = await serveFiles({ '/a.md': skillText('pdf') });
    const { root, fetchSkill } = world();
    const digest = digestOf(skillText('pdf'));
    const skill = { ...common, type: 'skill-md', url: `${url}/a.md` } as const;
    expect(await fetchSkill({ ...skill, digest })).toEqual({ digest, verified: true });
    expect(listTree(root)).toEqual({ skill: '/', 'skill/SKILL.md': skillText('pdf') });
  });

  test('without a digest is not verified', async () => {
    const { url } = await serveFiles({ '/a.md': 'x' });
    const { fetchSkill } = world();
    expect(await fetchSkill({ ...common, type: 'skill-md', url: `${url}/a.md` })).toEqual({
      digest: digestOf('x'),
      verified: false,
    });
  });

  test('with the wrong digest is refused, and nothing is written', async () => {
    const { url } = await serveFiles({ '/a.md': 'evil' });
    const { root, fetchSkill } = world();
    const skill = { ...common, type: 'skill-md', url: `${url}/a.md`, digest: digestOf('good') } as const;
    const { code, message, detail } = await failure(fetchSkill(skill));
    expect([code, message, detail]).toEqual([
      'E204',
      `integrity mismatch: 'pdf from ${url}/a.md'`,
      `  promised ${digestOf('good')}\n  received ${digestOf('evil')}`,
    ]);
    expect(listTree(root)).toEqual({ skill: '/' });
  });
});

describe('an archive', () => {
  test.each([
    ['application/gzip', '/a', 'tar.gz'],
    ['application/x-gzip; charset=binary', '/a.zip', 'tar.gz'],
    ['application/zip', '/a.tar.gz', 'zip'],
    ['application/octet-stream', '/a.tar.gz', 'tar.gz'],
    ['application/octet-stream', '/a.tgz', 'tar.gz'],
    ['text/plain', '/a.zip', 'zip'],
    [undefined, '/a.skill?x=1', 'zip'],
  ])('served as %s from %s is %s', async (type, path, format) => {
    const { url } = await serve((_, response) => {
      if (type !== undefined) response.setHeader('content-type', type);
      response.end('bytes');
    });
    const { root, fetchSkill } = world();
    const digest = digestOf('bytes');
    const fetched = await fetchSkill({ ...common, type: 'archive', url: `${url}${path}`, digest });
    expect(fetched).toEqual({ digest, verified: true });
    expect(listTree(root)).toEqual({ skill: '/', 'skill/SKILL.md': `${format} bytes` });
  });

  test('of an unknown kind', async () => {
    const { url } = await serve((_, response) => void response.end('bytes'));
    const { root, fetchSkill } = world();
    const skill = { ...common, type: 'archive', url: `${url}/a`, digest: digestOf('bytes') } as const;
    expect((await failure(fetchSkill(skill))).code).toBe('E215');
    expect(listTree(root)).toEqual({ skill: '/' });
  });

  test('with the wrong digest is never unpacked', async () => {
    const { url } = await serveFiles({ '/a.tar.gz': 'evil' });
    const { root, fetchSkill } = world();
    const skill = { ...common, type: 'archive', url: `${url}/a.tar.gz`, digest: digestOf('good') } as const;
    expect((await failure(fetchSkill(skill))).code).toBe('E204');
    expect(listTree(root)).toEqual({ skill: '/' });
  });

  test('that cannot be unpacked leaves no archive behind', async () => {
    const { url } = await serveFiles({ '/a.tar.gz': 'x' });
    const { root, fetchSkill } = world();
    const skill = { ...common, type: 'archive', url: `${url}/a.tar.gz`, digest: digestOf('x') } as const;
    const unsafe = SkillwrightError.of('E205', { why: 'a link' });
    expect(await failure(fetchSkill(skill, { extract: () => Promise.reject(unsafe) }))).toBe(unsafe);
    expect(listTree(root)).toEqual({ skill: '/' });
  });
});

describe('single files', () => {
  const files = ['SKILL.md', 'references/a b.md', 'references/100%.md', 'é.md'];

  test("are fetched from the skill's directory", async () => {
    const { url } = await serveFiles(Object.fromEntries(files.map((file) => [`/w/pdf/${file}`, file])));
    const { root, fetchSkill } = world();
    expect(await fetchSkill({ ...common, type: 'files', url: `${url}/w/pdf/`, files })).toEqual({
      verified: false,
    });
    const tree = listTree(join(root, 'skill'));
    expect(Object.keys(tree)).toEqual([
      'SKILL.md',
      'references',
      'references/100%.md',
      'references/a b.md',
      'é.md',
    ]);
  });

  test('a missing file ends the download', async () => {
    const { url } = await serveFiles({ '/w/pdf/SKILL.md': 'x' });
    const { fetchSkill } = world();
    const skill = { ...common, type: 'files', url: `${url}/w/pdf/`, files: ['SKILL.md', 'a'] } as const;
    expect((await failure(fetchSkill(skill))).code).toBe('E201');
  });

  test('their total size is limited', async () => {
    const { url } = await serveFiles({ '/w/SKILL.md': '12345', '/w/a': '12345', '/w/b': '' });
    const { fetchSkill } = world();
    const skill = { ...common, type: 'files', url: `${url}/w/`, files: ['SKILL.md', 'a', 'b'] } as const;
    expect((await failure(fetchSkill(skill, { maxBytes: 9 }))).code).toBe('E207');
  });

  test('a file from another origin is refused', async () => {
    const other = await serveFiles({ '/SKILL.md': 'x' });
    const { url } = await serve((_, response) => {
      response.writeHead(302, { location: `${other.url}/SKILL.md` }).end();
    });
    const { root, fetchSkill } = world();
    const skill = { ...common, type: 'files', url: `${url}/w/`, files: ['SKILL.md'] } as const;
    expect((await failure(fetchSkill(skill))).code).toBe('E206');
    expect(listTree(root)).toEqual({ skill: '/' });
  });
});
