import { setTimeout as sleep } from 'node:timers/promises';
import { runWitness } from '../log/index.ts';
import type { Command } from './command.ts';

/** Watches a log of any registry, so it has no settings of its own registry. */
export const witness: Command = {
  name: 'witness',
  usage: '--log <url> --log-key <key> --key <file>',
  summary: "Check that a registry's log only grows, and cosign its checkpoints",
  hasSettings: false,
  flags: {
    log: { type: 'string', help: 'Address of the log: that of the registry with /log' },
    'log-key': {
      type: 'string',
      help: 'Verifier key of the log, as <url>/key shows it; get it from somebody you trust',
    },
    key: { type: 'string', help: 'File of your signing key; made if it does not exist' },
    name: { type: 'string', help: 'Name of a new key, such as witness.example.org/w1' },
    state: {
      type: 'string',
      help: "File of the newest checkpoint you cosigned; by default the key's file with .state",
    },
    post: {
      type: 'boolean',
      help: 'Send the cosignature to the log instead of printing the cosigned checkpoint',
    },
    interval: { type: 'string', help: 'Seconds between two rounds [60]' },
    once: { type: 'boolean', help: 'Run one round' },
  },
  run: ({ flags, out, err, stop }) =>
    runWitness(flags, {
      fetch: globalThis.fetch,
      now: () => new Date(),
      print: (text) => out(text.replace(/\n$/, '')),
      warn: (text) => err(text.replace(/\n$/, '')),
      wait: (milliseconds) => sleep(milliseconds, true, { signal: stop }).catch(() => false),
    }),
};
