// Notifies clients when files they subscribed to change.

import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { Backend, Caller } from './backend.ts';

/** Most files per connection. */
const MAX_SUBSCRIPTIONS = 256;

/** Subscriptions of one connection. */
export interface Subscriptions {
  /** Invalid params when there is no such file or it may not be read; E095 when there are too many. */
  add(uri: string): Promise<void>;
  remove(uri: string): void;
  /** Files changed on disk: notifies the client about those that differ. */
  look(): Promise<void>;
}

/** Dependencies of subscriptions. */
export interface SubscriptionOptions {
  readonly backend: Backend;
  readonly caller: () => Promise<Caller>;
  readonly tell: (uri: string) => void;
  readonly maxSubscriptions?: number;
}

/** Creates empty subscriptions. Files are read only when the watch reports a change. */
export function createSubscriptions(options: SubscriptionOptions): Subscriptions {
  const { backend, caller, tell, maxSubscriptions = MAX_SUBSCRIPTIONS } = options;
  /** State of each file as the client knows it. */
  const known = new Map<string, string | null>();
  let looking: Promise<void> | undefined;
  let isDue = false;
  const look = async (): Promise<void> => {
    const uris = [...known.keys()];
    const stamps = await backend.stamp(await caller(), uris);
    for (const uri of uris) {
      const stamp = stamps[uri];
      if (!known.has(uri) || stamp === known.get(uri)) continue;
      // A withdrawn skill loses its subscriptions without notice.
      if (stamp === undefined) known.delete(uri);
      else {
        known.set(uri, stamp);
        tell(uri);
      }
    }
  };
  return {
    async add(uri) {
      if (known.has(uri)) return;
      if (known.size >= maxSubscriptions) {
        const { code, message } = SkillwrightError.of('E095', { limit: String(maxSubscriptions) });
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${code}: ${message}`);
      }
      const stamp = (await backend.stamp(await caller(), [uri]))[uri];
      if (stamp === undefined || stamp === null)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Resource ${uri} not found`);
      known.set(uri, stamp);
    },
    remove: (uri) => void known.delete(uri),
    async look() {
      if (known.size === 0) return;
      isDue = true;
      // One check at a time: the next one sees changes made meanwhile.
      looking ??= (async () => {
        while (isDue) {
          isDue = false;
          await look();
        }
      })().finally(() => {
        looking = undefined;
      });
      await looking;
    },
  };
}

/** The request that starts listening. */
export const LISTEN_METHOD = 'subscriptions/listen';

const Listen = z.object({
  method: z.literal(LISTEN_METHOD),
  params: z.object({ notifications: z.object({ resourceSubscriptions: z.array(z.string()) }) }),
});

/** URIs in a subscription message; none for any other message. */
export function listenedUris(message: unknown): readonly string[] {
  const isListen =
    typeof message === 'object' &&
    message !== null &&
    'method' in message &&
    message.method === LISTEN_METHOD;
  const read = isListen ? Listen.safeParse(message) : undefined;
  return read?.success ? read.data.params.notifications.resourceSubscriptions : [];
}
