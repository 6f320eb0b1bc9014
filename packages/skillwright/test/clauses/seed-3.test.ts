// Skills Spec (discovery, search, context loading), section 13: every acceptance condition by its number, held against the
// real `skc rpc` by a client that knows the types of section 4, 7 and 10 and nothing else.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { makeWorld, skillText, type World } from '../make-world.ts';
import { processEnvironment } from '../process-environment.ts';
import { skcStart } from '../skc-program.ts';

type SkillMetadata = {
  id: string;
  name: string;
  description: string;
  path: string;
  dir: string;
  scope: 'repo' | 'user';
  mtimeMs: number;
};
type SkillLoadError = { path: string; message: string };
type SkillSearchResult = {
  skill: SkillMetadata;
  score: number;
  reason: 'exact_name' | 'exact_path' | 'prefix' | 'token_overlap';
};
type SkillsListParams = { cwd?: string; force_reload?: boolean };
type SkillsListResult = { skills: SkillMetadata[]; errors: SkillLoadError[] };
type SkillSearchInput = { query: string; limit?: number; scope?: 'repo' | 'user' };
type SkillSearchOutput = { results: SkillSearchResult[]; count: number; truncated: boolean };
type SkillLoadInput = { name?: string; path?: string };
type SkillLoadOutput = {
  text: string;
  metadata: { skill_id: string; name: string; path: string; dir: string; mtime_ms: number };
};
type ContextInspectResult = {
  skillsCatalogByCwd: Record<string, SkillsListResult & { truncated: boolean }>;
  loadedSkillVersions: { path: string; mtime_ms: number }[];
};

/** The client: one request at a time, as simple as can be. */
class SeedClient {
  readonly #server: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  #id = 0;

  constructor({ project, home }: World, cwd = project) {
    const env = { ...processEnvironment, SKC_HOME: home, SKC_NO_LOG: '1' };
    this.#server = spawn(...skcStart(['rpc']), { cwd, env });
    this.#lines = createInterface({ input: this.#server.stdout })[Symbol.asyncIterator]();
    onTestFinished(() => void this.#server.kill('SIGKILL'));
  }

  async call(method: string, params: object): Promise<unknown> {
    const id = ++this.#id;
    this.#server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const answer = JSON.parse((await this.#lines.next()).value);
    expect(answer.id).toBe(id);
    if (answer.error !== undefined) throw answer.error;
    return answer.result;
  }

  list = (params: SkillsListParams = {}) => this.call('skills.list', params) as Promise<SkillsListResult>;
  search = (params: SkillSearchInput) => this.call('skills.search', params) as Promise<SkillSearchOutput>;
  load = (params: SkillLoadInput) => this.call('skills.load', params) as Promise<SkillLoadOutput>;
  inspect = (params: { include_skills?: boolean }) =>
    this.call('context.inspect', params) as Promise<ContextInspectResult>;
}

/** A client whose user trusts the folder. */
async function open(world: World, cwd?: string): Promise<SeedClient> {
  const client = new SeedClient(world, cwd);
  await client.call('initialize', { trust: true });
  return client;
}

const skill = (name: string, description: string, body = `# ${name}\n`) => skillText(name, body, description);

const repository = {
  '.git/.keep': '',
  '.agents/skills/repo-review/SKILL.md': skill('repo-review', 'Review PR with risk-first checklist'),
  '.agents/skills/repo-review/references/checklist.md': '- risk\n',
  '.agents/skills/repo-review/scripts/run.sh': 'true\n',
  '.agents/skills/group/release-notes/SKILL.md': skill('release-notes', 'Draft notes from commits'),
  'packages/app/.agents/skills/app-check/SKILL.md': skill('app-check', 'Look at the app before a release'),
  'packages/other/.agents/skills/elsewhere/SKILL.md': skill('elsewhere', 'Not on the way'),
  '~/.agents/skills/own/SKILL.md': skill('own', 'Of the user'),
  '~/.agents/skills/deep/er/nested/SKILL.md': skill('nested', 'Of the user too'),
};

test('13.1: .agents/skills/**/SKILL.md under root -> cwd is enumerated', async () => {
  const world = makeWorld(repository);
  const cwd = join(world.project, 'packages/app');
  const { skills, errors } = await (await open(world, cwd)).list();
  expect(errors).toEqual([]);
  expect(skills.filter(({ scope }) => scope === 'repo').map(({ path }) => path)).toEqual(
    [
      'packages/app/.agents/skills/app-check/SKILL.md',
      '.agents/skills/group/release-notes/SKILL.md',
      '.agents/skills/repo-review/SKILL.md',
    ].map((path) => join(world.project, path)),
  );
  const seen = await (await open(world)).list();
  expect(seen.skills.map(({ name }) => name)).not.toContain('app-check');
  const dir = join(world.project, '.agents/skills/repo-review');
  expect(skills.find(({ name }) => name === 'repo-review')).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    name: 'repo-review',
    description: 'Review PR with risk-first checklist',
    path: join(dir, 'SKILL.md'),
    dir,
    scope: 'repo',
    mtimeMs: expect.any(Number),
  });
});

test('13.2: ~/.agents/skills/**/SKILL.md is enumerated as user scope', async () => {
  const world = makeWorld(repository);
  const { skills } = await (await open(world)).list();
  expect(skills.filter(({ scope }) => scope === 'user').map(({ path }) => path)).toEqual(
    ['deep/er/nested', 'own'].map((dir) => join(world.home, '.agents/skills', dir, 'SKILL.md')),
  );
});

test('13.3: of several skills with the same name, the name alone is ambiguous, and a path is not', async () => {
  const world = makeWorld({
    ...repository,
    '~/.agents/skills/repo-review/SKILL.md': skill('repo-review', 'Another'),
  });
  const client = await open(world);
  const candidates = [world.project, world.home].map((base) =>
    join(base, '.agents/skills/repo-review/SKILL.md'),
  );
  await expect(client.load({ name: 'repo-review' })).rejects.toMatchObject({
    message: "ambiguous skill 'repo-review'",
    data: { code: 'E005', data: { candidates } },
  });
  for (const path of candidates)
    expect((await client.load({ name: 'repo-review', path })).metadata.path).toBe(path);
  const { skills } = await client.list();
  expect(skills.filter(({ name }) => name === 'repo-review').map(({ path }) => path)).toEqual(candidates);
});

test('13.4: skill_search("release") returns candidates based on name and description', async () => {
  const world = makeWorld(repository);
  const client = await open(world, join(world.project, 'packages/app'));
  const { results, count, truncated } = await client.search({ query: 'release' });
  expect({ count, truncated }).toEqual({ count: 2, truncated: false });
  expect(results.map(({ skill: { name }, reason }) => [name, reason])).toEqual([
    ['release-notes', 'prefix'],
    ['app-check', 'token_overlap'],
  ]);
  expect(results[0]!.score).toBeGreaterThan(results[1]!.score);
  const { path } = results[0]!.skill;
  const reasonOf = async (query: string) => (await client.search({ query })).results[0]?.reason;
  expect([await reasonOf(path), await reasonOf('release-notes')]).toEqual(['exact_path', 'exact_name']);
  expect((await client.search({ query: 'release', scope: 'user' })).results).toEqual([]);
  expect(await client.search({ query: 'release', limit: 1 })).toMatchObject({ count: 1, truncated: true });
});

test('13.5: skill_load returns the body of SKILL.md and the base directory', async () => {
  const world = makeWorld(repository);
  const client = await open(world);
  const dir = join(world.project, '.agents/skills/repo-review');
  const path = join(dir, 'SKILL.md');
  expect(await client.load({ name: 'repo-review' })).toMatchObject({
    text: `<skill_context name="repo-review" path="${path}">
# repo-review

Base directory: ${pathToFileURL(`${dir}/`).href}
Relative paths in this skill are resolved from this directory.
<skill_files>
<file>${dir}/references/checklist.md</file>
<file>${dir}/scripts/run.sh</file>
</skill_files>
</skill_context>`,
    metadata: {
      skill_id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'repo-review',
      path,
      dir,
      mtime_ms: expect.any(Number),
    },
  });
});

test('13.6: reloading the same skill does not inject its body twice', async () => {
  const world = makeWorld({
    ...repository,
    '.agents/skills/long/SKILL.md': skill('long', 'Long', 'The body.\n'),
  });
  const client = await open(world);
  const first = await client.load({ name: 'long' });
  expect(first.text).toContain('The body.');
  const again = await client.load({ path: first.metadata.path });
  expect(again.text).not.toContain('The body.');
  expect(again.text).toContain(first.metadata.path);
  expect(again.metadata).toEqual(first.metadata);
  world.write({ '.agents/skills/long/SKILL.md': skill('long', 'Long', 'Another body.\n') });
  expect((await client.load({ name: 'long' })).text).toContain('Another body.');
});

test('13.7: context.inspect(include_skills=true) shows the catalog', async () => {
  const world = makeWorld({ ...repository, '.agents/skills/broken/SKILL.md': 'no frontmatter\n' });
  const client = await open(world);
  const { skills, errors } = await client.list();
  expect(errors).toMatchObject([
    { path: join(world.project, '.agents/skills/broken/SKILL.md'), message: expect.any(String) },
  ]);
  const { metadata } = await client.load({ name: 'own' });
  const { skillsCatalogByCwd, loadedSkillVersions } = await client.inspect({ include_skills: true });
  expect(skillsCatalogByCwd).toMatchObject({ [world.project]: { skills, errors, truncated: false } });
  const { path, mtime_ms } = metadata;
  expect(loadedSkillVersions).toMatchObject([{ path, mtime_ms }]);
  expect(await client.inspect({})).not.toHaveProperty('skillsCatalogByCwd');
});

test('13.8: references to loaded skills are not broken by compaction', async () => {
  const world = makeWorld(repository);
  const client = await open(world);
  const { text, metadata } = await client.load({ name: 'repo-review' });
  const compacted = (await client.call('context.compacted', {})) as { text: string };
  expect(compacted.text).toContain(metadata.path);
  const { loadedSkillVersions } = await client.inspect({});
  expect(loadedSkillVersions).toMatchObject([{ path: metadata.path, mtime_ms: metadata.mtime_ms }]);
  // The model no longer has the text, so it gets it again, whole and by the same reference.
  expect((await client.load({ path: metadata.path })).text).toBe(text);
});
