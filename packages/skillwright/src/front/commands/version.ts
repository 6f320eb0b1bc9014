// skc version: the version and the runtime.

import * as z from 'zod';
import { describeRuntime, toolVersion } from '../../base/version.ts';
import { defineCommand } from './define-command.ts';

/** Prints the version and the runtime. */
export const version = defineCommand({
  fields: {},
  positionals: [],
  output: z.object({
    version: z.string(),
    runtime: z.enum(['native', 'bun', 'node']).describe('native: the compiled executable'),
    runtime_version: z.string(),
    platform: z.string(),
  }),
  effect: 'read',
  writes: [],
  touches: 'nothing',
  about: '`skc --version` prints it in one line.',
  run: () => ({
    version: toolVersion,
    ...describeRuntime(),
    platform: `${process.platform}-${process.arch}`,
  }),
  text: (output) =>
    `skc ${output.version}\n${output.runtime} (${output.runtime === 'node' ? 'Node' : 'Bun'} ${output.runtime_version}, ${output.platform})\n`,
});
