import { resolve } from 'node:path';
import { checkBackup } from '../backup/index.ts';
import type { Finding } from '../doctor/index.ts';
import type { Command } from './command.ts';
import { doWorkForText } from './control.ts';

/** Also while the server runs. */
export const doctor: Command = {
  name: 'doctor',
  summary:
    'Check settings, database, log, archives, documents, search, copies, mirrors, webhooks and disk, and say what to do',
  flags: {
    all: {
      type: 'boolean',
      help: 'Check everything instead of the newest 200 archives, documents, leaves and skills',
    },
    repair: { type: 'string', help: 'Backup from which archives that are missing or damaged are put back' },
    tidy: {
      type: 'boolean',
      help: 'Remove archives that no version uses, and index skills again that searches do not find',
    },
    json: { type: 'boolean', help: 'Print the findings as JSON' },
  },
  async run({ settings, flags, out }) {
    const input: Record<string, string> = {};
    if (flags.all === true) input.all = 'yes';
    if (flags.tidy === true) input.tidy = 'yes';
    if (typeof flags.repair === 'string') {
      await checkBackup(flags.repair);
      // The server that does the work may run in another directory.
      input.repair = resolve(flags.repair);
    }
    const text = await doWorkForText(settings, { name: 'doctor', input });
    const findings = JSON.parse(text) as Finding[];
    if (flags.json === true) out(JSON.stringify(findings, null, 2));
    else
      for (const { check, state, message, fix } of findings) {
        out(`${state.padEnd(8)}${check}: ${message}`);
        if (fix !== undefined) out(`        ${fix}`);
      }
    return findings.some(({ state }) => state === 'error') ? 1 : 0;
  },
};
