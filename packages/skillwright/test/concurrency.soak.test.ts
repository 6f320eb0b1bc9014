// Many processes of the built executable on one skill at once, and builds that die in the middle.

import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { builtSkc } from './built-package.ts';
import { makeWorld, skillText, type World } from './make-world.ts';

const source = '.skillc/skills/demo';

interface Finished {
  readonly words: readonly string[];
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(world: World, words: readonly string[]): ChildProcess {
  const env = { PATH: process.env.PATH, SKC_HOME: world.home };
  return spawn(builtSkc, words, { cwd: world.project, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

function finish(child: ChildProcess, words: readonly string[]): Promise<Finished> {
  let [stdout, stderr] = ['', ''];
  child.stdout!.on('data', (data) => (stdout += data));
  child.stderr!.on('data', (data) => (stderr += data));
  return new Promise((resolve) => child.on('close', (status) => resolve({ words, status, stdout, stderr })));
}

const run = (world: World, ...words: string[]) => finish(start(world, words), words);

/** A version of the skill: every line of a section says which version it is, and sections move between versions. */
function writeVersion(world: World, version: number): void {
  const lines = (name: string) =>
    Array.from({ length: 30 }, () => `${name} of version ${version}.`).join('\n');
  const filler = Array.from({ length: version % 7 }, (_, index) => `## Filler ${index}\n\nwords\n\n`).join(
    '',
  );
  const text = skillText(
    'demo',
    `# Demo\n\n${filler}## Target\n\n${lines('Target')}\n\n## Last\n\n${lines('Last')}\n`,
  );
  const path = join(world.project, source, 'SKILL.md');
  // As editors do it: a reader sees one version or the other.
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

/** The versions in the lines of a section; an answer that mixes them, or has other lines, is wrong. */
function versionsIn(content: string): { versions: string[]; wrong: string[] } {
  const lines = content.trimEnd().split('\n');
  const isOwn = (line: string) =>
    line === '## Target' || line === '' || /^Target of version \d+\.$/.test(line);
  const versions = new Set(lines.flatMap((line) => /version (\d+)/.exec(line)?.[1] ?? []));
  return { versions: [...versions], wrong: lines.filter((line) => !isOwn(line)) };
}

function makeBigWorld(): World {
  const files = Array.from({ length: 40 }, (_, index) => [
    `${source}/references/${index}.md`,
    `# Reference ${index}\n\n${`Text with words number ${index}.\n`.repeat(200)}`,
  ]);
  const world = makeWorld(Object.fromEntries(files));
  writeVersion(world, 0);
  return world;
}

const unusable = /^error\[E002\]: search index unusable; run 'skc build demo' to rebuild\n/;

const processes = 20;

describe(`${processes} processes build and read one skill while it is edited`, () => {
  test('no answer is wrong and nobody finds anything locked', async () => {
    const world = makeBigWorld();
    expect((await run(world, 'build', 'demo')).status).toBe(0);
    const kinds = [
      ['build', 'demo'],
      ['show', 'demo', '--section', 'Target', '--json'],
      ['show', 'demo', '--section', 'Target', '--json', '--fresh'],
      ['search', 'demo', 'target', 'version', '--json'],
      ['build', 'demo', '--copy', '--target', 'cursor'],
    ];
    let version = 0;
    const finished: Finished[] = [];
    const worker = async (number: number) => {
      for (let round = 0; round < 4; round++) {
        if (number % 4 === 0) writeVersion(world, ++version);
        finished.push(await run(world, ...kinds[(number + round) % kinds.length]!));
      }
    };
    await Promise.all(Array.from({ length: processes }, (_, number) => worker(number)));

    let answered = 0;
    for (const { words, status, stdout, stderr } of finished) {
      expect(stderr).not.toMatch(/locked|E999|SQLITE|busy/i);
      if (status !== 0) {
        expect({ words, stderr }).toEqual({ words, stderr: expect.stringMatching(unusable) });
        continue;
      }
      if (words[0] === 'show') {
        const { sections } = JSON.parse(stdout) as { sections: [{ content: string }] };
        const { versions, wrong } = versionsIn(sections[0].content);
        expect({ versions: versions.length, wrong }).toEqual({ versions: 1, wrong: [] });
        answered += 1;
      }
      if (words[0] === 'search') {
        const { results } = JSON.parse(stdout) as { results: { section: string; snippet: string }[] };
        const target = results.find(({ section }) => section === 'Target');
        expect(target?.snippet).toContain('[MATCH]Target[/MATCH]');
      }
    }
    expect(answered).toBeGreaterThan(0);
    expect(finished.filter(({ words, status }) => words[0] === 'build' && status !== 0)).toEqual([]);

    // Afterwards one build repairs everything.
    expect((await run(world, 'build', 'demo')).status).toBe(0);
    const { stdout } = await run(world, 'show', 'demo', '--section', 'Target');
    expect(versionsIn(stdout)).toEqual({ versions: [String(version)], wrong: [] });
    expect(readdirSync(join(world.home, '.cursor/skills'))).toEqual(['demo']);
    expect(readdirSync(join(world.home, '.claude/skills'))).toEqual(['demo']);
  });
});

const kills = 30;

describe('a build that is killed', () => {
  test(`${kills} times at any moment: the index answers or is E002, and the next build repairs everything`, async () => {
    const world = makeBigWorld();
    const children: ChildProcess[] = [];
    onTestFinished(() => children.forEach((child) => void child.kill('SIGKILL')));
    let started = performance.now();
    expect((await run(world, 'build', 'demo')).status).toBe(0);
    let whole = performance.now() - started;
    let killed = 0;
    for (let round = 0; round < kills; round++) {
      if (round % 10 === 9) await run(world, 'clean', 'demo');
      writeVersion(world, round);
      const words = ['build', 'demo', '--copy'].slice(0, round % 2 === 0 ? 2 : 3);
      started = performance.now();
      const child = start(world, words);
      children.push(child);
      // Spread over the time the fastest build took, so that every step is hit.
      const timer = setTimeout(() => child.kill('SIGKILL'), (whole * round) / kills);
      const { status } = await finish(child, words);
      clearTimeout(timer);
      if (status === null) killed += 1;
      else whole = Math.min(whole, performance.now() - started);
      const { status: shown, stdout, stderr } = await run(world, 'show', 'demo', '--section', 'Target');
      if (shown === 0) expect(versionsIn(stdout)).toEqual({ versions: [String(round)], wrong: [] });
      else expect(stderr).toMatch(unusable);
    }
    expect(killed).toBeGreaterThan(0);

    expect(await run(world, 'build', 'demo')).toMatchObject({ status: 0, stderr: '' });
    const { stdout } = await run(world, 'show', 'demo', '--section', 'Target');
    expect(versionsIn(stdout)).toEqual({ versions: [String(kills - 1)], wrong: [] });
    expect(world.read('.skillc/runtime/demo/SKILL.md')).toContain('  - Target\n');
    // A clean removes everything except the access log.
    expect((await run(world, 'clean', 'demo')).status).toBe(0);
    const left = Object.keys(world.list(join(world.project, '.skillc/runtime'))).filter(
      (path) => !/logs\.db/.test(path),
    );
    expect(left).toEqual(['demo', 'demo/.skillc']);
    expect(readdirSync(join(world.home, '.claude/skills'))).toEqual([]);
  });
});
