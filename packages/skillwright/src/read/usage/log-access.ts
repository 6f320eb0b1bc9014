// Leaving a trace of something that was served: a row of the access log, and a span where an endpoint is configured.

import { type Diagnostic, diagnose, hideSecretsIn, messageOf } from '../../base/diagnostics/index.ts';
import { readVariable } from '../../base/variables.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import type { LoggedAccess } from './access-row.ts';
import { writeAccess } from './write-access.ts';

/** Where, when and for whom something was served. */
export interface LogContext {
  readonly workspace: Workspace;
  /** Where it was served, when that is not where the workspace is. */
  readonly cwd?: string | undefined;
  now(): Date;
  /** Told when there is no row, and why. */
  report(diagnostic: Diagnostic): void;
}

/** Writes a row, unless the user has switched the log off. Never fails. */
export async function logAccess(access: LoggedAccess, runtime: string, context: LogContext): Promise<void> {
  const { env } = context.workspace;
  const { cwd = context.workspace.cwd } = context;
  if (readVariable(env, 'NO_LOG')) return;
  try {
    if (!(await context.workspace.config()).usage.enabled) return;
  } catch (error) {
    // Nobody knows whether the user wants a log: then there is none.
    context.report(diagnose('W002', { why: messageOf(error) }));
    return;
  }
  const { home } = context.workspace;
  const hidden = { ...access, args: hideSecretsIn(access.args) };
  for (const diagnostic of writeAccess(hidden, { runtime, cwd, env, home, now: context.now() }))
    context.report(diagnostic);
}

/** Writes a row and sends a span; `resource` is the one file that was read from. Never fails. */
export async function traceAccess(
  access: LoggedAccess,
  { runtime, resource }: { readonly runtime: string; readonly resource: string | undefined },
  context: LogContext,
): Promise<void> {
  await logAccess(access, runtime, context);
  const { env } = context.workspace;
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT && !env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return;
  const { exportSpan } = await import('./export-span.ts');
  await exportSpan({ ...access, resource }, { env, now: context.now() });
}
