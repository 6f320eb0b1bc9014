// Many builds on all cores: the skills are dealt out to processes of skc itself, and their results joined in order.

import { availableParallelism } from 'node:os';
import { attempt } from '../../base/diagnostics/index.ts';
import { startChild } from '../../base/files/index.ts';
import { openSkill } from '../../skill/skill/index.ts';
import type { CommandContext, Launch } from './command-context.ts';

/** A skill to build; `global` as the flag of that name. */
export interface Wanted {
  readonly word: string;
  readonly global: boolean;
}

/** With fewer skills, starting processes takes longer than building. */
const MIN_SKILLS = 16;
const MAX_BATCH = 100;

/** Answer of one process. */
interface Answer<Built, Failed> {
  readonly built: readonly Built[];
  readonly failed: readonly Failed[];
}

/** True when processes are worth starting. */
export function isWorthSharing(wanted: readonly Wanted[], context: CommandContext): boolean {
  return wanted.length >= MIN_SKILLS && canShareWork(context);
}

/**
 * Skills that would collide: of several with one name, only the first may be built in parallel. The rest must find it
 * built.
 */
export function splitByName(wanted: readonly Wanted[]): { shared: Wanted[]; later: Wanted[] } {
  const seen = new Set<string>();
  const shared: Wanted[] = [];
  const later: Wanted[] = [];
  for (const skill of wanted) {
    const name = attempt(() => openSkill(skill.word).name);
    (name === undefined || !seen.has(name) ? shared : later).push(skill);
    if (name !== undefined) seen.add(name);
  }
  return { shared, later };
}

/** Runs `skc build <flags> <batch…>` for all skills. */
export async function buildInParallel<Built, Failed>(
  wanted: readonly Wanted[],
  options: { flags: readonly string[]; context: CommandContext },
): Promise<Answer<Built, Failed>> {
  const { flags, context } = options;
  const batches = splitIntoBatches(
    wanted,
    Math.min(MAX_BATCH, Math.ceil(wanted.length / (processCount() * 4))),
  );
  const started = context.now().getTime();
  let finished = 0;
  const answers = await runInProcesses<Answer<Built, Failed>>(
    batches.map((batch) => {
      const global = batch[0]!.global ? ['--global'] : [];
      return ['build', ...flags, ...global, '--json', '--', ...batch.map(({ word }) => word)];
    }),
    context,
    (index) => {
      finished += batches[index]!.length;
      if (context.now().getTime() - started > 500)
        context.progress(`building ${finished} of ${wanted.length}`);
    },
  );
  return { built: answers.flatMap(({ built }) => built), failed: answers.flatMap(({ failed }) => failed) };
}

/** Batches in order, each of one kind. */
function splitIntoBatches(wanted: readonly Wanted[], size: number): Wanted[][] {
  const batches: Wanted[][] = [];
  for (const skill of wanted) {
    const last = batches.at(-1);
    if (last === undefined || last.length >= size || last[0]!.global !== skill.global) batches.push([skill]);
    else last.push(skill);
  }
  return batches;
}

// Uses all cores: distributes command lines to skc processes, and returns their results in order.

/** True when another process can be started and there is a core for it. */
function canShareWork(context: CommandContext): boolean {
  return context.launch !== undefined && availableParallelism() > 1;
}

/** Number of processes at a time. */
function processCount(): number {
  return availableParallelism();
}

/** Runs `skc <words> --json` for each command line and returns the outputs; `done` is called as each one ends. */
async function runInProcesses<Answer>(
  lines: readonly (readonly string[])[],
  context: CommandContext,
  done: (index: number) => void = () => {},
): Promise<Answer[]> {
  const answers = new Array<Answer>(lines.length);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < lines.length) {
      const index = next++;
      answers[index] = await runOne<Answer>(context.launch!, lines[index]!, context);
      done(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(processCount(), lines.length) }, work));
  return answers;
}

function runOne<Answer>(
  { command, args }: Launch,
  words: readonly string[],
  { workspace: { cwd, env } }: CommandContext,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // Errors come back as data; this process reports them once.
    const child = startChild(command, [...args, ...words], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]!.setEncoding('utf8').on('data', (text: string) => {
        output[name] += text;
      });
    }
    child.on('error', reject);
    child.on('close', () => {
      try {
        const answer = JSON.parse(output.stdout) as Answer & { error?: unknown };
        if (answer.error === undefined) return resolve(answer);
      } catch {
        // Reported below, with its output.
      }
      reject(new Error(`a process failed: ${output.stderr || output.stdout}`));
    });
  });
}
