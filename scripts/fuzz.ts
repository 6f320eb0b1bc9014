// npm run fuzz [-- --minutes 60] [--target frontmatter] [--seed 7]: tries inputs that nobody wrote on every reader of files and
// messages. A failing input is made as small as possible, printed, and kept in the corpus, which a test replays.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as fc from 'fast-check';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    target: { type: 'string', multiple: true, default: [] },
    seed: { type: 'string' },
    /** One round of one target, in a process that can be killed. */
    round: { type: 'string' },
  },
});

/** Seconds of a round: a target that hangs is noticed soon after. */
const ROUND_SECONDS = 20;
const GRACE_SECONDS = 60;

if (values.round === undefined) await supervise();
else await runRound(values.round, Number(values.seed));

async function supervise(): Promise<void> {
  setPriority(10);
  const names = ['frontmatter', 'markdown', 'lock', 'config', 'archives', 'rpc', 'mcp'];
  const chosen = values.target.length === 0 ? names : values.target;
  const end = Date.now() + Number(values.minutes) * 60_000;
  const runs = new Map(chosen.map((name) => [name, 0]));
  const failed = new Set<string>();
  let seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
  while (Date.now() < end)
    for (const name of chosen) {
      if (Date.now() >= end) break;
      const round = await startRound(name, seed++);
      runs.set(name, runs.get(name)! + round.runs);
      if (round.failed) failed.add(name);
    }
  for (const [name, count] of runs)
    process.stdout.write(`${failed.has(name) ? 'FAILED' : 'ok    '} ${name}: ${count} inputs\n`);
  process.exitCode = failed.size === 0 ? 0 : 1;
}

async function startRound(name: string, seed: number): Promise<{ runs: number; failed: boolean }> {
  const words = [fileURLToPath(import.meta.url), '--round', name, '--seed', String(seed)];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  let timer: NodeJS.Timeout | undefined;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    // A busy machine may take long to load the code.
    timer ??= setTimeout(() => child.kill('SIGKILL'), (ROUND_SECONDS + GRACE_SECONDS) * 1000);
  });
  const [status] = await once(child, 'close');
  clearTimeout(timer);
  const runs = Number(/^runs (\d+)$/m.exec(said)?.[1] ?? 0);
  const report = said.replace(/^(?:begins|runs \d+)\n/gm, '');
  process.stdout.write(report);
  if (status === null) process.stdout.write(`${name} hangs with --seed ${seed}\n`);
  return { runs, failed: status !== 0 };
}

async function runRound(name: string, seed: number): Promise<void> {
  const { corpusFile, fuzzTargets, readCorpus } = await import('../packages/skillwright/test/fuzz/index.ts');
  const target = fuzzTargets.find((one) => one.name === name);
  if (target === undefined) throw new Error(`there is no target '${name}'`);
  const corpus = readCorpus();
  process.stdout.write('begins\n');
  const property = fc.asyncProperty(target.inputs, async (input) => target.check(input));
  const details = await fc.check(property, {
    seed,
    numRuns: Number.MAX_SAFE_INTEGER,
    interruptAfterTimeLimit: ROUND_SECONDS * 1000,
    examples: (corpus[name] ?? []).map((input) => [input]),
  });
  await target.close?.();
  process.stdout.write(`runs ${details.numRuns}\n`);
  if (!details.failed || details.counterexample === null) return process.exit(0);
  const [input] = details.counterexample;
  const { errorInstance: error } = details;
  process.stdout.write(`${name}, --seed ${seed}: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.stdout.write(`with ${JSON.stringify(input)}\n`);
  const kept = corpus[name] ?? [];
  if (!kept.some((one) => JSON.stringify(one) === JSON.stringify(input)))
    writeFileSync(corpusFile, `${JSON.stringify({ ...corpus, [name]: [...kept, input] }, null, 1)}\n`);
  process.exit(1);
}
