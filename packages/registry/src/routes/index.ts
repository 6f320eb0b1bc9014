// Every group of routes. Each is a function that adds its routes to the application.

import type { App } from '../app/create-app.ts';
import { accounts } from './accounts.ts';
import { admin } from './admin.ts';
import { api } from './api.ts';
import { health } from './health.ts';
import { log } from './log.ts';
import { oauth } from './oauth.ts';
import { owners } from './owners.ts';
import { signin } from './signin.ts';

export const routes: readonly ((app: App) => void)[] = [
  accounts,
  admin,
  api,
  health,
  log,
  oauth,
  owners,
  signin,
];
