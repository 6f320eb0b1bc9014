import { doWorkForText } from '../control/do-work.ts';
import type { Finding } from '../doctor/finding.ts';
import type { Command } from './command.ts';

/** Also while the server runs. */
export const doctor: Command = {
  name: 'doctor',
  summary: 'Check settings, database, archives, copies, clock and disk, and say what to do',
  flags: {
    all: { type: 'boolean', help: 'Check every archive instead of the newest 200' },
    json: { type: 'boolean', help: 'Print the findings as JSON' },
  },
  async run({ settings, flags, out }) {
    const text = await doWorkForText(settings, flags.all === true ? 'doctor-all' : 'doctor');
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
