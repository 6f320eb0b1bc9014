// Every group of routes. Each is a function that adds its routes to the application.

import type { App } from '../app/create-app.ts';
import { accountPages } from './account-pages.ts';
import { accounts } from './accounts.ts';
import { admin } from './admin.ts';
import { adminPages } from './admin-pages.ts';
import { api } from './api.ts';
import { health } from './health.ts';
import { log } from './log.ts';
import { mcp } from './mcp.ts';
import { oauth } from './oauth.ts';
import { owners } from './owners.ts';
import { read } from './read.ts';
import { reviewPages } from './review-pages.ts';
import { search } from './search.ts';
import { signin } from './signin.ts';
import { sitePages } from './site-pages.ts';
import { skillPages } from './skill-pages.ts';
import { wellKnown } from './well-known.ts';

export const routes: readonly ((app: App) => void)[] = [
  accountPages,
  accounts,
  admin,
  adminPages,
  api,
  health,
  log,
  mcp,
  oauth,
  owners,
  read,
  reviewPages,
  search,
  signin,
  sitePages,
  wellKnown,
  // Last: `/@owner/name` would take addresses of the groups before it.
  skillPages,
];
