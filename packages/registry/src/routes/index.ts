// Every group of routes. Each is a function that adds its routes to the application.

import type { App } from '../app/create-app.ts';
import { health } from './health.ts';

export const routes: readonly ((app: App) => void)[] = [health];
