// Writes the access log of a session. Its rows match those of the same operations on the command line.

import { type Diagnostic, diagnose, messageOf } from '../../base/diagnostics/index.ts';
import { readVariable } from '../../base/variables.ts';
import { findRuntimeOf, recordAt, recordsNamed, type SkillReference } from '../../read/access/index.ts';
import { keepWorkspace } from '../../skill/workspace/index.ts';
import type { ServedText } from './session-method.ts';
import { type SessionState, viewOf } from './session-state.ts';

/** Options of the log. */
export interface SessionLog {
  readonly now?: () => Date;
  /** Called when a row could not be written. */
  readonly report?: (diagnostic: Diagnostic) => void;
}

/** One call: what is run, and how its row is written. */
interface LoggedCall<Result> {
  readonly command: string;
  readonly reference: SkillReference;
  readonly args: Readonly<Record<string, unknown>>;
  run(): Promise<Result>;
  served(result: Result): ServedText;
}

/**
 * Runs a call that adds a row to the access log of its skill, if the session keeps one. A failure is logged too when the
 * skill is known. Logging never fails a call.
 */
export async function logCall<Result>(state: SessionState, call: LoggedCall<Result>): Promise<Result> {
  if (!state.options.log) return call.run();
  state.writeRow ??= createWriter(state);
  const started = performance.now();
  let outcome: ServedText | undefined;
  let failure: unknown;
  try {
    const result = await call.run();
    outcome = call.served(result);
    return result;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    const milliseconds = performance.now() - started;
    await state.writeRow({ ...call, outcome, failure, milliseconds });
  }
}

/** A call that has ended. */
export interface FinishedCall extends Pick<LoggedCall<unknown>, 'command' | 'reference' | 'args'> {
  readonly outcome: ServedText | undefined;
  readonly failure: unknown;
  readonly milliseconds: number;
}

function createWriter(state: SessionState): (finished: FinishedCall) => Promise<void> {
  const { cwd, home, env, trust = false, log } = state.options;
  const { now = () => new Date(), report = () => {} } = typeof log === 'object' ? log : {};
  // An untrusted project's configuration is ignored, and nothing is written into it.
  const openWorkspace = keepWorkspace({ cwd: trust ? cwd : home, home, env });
  return async ({ command, reference, args, outcome, failure, milliseconds }) => {
    if (readVariable(env, 'NO_LOG')) return;
    try {
      const dir = outcome?.dir ?? (await findMeantDir(state, reference));
      if (dir === undefined) return;
      const workspace = await openWorkspace();
      const { recordAccess } = await import('../../read/usage/write-access.ts');
      const { text = '', dir: _dir, ...served } = outcome ?? {};
      await recordAccess(
        {
          command,
          skill: { dir, runtime: await findRuntimeOf({ dir, scope: undefined }, workspace) },
          args,
          text,
          served,
          failure,
          milliseconds,
        },
        {
          workspace,
          cwd,
          now,
          report,
          async trace(call, how) {
            const { exportSpan } = await import('../../ship/network/export-span.ts');
            await exportSpan(call, how);
          },
        },
      );
    } catch (error) {
      report(diagnose('W002', { why: messageOf(error) }));
    }
  };
}

/** Directory of the one skill a reference matches, whether or not it may be used. */
async function findMeantDir(
  state: SessionState,
  { name = '', path }: SkillReference,
): Promise<string | undefined> {
  const { visible, hidden } = await viewOf(state);
  for (const known of [visible, { skills: hidden.map(({ skill }) => skill) }]) {
    const found = path ? [recordAt(known, path, state.options)] : recordsNamed(known, name);
    if (found.length === 1 && found[0] !== undefined) return found[0].dir;
  }
  return undefined;
}
