// Options of rules that are upper limits.

import type { RuleOptions } from './rule.ts';

/** The option as a limit; the rule's default if it is missing or not a valid limit. */
export function readLimit(options: RuleOptions, key: string, fallback: number): number {
  const value = options[key];
  return typeof value === 'number' && value >= 0 ? value : fallback;
}
