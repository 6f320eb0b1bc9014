// skc sync: merges local access logs into the logs of their skills.

import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { diagnosticOf, formatCount, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { CommandContext } from './command-context.ts';
import { defineCommand, linesOf } from './define-command.ts';
import { choice, flag, text } from './fields.ts';

const Synced = z.object({
  skill: z.string(),
  source: z.string().describe('The local log'),
  destinations: z.array(z.string()).describe('The logs that stats reads'),
  rows: z.number().int().describe('Rows merged, or that would be with --dry-run'),
  known: z.number().int().describe('Rows merged before'),
  damaged: z.number().int().describe('Damaged lines'),
  left: z.number().int().describe('Rows of deleted skills, left in place'),
  dropped: z.number().int().describe('Rows of deleted skills, removed'),
});

/** Merges local logs into the main ones. */
export const sync = defineCommand({
  fields: {
    skill: text('Only the log of this skill, by name or path'),
    project: text('The directory with the local logs; without it, the working directory and those above it'),
    gone: choice(
      ['leave', 'keep', 'drop'],
      'Logs of deleted skills: leave them, move them to the main log, or delete them',
      { default: 'leave' },
    ),
    dry_run: flag('Show what would be merged, and write nothing'),
  },
  positionals: ['skill'],
  output: z.object({
    dry_run: z.boolean(),
    synced: z.array(Synced),
    failed: z.array(z.object({ skill: z.string(), code: z.string(), message: z.string() })),
  }),
  effect: 'write',
  writes: ['access logs'],
  touches: { skills: 'inspect' },
  about:
    'If the runtime directory of a skill is not writable, accesses are logged to .skillc/logs in the working directory. This command moves them to the log that stats reads, each row once.',
  examples: {
    'skc sync': 'merge the logs of this directory and those above',
    'skc sync pdf-forms --dry-run': 'see what there is for one skill',
    'skc sync --gone drop': 'also delete the logs of deleted skills',
  },
  async run(input, context) {
    const logs = await localLogs(input, context);
    const { syncLog } = await import('../../read/usage/sync-log.ts');
    const synced: z.output<typeof Synced>[] = [];
    const failed: { skill: string; code: string; message: string }[] = [];
    for (const { base, skill } of logs) {
      try {
        const one = await syncLog(base, skill, {
          locate: (path, name) => locateRuntime([path, name], context),
          dryRun: input.dry_run,
          gone: input.gone === 'keep' ? { runtime: runtimeOfGone(skill, context) } : input.gone,
          now: context.now(),
          home: context.workspace.home,
          report: context.report,
          progress: (step) => context.progress(`${skill}: ${step}`),
        });
        synced.push(one);
      } catch (error) {
        if (logs.length === 1 || !(error instanceof SkillwrightError)) throw error;
        context.report(diagnosticOf(error));
        failed.push({ skill, code: error.code, message: error.message });
      }
    }
    return { dry_run: input.dry_run, synced, failed };
  },
  text({ dry_run, synced, failed }) {
    if (synced.length + failed.length === 0) return ['nothing to sync: no local logs found'];
    return synced.map(({ skill, rows, known, damaged, left, dropped, source }) => {
      const notes = linesOf([
        `${formatCount(rows, 'row')} ${dry_run ? 'to merge' : 'merged'}`,
        known > 0 && `${known} already there`,
        damaged > 0 && `${formatCount(damaged, 'damaged line')} left out`,
        left > 0 && `${left} left in place: the skill was deleted (use --gone keep or --gone drop)`,
        dropped > 0 && `${dropped} ${dry_run ? 'to drop' : 'dropped'}: the skill was deleted`,
      ]);
      return `${skill}: ${notes.join(', ')} (${source})`;
    });
  },
  failed: ({ failed }) => failed.length > 0,
});

async function localLogs(
  { skill, project }: { skill?: string | undefined; project?: string | undefined },
  context: CommandContext,
): Promise<{ base: string; skill: string }[]> {
  const { listLocalLogs } = await import('../../read/usage/write-access.ts');
  const bases = [resolve(context.workspace.cwd, project ?? '.')];
  try {
    if (project !== undefined) readdirSync(bases[0]!);
  } catch (error) {
    throw SkillwrightError.of('E042', { path: project! }, { cause: error });
  }
  for (
    let above = dirname(bases[0]!);
    project === undefined && above !== bases.at(-1);
    above = dirname(above)
  )
    bases.push(above);
  const wanted = skill === undefined ? undefined : await logName(skill, context);
  const logs = bases.flatMap((base) =>
    listLocalLogs(base).flatMap((name) =>
      wanted === undefined || wanted.name === name ? [{ base, skill: name }] : [],
    ),
  );
  // A name of neither a skill nor a log is a typing mistake.
  if (logs.length === 0 && wanted?.isSkill === false) throw SkillwrightError.of('E040', {});
  return logs;
}

/** Local logs are named like runtime directories; for a deleted skill, by the name itself. */
async function logName(word: string, context: CommandContext): Promise<{ name: string; isSkill: boolean }> {
  try {
    const skill = await context.access.open(word, { operation: 'inspect' });
    return { name: basename(await skill.runtime()), isSkill: true };
  } catch (error) {
    if (error instanceof SkillwrightError) return { name: word, isSkill: false };
    throw error;
  }
}

/** Place for the log of a deleted skill: its runtime directory in the first store that has one, else the user's store. */
function runtimeOfGone(name: string, { workspace }: CommandContext): string {
  const places = workspace.stores.map(({ runtime }) => join(runtime, name));
  return places.find((place) => existsSync(place)) ?? places.at(-1)!;
}

/** The runtime directory of the first word that names a skill. */
async function locateRuntime(
  [path, name]: readonly [path: string, name: string],
  { access }: CommandContext,
): Promise<string> {
  const open = async (word: string) => (await access.open(word, { operation: 'inspect' })).runtime();
  try {
    return await open(path);
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    return open(name);
  }
}
