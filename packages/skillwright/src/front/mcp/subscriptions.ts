// Files that clients are told about when they change.

import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { Backend, Caller } from './backend.ts';

/** Files that one connection may be told about at most. */
const MAX_SUBSCRIPTIONS = 256;

/** Subscriptions of one connection. */
export interface Subscriptions {
  /** Invalid parameters when there is no such file, when it may not be given, or E095 when there are too many. */
  add(uri: string): Promise<void>;
  remove(uri: string): void;
  /** Something has changed on the disk: those that are different now are told. */
  look(): Promise<void>;
}

/** What subscriptions need. */
export interface SubscriptionOptions {
  readonly backend: Backend;
  readonly caller: () => Promise<Caller>;
  readonly tell: (uri: string) => void;
  readonly maxSubscriptions?: number;
}

/** None yet. Files are looked at when the watch of the skills says that something has changed, never otherwise. */
export function createSubscriptions(options: SubscriptionOptions): Subscriptions {
  const { backend, caller, tell, maxSubscriptions = MAX_SUBSCRIPTIONS } = options;
  /** The state of each file that the client knows. */
  const known = new Map<string, string | null>();
  let looking: Promise<void> | undefined;
  let isDue = false;
  const look = async (): Promise<void> => {
    const uris = [...known.keys()];
    const stamps = await backend.stamp(await caller(), uris);
    for (const uri of uris) {
      const stamp = stamps[uri];
      if (!known.has(uri) || stamp === known.get(uri)) continue;
      // A skill that is withdrawn takes its subscriptions along, and nothing is said about it.
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
      // One look at a time: what changes meanwhile is seen by the next.
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
