// Unreadable configuration, and unknown keys.

import { defineCheck } from '../check.ts';

/** Reports broken configuration files and unknown keys. */
export const unusableConfig = defineCheck({
  id: 'unusable-config',
  group: 'configuration',
  summary: 'Configuration files are valid, and every key in them is known.',
  always: true,
  *find({ configError, configProblems }) {
    if (configError !== undefined)
      yield {
        severity: 'error',
        subject: 'config.toml',
        message: configError.message,
        why: 'Every command that reads the configuration fails with this error.',
        fix: configError.help ?? 'correct the line, or remove it',
      };
    for (const { message, help } of configProblems)
      yield {
        severity: 'warning',
        subject: 'config.toml',
        message,
        why: 'skc ignores it.',
        fix: help ?? 'correct the key, or remove it',
      };
  },
});
