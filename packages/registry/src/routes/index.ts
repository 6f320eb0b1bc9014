// Every group of routes. Each is a function that adds its routes to the application.

import type { App } from '../app/create-app.ts';
import { api } from './api.ts';
import { health } from './health.ts';
import { log } from './log.ts';
import { mcp } from './mcp.ts';
import { metrics } from './metrics.ts';
import { oauth } from './oauth.ts';
import { read } from './read.ts';
import { search } from './search.ts';
import { signin } from './signin.ts';
import { wellKnown } from './well-known.ts';

export const routes: readonly ((app: App) => void)[] = [
  api,
  health,
  log,
  mcp,
  metrics,
  oauth,
  read,
  search,
  wellKnown,
  signin,
];
