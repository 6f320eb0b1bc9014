// Runs the console blocks of each guide and compares the output with the page. `vitest -u` rewrites the pages.

import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { readMarkdown } from '../src/base/markdown/read-markdown.ts';
import { type GuideWorld, replayPage } from './guide-steps.ts';
import { makeDirectory, writeTree } from './make-directory.ts';
import { makeRepository } from './make-repository.ts';
import { skillText } from './make-world.ts';
import { requireProgram } from './required-program.ts';
import { skc } from './run-in-process.ts';
import { serve } from './serve.ts';
import { serveGit } from './serve-git.ts';

// The pages show the clock of the tests, which the executable does not have.
beforeEach(() => void vi.stubEnv('SKC_TEST_PROGRAM', undefined));

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** An empty directory to work in, and a home with a clone of the repository. */
function makeGuideWorld(): GuideWorld {
  const root = makeDirectory({ demo: { directory: true }, home: { directory: true } });
  const home = join(root, 'home');
  symlinkSync(repository, join(home, 'skillwright'));
  return { cwd: join(root, 'demo'), home };
}

async function expectGuide(name: string, world: GuideWorld): Promise<void> {
  const file = join(repository, 'docs', name);
  await expect(await replayPage(readFileSync(file, 'utf8'), world)).toMatchFileSnapshot(file);
}

/** The functions that the TypeScript of a page exports. */
async function functionsOf(name: string): Promise<Record<string, (...words: unknown[]) => Promise<unknown>>> {
  const page = readFileSync(join(repository, 'docs', name), 'utf8');
  const runtime = new URL('../src/host/index.ts', import.meta.url).href;
  const dir = makeDirectory();
  const modules = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(async ([, code], index) => {
    const file = join(dir, `block-${index}.ts`);
    writeFileSync(file, code!.replace("'skillwright/host'", JSON.stringify(runtime)));
    return import(/* @vite-ignore */ pathToFileURL(file).href);
  });
  return Object.assign({}, ...(await Promise.all(modules)));
}

test('scripts', async (context) => {
  for (const program of ['bwrap', 'python3']) requireProgram(context, program);
  await expectGuide('guide/scripts.md', makeGuideWorld());
});

test('quiz', () => expectGuide('guide/quiz.md', makeGuideWorld()));

test('test', () => expectGuide('guide/test.md', makeGuideWorld()));

test('report', () => expectGuide('guide/report.md', makeGuideWorld()));

test('usage', () => expectGuide('guide/usage.md', makeGuideWorld()));

test('toolsets', async (context) => {
  requireProgram(context, 'bwrap');
  const world = makeGuideWorld();
  await expectGuide('guide/toolsets.md', world);
  // As the guide calls them: with the environment of the process.
  const options = { ...world, trust: true };
  const { countWords, mayRun } = await functionsOf('guide/toolsets.md');
  expect([
    await countWords!('One two. Three!', options),
    await mayRun!('ls && rm -r work', options),
    await mayRun!('ls work', options),
  ]).toEqual([
    { characters: 15, words: 3, sentences: 2, paragraphs: 1, reading_minutes: 0 },
    'Move files to old/ instead of deleting them.',
    'yes',
  ]);
  expect([
    await mayRun!('rm -rf x', options),
    await mayRun!('rm -rf x', { ...options, env: { PATH: '' } }),
    await mayRun!('rm -rf x', { ...options, env: { PATH: '/nowhere' } }),
  ]).toEqual([
    'Move files to old/ instead of deleting them.',
    expect.stringContaining('no PATH was given'),
    expect.stringContaining('bubblewrap (bwrap) is not installed'),
  ]);
  const script = join(world.cwd, '.agents/skills/careful/scripts/no-deleting.sh');
  const answer = async (commands: string) => {
    writeFileSync(script, `#!/bin/sh\n${commands}\n`);
    expect(await mayRun!('rm -rf x', options)).toContain('you have not trusted this skill');
    await skc(['tools', 'careful', '--trust'], { ...world, env: { PATH: process.env.PATH ?? '' } });
    return mayRun!('rm -rf x', options);
  };
  const ask = { hookEventName: 'PreToolUse', permissionDecision: 'ask', permissionDecisionReason: 'Really?' };
  expect([
    await answer('kill -9 $$'),
    await answer(`echo '${JSON.stringify({ continue: false, stopReason: 'Enough.' })}'`),
    await answer(`echo '${JSON.stringify({ hookSpecificOutput: ask })}'`),
  ]).toEqual([expect.stringContaining('it ended with status 137'), 'Enough.', 'Really?']);
});

test('install', async (context) => {
  for (const program of ['git', 'bwrap']) requireProgram(context, program);
  const world = makeGuideWorld();
  const team = makeRepository({});
  for (const name of ['csv-report', 'release-notes'])
    cpSync(join(repository, 'examples/skills', name), join(team.dir, 'skills', name), { recursive: true });
  team.commit({});
  symlinkSync(team.dir, join(world.home, 'team-skills'));
  mkdirSync(join(world.home, 'bin'));
  writeFileSync(join(world.home, 'bin/skc'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(world.home, '.gitconfig'), '[user]\nname = A\nemail = a@example.com\n');
  const { url } = await serveGit(team.dir);
  const names = { 'https://git.example.com/team/skills.git': `${url}/${basename(team.dir)}/.git` };
  await expectGuide('guide/install.md', { ...world, names });
});

test('share', async () => {
  const world = makeGuideWorld();
  const { port } = await serve(({ url = '/' }, response) => {
    const file = join(world.cwd, 'public', url);
    if (existsSync(file)) response.end(readFileSync(file));
    else response.writeHead(404).end();
  });
  await expectGuide('guide/share.md', { ...world, names: { 'localhost:8000': `localhost:${port}` } });
});

describe('security', () => {
  const page = readFileSync(join(repository, 'docs/security.md'), 'utf8');

  test('what is tried fails', async (context) => {
    requireProgram(context, 'bwrap');
    const world = makeGuideWorld();
    writeTree(world.home, { '.ssh/id_ed25519': 'secret' });
    await expectGuide('security.md', world);
  });

  test('the rules it shows hold', async () => {
    const [, toml] = /^```toml\n([\s\S]*?)^```$/m.exec(page)!;
    const files = {
      '~/.skillc/config.toml': toml!,
      '.agents/skills/curious/SKILL.md': skillText('curious'),
      '.agents/skills/other/SKILL.md': skillText('other'),
      '.agents/skills/other/scripts/a.sh': 'true',
    };
    const lines = [
      ['load', 'curious'],
      ['run', 'other', 'a.sh'],
      ['config', 'scripts.timeout'],
    ].map((words) => skc(words, { files }));
    expect((await Promise.all(lines)).map(({ stdout, stderr }) => stdout + stderr)).toEqual([
      "error[E060]: denied by permission rule: 'curious'\nhelp: to allow the skill, change the rule in your configuration\n",
      "error[E061]: confirmation required: 'other'\nhelp: confirm when asked, in a terminal or by the host, or add an allow rule to your configuration\n",
      'scripts.timeout = 10\n',
    ]);
  });
});

const pages = [
  'README.md',
  'docs/security.md',
  'docs/comparison.md',
  ...[
    'scripts',
    'quiz',
    'usage',
    'studio',
    'consume',
    'toolsets',
    'install',
    'share',
    'ci',
    'embed',
    'rpc',
    'mcp',
    'author',
  ].map((name) => `docs/guide/${name}.md`),
];

test.each(pages)('the links of %s lead somewhere', (page) => {
  const path = join(repository, page);
  const targets = readMarkdown(readFileSync(path, 'utf8')).links.map(({ target }) => target);
  const broken = targets.filter(
    (target) => !/^https?:/.test(target) && !existsSync(join(dirname(path), target.replace(/#.*/, ''))),
  );
  expect(broken).toEqual([]);
});
