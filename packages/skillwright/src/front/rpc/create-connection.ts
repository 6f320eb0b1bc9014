// State of one client: the session of its folder, and the catalogs of other folders it asked for.

import { resolve } from 'node:path';
import { type Diagnostic, SkillwrightError } from '../../base/diagnostics/index.ts';
import { isDirectory, isInside, realPath } from '../../base/files/index.ts';
import { createSession, type Session, type SessionLog } from '../../host/runtime/index.ts';
import type { Surroundings } from '../../skill/workspace/index.ts';
import type { CommandContext, Connection, OpenedFolder } from '../commands/index.ts';
import { RpcError } from './rpc-error.ts';

/** Context of the process; `cwd` is the default folder of a client. */
export interface ConnectionOptions extends Surroundings {
  /** Logs loads and reads to the access log if set; called when a row cannot be written. */
  readonly log?: SessionLog;
  /** Id of the folder's session. Default: random. */
  readonly sessionId?: string;
}

/** A connection, and its folder once set. */
export interface FolderConnection extends Connection {
  folder(): OpenedFolder | undefined;
  /** Stops what its sessions started. */
  close(): Promise<void>;
}

/** Most catalogs of other folders kept; the oldest is dropped first. */
const MAX_OTHER_FOLDERS = 15;

/** Creates a connection without a folder. */
export function createConnection(surroundings: ConnectionOptions): FolderConnection {
  let opened: OpenedFolder | undefined;
  const sessions = new Map<string, Promise<Session>>();

  const start = (cwd: string, trust: boolean): Promise<Session> => {
    const known = sessions.get(cwd);
    if (known !== undefined) return known;
    const { home, env, log } = surroundings;
    const place = { cwd, home, env, trust };
    const sessionId = opened?.sessionId ?? surroundings.sessionId;
    const own = sessionId === undefined || cwd !== opened?.cwd ? {} : { sessionId };
    const session = createSession({ ...place, ...own, ...(log === undefined ? {} : { log }) });
    sessions.set(cwd, session);
    // Do not cache a failure: the next attempt may succeed.
    session.catch(() => sessions.delete(cwd));
    const others = [...sessions.keys()].filter((place) => place !== opened?.cwd);
    for (const place of others.slice(0, -MAX_OTHER_FOLDERS)) sessions.delete(place);
    return session;
  };

  const open: Connection['open'] = (folder = {}) => {
    if (opened !== undefined) {
      const { cwd = opened.cwd, trust = opened.trust, sessionId = opened.sessionId } = folder;
      if (resolve(cwd) === opened.cwd && trust === opened.trust && sessionId === opened.sessionId) {
        // A later request may still turn on notifications.
        opened = { ...opened, ...(folder.watch ? { watch: true } : {}) };
        return opened;
      }
      const how = opened.trust ? 'trusted' : 'not trusted';
      const why = `this connection already uses ${opened.cwd}, ${how}; open another one, and send initialize first`;
      throw new RpcError('invalidRequest', why);
    }
    const { cwd = surroundings.cwd, trust = false, sessionId, watch = false } = folder;
    opened = {
      cwd: existing(cwd),
      trust,
      sessionId,
      ...(watch ? { watch } : {}),
    };
    return opened;
  };

  const settled = async () =>
    Promise.all(
      [...sessions].map(async ([place, session]) => [place, await session.catch(() => undefined)] as const),
    );

  return {
    surroundings,
    requests: new Map(),
    open,
    folder: () => opened,
    async session(cwd) {
      const folder = open();
      if (cwd === undefined || resolve(cwd) === folder.cwd) return start(folder.cwd, folder.trust);
      const place = existing(cwd);
      return start(place, folder.trust && isInside(realPath(folder.cwd), realPath(place)));
    },
    async sessions() {
      const { cwd } = open();
      const usable = (await settled()).flatMap(([place, session]) =>
        session === undefined ? [] : [[place, session] as const],
      );
      return new Map(usable.toSorted(([a], [b]) => Number(b === cwd) - Number(a === cwd)));
    },
    async close() {
      await Promise.all((await settled()).map(([, session]) => session?.close()));
    },
  };
}

function existing(cwd: string): string {
  const place = resolve(cwd);
  if (!isDirectory(place)) throw SkillwrightError.of('E022', { directory: cwd }, { help: 'cwd must exist' });
  return place;
}

/** Opens a connection in the context of the serving command. */
export function openConnection(
  context: CommandContext,
  options: { readonly sessionId?: string } = {},
): FolderConnection {
  const { cwd, home, env } = context.workspace;
  const told = new Set<string>();
  const report = (diagnostic: Diagnostic) => {
    // If one row cannot be written, no row can: report it once.
    if (!told.has(diagnostic.code)) context.report(diagnostic);
    told.add(diagnostic.code);
  };
  return createConnection({ cwd, home, env, log: { now: () => context.now(), report }, ...options });
}
