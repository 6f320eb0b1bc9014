// Configuration that cannot be read, and keys that nobody reads.

import { defineCheck } from '../check.ts';

/** Reports broken configuration files and unknown keys. */
export const unusableConfig = defineCheck({
  id: 'unusable-config',
  group: 'configuration',
  summary: 'Configuration files can be read, and every key in them is known.',
  always: true,
  *find({ configError, configProblems }) {
    if (configError !== undefined)
      yield {
        severity: 'error',
        subject: 'config.toml',
        message: configError.message,
        why: 'Every command that reads configuration ends with this error.',
        fix: configError.help ?? 'correct the line, or remove it',
      };
    for (const { message, help } of configProblems)
      yield {
        severity: 'warning',
        subject: 'config.toml',
        message,
        why: 'Nothing reads it, so it changes nothing.',
        fix: help ?? 'correct the key, or remove it',
      };
  },
});
