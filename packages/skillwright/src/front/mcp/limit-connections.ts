// Room for new connections: those that ask for nothing make way.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Connections at most; of them at most this many that have not sent a whole request. */
const MAX_CONNECTIONS = 256;

/** What a client may take to send the head of a request, and all of it. */
const HEAD_MS = 10_000;
const REQUEST_MS = 30_000;

/** How long a connection is kept for a next request. */
const KEEP_MS = 5000;

/**
 * Lets every new connection in: when there are too many, the one goes that has waited longest without a whole request. A
 * new one is refused only while all others are being answered.
 */
export function limitConnections(http: Server, maxConnections = MAX_CONNECTIONS): void {
  http.headersTimeout = HEAD_MS;
  http.requestTimeout = REQUEST_MS;
  http.keepAliveTimeout = KEEP_MS;
  /** Connections in the order they fell silent; true while one is being answered. */
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
    // Whoever sends half a request waits like one who sends nothing.
    incoming.once('end', () => mark(socket, true));
    outgoing.once('close', () => mark(socket, false));
  });
}
