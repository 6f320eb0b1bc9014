import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asNobody } from '../../../test/as-nobody.ts';
import { makeDirectory, type Tree, writeTree } from '../../../test/make-directory.ts';
import { sha256 } from '../../base/files/hash.ts';
import { buildRecord } from '../../skill/skill/build-record.ts';
import { openSkill } from '../../skill/skill/open-skill.ts';
import { settleWorkspace } from '../../skill/workspace/workspace.ts';
import type { Discovery } from './list-skill-roots.ts';
import { loadCatalog } from './load-catalog.ts';
import { searchSkills } from './search-skills.ts';
import { entryOfSkill } from './skill-entry.ts';
import type { SkillCatalog } from './skill-record.ts';

const skill = (name: string, description = `Does ${name}. Use when it has to be done.`, body = '\nText.\n') =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}`;

/** A world with a project `work` (marked by .git) and a home; paths that start with `~/` are in the home. */
function makeWorld(tree: Tree): { root: string; work: string; home: string } {
  const files = Object.entries(tree).map(([path, content]) => [
    path.startsWith('~/') ? `home/${path.slice(2)}` : `work/${path}`,
    content,
  ]);
  const root = makeDirectory({ 'work/.git': { directory: true }, home: { directory: true } });
  writeTree(root, Object.fromEntries(files));
  return { root, work: join(root, 'work'), home: join(root, 'home') };
}

async function load(
  world: { work: string; home: string },
  { cwd = world.work, env = {}, trust = true, markers, ...discovery }: LoadOptions = {},
): Promise<SkillCatalog> {
  const place = { cwd, home: world.home, env, trust };
  return loadCatalog(settleWorkspace(place, markers), discovery);
}

interface LoadOptions extends Discovery {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  readonly trust?: boolean;
  readonly markers?: readonly string[];
}

const namesOf = ({ skills }: SkillCatalog) => skills.map(({ name, scope }) => `${scope}:${name}`);
const errorsOf = ({ errors }: SkillCatalog, { work }: { work: string }) =>
  errors.map(({ path, code }) => [path.slice(work.length + 1).replaceAll(sep, '/'), code]);

describe('acceptance conditions of discovery', () => {
  test('1: every .agents/skills/**/SKILL.md between root and cwd is enumerated', async () => {
    const world = makeWorld({
      '.agents/skills/top/SKILL.md': skill('top'),
      '.agents/skills/group/nested/SKILL.md': skill('nested'),
      'apps/.agents/skills/middle/SKILL.md': skill('middle'),
      'apps/web/.agents/skills/near/SKILL.md': skill('near'),
      'apps/other/.agents/skills/beside/SKILL.md': skill('beside'),
    });
    const catalog = await load(world, { cwd: join(world.work, 'apps/web') });
    expect(namesOf(catalog)).toEqual(['project:middle', 'project:near', 'project:nested', 'project:top']);
    expect(catalog.project).toEqual({ path: world.work, reason: 'marker', marker: '.git' });
  });

  test('a skill that was just opened is not read again, and one that changed since is read the next time', async () => {
    const world = makeWorld({ '.claude/skills/demo/SKILL.md': skill('demo', 'As opened.') });
    const dir = join(world.work, '.claude/skills/demo');
    const opened = [entryOfSkill(openSkill(dir), Date.now())];
    writeFileSync(join(dir, 'SKILL.md'), skill('demo', 'As edited.'));
    const descriptionWith = async (discovery: Discovery) =>
      (await load(world, discovery)).skills.map(({ description }) => description);
    expect(await descriptionWith({ opened })).toEqual(['As opened.']);
    expect(await descriptionWith({})).toEqual(['As edited.']);
  });

  test('2: ~/.agents/skills/**/SKILL.md is enumerated as user scope', async () => {
    const world = makeWorld({ '~/.agents/skills/mine/SKILL.md': skill('mine') });
    expect(namesOf(await load(world))).toEqual(['user:mine']);
  });

  test('4: searching "release" returns candidates by name and description', async () => {
    const world = makeWorld({
      '.agents/skills/release-notes/SKILL.md': skill('release-notes', 'Drafts notes from commits.'),
      '.agents/skills/shipping/SKILL.md': skill('shipping', 'Prepares a release of the product.'),
      '.agents/skills/repo-review/SKILL.md': skill('repo-review', 'Reviews pull requests.'),
    });
    const results = searchSkills(await load(world), 'release');
    expect(results.map((result) => [result.skill.name, result.reason])).toEqual([
      ['release-notes', 'prefix'],
      ['shipping', 'token_overlap'],
    ]);
  });
});

test('a record contains everything known without loading the skill', async () => {
  const text =
    '---\nname: full\ndescription: Does it.\nversion: 1.10\ntags: [a, b]\nmetadata:\n  requires: no-such-command\n---\n\n# Full\n';
  const world = makeWorld({ '.agents/skills/full/SKILL.md': text });
  const { skills, errors, truncated, diagnostics } = await load(world);
  const dir = join(world.work, '.agents/skills/full');
  expect(skills).toEqual([
    {
      id: sha256(join(dir, 'SKILL.md')).slice(0, 24),
      name: 'full',
      description: 'Does it.',
      path: join(dir, 'SKILL.md'),
      dir,
      scope: 'project',
      mtimeMs: expect.any(Number),
      digest: sha256(text),
      source: { root: join(world.work, '.agents/skills'), adapter: '.agents/skills', linked: false },
      enabled: true,
      available: false,
      reason: 'no PATH was given to look for: no-such-command',
      shadows: [],
      compiled: false,
      deployed: [],
      tags: ['a', 'b'],
      frontmatter: {
        name: 'full',
        description: 'Does it.',
        version: '1.10',
        tags: ['a', 'b'],
        metadata: { requires: 'no-such-command' },
      },
    },
  ]);
  expect({ errors, truncated, diagnostics }).toEqual({ errors: [], truncated: false, diagnostics: [] });
});

describe('spellings people use', () => {
  test.each([
    [
      'a folded description',
      '---\nname: odd\ndescription: >-\n  Does this\n  and that.\n---\n',
      'odd',
      'Does this and that.',
    ],
    ['a literal description', '---\nname: odd\ndescription: |\n  Does this.\n---\n', 'odd', 'Does this.'],
    [
      'a nested metadata.name',
      '---\nname: odd\ndescription: D.\nmetadata:\n  name: other\n---\n',
      'odd',
      'D.',
    ],
    ['a byte order mark', '\ufeff---\nname: odd\ndescription: D.\n---\n', 'odd', 'D.'],
    ['CRLF', '---\r\nname: odd\r\ndescription: D.\r\n---\r\n\r\nText.\r\n', 'odd', 'D.'],
    ['a lone CR', '---\rname: odd\rdescription: D.\r---\rText.\r', 'odd', 'D.'],
    [
      'a colon without quotes',
      '---\nname: odd\ndescription: Use when: it rains\n---\n',
      'odd',
      'Use when: it rains',
    ],
    ['a name that cannot name a directory', '---\nname: C++\ndescription: D.\n---\n', 'place', 'D.'],
    ['a rule in the body', '---\nname: odd\ndescription: D.\n---\nText\n\n---\n\nmore\n', 'odd', 'D.'],
    ['no line end at the end', '---\nname: odd\ndescription: D.\n---', 'odd', 'D.'],
  ])('%s', async (_what, text, name, description) => {
    const world = makeWorld({ '.agents/skills/place/SKILL.md': text });
    const catalog = await load(world);
    expect(catalog.skills.map((found) => [found.name, found.description])).toEqual([[name, description]]);
    expect(catalog.errors).toEqual([]);
  });

  test.each([
    ['no name', '---\ndescription: D.\n---\n'],
    ['a nested metadata.name alone', '---\ndescription: D.\nmetadata:\n  name: other\n---\n'],
    ['a name that is a list', '---\nname: [a]\ndescription: D.\n---\n'],
  ])('%s is an error, as for a build', async (_what, text) => {
    const { skills, errors } = await load(makeWorld({ '.agents/skills/place/SKILL.md': text }));
    expect([skills, errors.map(({ message }) => message)]).toEqual([
      [],
      ["missing frontmatter field 'name' in SKILL.md"],
    ]);
  });

  test.each([
    ['no description', '---\nname: odd\n---\n', 'E011'],
    ['an empty description', '---\nname: odd\ndescription: "  "\n---\n', 'E011'],
    ['a description that is a list', '---\nname: odd\ndescription: [a]\n---\n', 'E011'],
    ['no frontmatter', '# Odd\n', 'E011'],
    ['an empty file', '', 'E011'],
    ['YAML that cannot be read', '---\nname: odd\ndescription: !!js/function x\n---\n', 'E014'],
    ['a frontmatter that is a list', '---\n- name\n- description\n---\n', 'E014'],
    ['a frontmatter without end', '---\nname: odd\ndescription: D.\n', 'E014'],
  ])('%s is an error, and hides no other skill', async (_what, text, code) => {
    const world = makeWorld({
      '.agents/skills/bad/SKILL.md': text,
      '.agents/skills/good/SKILL.md': skill('good'),
    });
    const catalog = await load(world);
    expect(namesOf(catalog)).toEqual(['project:good']);
    expect(errorsOf(catalog, world)).toEqual([['.agents/skills/bad/SKILL.md', code]]);
  });

  test('a SKILL.md inside the assets of another skill is not a skill', async () => {
    const world = makeWorld({
      '.agents/skills/outer/SKILL.md': skill('outer'),
      '.agents/skills/outer/assets/inner/SKILL.md': skill('inner'),
    });
    expect(namesOf(await load(world))).toEqual(['project:outer']);
  });

  test('a stray SKILL.md in the root hides nothing', async () => {
    const world = makeWorld({
      '.agents/skills/SKILL.md': skill('stray'),
      '.agents/skills/good/SKILL.md': skill('good'),
    });
    expect(namesOf(await load(world))).toEqual(['project:good', 'project:stray']);
  });

  test('reports a SKILL.md in the wrong case', async () => {
    const world = makeWorld({ '.agents/skills/odd/skill.md': skill('odd') });
    const { skills, errors } = await load(world);
    const path = join(world.work, '.agents/skills/odd');
    expect({ skills, errors }).toEqual({
      skills: [],
      errors: [
        {
          path,
          code: 'E010',
          message: `not a valid skill: '${path}' (missing SKILL.md); rename 'skill.md' to SKILL.md`,
        },
      ],
    });
  });

  test('skips hidden directories and node_modules, and says so', async () => {
    const world = makeWorld({
      '.agents/skills/.old/x/SKILL.md': skill('x'),
      '.agents/skills/.git/y/SKILL.md': skill('y'),
      '.agents/skills/node_modules/z/SKILL.md': skill('z'),
    });
    const { skills, roots } = await load(world);
    const root = join(world.work, '.agents/skills');
    expect(skills).toEqual([]);
    expect(roots[0]).toEqual({
      path: root,
      scope: 'project',
      adapter: '.agents/skills',
      status: 'searched',
      skills: 0,
      directories: 0,
      truncated: false,
      skipped: [
        { path: join(root, '.git'), why: 'hidden' },
        { path: join(root, '.old'), why: 'hidden' },
        { path: join(root, 'node_modules'), why: 'node_modules is not searched' },
      ],
      skippedCount: 3,
    });
  });
});

describe('links', () => {
  test('a symlinked skill directory is followed, known by its real path, and marked', async () => {
    const world = makeWorld({
      'elsewhere/pdf/SKILL.md': skill('pdf'),
      '.claude/skills/pdf': { link: '../../elsewhere/pdf' },
    });
    const { skills } = await load(world);
    expect(skills.map(({ name, dir, source }) => ({ name, dir, source }))).toEqual([
      {
        name: 'pdf',
        dir: join(world.work, 'elsewhere/pdf'),
        source: { root: join(world.work, '.claude/skills'), adapter: '.claude/skills', linked: true },
      },
    ]);
  });

  test('a skill found twice is one record, the direct one', async () => {
    const world = makeWorld({
      '.agents/skills/a-link': { link: 'group/real' },
      '.agents/skills/group/real/SKILL.md': skill('real'),
      '.claude/skills/real': { link: '../../.agents/skills/group/real' },
    });
    const { skills, diagnostics } = await load(world);
    expect(skills.map(({ name, source }) => [name, source.adapter, source.linked])).toEqual([
      ['real', '.agents/skills', false],
    ]);
    expect(diagnostics).toEqual([]);
  });

  test('a root that is a link to another root is searched once', async () => {
    const world = makeWorld({
      '.agents/skills/one/SKILL.md': skill('one'),
      '.claude/skills': { link: '../.agents/skills' },
    });
    const { skills, roots } = await load(world);
    expect(skills).toHaveLength(1);
    expect(roots.filter(({ status }) => status === 'duplicate')).toEqual([
      expect.objectContaining({
        adapter: '.claude/skills',
        why: `the same directory as ${join(world.work, '.agents/skills')}`,
      }),
    ]);
  });

  test('follows a link to a collection; stops at loops and dead links', async () => {
    const world = makeWorld({
      'shared/a/SKILL.md': skill('a'),
      'shared/back': { link: '.' },
      '.agents/skills/team': { link: '../../shared' },
      '.agents/skills/loop': { link: '..' },
      '.agents/skills/round': { link: 'round' },
      '.agents/skills/dead': { link: 'nowhere' },
    });
    const catalog = await load(world);
    expect(namesOf(catalog)).toEqual(['project:a']);
    expect(errorsOf(catalog, world)).toEqual([
      ['.agents/skills/dead', 'E015'],
      ['.agents/skills/round', 'E015'],
    ]);
  });

  test('refuses a SKILL.md that links out of its skill, reads one that links inside', async () => {
    const world = makeWorld({
      'secret.md': skill('secret'),
      '.agents/skills/out/SKILL.md': { link: '../../../secret.md' },
      '.agents/skills/in/docs/main.md': skill('in'),
      '.agents/skills/in/SKILL.md': { link: 'docs/main.md' },
      '.agents/skills/none/SKILL.md': { link: 'missing.md' },
    });
    const catalog = await load(world);
    expect(namesOf(catalog)).toEqual(['project:in']);
    expect(errorsOf(catalog, world)).toEqual([
      ['.agents/skills/none/SKILL.md', 'E015'],
      ['.agents/skills/out/SKILL.md', 'E012'],
    ]);
  });
});

describe('limits', () => {
  test('at most six levels deep', async () => {
    const world = makeWorld({
      '.agents/skills/1/2/3/4/5/six/SKILL.md': skill('six'),
      '.agents/skills/1/2/3/4/5/6/seven/SKILL.md': skill('seven'),
    });
    const catalog = await load(world);
    expect([namesOf(catalog), catalog.truncated]).toEqual([['project:six'], true]);
    expect(namesOf(await load(world, { maxDepth: 7 }))).toEqual(['project:seven', 'project:six']);
  });

  test('visits a limited number of directories, in name order', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const world = makeWorld(
      Object.fromEntries(names.map((name) => [`.agents/skills/${name}/SKILL.md`, skill(name)])),
    );
    const cut = await load(world, { maxDirectories: 3 });
    expect([namesOf(cut), cut.truncated, cut.roots[0]?.why]).toEqual([
      ['project:a', 'project:b', 'project:c'],
      true,
      'stopped after 3 directories',
    ]);
    expect((await load(world, { maxDirectories: 4 })).truncated).toBe(false);
  });

  test('a file that is not UTF-8 text is an error', async () => {
    const world = makeWorld({
      '.agents/skills/good/SKILL.md': skill('good'),
      '.agents/skills/nul/SKILL.md': `${skill('nul')}a\0b\n`,
      '.agents/skills/old/SKILL.md': skill('old'),
    });
    const old = join(world.work, '.agents/skills/old/SKILL.md');
    writeFileSync(old, Buffer.from(`${skill('old')}caf\u00e9\n`, 'latin1'));
    const catalog = await load(world, { cache: false });
    expect(namesOf(catalog)).toEqual(['project:good']);
    expect(errorsOf(catalog, world)).toEqual([
      ['.agents/skills/nul/SKILL.md', 'E015'],
      ['.agents/skills/old/SKILL.md', 'E015'],
    ]);
  });

  test('unreadable directories and files are errors', async (context) => {
    const world = makeWorld({
      '.agents/skills/closed/x/SKILL.md': skill('x'),
      '.agents/skills/file/SKILL.md': skill('file'),
      '.agents/skills/directory/SKILL.md/x': '',
      '.agents/skills/good/SKILL.md': skill('good'),
    });
    const root = join(world.work, '.agents/skills');
    chmodSync(world.root, 0o755);
    chmodSync(join(root, 'closed'), 0o000);
    chmodSync(join(root, 'file/SKILL.md'), 0o000);
    const catalog = await asNobody(context, () => load(world, { cache: false }));
    expect(namesOf(catalog)).toEqual(['project:good']);
    expect(errorsOf(catalog, world)).toEqual([
      ['.agents/skills/closed/SKILL.md', 'E015'],
      ['.agents/skills/directory/SKILL.md', 'E015'],
      ['.agents/skills/file/SKILL.md', 'E015'],
    ]);
  });
});

describe('roots', () => {
  test('the project root is named by the environment, marked, or the working directory', async () => {
    const world = makeWorld({
      'a/.jj': { directory: true },
      'a/b/c': { directory: true },
      'a/b/.agents/skills/near/SKILL.md': skill('near'),
      '.agents/skills/far/SKILL.md': skill('far'),
    });
    const cwd = join(world.work, 'a/b/c');
    const projectOf = async (more: LoadOptions) => (await load(world, { cwd, ...more })).project;
    expect(await projectOf({})).toEqual({ path: join(world.work, 'a'), reason: 'marker', marker: '.jj' });
    expect(await projectOf({ env: { SKC_AGENTS_ROOT: world.work } })).toEqual({
      path: world.work,
      reason: 'environment',
    });
    expect(await projectOf({ markers: ['nothing-is-called-so'] })).toEqual({ path: cwd, reason: 'cwd' });
    expect(namesOf(await load(world, { cwd, env: { SKC_AGENTS_ROOT: world.work } }))).toEqual([
      'project:far',
      'project:near',
    ]);
  });

  test("the user's .skillc does not mark a project, and skills in the home are the user's", async () => {
    const world = makeWorld({
      '~/.skillc/skills/mine/SKILL.md': skill('mine'),
      '~/.git': { directory: true },
      '~/deep': { directory: true },
    });
    const catalog = await load(world, { cwd: join(world.home, 'deep') });
    expect([namesOf(catalog), catalog.project.reason]).toEqual([['user:mine'], 'cwd']);
  });

  test('searches project roots only in a trusted project', async () => {
    const world = makeWorld({
      '.agents/skills/theirs/SKILL.md': skill('theirs'),
      '~/.agents/skills/mine/SKILL.md': skill('mine'),
    });
    const catalog = await load(world, { trust: false });
    expect(namesOf(catalog)).toEqual(['user:mine']);
    expect(catalog.roots.filter(({ scope }) => scope === 'project').map(({ status }) => status)).toEqual([
      'untrusted',
      'untrusted',
      'untrusted',
      'untrusted',
    ]);
  });

  test('all adapters, agents on request, configured and bundled roots, packages when allowed', async () => {
    const world = makeWorld({
      '.agents/skills/a/SKILL.md': skill('a'),
      '.agent/skills/b/SKILL.md': skill('b'),
      '.claude/skills/c/SKILL.md': skill('c'),
      '.skillc/skills/d/SKILL.md': skill('d'),
      '.windsurf/skills/e/SKILL.md': skill('e'),
      '~/.codex/skills/f/SKILL.md': skill('f'),
      'extra/g/SKILL.md': skill('g'),
      'bundled/h/SKILL.md': skill('h'),
      'node_modules/@scope/pack/skills/i/SKILL.md': skill('i'),
      'node_modules/pack/node_modules/inner/skills/j/SKILL.md': skill('j'),
      'node_modules/pack/skills/deep/er/SKILL.md': skill('er'),
    });
    expect(namesOf(await load(world)).map((name) => name.at(-1))).toEqual(['a', 'b', 'c', 'd']);
    const all = await load(world, {
      agents: 'all',
      nodeModules: true,
      roots: [{ path: join(world.work, 'extra'), scope: 'user' }],
      bundled: [join(world.work, 'bundled')],
    });
    expect(namesOf(all)).toEqual([
      ...['a', 'b', 'c', 'd', 'e', 'i', 'j'].map((name) => `project:${name}`),
      'user:f',
      'user:g',
      'bundled:h',
    ]);
    expect(namesOf(await load(world, { agents: ['windsurf'] })).at(-1)).toBe('project:e');
    await expect(load(world, { agents: ['no-such-agent'] })).rejects.toMatchObject({ code: 'E100' });
  });
});

test('the same name in three scopes: all stay, and each lists the ones it shadows', async () => {
  const world = makeWorld({
    '.agents/skills/pdf/SKILL.md': skill('pdf', 'The far one.'),
    'near/.claude/skills/pdf/SKILL.md': skill('pdf', 'The near one.'),
    '~/.agents/skills/pdf/SKILL.md': skill('pdf', "The user's."),
    'bundled/pdf/SKILL.md': skill('pdf', 'The bundled one.'),
  });
  const { skills, diagnostics } = await load(world, {
    cwd: join(world.work, 'near'),
    bundled: [join(world.work, 'bundled')],
  });
  const paths = skills.map(({ path }) => path);
  expect(skills.map(({ description, shadows }) => [description, shadows])).toEqual([
    ['The near one.', paths.slice(1)],
    ['The far one.', paths.slice(2)],
    ["The user's.", paths.slice(3)],
    ['The bundled one.', []],
  ]);
  expect(diagnostics.map(({ code, message, data }) => [code, message, data])).toEqual(
    paths
      .slice(1)
      .map((path) => ['W004', "skill 'pdf' shadowed by another of the same name", { path, by: paths[0] }]),
  );
});

describe('compiled skills', () => {
  const stub = (name: string) => skill(name, 'A stub.', `\nskc outline ${name}  # every heading\n`);
  const manifest = (name: string, source: string, deployed: string[] = []) =>
    JSON.stringify({
      skill: name,
      version: 1,
      built_at: '2026-01-02T03:04:05Z',
      source_hash: '0',
      source_path: source,
      generator: 'test',
      files: 1,
      bytes: 1,
      stub_hash: '0',
      deployed,
    });

  const recordMade = (world: { home: string; work: string }, runtime: string, source: string) =>
    buildRecord(world.home).addRuntime(join(world.work, runtime), {
      source: join(world.work, source),
      stub: sha256(stub(basename(runtime))),
    });

  test('without a record that skc made it, a look-alike of a stub is an ordinary skill', async () => {
    const world = makeWorld({
      'harmless/SKILL.md': skill('demo', 'Harmless.'),
      '.claude/skills/demo/SKILL.md': stub('demo'),
      '.claude/skills/demo/.skillc/manifest.json': manifest('demo', './harmless'),
    });
    const { skills, diagnostics } = await load(world);
    expect(skills.map(({ dir, compiled }) => ({ dir, compiled }))).toEqual([
      { dir: join(world.work, '.claude/skills/demo'), compiled: false },
    ]);
    expect(diagnostics.map(({ code, help }) => [code, help])).toEqual([
      ['W010', "run 'skc build demo' if the skill is yours"],
    ]);
  });

  test('a stub and its source are one record: the source, compiled', async () => {
    const world = makeWorld({
      '.skillc/skills/demo/SKILL.md': skill('demo', 'The source.'),
      '.skillc/runtime/demo/SKILL.md': stub('demo'),
      '.skillc/runtime/demo/.skillc/manifest.json': manifest('demo', './.skillc/skills/demo', [
        './.claude/skills/demo',
      ]),
      '.claude/skills/demo': { link: '../../.skillc/runtime/demo' },
    });
    recordMade(world, '.skillc/runtime/demo', '.skillc/skills/demo');
    const { skills, diagnostics } = await load(world);
    expect(
      skills.map(({ description, compiled, deployed }) => ({ description, compiled, deployed })),
    ).toEqual([
      { description: 'The source.', compiled: true, deployed: [join(world.work, '.claude/skills/demo')] },
    ]);
    expect(diagnostics).toEqual([]);
  });

  test('finds a source outside every root through its stub, and keeps a stub without source', async () => {
    const world = makeWorld({
      'src/far/SKILL.md': skill('far', 'The source.'),
      '.claude/skills/far/SKILL.md': stub('far'),
      '.claude/skills/far/.skillc/manifest.json': manifest('far', './src/far'),
      '.claude/skills/gone/SKILL.md': stub('gone'),
      '.claude/skills/gone/.skillc/manifest.json': manifest('gone', './src/gone'),
      '.claude/skills/talks/SKILL.md': stub('talks'),
      '.claude/skills/foreign/SKILL.md': stub('foreign'),
      '.claude/skills/foreign/.skillc-meta/x': '',
    });
    recordMade(world, '.claude/skills/far', 'src/far');
    recordMade(world, '.claude/skills/gone', 'src/gone');
    const { skills } = await load(world);
    const root = join(world.work, '.claude/skills');
    expect(skills.map(({ name, dir, compiled, deployed }) => [name, dir, compiled, deployed])).toEqual([
      ['far', join(world.work, 'src/far'), true, [join(root, 'far')]],
      ['foreign', join(root, 'foreign'), true, [join(root, 'foreign')]],
      ['gone', join(root, 'gone'), true, [join(root, 'gone')]],
      ['talks', join(root, 'talks'), false, []],
    ]);
  });
});

test('looks for required commands on the PATH', async () => {
  const needing = (name: string, requires: string) =>
    `---\nname: ${name}\ndescription: D.\nmetadata:\n  requires: ${requires}\n---\n`;
  const world = makeWorld({
    'bin/tool': '#!/bin/sh\n',
    'bin/not-executable': '',
    'bin/directory/x': '',
    '.agents/skills/a/SKILL.md': needing('a', 'tool'),
    '.agents/skills/b/SKILL.md': needing('b', '[tool, not-executable, directory]'),
    '.agents/skills/c/SKILL.md': needing('c', '../bin/tool'),
  });
  chmodSync(join(world.work, 'bin/tool'), 0o755);
  const { skills } = await load(world, { env: { PATH: `relative:${join(world.work, 'bin')}` } });
  expect(skills.map(({ available, reason }) => [available, reason])).toEqual([
    [true, undefined],
    [false, 'not on PATH: not-executable, directory'],
    [false, 'not on PATH: ../bin/tool'],
  ]);
});

describe('the cache between starts', () => {
  const COUNT = 120;
  const many = Object.fromEntries(
    Array.from({ length: COUNT }, (_, number) => [
      `.agents/skills/${number % 2 === 0 ? 'even/' : ''}s${number}/SKILL.md`,
      skill(`s${number}`, `Number ${number} → ünïcode.`),
    ]),
  );
  /** Files old enough to be cached: their clock has ticked since they were written. */
  const settle = async (world: { work: string; home: string }) => {
    const last = statSync(join(world.work, '.agents/skills/s119/SKILL.md')).ctimeMs;
    while (Date.now() < last + 60) await new Promise((resolve) => setImmediate(resolve));
    await load(world);
  };
  const withoutCache = (world: { work: string; home: string }) => load(world, { cache: false });

  test('a second start returns the same, also after edits, additions, removals and renames', async () => {
    const world = makeWorld(many);
    await settle(world);
    const root = join(world.work, '.agents/skills');
    const cache = join(world.home, '.skillc/cache');
    const same = async () => {
      const expected = await withoutCache(world);
      expect({ ...(await load(world)), cache: undefined }).toEqual(expected);
      return expected;
    };
    expect((await same()).skills).toHaveLength(COUNT);
    // Same size, within the same second.
    writeFileSync(join(root, 's1/SKILL.md'), skill('s1', 'Number 9 → ünïcode.'));
    expect((await same()).skills.find(({ name }) => name === 's1')?.description).toBe('Number 9 → ünïcode.');
    writeFileSync(join(root, 's1/SKILL.md'), skill('s1', 'Number 8 → ünïcode.'));
    expect((await same()).skills.find(({ name }) => name === 's1')?.description).toBe('Number 8 → ünïcode.');
    writeTree(root, { 'new/SKILL.md': skill('new') });
    rmSync(join(root, 's3/SKILL.md'));
    rmSync(join(root, 's5'), { recursive: true });
    renameSync(join(root, 's7'), join(root, 'even/moved'));
    renameSync(join(root, 's9'), join(world.work, 's9'));
    symlinkSync(join(world.work, 's9'), join(root, 's9'));
    const after = await same();
    expect(after.skills).toHaveLength(COUNT - 1);
    expect(after.skills.find(({ name }) => name === 's9')?.source.linked).toBe(true);
    expect(readdirSync(cache)).toEqual([expect.stringMatching(/^skills-[0-9a-f]{16}$/)]);
  });

  test('uses the cache: does not read an unchanged file', async () => {
    const world = makeWorld(many);
    await settle(world);
    const [name = ''] = readdirSync(join(world.home, '.skillc/cache'));
    const file = join(world.home, '.skillc/cache', name);
    const [header = '', ...lines] = readFileSync(file, 'utf8').split('\n');
    const body = lines.join('\n').replace('Number 11 ', 'Remembered ');
    const fields = { ...JSON.parse(header), sha256: sha256(body) };
    writeFileSync(file, `${JSON.stringify(fields)}\n${body}`);
    const { skills } = await load(world);
    expect(skills.find((found) => found.name === 's11')?.description).toBe('Remembered → ünïcode.');
  });

  test.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['empty', () => Buffer.alloc(0)],
    [
      'one bit flipped',
      (bytes: Buffer) => Buffer.from(bytes.map((byte, index) => (index === 3000 ? byte ^ 1 : byte))),
    ],
    [
      'of another version',
      (bytes: Buffer) =>
        Buffer.from(bytes.toString('latin1').replace('"version":1', '"version":0'), 'latin1'),
    ],
    ['not JSON', () => Buffer.from('nonsense\nnonsense\n')],
  ])('a cache that is %s is the same as none', async (_what, damage) => {
    const world = makeWorld(many);
    await settle(world);
    const [name = ''] = readdirSync(join(world.home, '.skillc/cache'));
    const file = join(world.home, '.skillc/cache', name);
    const before = readFileSync(file);
    writeFileSync(file, damage(before));
    expect({ ...(await load(world)), cache: undefined }).toEqual(await withoutCache(world));
    expect(readFileSync(file)).toEqual(before);
  });

  test('an unwritable cache only costs time', async () => {
    const world = makeWorld({ ...many, '~/.skillc': 'a file where a directory should be' });
    expect((await load(world)).skills).toHaveLength(COUNT);
  });

  test('small catalogs are not cached', async () => {
    const world = makeWorld({ '.agents/skills/one/SKILL.md': skill('one') });
    await load(world);
    expect(existsSync(join(world.home, '.skillc'))).toBe(false);
  });
});

test('a record has the gate but not the quiz, also from the cache', async () => {
  const quiz = (gate: string) =>
    `---\nname: x\ndescription: D.\nquiz:\n  gate: ${gate}\n  questions:\n    - question: Q?\n      options: [{ label: a, correct: true }, { label: b }]\n---\n`;
  const many = Array.from({ length: 120 }, (_, n) => [`.agents/skills/s${n}/SKILL.md`, skill(`s${n}`)]);
  const world = makeWorld({
    ...Object.fromEntries(many),
    '.agents/skills/closed/SKILL.md': quiz('true').replace('name: x', 'name: closed'),
    '.agents/skills/asking/SKILL.md': quiz('false').replace('name: x', 'name: asking'),
  });
  for (const _ of ['read', 'remembered']) {
    const { skills } = await load(world);
    const found = ['closed', 'asking', 's1'].map((name) => skills.find((record) => record.name === name)!);
    expect(found.map(({ gated, frontmatter }) => [gated, Object.keys(frontmatter)])).toEqual([
      [true, ['name', 'description']],
      [undefined, ['name', 'description']],
      [undefined, ['name', 'description']],
    ]);
  }
  const cached = readdirSync(world.home, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(world.home, path)).isFile(),
  );
  for (const path of cached) expect(readFileSync(join(world.home, path), 'latin1')).not.toContain('correct');
});
