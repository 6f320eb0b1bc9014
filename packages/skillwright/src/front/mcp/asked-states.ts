// What the server seals into a question for a client without a connection, and which answers it has taken.

import { createRequestStateCodec } from '@modelcontextprotocol/server';
import type { AskedState, AskedStates } from './ask-person.ts';

/** How long an answer is waited for. */
const TTL_SECONDS = 600;

/** Answers that are remembered at most. One that was forgotten is older than an answer may be, or the server is under attack. */
const MAX_TAKEN = 10_000;

/** Sealed with a key that this process alone has. */
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
