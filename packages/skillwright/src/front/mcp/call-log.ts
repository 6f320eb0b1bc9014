// Log messages for a client, from the level it requested. A client that set no level gets none.

import { LOG_LEVEL_META_KEY, type LoggingLevel, type ServerContext } from '@modelcontextprotocol/server';

/** Least important first. */
const levels: readonly LoggingLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** The log of one connection. */
export interface CallLog {
  /** Sends messages of this level and above from now on. */
  setLevel(level: LoggingLevel): void;
  /** Logs during one request; undefined when the client wants no messages. */
  during(context: ServerContext): ((level: LoggingLevel, text: string) => void) | undefined;
}

/** A log without a level. Clients of the newer revision send theirs with each request. */
export function createCallLog(onError: (error: unknown) => void): CallLog {
  let wanted: LoggingLevel | undefined;
  return {
    setLevel(level) {
      wanted = level;
    },
    during({ mcpReq }) {
      const named = mcpReq.envelope as { readonly [LOG_LEVEL_META_KEY]?: LoggingLevel } | undefined;
      const least = named?.[LOG_LEVEL_META_KEY] ?? wanted;
      if (least === undefined) return undefined;
      return (level, text) => {
        if (levels.indexOf(level) < levels.indexOf(least)) return;
        const params = { level, logger: 'skc', data: text };
        mcpReq.notify({ method: 'notifications/message', params }).catch(onError);
      };
    },
  };
}
