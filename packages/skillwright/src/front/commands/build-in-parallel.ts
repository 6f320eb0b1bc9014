// Many builds on all cores: the skills are dealt out to processes of skc itself, and their results joined in order.

import { attempt } from '../../base/diagnostics/index.ts';
import { openSkill } from '../../skill/skill/index.ts';
import type { CommandContext } from './command-context.ts';
import { canShareWork, processCount, runInProcesses } from './run-in-processes.ts';

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
