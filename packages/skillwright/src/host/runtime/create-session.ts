// Creates a session, the one way every front end finds, loads and reads skills.

import type { SkillReference } from '../../read/access/index.ts';
import { logCall } from './log-session.ts';
import type { Session, SessionOptions } from './session.ts';
import type { AnyMethod } from './session-method.ts';
import { permissionMethods, sessionMethods } from './session-methods.ts';
import { openState, type SessionState } from './session-state.ts';

/** Opens a session. E100 for an invalid limit; E110 when the configuration or a permission rule is broken. */
export async function createSession(options: SessionOptions): Promise<Session> {
  const state = await openState(options);
  state.session = {
    ...(bindMethods(state, sessionMethods) as Session),
    // Resuming a saved session changes the id.
    get id() {
      return state.id;
    },
    quizMemory: state.quizMemory,
    permissions: bindMethods(state, permissionMethods) as Session['permissions'],
  };
  return state.session;
}

/** The methods of a table for one session. Those that the access log records write their row. */
function bindMethods(state: SessionState, table: Readonly<Record<string, AnyMethod>>): object {
  const bound = Object.entries(table).map(([name, { run, logged }]) => [
    name,
    (...given: readonly never[]) => {
      if (logged === undefined) return run(state, ...given);
      const [reference] = given as readonly object[];
      return logCall(state, {
        command: logged.command,
        reference: reference as SkillReference,
        args: { ...reference, ...logged.more?.(...given) },
        run: () => run(state, ...given),
        served: (result) => logged.served(result as never, ...given),
      });
    },
  ]);
  return Object.fromEntries(bound);
}
