// Guides show only what works: each page, its console blocks carried out again, must be the page. `vitest -u` rewrites them.

import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { type GuideWorld, replayPage } from './guide-steps.ts';
import { makeDirectory } from './make-directory.ts';
import { makeRepository } from './make-repository.ts';
import { requireProgram } from './required-program.ts';
import { serve } from './serve.ts';
import { serveGit } from './serve-git.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** An empty directory to work in, and a home with a clone of the repository. */
function makeGuideWorld(): GuideWorld {
  const root = makeDirectory({ demo: { directory: true }, home: { directory: true } });
  const home = join(root, 'home');
  symlinkSync(repository, join(home, 'skillwright'));
  return { cwd: join(root, 'demo'), home };
}

async function expectGuide(name: string, world: GuideWorld): Promise<void> {
  const file = join(repository, 'docs/guide', name);
  await expect(await replayPage(readFileSync(file, 'utf8'), world)).toMatchFileSnapshot(file);
}

/** The functions that the TypeScript of a page exports. */
async function functionsOf(name: string): Promise<Record<string, (...words: unknown[]) => Promise<unknown>>> {
  const page = readFileSync(join(repository, 'docs/guide', name), 'utf8');
  const runtime = new URL('../src/runtime/index.ts', import.meta.url).href;
  const dir = makeDirectory();
  const modules = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(async ([, code], index) => {
    const file = join(dir, `block-${index}.ts`);
    writeFileSync(file, code!.replace("'skillwright/runtime'", JSON.stringify(runtime)));
    return import(/* @vite-ignore */ pathToFileURL(file).href);
  });
  return Object.assign({}, ...(await Promise.all(modules)));
}

test('scripts', async (context) => {
  for (const program of ['bwrap', 'python3']) requireProgram(context, program);
  await expectGuide('scripts.md', makeGuideWorld());
});

test('quiz', () => expectGuide('quiz.md', makeGuideWorld()));

test('toolsets', async (context) => {
  requireProgram(context, 'bwrap');
  const world = makeGuideWorld();
  await expectGuide('toolsets.md', world);
  const options = { ...world, env: { PATH: process.env.PATH }, trust: true };
  const { countWords, mayRun } = await functionsOf('toolsets.md');
  expect([
    await countWords!('One two. Three!', options),
    await mayRun!('ls && rm -r work', options),
    await mayRun!('ls work', options),
  ]).toEqual([
    { characters: 15, words: 3, sentences: 2, paragraphs: 1, reading_minutes: 0 },
    'Move files to old/ instead of deleting them.',
    'yes',
  ]);
});

test('install', async (context) => {
  requireProgram(context, 'git');
  const world = makeGuideWorld();
  const team = makeRepository({});
  for (const name of ['csv-report', 'release-notes'])
    cpSync(join(repository, 'examples/skills', name), join(team.dir, 'skills', name), { recursive: true });
  team.commit({});
  symlinkSync(team.dir, join(world.home, 'team-skills'));
  writeFileSync(join(world.home, '.gitconfig'), '[user]\nname = A\nemail = a@example.com\n');
  const { url } = await serveGit(team.dir);
  const names = { 'https://git.example.com/team/skills.git': `${url}/${basename(team.dir)}/.git` };
  await expectGuide('install.md', { ...world, names });
});

test('share', async () => {
  const world = makeGuideWorld();
  const { port } = await serve(({ url = '/' }, response) => {
    const file = join(world.cwd, 'public', url);
    if (existsSync(file)) response.end(readFileSync(file));
    else response.writeHead(404).end();
  });
  await expectGuide('share.md', { ...world, names: { 'localhost:8000': `localhost:${port}` } });
});
