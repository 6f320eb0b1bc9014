// skc sync: accesses that were logged beside the work go to the logs of their skills.

import * as z from 'zod';
import { diagnosticOf, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { CommandContext } from './command-context.ts';
import { defineCommand } from './define-command.ts';

const Synced = z.object({
  skill: z.string(),
  source: z.string().describe('The local log'),
  destinations: z.array(z.string()).describe('The logs that stats reads'),
  rows: z.number().int().describe('Rows that were brought home'),
  known: z.number().int().describe('Rows that had come home before'),
  damaged: z.number().int().describe('Lines that are no rows'),
});

/** Brings local logs home. */
export const sync = defineCommand({
  input: z.strictObject({
    skill: z.string().optional().describe('The log of this skill alone, by name or path'),
    project: z
      .string()
      .optional()
      .describe(
        'The directory that holds the local logs; without it, the working directory and those above it',
      ),
    dry_run: z.boolean().default(false).describe('Say what would be done, and do nothing'),
  }),
  positionals: ['skill'],
  short: { project: 'p', dry_run: 'n' },
  output: z.object({
    dry_run: z.boolean(),
    synced: z.array(Synced),
    failed: z.array(z.object({ skill: z.string(), code: z.string(), message: z.string() })),
  }),
  effect: 'write',
  writes: ['access logs'],
  touches: { skills: 'inspect' },
  about:
    'Where the runtime directory of a skill cannot be written, accesses are logged in .skillc/logs of the working directory. This moves them to where stats finds them, each once.',
  examples: [
    { line: 'skc sync', note: 'everything logged here or above' },
    { line: 'skc sync pdf-forms --dry-run', note: 'what there is of one skill' },
  ],
  async run(input, context) {
    const logs = await localLogs(input, context);
    if (logs.length === 0) throw SkillwrightError.of('E040', {});
    const { syncLog } = await import('../../read/usage/sync-log.ts');
    const synced: z.output<typeof Synced>[] = [];
    const failed: { skill: string; code: string; message: string }[] = [];
    for (const { base, skill } of logs) {
      try {
        const one = await syncLog(base, skill, {
          locate: (path, name) => locateRuntime([path, name], context),
          dryRun: input.dry_run,
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
  text({ dry_run, synced }) {
    const lines = synced.map(({ skill, rows, known, damaged, source }) => {
      const notes = [
        `${rows} ${rows === 1 ? 'row' : 'rows'} ${dry_run ? 'to bring' : 'brought'} home`,
        ...(known === 0 ? [] : [`${known} already there`]),
        ...(damaged === 0 ? [] : [`${damaged} damaged ${damaged === 1 ? 'line' : 'lines'} left out`]),
      ];
      return `${skill}: ${notes.join(', ')} (${source})`;
    });
    return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
  },
  failed: ({ failed }) => failed.length > 0,
});

async function localLogs(
  { skill, project }: { skill?: string | undefined; project?: string | undefined },
  context: CommandContext,
): Promise<{ base: string; skill: string }[]> {
  const [{ listLocalLogs }, { dirname, resolve }] = await Promise.all([
    import('../../read/usage/local-log.ts'),
    import('node:path'),
  ]);
  const bases = [resolve(context.workspace.cwd, project ?? '.')];
  for (
    let above = dirname(bases[0]!);
    project === undefined && above !== bases.at(-1);
    above = dirname(above)
  )
    bases.push(above);
  const wanted = skill === undefined ? undefined : await nameOf(skill, context);
  return bases.flatMap((base) =>
    listLocalLogs(base).flatMap((name) =>
      wanted === undefined || wanted === name ? [{ base, skill: name }] : [],
    ),
  );
}

/** A local log is named as the runtime directory is; of a skill that is gone, the name itself is all there is. */
async function nameOf(word: string, context: CommandContext): Promise<string> {
  const { basename } = await import('node:path');
  try {
    const skill = await context.access.open(word, { operation: 'inspect' });
    return basename(await skill.runtime());
  } catch (error) {
    if (error instanceof SkillwrightError) return word;
    throw error;
  }
}

/** The runtime directory of the first word that means a skill. */
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
