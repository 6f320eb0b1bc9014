// Links and directories that skc did not make, at the places it deploys to, and projects that name such places.

import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { connectInProcess } from './judge-mcp-rows.ts';
import type { JudgedWorld } from './judge-world.ts';
import { listTree, makeWorld, skillText, type World } from './make-world.ts';
import { skcStart } from './skc-program.ts';

const source = '.skillc/skills/pdf';
const place = '.claude/skills/pdf';

const makePdf = (files = {}) =>
  makeWorld({ [`${source}/SKILL.md`]: skillText('pdf', '# Theirs\n'), ...files });

function linkByHand(world: World, target: string, at = join(world.home, place)): void {
  mkdirSync(dirname(at), { recursive: true });
  symlinkSync(target, at);
}

const codeOf = (text: string) => /error\[(\w+)\]/.exec(text)?.[1];

describe('a link that skc did not make stays', () => {
  const links: [string, (world: World) => string][] = [
    ["to the user's own skill", (world) => join(world.home, 'dev/pdf')],
    ['that leads nowhere', (world) => join(world.home, 'gone')],
    [
      "to a runtime directory that looks like another project's",
      (world) => join(world.root, 'other/.skillc/runtime/pdf'),
    ],
  ];
  const files = {
    '~/dev/pdf/SKILL.md': skillText('pdf', '# Mine\n'),
    '../other/.skillc/runtime/pdf/SKILL.md': 'stub',
    '../other/.skillc/runtime/pdf/.skillc/manifest.json': JSON.stringify({
      skill: 'pdf',
      version: 1,
      built_at: '',
      source_hash: '',
      source_path: './x',
      generator: 'skc',
      stub_hash: '',
      deployed: ['~/.claude/skills/pdf'],
    }),
  };

  test.each(links)('%s: build, install and doctor leave it', async (_what, targetOf) => {
    const world = makePdf(files);
    const target = targetOf(world);
    linkByHand(world, target);
    for (const words of [
      ['build', 'pdf'],
      ['build', 'pdf', '--copy'],
      ['build', 'pdf', '--whole'],
      ['build', '--all'],
      ['install', `./${source}`, '--scope', 'user', '--yes'],
    ]) {
      const { status, stderr } = await world.run(words);
      expect({ words, status, code: codeOf(stderr) }).toEqual({ words, status: 1, code: 'E013' });
      expect(readlinkSync(join(world.home, place))).toBe(target);
    }
    await world.run(['doctor', '--fix']);
    await world.run(['clean', 'pdf']);
    expect(readlinkSync(join(world.home, place))).toBe(target);
    expect(existsSync(join(world.home, 'dev/pdf/SKILL.md'))).toBe(true);
  });

  test('a model cannot replace it over MCP either', async () => {
    const world = makePdf(files);
    linkByHand(world, join(world.home, 'dev/pdf'));
    const client = await connectInProcess(world as JudgedWorld);
    const answer = await client.callTool({ name: 'skc_build', arguments: { skills: ['pdf'] } });
    expect({ isError: answer.isError, link: readlinkSync(join(world.home, place)) }).toEqual({
      isError: true,
      link: join(world.home, 'dev/pdf'),
    });
  });

  test('with --force it is replaced, and kept as a link that leads where it led', async () => {
    const world = makePdf({ '~/.claude/skills': { directory: true }, ...files });
    linkByHand(world, '../../dev/pdf');
    expect((await world.run(['build', 'pdf', '--force'])).status).toBe(0);
    expect(readlinkSync(join(world.home, place))).toBe(join(world.project, '.skillc/runtime/pdf'));
    const backups = join(world.home, '.skillc/backups');
    const [backup = ''] = readdirSync(backups).filter((name) => name.startsWith('pdf.bak-'));
    expect(readlinkSync(join(backups, backup))).toBe(join(world.home, 'dev/pdf'));
  });

  test('a link of skc that the user has pointed elsewhere is the user’s', async () => {
    const world = makePdf(files);
    expect((await world.run(['build', 'pdf'])).status).toBe(0);
    const link = join(world.home, place);
    await world.run(['clean', 'pdf']);
    linkByHand(world, join(world.home, 'dev/pdf'));
    expect(codeOf((await world.run(['build', 'pdf'])).stderr)).toBe('E013');
    expect(readlinkSync(link)).toBe(join(world.home, 'dev/pdf'));
  });

  test('a link that an earlier version made to the very runtime directory is taken over as it is', async () => {
    const world = makePdf();
    await world.run(['build', 'pdf', '--target', 'none']);
    linkByHand(world, join(world.project, '.skillc/runtime/pdf'));
    expect((await world.run(['build', 'pdf'])).stdout).toContain('(symlink; already there)');
    await world.run(['clean', 'pdf']);
    expect(lstatSync(join(world.home, place), { throwIfNoEntry: false })).toBeUndefined();
  });

  test('a directory with a manifest that a project ships is not a copy of ours', async () => {
    const text = skillText('pdf', '# Shipped\n');
    const world = makePdf();
    await world.run(['build', 'pdf', '--copy']);
    const manifest = readFileSync(join(world.home, place, '.skillc/manifest.json'), 'utf8');
    world.write({ [`${place}/SKILL.md`]: text, [`${place}/.skillc/manifest.json`]: manifest });
    const before = listTree(join(world.project, place));
    const { stderr } = await world.run(['build', 'pdf', '--scope', 'project']);
    expect(codeOf(stderr)).toBe('E013');
    expect(listTree(join(world.project, place))).toEqual(before);
  });
});

describe('a project may name agents and its own directories, never a place outside', () => {
  test.each(['~/.ssh/', '../outside/', '/tmp/outside/', './linked/', 'claude,~/x/'])('%s', async (target) => {
    const world = makePdf({
      '.skillc/config.toml': `[build]\ntargets = [${JSON.stringify(target)}]\n`,
      '../elsewhere/x': '',
    });
    symlinkSync(join(world.root, 'elsewhere'), join(world.project, 'linked'));
    const before = world.list();
    for (const words of [
      ['build', 'pdf'],
      ['build', '--all'],
      ['build', 'pdf', '--dry-run'],
      ['install', `./${source}`, '--scope', 'user', '--yes'],
    ]) {
      const { status, stderr } = await world.run(words);
      expect({ words, status, code: codeOf(stderr) }).toEqual({ words, status: 1, code: 'E110' });
    }
    expect(world.list()).toEqual(before);
  });

  test('its own directory counts from the project, wherever skc runs', async () => {
    const world = makePdf({
      '.skillc/config.toml': '[build]\ntargets = ["./agents/", "cursor"]\n',
      'sub/x': '',
    });
    const cwd = join(world.project, 'sub');
    const { stderr } = await world.run(['build', 'pdf'], { cwd });
    expect(codeOf(stderr)).toBe('E222');
    const agents = join(world.project, 'agents');
    await world.run(['config', 'build.trusted_targets', agents, '--scope', 'user']);
    expect((await world.run(['build', 'pdf'], { cwd })).status).toBe(0);
    expect(existsSync(join(world.project, 'agents/pdf/SKILL.md'))).toBe(true);
    expect(existsSync(join(world.home, '.cursor/skills/pdf/SKILL.md'))).toBe(true);
  });

  test('the user may name any place', async () => {
    const world = makePdf({ '~/.skillc/config.toml': '[build]\ntargets = ["~/anywhere/"]\n' });
    expect((await world.run(['build', 'pdf'])).status).toBe(0);
    expect(existsSync(join(world.home, 'anywhere/pdf/SKILL.md'))).toBe(true);
  });
});

describe('a backup goes where no link of a project leads it', () => {
  test('.skillc/backups that is a link out of the project is E016', async () => {
    const world = makePdf({ [`${place}/SKILL.md`]: 'mine', '../elsewhere/x': '' });
    symlinkSync(join(world.root, 'elsewhere'), join(world.project, '.skillc/backups'));
    const { stderr } = await world.run(['build', 'pdf', '--scope', 'project', '--force']);
    expect(codeOf(stderr)).toBe('E016');
    expect(listTree(join(world.root, 'elsewhere'))).toEqual({ x: '' });
    expect(world.read(`${place}/SKILL.md`)).toBe('mine');
  });
});

test('a link to an open pipe, which has no path, hangs no command', async () => {
  const world = makePdf({ 'vendor/other/SKILL.md': skillText('other') });
  expect((await world.run(['install', './vendor/other', '--yes', '--target', 'claude'])).status).toBe(0);
  rmSync(join(world.project, '.claude'), { recursive: true });
  symlinkSync('/dev/fd/0', join(world.project, '.claude'));
  for (const words of [['verify'], ['doctor']]) {
    const env = { PATH: process.env.PATH, SKC_HOME: world.home };
    const { signal } = spawnSync(...skcStart(words), { cwd: world.project, env, input: '', timeout: 60_000 });
    expect([words, signal]).toEqual([words, null]);
  }
});

test('a record that cannot be read makes nothing ours', async () => {
  const world = makePdf({ '~/dev/pdf/SKILL.md': skillText('pdf') });
  await world.run(['build', 'pdf']);
  for (const name of Object.keys(listTree(join(world.home, '.skillc/made'))))
    writeFileSync(join(world.home, '.skillc/made', name), '{');
  // It leads to the runtime directory all the same, so it is taken over; another project's build is refused.
  const other = makePdf();
  expect(codeOf((await world.run(['build', '.'], { cwd: join(other.project, source) })).stderr)).toBe('E013');
  expect((await world.run(['build', 'pdf'])).status).toBe(0);
});
