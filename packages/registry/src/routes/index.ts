// Every group of routes. Each is a function that adds its routes to the application.

import type { App } from '../app/create-app.ts';
import { health } from './health.ts';
import { mcp } from './mcp.ts';
import { read } from './read.ts';
import { search } from './search.ts';
import { wellKnown } from './well-known.ts';

export const routes: readonly ((app: App) => void)[] = [health, mcp, read, search, wellKnown];
