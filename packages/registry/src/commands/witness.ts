import { setTimeout as sleep } from 'node:timers/promises';
import { runWitness } from '../log/index.ts';
import type { Command } from './command.ts';

/** Watches a log of any registry. Its flags are its own: `--log-key` belongs to the other registry. */
export const witness: Command = {
  name: 'witness',
  usage: '--log <url> --log-key <key> --key <file>',
  summary: "Check that a registry's log only grows, and cosign its checkpoints",
  parsesItself: true,
  run: ({ words, out, err, stop }) =>
    runWitness(words, {
      fetch: globalThis.fetch,
      now: () => new Date(),
      print: (text) => out(text.replace(/\n$/, '')),
      warn: (text) => err(text.replace(/\n$/, '')),
      wait: (milliseconds) => sleep(milliseconds, true, { signal: stop }).catch(() => false),
    }),
};
