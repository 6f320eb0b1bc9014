// The process a server runs in: how it was started.

import { describeRuntime } from '../version.ts';

/** The command that starts this skc: the executable, or the runtime and the script. */
export function launchCommand(): { command: string; args: string[] } {
  const isExecutable = describeRuntime().runtime === 'native';
  return { command: process.execPath, args: isExecutable ? [] : process.argv.slice(1, 2) };
}
