// Every group of routes. Each is a function that adds its routes to the application.

import type { App } from '../http/index.ts';
import type { Registry } from '../registry.ts';
import {
  accountPages,
  adminPages,
  ownerPages,
  reviewPages,
  signin,
  sitePages,
  skillPages,
} from '../web/index.ts';
import { api } from './api.ts';
import { health } from './health.ts';
import { log } from './log.ts';
import { mcp } from './mcp.ts';
import { metrics } from './metrics.ts';
import { oauth } from './oauth.ts';
import { wellKnown } from './well-known.ts';

export const routes: readonly ((app: App, registry: Registry) => void)[] = [
  accountPages,
  adminPages,
  api,
  health,
  log,
  mcp,
  metrics,
  oauth,
  ownerPages,
  reviewPages,
  signin,
  sitePages,
  wellKnown,
  // Last: `/@owner/name` would take addresses of the groups before it.
  skillPages,
];
