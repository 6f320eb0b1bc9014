// Every group of routes. Each is a function that adds its routes to the application.

import type { App } from '../app/create-app.ts';
import { accountPages } from './account-pages.ts';
import { adminPages } from './admin-pages.ts';
import { api } from './api.ts';
import { health } from './health.ts';
import { log } from './log.ts';
import { mcp } from './mcp.ts';
import { metrics } from './metrics.ts';
import { oauth } from './oauth.ts';
import { read } from './read.ts';
import { reviewPages } from './review-pages.ts';
import { search } from './search.ts';
import { signin } from './signin.ts';
import { sitePages } from './site-pages.ts';
import { skillPages } from './skill-pages.ts';
import { wellKnown } from './well-known.ts';

export const routes: readonly ((app: App) => void)[] = [
  accountPages,
  adminPages,
  api,
  health,
  log,
  mcp,
  metrics,
  oauth,
  read,
  reviewPages,
  search,
  signin,
  sitePages,
  wellKnown,
  // Last: `/@owner/name` would take addresses of the groups before it.
  skillPages,
];
