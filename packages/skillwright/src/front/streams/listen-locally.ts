// Listens on this machine only.

import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { describeSystemError, systemErrorCode } from '../../base/files/index.ts';

/** The address other machines cannot reach. */
const LOCAL_HOST = '127.0.0.1';

/** Starts to listen, on any free port for 0, and returns the origin. E100 naming the option when the port is not available. */
export async function listenLocally(
  http: Server,
  { port, option }: { readonly port: number; readonly option: string },
): Promise<string> {
  try {
    await new Promise<void>((resolve, reject) => {
      http.once('error', reject).listen(port, LOCAL_HOST, () => {
        http.off('error', reject);
        resolve();
      });
    });
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    const isUsed = systemErrorCode(error) === 'EADDRINUSE';
    const why = `${option} ${port}: ${isUsed ? 'the port is in use' : describeSystemError(error)}`;
    throw SkillwrightError.of('E100', { why }, { help: `name another port: ${option} 0 picks a free one` });
  }
  return `http://${LOCAL_HOST}:${(http.address() as AddressInfo).port}`;
}

/** Most connections, and most without a complete request. */
const MAX_CONNECTIONS = 256;

/** Time limits for the headers of a request, and for all of it. */
const HEAD_MS = 10_000;
const REQUEST_MS = 30_000;

/** How long an idle connection stays open for the next request. */
const KEEP_MS = 5000;

/**
 * Accepts every new connection: when there are too many, closes the one that has waited longest without a complete
 * request. Refuses a new one only while all others are being answered.
 */
export function limitConnections(http: Server, maxConnections = MAX_CONNECTIONS): void {
  http.headersTimeout = HEAD_MS;
  http.requestTimeout = REQUEST_MS;
  http.keepAliveTimeout = KEEP_MS;
  /** Connections, longest idle first; true while one is being answered. */
  const answering = new Map<Socket, boolean>();
  const mark = (socket: Socket, isAnswering: boolean): void => {
    if (!answering.delete(socket)) return;
    answering.set(socket, isAnswering);
  };
  http.on('connection', (socket: Socket) => {
    answering.set(socket, false);
    socket.once('close', () => answering.delete(socket));
    if (answering.size <= maxConnections) return;
    const [longest] = [...answering].find(([, isAnswering]) => !isAnswering) ?? [socket];
    answering.delete(longest);
    longest.destroy();
  });
  http.on('request', (incoming, outgoing) => {
    const { socket } = incoming;
    // Half a request counts as idle.
    incoming.once('end', () => mark(socket, true));
    outgoing.once('close', () => mark(socket, false));
  });
}
