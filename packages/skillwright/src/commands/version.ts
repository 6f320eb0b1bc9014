// skc version: what is running.

import { z } from 'zod';
import { toolVersion } from '../version.ts';
import { defineCommand } from './define-command.ts';

/** Says which version this is and what it runs on. */
export const version = defineCommand({
  input: z.strictObject({}),
  positionals: [],
  output: z.object({
    version: z.string(),
    runtime: z.enum(['native', 'bun', 'node']).describe('native: the compiled executable'),
    runtime_version: z.string(),
    platform: z.string(),
  }),
  effect: 'read',
  about: '`skc --version` prints the first line alone.',
  run: () => ({
    version: toolVersion,
    ...describeRuntime(),
    platform: `${process.platform}-${process.arch}`,
  }),
  text: (output) =>
    `skc ${output.version}\n${output.runtime} (${output.runtime === 'node' ? 'Node' : 'Bun'} ${output.runtime_version}, ${output.platform})\n`,
});

function describeRuntime(): { runtime: 'native' | 'bun' | 'node'; runtime_version: string } {
  const bun = process.versions.bun;
  if (bun === undefined) return { runtime: 'node', runtime_version: process.versions.node };
  // A compiled executable serves its own modules from a virtual file system.
  const compiled = import.meta.url.includes('$bunfs') || import.meta.url.includes('~BUN');
  return { runtime: compiled ? 'native' : 'bun', runtime_version: bun };
}
