// A row of the access log from one run of a command.

import { basename } from 'node:path';
import { readConfig } from '../config/read-config.ts';
import { plainPaint } from '../diagnostics/render-text.ts';
import { SkillwrightError } from '../diagnostics/skillwright-error.ts';
import { estimateTokens } from '../tokens/estimate-tokens.ts';
import { writeAccess } from '../usage/write-access.ts';
import type { AccessedSkill, CommandContext } from './command-context.ts';
import type { AnyCommand } from './define-command.ts';

/** One finished run. */
export interface FinishedRun {
  readonly name: string;
  readonly command: AnyCommand;
  readonly input: Record<string, unknown>;
  /** Undefined when it failed. */
  readonly output: unknown;
  readonly failure: unknown;
  readonly accessed: AccessedSkill;
  readonly milliseconds: number;
}

/** Writes the row, unless the user has switched the log off. Never fails: what goes wrong is a warning. */
export async function recordAccess(run: FinishedRun, context: CommandContext): Promise<void> {
  if (context.env.SKC_NO_LOG) return;
  const { cwd, home, env } = context;
  const { usage } = await readConfig({ cwd, home, env, report: () => {} });
  if (!usage.enabled) return;
  const { command, output, failure, accessed } = run;
  const text = output === undefined ? '' : command.text(output, { paint: plainPaint, columns: 80 });
  const diagnostics = writeAccess(
    {
      command: run.name,
      skill: basename(accessed.runtime),
      skill_path: accessed.dir,
      args: { ...run.input, ...(output === undefined ? {} : command.served?.(output)) },
      error: failure === undefined ? null : failure instanceof SkillwrightError ? failure.code : 'E999',
      bytes: Buffer.byteLength(text),
      tokens: estimateTokens(text),
      duration_ms: Math.round(run.milliseconds * 1000) / 1000,
    },
    { runtime: accessed.runtime, cwd, env, now: context.now() },
  );
  for (const diagnostic of diagnostics) context.report(diagnostic);
}
