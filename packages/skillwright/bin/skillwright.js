#!/usr/bin/env node
// Starts skc where npm cannot start a shell script: on Windows, and for `npx skillwright` on every platform.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { planLaunch } from './plan-launch.js';

const { platform, arch, execPath: node, versions } = process;
const directory = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
const plan = planLaunch({ directory, platform, arch, node, version: versions.node }, existsSync);

if ('refusal' in plan) {
  process.stderr.write(`${plan.refusal}\n`);
  process.exit(1);
}

// Variables that make Bun run other code first, or be another program.
const bun = ['BUN_OPTIONS', 'BUN_INSPECT', 'BUN_INSPECT_CONNECT_TO', 'BUN_INSPECT_PRELOAD', 'BUN_BE_BUN'];
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !bun.includes(name)));

const child = spawn(plan.command, [...plan.args, ...process.argv.slice(2)], { stdio: 'inherit', env });
// A terminal sends Ctrl-C to both; the child decides when it is done.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', ({ message }) => {
  process.stderr.write(`skc: cannot be started: ${message}\n`);
  process.exit(1);
});
child.on('exit', (status, signal) => process.exit(status ?? 128 + (constants.signals[signal] ?? 0)));
