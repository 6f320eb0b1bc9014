// Makes room for new connections by closing idle ones.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

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
