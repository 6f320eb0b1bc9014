// Every group of routes. Each is a function that adds its routes to the application.

import type { App } from '../app/create-app.ts';
import { accounts } from './accounts.ts';
import { admin } from './admin.ts';
import { api } from './api.ts';
import { health } from './health.ts';
import { log } from './log.ts';
import { mcp } from './mcp.ts';
import { oauth } from './oauth.ts';
import { owners } from './owners.ts';
import { read } from './read.ts';
import { search } from './search.ts';
import { signin } from './signin.ts';
import { wellKnown } from './well-known.ts';

export const routes: readonly ((app: App) => void)[] = [
  accounts,
  admin,
  api,
  health,
  log,
  mcp,
  oauth,
  owners,
  read,
  search,
  wellKnown,
  signin,
];
