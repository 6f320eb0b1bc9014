#!/usr/bin/env node
// The command line of the registry.

import { parseArgs } from 'node:util';
import { serve } from '@hono/node-server';
import { createFirstAdmin } from './accounts/first-start.ts';
import { startBackground } from './app/background.ts';
import { createApp } from './app/create-app.ts';
import { openRegistry } from './registry.ts';
import { Settings } from './settings/settings.ts';

const { values } = parseArgs({
  options: { port: { type: 'string' }, host: { type: 'string' }, data: { type: 'string' } },
});
const settings = Settings.parse({
  data: values.data ?? 'skillwright-registry',
  ...(values.port === undefined ? {} : { port: Number(values.port) }),
  ...(values.host === undefined ? {} : { host: values.host }),
  ...(process.env.DATABASE_URL ? { databaseUrl: process.env.DATABASE_URL } : {}),
});
const registry = await openRegistry(settings);
const token = await createFirstAdmin(registry);
const stopBackground = startBackground(registry);
const server = serve(
  { fetch: createApp(registry).fetch, port: settings.port, hostname: settings.host },
  (info) => {
    if (settings.publicUrl === undefined) registry.publicUrl = `http://${settings.host}:${info.port}`;
    process.stdout.write(`Skillwright registry: ${registry.publicUrl}\n`);
    if (token !== undefined) process.stdout.write(`Admin token, shown once: ${token}\n`);
  },
);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    server.close(async () => {
      await stopBackground();
      await registry.close();
      process.exit(0);
    });
  });
