// The application, its routes, and work that no request waits for.

export { startBackground } from './background.ts';
export { createApp } from './create-app.ts';
export { startMaintenance } from './maintenance.ts';
