// Many builds on all cores: the skills are dealt out to processes of skc itself, and their results joined in order.

import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { readSource } from '../compile/read-source.ts';
import { SkillwrightError } from '../diagnostics/skillwright-error.ts';
import type { CommandContext, Launch } from './command-context.ts';

/** A skill to build; `global` as the flag of that name. */
export interface Wanted {
  readonly word: string;
  readonly global: boolean;
}

/** Fewer than this are built faster than processes start. */
const MIN_SKILLS = 16;
const MAX_BATCH = 100;

/** What one process answered. */
interface Answer<Built, Failed> {
  readonly built: readonly Built[];
  readonly failed: readonly Failed[];
}

/** True when processes are worth starting. */
export function isWorthSharing(wanted: readonly Wanted[], context: CommandContext): boolean {
  return context.launch !== undefined && wanted.length >= MIN_SKILLS && availableParallelism() > 1;
}

/**
 * Skills that could get in each other's way: of several with one name only the first may be built in parallel, the
 * others have to find it in place.
 */
export function splitByName(wanted: readonly Wanted[]): { shared: Wanted[]; later: Wanted[] } {
  const seen = new Set<string>();
  const shared: Wanted[] = [];
  const later: Wanted[] = [];
  for (const skill of wanted) {
    const name = nameOf(skill.word);
    (name === undefined || !seen.has(name) ? shared : later).push(skill);
    if (name !== undefined) seen.add(name);
  }
  return { shared, later };
}

/** Runs `skc build <flags> <batch…>` for all skills, as many at a time as there are cores. */
export async function buildInParallel<Built, Failed>(
  wanted: readonly Wanted[],
  options: { flags: readonly string[]; context: CommandContext },
): Promise<Answer<Built, Failed>> {
  const { flags, context } = options;
  const cores = availableParallelism();
  const batches = splitIntoBatches(wanted, Math.min(MAX_BATCH, Math.ceil(wanted.length / (cores * 4))));
  const answers = new Array<Answer<Built, Failed>>(batches.length);
  let next = 0;
  let done = 0;
  const started = context.now().getTime();
  const work = async (): Promise<void> => {
    while (next < batches.length) {
      const index = next++;
      const batch = batches[index]!;
      const global = batch[0]!.global ? ['--global'] : [];
      const words = batch.map(({ word }) => word);
      answers[index] = await runBuild(
        context.launch!,
        ['build', ...flags, ...global, '--json', '--', ...words],
        context,
      );
      done += batch.length;
      if (context.now().getTime() - started > 500) context.progress(`building ${done} of ${wanted.length}`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(cores, batches.length) }, work));
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

function runBuild<Built, Failed>(
  { command, args }: Launch,
  words: readonly string[],
  { cwd, env }: CommandContext,
): Promise<Answer<Built, Failed>> {
  return new Promise((resolve, reject) => {
    // Errors come back as data and are told once, by this process.
    const child = spawn(command, [...args, ...words], {
      cwd,
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
    child.on('error', reject);
    child.on('close', () => {
      try {
        const answer = JSON.parse(output.stdout) as Answer<Built, Failed> | { error: unknown };
        if ('built' in answer) return resolve(answer);
      } catch {
        // Told below, with what it wrote.
      }
      reject(new Error(`a build process failed: ${output.stderr || output.stdout}`));
    });
  });
}

function nameOf(dir: string): string | undefined {
  try {
    return readSource(dir).name;
  } catch (error) {
    if (error instanceof SkillwrightError) return undefined;
    throw error;
  }
}
