// Records one run of a command: a row in the access log, and a span if an endpoint is configured.

import { basename } from 'node:path';
import { plainPaint, SkillwrightError } from '../../base/diagnostics/index.ts';
import { estimateTokens } from '../../base/tokens/index.ts';
import type { AccessedSkill } from '../../read/access/index.ts';
import { traceAccess } from '../../read/usage/index.ts';
import type { CommandContext } from './command-context.ts';
import type { AnyCommand, Served } from './define-command.ts';

/** One finished run. */
interface FinishedRun {
  readonly name: string;
  readonly command: AnyCommand;
  readonly input: Record<string, unknown>;
  /** Undefined when it failed. */
  readonly output: unknown;
  readonly failure: unknown;
  readonly accessed: AccessedSkill;
  readonly milliseconds: number;
}

/** Records a run of an operation that serves content. Never fails: problems become warnings. */
export async function recordAccess(run: FinishedRun, context: CommandContext): Promise<void> {
  const { command, output, failure, accessed } = run;
  const text =
    output === undefined ? '' : command.text(output, { paint: plainPaint, columns: 80, by: context.by });
  const served = output === undefined ? undefined : command.served?.(output);
  const access = {
    command: run.name,
    skill: basename(accessed.runtime),
    skill_path: accessed.dir,
    args: { ...(command.logged?.(run.input) ?? run.input), ...served },
    error: failure === undefined ? null : failure instanceof SkillwrightError ? failure.code : 'E999',
    bytes: Buffer.byteLength(text),
    tokens: estimateTokens(text),
    duration_ms: Math.round(run.milliseconds * 1000) / 1000,
  };
  await traceAccess(access, { runtime: accessed.runtime, resource: resourceOf(served) }, context);
}

/** The file that was read; undefined for none or several. */
function resourceOf(served: Served | undefined): string | undefined {
  const files = new Set([...(served?.files ?? []), ...(served?.sections ?? []).map(({ file }) => file)]);
  return files.size === 1 ? [...files][0] : undefined;
}
