// Sessions of clients over HTTP: state is kept while a session lives.

import {
  isInitializeRequest,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { ConnectionServer } from './create-server.ts';

/** Header that names the session, in the first response and in later requests. */
export const SESSION_HEADER = 'mcp-session-id';

/** Most sessions at once, and the idle time after which one ends. */
const MAX_SESSIONS = 64;
const IDLE_MS = 30 * 60 * 1000;

/** Options of the sessions. */
interface HttpSessionOptions {
  /** Creates the server of one session. */
  readonly createServer: () => ConnectionServer;
  readonly now: () => Date;
  readonly onError: (error: Error) => void;
  readonly maxSessions?: number;
  readonly idleMs?: number;
}

/** All sessions of one process. */
export interface HttpSessions {
  /** Answers a request that names a session: 404 when it has ended, so that the client starts a new one. */
  serve(request: Request): Promise<Response>;
  /**
   * Answers the request that starts a session; undefined for any other message. If there is no room, the session idle
   * for longest ends; 503 when all are in use.
   */
  start(request: Request, message: unknown): Promise<Response | undefined>;
  /** Notifies every client that its lists changed. */
  tellChanges(): void;
  /** Notifies every client about the files it subscribed to. */
  tellUpdates(): void;
  close(): Promise<void>;
}

interface HttpSession {
  readonly connection: ConnectionServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Open requests and streams. */
  open: number;
  usedAt: number;
}

/** Creates an empty set of sessions. */
export function createHttpSessions(options: HttpSessionOptions): HttpSessions {
  const { createServer, onError, maxSessions = MAX_SESSIONS, idleMs = IDLE_MS } = options;
  const sessions = new Map<string, HttpSession>();
  const now = () => options.now().getTime();
  /** Handshakes in progress. */
  let starting = 0;

  const end = async (id: string, { connection }: HttpSession): Promise<void> => {
    sessions.delete(id);
    await connection.mcp.close().catch(onError);
  };
  const endIdle = (): void => {
    const oldest = now() - idleMs;
    for (const [id, session] of sessions)
      if (session.open === 0 && session.usedAt <= oldest) void end(id, session);
  };
  const sweep = setInterval(endIdle, idleMs).unref();

  /** Answers within a session, which counts as in use until the response is sent or the client disconnects. */
  const handle = (session: HttpSession, request: Request, parsedBody?: unknown): Promise<Response> => {
    session.open += 1;
    const release = () => {
      session.open -= 1;
      session.usedAt = now();
    };
    if (request.signal.aborted) release();
    else request.signal.addEventListener('abort', release, { once: true });
    return session.transport.handleRequest(request, parsedBody === undefined ? {} : { parsedBody });
  };
  const makeRoom = (): boolean => {
    endIdle();
    if (sessions.size + starting < maxSessions) return true;
    const unused = [...sessions].filter(([, { open }]) => open === 0);
    const [longest] = unused.sort(([, a], [, b]) => a.usedAt - b.usedAt);
    if (longest !== undefined) void end(...longest);
    return longest !== undefined;
  };

  return {
    async serve(request) {
      endIdle();
      const session = sessions.get(request.headers.get(SESSION_HEADER) ?? '');
      return session === undefined ? refuseSession(404, 'Session not found') : handle(session, request);
    },
    async start(request, message) {
      if (!isInitializeRequest(message)) return undefined;
      if (!makeRoom()) return refuseSession(503, 'Too many sessions');
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (id) => void sessions.set(id, session),
        onsessionclosed: (id) => void sessions.delete(id),
      });
      const connection = createServer();
      const session: HttpSession = { connection, transport, open: 0, usedAt: now() };
      starting += 1;
      try {
        await connection.mcp.connect(transport);
        return await handle(session, request, message);
      } finally {
        starting -= 1;
        // A refused handshake creates no session.
        if (transport.sessionId === undefined) await connection.mcp.close().catch(onError);
      }
    },
    tellChanges() {
      for (const { connection } of sessions.values()) connection.tellChanges();
    },
    tellUpdates() {
      for (const { connection } of sessions.values()) connection.tellUpdates();
    },
    async close() {
      clearInterval(sweep);
      await Promise.all([...sessions].map(([id, session]) => end(id, session)));
    },
  };
}

/** A refusal as a protocol message. */
function refuseSession(status: number, message: string): Response {
  const error = { code: ProtocolErrorCode.InvalidRequest, message };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status });
}
