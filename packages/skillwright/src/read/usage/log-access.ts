// Records a served operation: a row of the access log, and a span when an endpoint is configured.

import { basename } from 'node:path';
import {
  type Diagnostic,
  diagnose,
  hideSecretsIn,
  messageOf,
  SkillwrightError,
} from '../../base/diagnostics/index.ts';
import { estimateTokens } from '../../base/tokens/index.ts';
import { readVariable } from '../../base/variables.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import type { OpenedSkill } from '../access/index.ts';
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
  /** Sends a span. Called when the environment names an endpoint; without it, nothing is sent. */
  readonly trace?:
    | ((call: TracedCall, how: { env: Workspace['env']; now: Date }) => Promise<void>)
    | undefined;
}

/** A finished operation, and the one file that was read. */
interface TracedCall extends LoggedAccess {
  readonly resource: string | undefined;
}

/** A finished operation. */
interface FinishedAccess {
  readonly command: string;
  readonly skill: Pick<OpenedSkill, 'dir' | 'runtime'>;
  readonly args: Readonly<Record<string, unknown>>;
  /** The text that was served; empty after a failure. */
  readonly text: string;
  /** Files the text came from. */
  readonly files: readonly string[];
  /** Undefined after a success. */
  readonly failure: unknown;
  readonly milliseconds: number;
}

/** Writes the row of an operation and sends its span. Never fails: problems become warnings. */
export async function recordAccess(finished: FinishedAccess, context: LogContext): Promise<void> {
  const { command, skill, args, text, failure, milliseconds } = finished;
  const runtime = await skill.runtime();
  const access: LoggedAccess = {
    command,
    skill: basename(runtime),
    skill_path: skill.dir,
    args,
    error: failure === undefined ? null : failure instanceof SkillwrightError ? failure.code : 'E999',
    bytes: Buffer.byteLength(text),
    tokens: estimateTokens(text),
    duration_ms: Math.round(milliseconds * 1000) / 1000,
  };
  await logAccess(access, runtime, context);
  const { env } = context.workspace;
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT && !env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return;
  const files = new Set(finished.files);
  const resource = files.size === 1 ? [...files][0] : undefined;
  await context.trace?.({ ...access, resource }, { env, now: context.now() });
}

/** Writes a row, unless the user disabled the log. Never fails. */
export async function logAccess(access: LoggedAccess, runtime: string, context: LogContext): Promise<void> {
  const { env, home } = context.workspace;
  const { cwd = context.workspace.cwd } = context;
  if (readVariable(env, 'NO_LOG')) return;
  try {
    if (!(await context.workspace.config()).usage.enabled) return;
  } catch (error) {
    // The user's setting is unknown, so write no log.
    context.report(diagnose('W002', { why: messageOf(error) }));
    return;
  }
  const hidden = { ...access, args: hideSecretsIn(access.args) };
  for (const diagnostic of writeAccess(hidden, { runtime, cwd, env, home, now: context.now() }))
    context.report(diagnostic);
}
