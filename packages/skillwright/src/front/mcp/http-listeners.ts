// Clients of the newer revision that listen over HTTP: the library answers them, and this knows which files they mean.

import { readRequestBody } from '@modelcontextprotocol/server';
import { listenedUris } from './listened-uris.ts';
import { createSubscriptions, type SubscriptionOptions } from './subscriptions.ts';

/** Files that all of them together may be told about at most. */
const MAX_URIS = 1024;

/** All listeners of a server. */
export interface HttpListeners {
  /** Notes which files a request wants to hear about, for as long as it is open. */
  follow(request: Request): Promise<void>;
  /** Something has changed on the disk: files that are different now are told. */
  look(): Promise<void>;
}

/** The message; undefined when it is none, which whoever answers will say. */
export function parseMessage(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** None yet. */
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
          // What the client may not have, it hears nothing about.
          continue;
        }
        counts.set(uri, (counts.get(uri) ?? 0) + 1);
        if (request.signal.aborted) leave(uri);
        else request.signal.addEventListener('abort', () => leave(uri), { once: true });
      }
    },
  };
}
