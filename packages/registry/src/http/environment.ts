// Values every handler finds in its context.

import type { Hono } from 'hono';
import type { Caller } from '../access/index.ts';
import type { Registry } from '../registry.ts';
import type { Metrics } from './metrics.ts';

/** The variables of a request. */
export interface Environment {
  Variables: {
    registry: Registry;
    caller: Caller;
    /** Goes into every form of a person who is signed in, as the field `csrf`. */
    csrf: string | undefined;
    /** Address of the client, also behind a trusted proxy. */
    address: string;
    metrics: Metrics;
    isMetricsReader: boolean;
    requestId: string;
  };
}

/** The application type of all routes. */
export type App = Hono<Environment>;
