// What is left of one run of a command: a row of the access log, and a span where an endpoint for spans is configured.

import { basename } from 'node:path';
import { readConfig } from '../config/read-config.ts';
import { diagnose } from '../diagnostics/diagnostic.ts';
import { plainPaint } from '../diagnostics/render-text.ts';
import { SkillwrightError } from '../diagnostics/skillwright-error.ts';
import { estimateTokens } from '../tokens/estimate-tokens.ts';
import type { Access } from '../usage/access-row.ts';
import { writeAccess } from '../usage/write-access.ts';
import type { AccessedSkill, CommandContext } from './command-context.ts';
import type { AnyCommand, Served } from './define-command.ts';

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

/** Records a run of an operation that serves content. Never fails: what goes wrong is a warning. */
export async function recordAccess(run: FinishedRun, context: CommandContext): Promise<void> {
  const { command, output, failure, accessed } = run;
  const text = output === undefined ? '' : command.text(output, { paint: plainPaint, columns: 80 });
  const served = output === undefined ? undefined : command.served?.(output);
  const access = {
    command: run.name,
    skill: basename(accessed.runtime),
    skill_path: accessed.dir,
    args: { ...run.input, ...served },
    error: failure === undefined ? null : failure instanceof SkillwrightError ? failure.code : 'E999',
    bytes: Buffer.byteLength(text),
    tokens: estimateTokens(text),
    duration_ms: Math.round(run.milliseconds * 1000) / 1000,
  };
  await logAccess(access, accessed.runtime, context);
  const { env } = context;
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT && !env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return;
  const { exportSpan } = await import('../usage/export-span.ts');
  await exportSpan({ ...access, resource: resourceOf(served) }, { env, now: context.now() });
}

/** Writes a row, unless the user has switched the log off. Never fails. */
export async function logAccess(access: Access, runtime: string, context: CommandContext): Promise<void> {
  const { cwd, home, env } = context;
  if (env.SKC_NO_LOG) return;
  try {
    const { usage } = await readConfig({ cwd, home, env, report: () => {} });
    if (!usage.enabled) return;
  } catch (error) {
    // Nobody knows whether the user wants a log: then there is none.
    context.report(diagnose('W002', { why: error instanceof Error ? error.message : String(error) }));
    return;
  }
  for (const diagnostic of writeAccess(access, { runtime, cwd, env, now: context.now() }))
    context.report(diagnostic);
}

/** The one file that was read from; undefined for none or several. */
function resourceOf(served: Served | undefined): string | undefined {
  const files = new Set([...(served?.files ?? []), ...(served?.sections ?? []).map(({ file }) => file)]);
  return files.size === 1 ? [...files][0] : undefined;
}
