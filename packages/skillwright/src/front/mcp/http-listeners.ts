// Tracks the files that clients of the newer revision listen to over HTTP. The library answers their requests.

import { readRequestBody } from '@modelcontextprotocol/server';
import { listenedUris } from './listened-uris.ts';
import { createSubscriptions, type SubscriptionOptions } from './subscriptions.ts';

/** Most files of all listeners together. */
const MAX_URIS = 1024;

/** All listeners of a server. */
export interface HttpListeners {
  /** Records the files a request listens to, while it is open. */
  follow(request: Request): Promise<void>;
  /** Files changed on disk: notifies listeners about those that differ. */
  look(): Promise<void>;
}

/** The message; undefined when it is invalid, which is reported by the code that answers it. */
export function parseMessage(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Creates an empty set of listeners. */
export function createHttpListeners(options: SubscriptionOptions): HttpListeners {
  const subscriptions = createSubscriptions({ maxSubscriptions: MAX_URIS, ...options });
  const counts = new Map<string, number>();
  const leave = (uri: string): void => {
    const left = (counts.get(uri) ?? 1) - 1;
    if (left > 0) counts.set(uri, left);
    else {
      counts.delete(uri);
      subscriptions.remove(uri);
    }
  };
  return {
    look: () => subscriptions.look(),
    async follow(request) {
      const body = await readRequestBody(request.clone());
      for (const uri of new Set(body.tooLarge ? [] : listenedUris(parseMessage(body.text)))) {
        try {
          await subscriptions.add(uri);
        } catch {
          // Stay silent about files the client may not read.
          continue;
        }
        counts.set(uri, (counts.get(uri) ?? 0) + 1);
        if (request.signal.aborted) leave(uri);
        else request.signal.addEventListener('abort', () => leave(uri), { once: true });
      }
    },
  };
}
