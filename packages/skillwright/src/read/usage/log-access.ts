// Records a served operation: a row of the access log, and a span when an endpoint is configured.

import { type Diagnostic, diagnose, hideSecretsIn, messageOf } from '../../base/diagnostics/index.ts';
import { readVariable } from '../../base/variables.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import type { LoggedAccess } from './access-row.ts';
import { writeAccess } from './write-access.ts';

/** Context of a served operation. */
export interface LogContext {
  readonly workspace: Workspace;
  /** Working directory, when different from the workspace's. */
  readonly cwd?: string | undefined;
  now(): Date;
  /** Called when no row could be written, with the reason. */
  report(diagnostic: Diagnostic): void;
}

/** Writes a row, unless the user disabled the log. Never fails. */
export async function logAccess(access: LoggedAccess, runtime: string, context: LogContext): Promise<void> {
  const { env } = context.workspace;
  const { cwd = context.workspace.cwd } = context;
  if (readVariable(env, 'NO_LOG')) return;
  try {
    if (!(await context.workspace.config()).usage.enabled) return;
  } catch (error) {
    // The user's setting is unknown, so write no log.
    context.report(diagnose('W002', { why: messageOf(error) }));
    return;
  }
  const { home } = context.workspace;
  const hidden = { ...access, args: hideSecretsIn(access.args) };
  for (const diagnostic of writeAccess(hidden, { runtime, cwd, env, home, now: context.now() }))
    context.report(diagnostic);
}

/** Writes a row and sends a span; `resource` is the one file that was read. Never fails. */
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
