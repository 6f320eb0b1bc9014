import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { asNobody } from '../../../test/as-nobody.ts';
import { listTree, makeWorld, skillText, type World } from '../../../test/make-world.ts';
import { sha256 } from '../../base/files/hash.ts';
import { buildSkill } from './build-skill.ts';

const source = '.skillc/skills/demo';
const runtime = '.skillc/runtime/demo';

const makeDemo = (files = {}) => makeWorld({ [`${source}/SKILL.md`]: skillText('demo'), ...files });

const build = (world: World, ...words: string[]) =>
  world.run(['build', 'demo', '--target', 'none', ...words]);

const codeOf = (stderr: string) => /^error\[(\w+)\]/m.exec(stderr)?.[1];

const runtimeNames = (world: World) =>
  Object.keys(listTree(join(world.project, runtime))).map((path) => path.replace(/[0-9a-f]{16}/, '<hash16>'));

const complete = ['.skillc', '.skillc/manifest.json', '.skillc/search-<hash16>.db', 'SKILL.md'];

test('builds are incremental, and an unchanged skill is not written again', async () => {
  const world = makeDemo({ [`${source}/a.md`]: '# A\n', [`${source}/b.png`]: '\0' });
  // The next build checks a file again that was written just now, and then updates the index.
  const written = statSync(join(world.project, source, 'b.png')).ctimeMs;
  await vi.waitUntil(() => Date.now() > written + 100);
  const rest = [
    '  form: a stub (as requested)',
    "  left out: a.md (Markdown: use 'skc show' or 'skc open')",
    '  left out: b.png (no text refers to it)',
    '',
  ].join('\n');
  expect((await build(world)).stdout).toBe(`demo: created (2 of 3 files indexed)\n${rest}`);
  const before = world.list();
  expect((await build(world)).stdout).toBe(`demo: up to date (3 files)\n${rest}`);
  expect(world.list()).toEqual(before);
  world.write({ [`${source}/a.md`]: '# B\n' });
  expect((await build(world)).stdout).toBe(`demo: updated (1 of 3 files indexed)\n${rest}`);
  expect(world.read(`${runtime}/SKILL.md`)).toContain('  - B\n');
  expect(runtimeNames(world)).toEqual(complete);
});

test.each(['.skillc/runtime', '.skillc/runtime/demo', '.skillc'])(
  'a build does not write through a link at %s that leads out of the project',
  async (link) => {
    const world = makeDemo({ '~/elsewhere/demo/x': '', '~/elsewhere/runtime/x': '' });
    if (link === '.skillc') {
      renameSync(join(world.project, '.skillc/skills'), join(world.home, 'elsewhere/skills'));
      rmSync(join(world.project, '.skillc'), { recursive: true });
    } else mkdirSync(join(world.project, link, '..'), { recursive: true });
    symlinkSync(join(world.home, 'elsewhere'), join(world.project, link));
    const before = listTree(join(world.home, 'elsewhere'));
    const { status, stderr } = await build(world);
    // A project whose .skillc is a link does not count: the skill is built for the user.
    const told = link === '.skillc' ? 'W010' : 'E016';
    expect([status, stderr.match(/\[(\w+)\]/)?.[1]]).toEqual([link === '.skillc' ? 0 : 1, told]);
    expect(listTree(join(world.home, 'elsewhere'))).toEqual(before);
  },
);

test.each([
  ['the stub is gone', (world: World) => rmSync(join(world.project, runtime, 'SKILL.md'))],
  [
    'the stub was changed',
    (world: World) => writeFileSync(join(world.project, runtime, 'SKILL.md'), 'changed'),
  ],
  ['the manifest is gone', (world: World) => rmSync(join(world.project, runtime, '.skillc/manifest.json'))],
  [
    'the manifest is damaged',
    (world: World) => writeFileSync(join(world.project, runtime, '.skillc/manifest.json'), '{'),
  ],
  ['the index is gone', (world: World) => removeIndex(world)],
  ['the index is damaged', (world: World) => damageIndex(world)],
  ['everything is gone', (world: World) => rmSync(join(world.project, runtime), { recursive: true })],
])('a build repairs the runtime directory: %s', async (_what, harm) => {
  const world = makeDemo();
  await build(world);
  const before = withoutIndex(world);
  harm(world);
  expect(await build(world)).toMatchObject({ status: 0, stderr: '' });
  expect(withoutIndex(world)).toEqual(before);
  expect((await world.run(['show', 'demo', '--section', 'demo'])).stdout).toBe('# demo\n');
});

const indexPath = (world: World) => {
  const own = join(world.project, runtime, '.skillc');
  return join(own, Object.keys(listTree(own)).find((name) => name.startsWith('search-'))!);
};
const removeIndex = (world: World) => rmSync(indexPath(world));
const damageIndex = (world: World) => writeFileSync(indexPath(world), 'SQLite format 3\0 but not really');
const withoutIndex = (world: World) =>
  Object.fromEntries(
    Object.entries(listTree(join(world.project, runtime))).filter(([path]) => !path.endsWith('.db')),
  );

describe('a runtime directory that skc did not make', () => {
  test.each<[string, (world: World) => void]>([
    ['made by hand', (world) => world.write({ [`${runtime}/SKILL.md`]: 'mine' })],
    [
      'of another tool',
      (world) => world.write({ [`${runtime}/SKILL.md`]: 'theirs', [`${runtime}/.skillc-meta/m.json`]: '{}' }),
    ],
    ['a file', (world) => world.write({ [runtime]: 'mine' })],
    [
      'a link to somewhere else',
      (world) => {
        world.write({ 'precious/SKILL.md': 'mine', '.skillc/runtime': { directory: true } });
        symlinkSync('../../precious', join(world.project, runtime));
      },
    ],
    [
      'with a link inside',
      (world) => {
        world.write({ 'precious/manifest.json': 'mine', [runtime]: { directory: true } });
        symlinkSync('../../../precious', join(world.project, runtime, '.skillc'));
      },
    ],
  ])('%s: E013 and untouched; with --force it is kept', async (_what, make) => {
    const backup = '.skillc/backups/demo.bak-20260102T030405Z';
    const world = makeDemo();
    // The backup of a link keeps its target.
    const led = (content: string) =>
      content === '-> ../../precious' ? `-> ${join(world.project, 'precious')}` : content;
    make(world);
    const before = world.list();
    const { status, stderr } = await build(world);
    expect({ status, code: codeOf(stderr) }).toEqual({ status: 1, code: 'E013' });
    expect(world.list()).toEqual(before);
    const forced = await build(world, '--force');
    expect(forced).toMatchObject({
      status: 0,
      stdout: `demo: created (1 of 1 file indexed)\n  form: a stub (as requested)\n  backup: <cwd>/${backup}\n`,
    });
    const after = world.list();
    for (const [path, content] of Object.entries(before))
      expect(after[path.replace('.skillc/runtime/demo', backup)]).toBe(led(content));
    expect(runtimeNames(world)).toEqual(complete);
  });
});

describe('two skills of one name', () => {
  test('the second is E013 while the first exists, and takes over with --force', async () => {
    const world = makeDemo({ 'docs/demo/SKILL.md': skillText('demo', '# Second\n') });
    await build(world);
    const before = world.list();
    const refused = await world.run(['build', './docs/demo', '--target', 'none']);
    expect(refused).toMatchObject({
      status: 1,
      stderr: `error[E013]: refusing to overwrite '<cwd>/${runtime}'\nhelp: skill 'demo' is compiled from <cwd>/${source}; rename one of the two, or use --force\n`,
    });
    expect(world.list()).toEqual(before);
    expect((await world.run(['build', './docs/demo', '--target', 'none', '--force'])).status).toBe(0);
    // Both can be read: an index belongs to one source.
    expect((await world.run(['show', './docs/demo', '--section', 'second'])).stdout).toBe('# Second\n');
    expect((await world.run(['show', 'demo', '--section', 'demo'])).stdout).toBe('# demo\n');
  });

  test('a moved source takes its place over, and the deployment follows', async () => {
    const world = makeDemo();
    await world.run(['build', 'demo']);
    renameSync(join(world.project, source), join(world.project, 'moved'));
    expect((await world.run(['build', './moved'])).status).toBe(0);
    expect(JSON.parse(world.read(`${runtime}/.skillc/manifest.json`)).source_path).toBe('./moved');
    expect(runtimeNames(world)).toEqual(complete);
    const shown = await world.run(['show', 'demo', '--section', 'demo'], { cwd: world.home });
    expect(shown).toMatchObject({ status: 0, stdout: '# demo\n' });
  });
});

describe('where a skill is compiled to', () => {
  test.each([
    ['a source of the project', source, 'demo', [], '<cwd>/.skillc/runtime/demo'],
    ['a source of the user', '~/.skillc/skills/demo', 'demo', [], '<home>/.skillc/runtime/demo'],
    ['a path in the project', 'docs/demo', './docs/demo', [], '<cwd>/.skillc/runtime/demo'],
    ['a path outside', '~/elsewhere/demo', '../home/elsewhere/demo', [], '<home>/.skillc/runtime/demo'],
    ['a source of the project, --global', source, 'demo', ['--global'], '<home>/.skillc/runtime/demo'],
    ['imported', '~/elsewhere/demo', '../home/elsewhere/demo', ['--import'], '<home>/.skillc/runtime/demo'],
    ['imported from the project', 'docs/demo', './docs/demo', ['--import'], '<cwd>/.skillc/runtime/demo'],
    [
      'imported, --global',
      'docs/demo',
      './docs/demo',
      ['--import', '--global'],
      '<home>/.skillc/runtime/demo',
    ],
  ])('%s', async (_what, place, word, flags, expected) => {
    const world = makeWorld({ [`${place}/SKILL.md`]: skillText('demo') });
    const result = await world.run(['build', word, '--target', 'none', '--json', ...flags]);
    expect((result.json() as { built: [{ runtime_path: string }] }).built[0].runtime_path).toBe(expected);
    const shown = flags.includes('--import') ? 'demo' : word;
    expect((await world.run(['show', shown, '--section', 'demo'])).stdout).toBe('# demo\n');
  });

  test('a skill of a project is compiled there, whatever the working directory', async () => {
    const world = makeDemo();
    await world.run(['build', join(world.project, source), '--target', 'none'], { cwd: world.home });
    expect(runtimeNames(world)).toEqual(complete);
  });

  test('a linked skill of the store is compiled for the project', async () => {
    const world = makeWorld({
      '../shared/demo/SKILL.md': skillText('demo'),
      '.skillc/skills': { directory: true },
    });
    symlinkSync('../../../shared/demo', join(world.project, source));
    expect((await build(world)).status).toBe(0);
    expect(runtimeNames(world)).toEqual(complete);
    expect((await world.run(['show', 'demo', '--section', 'demo'])).stdout).toBe('# demo\n');
  });
});

describe('a deployed stub leads back to its source', () => {
  test.each([[], ['--copy'], ['--global'], ['--global', '--copy']].map((flags) => [flags]))(
    'built with %j, from a directory where only the stub is visible',
    async (flags) => {
      const world = makeDemo({ '~/other/place/x.txt': '', '../decoy/x': '' });
      expect((await world.run(['build', 'demo', ...flags])).status).toBe(0);
      const cwd = join(world.home, 'other/place');
      for (const word of [
        'demo',
        join(world.home, '.claude/skills/demo'),
        join(world.home, '.claude/skills/demo/SKILL.md'),
      ]) {
        expect(await world.run(['show', word, '--section', 'demo'], { cwd })).toMatchObject({
          status: 0,
          stdout: '# demo\n',
        });
        expect((await world.run(['sources', word], { cwd })).stdout).toBe('demo/\n└── SKILL.md\n');
        expect((await world.run(['search', word, 'demo', '--json'], { cwd })).json()).toMatchObject({
          results: [
            { file: 'SKILL.md', section: 'demo' },
            { file: 'SKILL.md', section: '' },
          ],
        });
      }
      world.write({ [`${source}/SKILL.md`]: skillText('demo', '# Changed\n') });
      expect(await world.run(['show', 'demo', '--section', 'changed', '--fresh'], { cwd })).toMatchObject({
        status: 0,
        stdout: '# Changed\n',
      });
    },
  );

  test("a copy of a project's skill is not taken for the user's of that name", async () => {
    const world = makeDemo({ '~/.skillc/skills/demo/SKILL.md': skillText('demo', "# The user's\n") });
    await world.run(['build', 'demo', '--copy']);
    const { stdout } = await world.run(['outline', join(world.home, '.claude/skills/demo')]);
    expect(stdout).toBe('SKILL.md\n  # demo\n');
  });

  test('a stub without its source is not compiled again, and the message says what to do', async () => {
    const world = makeDemo();
    await world.run(['build', 'demo']);
    rmSync(join(world.project, source), { recursive: true });
    const before = world.list();
    for (const cwd of [world.project, world.home, join(world.project, runtime)]) {
      const word = cwd.endsWith('runtime/demo') ? '.' : 'demo';
      const { status, stderr } = await world.run(['build', word, '--force'], { cwd });
      expect({ status, code: codeOf(stderr) }).toEqual({ status: 1, code: 'E001' });
      expect(stderr).toContain("'skc clean demo' removes it");
    }
    expect(world.list()).toEqual(before);
  });
});

describe('where nothing can be written', () => {
  test('a read-only parent of the runtime directory is E016', (context) => {
    const world = makeDemo();
    mkdirSync(join(world.project, '.skillc/runtime'));
    chmodSync(join(world.project, '.skillc/runtime'), 0o555);
    chmodSync(world.root, 0o755);
    const before = world.list();
    const base = { dir: join(world.project, '.skillc/runtime'), project: world.project };
    const failure = asNobody(context, () => {
      try {
        return buildSkill(join(world.project, source), {
          base,
          home: world.home,
          tokenizer: 'porter',
          force: false,
          now: new Date(),
        });
      } catch (error) {
        return error;
      }
    });
    expect(failure).toMatchObject({ code: 'E016' });
    expect(world.list()).toEqual(before);
  });

  test('a full disk is E016 and leaves the old state, which still works', async (context) => {
    const world = makeDemo();
    const disk = join(world.project, '.skillc/runtime');
    mkdirSync(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      return context.skip('only root can mount a file system');
    }
    onTestFinished(() => void execFileSync('umount', ['-l', disk]));
    expect((await build(world)).status).toBe(0);
    const stub = world.read(`${runtime}/SKILL.md`);
    const body = Array.from({ length: 30_000 }, (_, index) => `word${index} other${index * 7}`).join('\n');
    world.write({ [`${source}/big.md`]: `# Big\n\n${body}\n` });
    const before = listTree(disk);
    const { status, stderr } = await build(world);
    expect({ status, code: codeOf(stderr) }).toEqual({ status: 1, code: 'E016' });
    expect(listTree(disk)).toEqual(before);
    expect(world.read(`${runtime}/SKILL.md`)).toBe(stub);
    expect(codeOf((await world.run(['show', 'demo', '--section', 'demo'])).stderr)).toBe('E002');
    rmSync(join(world.project, source, 'big.md'));
    expect((await world.run(['show', 'demo', '--section', 'demo'])).stdout).toBe('# demo\n');
  });
});

describe('--all', () => {
  test('one broken skill does not stop the others, and the status is 1', async () => {
    const world = makeWorld({
      '.skillc/skills/a/SKILL.md': skillText('a'),
      '.skillc/skills/b/SKILL.md': '---\nname: b\n---\n',
      '.skillc/skills/c/SKILL.md': skillText('c'),
      '.skillc/skills/c/x': { link: '/etc' },
      '~/.skillc/skills/d/SKILL.md': skillText('d'),
      '.skillc/skills/no-skill': { directory: true },
    });
    const { status, stdout, stderr } = await world.run(['build', '--all', '--target', 'none']);
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout:
        'a: created (1 of 1 file indexed)\n  form: a stub (as requested)\nd: created (1 of 1 file indexed)\n  form: a stub (as requested)\n4 skills: 2 built, 2 failed\n',
      stderr: [
        "error[E011]: missing frontmatter field 'description' in SKILL.md",
        '  in <cwd>/.skillc/skills/b',
        "error[E012]: path escapes skill root: 'x'",
        '  in <cwd>/.skillc/skills/c',
        '',
      ].join('\n'),
    });
    expect((await world.run(['build', '--all', '--target', 'none', '--json'])).json()).toMatchObject({
      built: [{ name: 'a', status: 'unchanged' }, { name: 'd' }],
      failed: [
        { skill: '<cwd>/.skillc/skills/b', code: 'E011' },
        { skill: '<cwd>/.skillc/skills/c', code: 'E012' },
      ],
    });
  });

  test('directories can hold many skills, and a skill compiled for the user stays there', async () => {
    const world = makeWorld({
      'many/a/SKILL.md': skillText('a'),
      'many/deep/er/b/SKILL.md': skillText('b'),
      'many/b/assets/x/SKILL.md': skillText('x'),
      '.skillc/skills/g/SKILL.md': skillText('g'),
    });
    expect((await world.run(['build', '--all', 'many', '--target', 'none'])).stdout).toMatch(
      /^3 skills: 3 built, 0 failed$/m,
    );
    await world.run(['build', 'g', '--global', '--target', 'none']);
    expect((await world.run(['build', '--all', '--target', 'none'])).stdout).toBe(
      [
        ...['a', 'b', 'x', 'g'].map((name) => `${name}: up to date (1 file)\n  form: a stub (as requested)`),
        '4 skills: 4 built, 0 failed\n',
      ].join('\n'),
    );
    expect(existsSync(join(world.project, '.skillc/runtime/g'))).toBe(false);
  });

  test('with nothing to build it says so; without a skill here it says what to do', async () => {
    const world = makeWorld();
    expect(await world.run(['build', '--all'])).toMatchObject({
      status: 0,
      stdout: "no skills to build; 'skc init <name>' creates one\n",
    });
    expect(await world.run(['build'])).toMatchObject({
      status: 1,
      stderr:
        "error[E010]: not a valid skill: '<cwd>' (missing SKILL.md)\nhelp: name a skill, or build all of them with 'skc build --all'\n",
    });
  });
});

describe('a source that changes while it is built', () => {
  test('the stub is of the files that were indexed, or is made again by the next build', async () => {
    const world = makeDemo({ [`${source}/r.md`]: '# R0\n' });
    const script = `
      const { renameSync, writeFileSync } = require('node:fs');
      process.chdir(${JSON.stringify(join(world.project, source))});
      const put = (path, text) => { writeFileSync('.new', text); renameSync('.new', path); };
      for (let n = 0; ; n++) {
        put('SKILL.md', '---\\nname: demo\\ndescription: d\\n---\\n# Version ' + n + '\\n');
        put('r.md', '# Reference ' + n + '\\n');
        if (n === 0) console.log('writing');
      }`;
    const writer = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void writer.kill('SIGKILL'));
    await once(writer.stdout, 'data');
    for (let round = 0; round < 40; round++) {
      await build(world);
      const manifest = JSON.parse(world.read(`${runtime}/.skillc/manifest.json`));
      if (manifest.stub_hash === '') continue;
      const [, skill] = /^- Version (\d+)$/m.exec(world.read(`${runtime}/SKILL.md`)) ?? [];
      const [, reference] = /^ {2}- Reference (\d+)$/m.exec(world.read(`${runtime}/SKILL.md`)) ?? [];
      if (skill === undefined || reference === undefined) continue;
      const text = (path: string) =>
        path === 'r.md'
          ? `# Reference ${reference}\n`
          : `---\nname: demo\ndescription: d\n---\n# Version ${skill}\n`;
      const pairs = ['SKILL.md', 'r.md'].map((path) => `${path}\0${sha256(text(path))}\0`);
      expect(manifest.source_hash).toBe(sha256(pairs.join('')));
    }
    writer.kill('SIGKILL');
    await once(writer, 'close');
    await build(world);
    const version = /# Version (\d+)/.exec(world.read(`${source}/SKILL.md`))![1];
    expect(world.read(`${runtime}/SKILL.md`)).toContain(`- Version ${version}\n`);
  });

  test('a reference that is too large to read is not listed, and the build says so', async () => {
    const world = makeDemo();
    writeFileSync(join(world.project, source, 'huge.md'), '# Huge\n');
    truncateSync(join(world.project, source, 'huge.md'), 17 * 1024 * 1024);
    const { status, stderr } = await build(world);
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: "warning[W012]: the text of 'huge.md' is not indexed: 17 MiB is over the limit of 1 MiB\n",
    });
    expect(world.read(`${runtime}/SKILL.md`)).not.toContain('huge.md');
  });
});
