// Seals the state of a question for a client without a connection, and remembers which answers were accepted.

import { createRequestStateCodec } from '@modelcontextprotocol/server';
import type { AskedState, AskedStates } from './ask-person.ts';

/** How long an answer is accepted. */
const TTL_SECONDS = 600;

/** Most answers remembered. A forgotten one has expired, unless the server is under attack. */
const MAX_TAKEN = 10_000;

/** Sealed with a key known only to this process. */
export function createAskedStates(): AskedStates {
  const key = crypto.getRandomValues(new Uint8Array(32));
  const taken = new Set<string>();
  return {
    codec: createRequestStateCodec<AskedState>({
      key,
      ttlSeconds: TTL_SECONDS,
      bind: ({ mcpReq }) => mcpReq.method,
    }),
    takeOnce(id) {
      if (taken.has(id)) return false;
      taken.add(id);
      for (const oldest of [...taken].slice(0, -MAX_TAKEN)) taken.delete(oldest);
      return true;
    },
  };
}
