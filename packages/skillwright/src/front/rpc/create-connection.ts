// What one client has opened: the session of its folder, and the catalogs of other folders it asked about.

import { resolve } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { isDirectory, isInside, realPath } from '../../base/files/index.ts';
import { createSession, type Session, type SessionLog } from '../../host/runtime/index.ts';
import type { Surroundings } from '../../skill/workspace/index.ts';
import type { Connection, OpenedFolder } from '../commands/index.ts';
import { RpcError } from './rpc-error.ts';

/** The process a client talks to; `cwd` is where a client is that does not say. */
export interface ConnectionOptions extends Surroundings {
  /** With it, what is loaded and read is written to the access log; it is told when that is not possible. */
  readonly log?: SessionLog;
  /** The id of the folder's session; another one every time unless given. */
  readonly sessionId?: string;
}

/** A connection, and the folder that it is about once that is fixed. */
export interface FolderConnection extends Connection {
  folder(): OpenedFolder | undefined;
  /** Ends what its sessions have started. */
  close(): Promise<void>;
}

/** Catalogs of other folders that are kept; the one that was opened first goes when there are more. */
const MAX_OTHER_FOLDERS = 15;

/** A connection in which nothing has been asked yet. */
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
    // What was in the way may be gone the next time.
    session.catch(() => sessions.delete(cwd));
    const others = [...sessions.keys()].filter((place) => place !== opened?.cwd);
    for (const place of others.slice(0, -MAX_OTHER_FOLDERS)) sessions.delete(place);
    return session;
  };

  const open = (folder: Partial<OpenedFolder> = {}): OpenedFolder => {
    if (opened !== undefined) {
      const { cwd = opened.cwd, trust = opened.trust, sessionId = opened.sessionId } = folder;
      if (resolve(cwd) === opened.cwd && trust === opened.trust && sessionId === opened.sessionId) {
        // Whoever asks later may still ask to hear of changes.
        opened = { ...opened, ...(folder.watch ? { watch: true } : {}) };
        return opened;
      }
      const how = opened.trust ? 'trusted' : 'not trusted';
      throw new RpcError('invalidRequest', `this connection is about ${opened.cwd}, ${how}`);
    }
    const { cwd = surroundings.cwd, trust = false, sessionId, watch = false } = folder;
    opened = {
      cwd: existing(cwd),
      trust,
      ...(sessionId === undefined ? {} : { sessionId }),
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
