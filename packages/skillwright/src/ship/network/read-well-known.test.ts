import { describe, expect, test } from 'vitest';
import { skillText } from '../../../test/make-world.ts';
import { serve, serveFiles } from '../../../test/serve.ts';
import type { SkillwrightError } from '../../base/diagnostics/skillwright-error.ts';
import { createFetcher } from './create-fetcher.ts';
import { INDEX_SCHEMA } from './read-index.ts';
import { readWellKnown } from './read-well-known.ts';

const fetcher = createFetcher({ allowPrivate: true, timeout: 60_000 });
const DIGEST = `sha256:${'0a'.repeat(32)}`;
const current = (name: string) =>
  JSON.stringify({
    $schema: INDEX_SCHEMA,
    skills: [{ name, type: 'skill-md', description: 'D.', url: `${name}.md`, digest: DIGEST }],
  });
const old = (name: string) => JSON.stringify({ skills: [{ name, description: 'D.', files: ['SKILL.md'] }] });

const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('it did not fail'),
    (error: SkillwrightError) => error,
  );

const [V2, V1, ONE] = [
  '/.well-known/agent-skills/index.json',
  '/.well-known/skills/index.json',
  '/.well-known/skills/default/skill.md',
];

describe('where it looks', () => {
  test.each([
    ['all three', '', { [V2]: current('a'), [V1]: old('b'), [ONE]: skillText('c') }, '0.2.0', 'a', 1],
    ['the old ones', '', { [V1]: old('b'), [ONE]: skillText('c') }, '0.1.0', 'b', 2],
    ['one file', '', { [ONE]: skillText('c') }, 'default', 'c', 3],
    ['old below a path', '/docs', { [`/docs${V1}`]: old('b'), [V2]: current('a') }, '0.1.0', 'b', 2],
    ['the root, from a path', '/docs/', { [V2]: current('a') }, '0.2.0', 'a', 4],
    ['the address of an index', '/x/list.json', { '/x/list.json': current('a') }, '0.2.0', 'a', 1],
    ['the directory of an index', '/.well-known/skills/', { [V1]: old('b') }, '0.1.0', 'b', 1],
  ])('%s', async (_, path, files, version, name, asked) => {
    const { url, requests } = await serveFiles(files);
    const found = await readWellKnown(`${url}${path}`, fetcher);
    expect([found.version, found.skills.map((skill) => skill.name), found.diagnostics]).toEqual([
      version,
      [name],
      [],
    ]);
    expect(requests).toHaveLength(asked);
  });

  test('nowhere', async () => {
    const { url } = await serveFiles({});
    const error = await failure(readWellKnown(url, fetcher));
    expect([error.code, error.message, error.detail]).toEqual([
      'E201',
      `not found: 'skills at ${url}/'`,
      `  looked at\n  ${url}${V2}\n  ${url}${V1}\n  ${url}${ONE}`,
    ]);
  });

  test('a bare domain uses https', async () => {
    const seen: string[] = [];
    const spy = createFetcher({
      resolve: async (host) => {
        seen.push(host);
        return [];
      },
    });
    const error = await failure(readWellKnown('example.com', spy));
    expect([error.data?.url, seen]).toEqual([`https://example.com${V2}`, ['example.com']]);
  });

  test.each(['ftp://example.com', 'https://me:x@example.com', '', 'exa mple.com'])(
    '%j is refused',
    async (base) => {
      expect((await failure(readWellKnown(base, fetcher))).code).toBe('E206');
    },
  );
});

describe('odd servers', () => {
  test('a page for everything', async () => {
    const { url } = await serve((_, response) => void response.end('<!doctype html>'));
    const error = await failure(readWellKnown(url, fetcher));
    expect([error.code, error.data?.why]).toEqual(['E215', 'a web page, not JSON']);
  });

  test('a web page in place of a missing index does not hide the old index', async () => {
    const { url } = await serve(({ url: path }, response) => {
      response.end(path === V1 ? old('b') : '<!doctype html>');
    });
    expect((await readWellKnown(url, fetcher)).skills.map(({ name }) => name)).toEqual(['b']);
  });

  test.each([
    ['[]', "a list where an object with 'skills' belongs"],
    ['3', "no object with 'skills'"],
    ['{}', "no 'skills'"],
    ['{"skills":{}}', "'skills' is not a list"],
  ])('an index that is %s', async (index, why) => {
    const { url } = await serveFiles({ [V2]: index });
    const error = await failure(readWellKnown(url, fetcher));
    expect([error.code, error.data?.why]).toEqual(['E215', why]);
  });

  test('an unknown $schema is reported, and the old index is read', async () => {
    const { url } = await serveFiles({ [V2]: '{"$schema":"x","skills":[]}', [V1]: old('b') });
    const { version, skills, diagnostics } = await readWellKnown(url, fetcher);
    expect([version, skills.length, diagnostics.map(({ message }) => message)]).toEqual([
      '0.1.0',
      1,
      [`left out of '${url}${V2}': unknown $schema "x"; the index is ignored`],
    ]);
  });

  test('an unknown $schema and nothing else', async () => {
    const { url } = await serveFiles({ [V2]: '{"$schema":"x","skills":[]}' });
    const { version, skills, diagnostics } = await readWellKnown(url, fetcher);
    expect([version, skills, diagnostics.length]).toEqual([null, [], 1]);
  });

  test.each([
    [403, 'E201'],
    [500, 'E200'],
    [429, 'E209'],
  ])('status %i everywhere is %s', async (status, code) => {
    const { url } = await serve((_, response) => void response.writeHead(status).end());
    expect((await failure(readWellKnown(url, fetcher))).code).toBe(code);
  });

  test('after a redirect, addresses are relative to the new URL', async () => {
    const { url: target } = await serveFiles({ '/real/index.json': current('a') });
    const { url } = await serve((_, response) => {
      response.writeHead(302, { location: `${target}/real/index.json` }).end();
    });
    const found = await readWellKnown(url, fetcher);
    expect([found.url, found.skills[0]!.url]).toEqual([`${target}/real/index.json`, `${target}/real/a.md`]);
  });

  test.each([
    ['no frontmatter', '# Hi\n', /^not a SKILL\.md: /],
    ['a bad name', skillText('../x'), /with an invalid name$/],
    ['no description', '---\nname: a\n---\n', /without a description$/],
    ['binary', Buffer.from([0, 1, 2]), /^not text$/],
  ])('default/skill.md with %s', async (_, content, why) => {
    const { url } = await serveFiles({ [ONE]: content });
    const error = await failure(readWellKnown(url, fetcher));
    expect([error.code, error.data?.why]).toEqual(['E215', expect.stringMatching(why)]);
  });
});
