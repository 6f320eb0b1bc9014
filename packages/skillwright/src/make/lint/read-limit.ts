// Options of rules that are upper bounds.

import type { RuleOptions } from './rule.ts';

/** The option as a bound; the rule's own where it is left out or no number a bound can be. */
export function readLimit(options: RuleOptions, key: string, fallback: number): number {
  const value = options[key];
  return typeof value === 'number' && value >= 0 ? value : fallback;
}
