// Leaving a trace of something that was served: a row of the access log, and a span where an endpoint is configured.

import { type Diagnostic, diagnose } from '../../base/diagnostics/index.ts';
import { type ConfigContext, readConfig } from '../../skill/config/index.ts';
import type { Access } from './access-row.ts';
import { writeAccess } from './write-access.ts';

/** Where, when and for whom something was served. */
export interface LogContext extends ConfigContext {
  now(): Date;
  /** Told when there is no row, and why. */
  report(diagnostic: Diagnostic): void;
  /** Where configuration is read from; `cwd` unless that is not trusted. */
  readonly configuredIn?: string;
}

/** Writes a row, unless the user has switched the log off. Never fails. */
export async function logAccess(access: Access, runtime: string, context: LogContext): Promise<void> {
  const { cwd, home, env } = context;
  if (env.SKC_NO_LOG) return;
  try {
    const place = { cwd: context.configuredIn ?? cwd, home, env, report: () => {} };
    const { usage } = await readConfig(place);
    if (!usage.enabled) return;
  } catch (error) {
    // Nobody knows whether the user wants a log: then there is none.
    context.report(diagnose('W002', { why: error instanceof Error ? error.message : String(error) }));
    return;
  }
  for (const diagnostic of writeAccess(access, { runtime, cwd, env, now: context.now() }))
    context.report(diagnostic);
}

/** Writes a row and sends a span; `resource` is the one file that was read from. Never fails. */
export async function traceAccess(
  access: Access,
  { runtime, resource }: { readonly runtime: string; readonly resource: string | undefined },
  context: LogContext,
): Promise<void> {
  await logAccess(access, runtime, context);
  const { env } = context;
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT && !env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return;
  const { exportSpan } = await import('./export-span.ts');
  await exportSpan({ ...access, resource }, { env, now: context.now() });
}
