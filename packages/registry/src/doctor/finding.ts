// Findings of the doctor.

import type { Registry } from '../registry.ts';

/** One line of the report. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'error';
  readonly message: string;
  /** The next step. */
  readonly fix?: string;
}

/** A check. `isThorough` looks at everything instead of a sample. */
export type Check = (registry: Registry, options: { readonly isThorough: boolean }) => Promise<Finding[]>;

export const ok = (check: string, message: string): Finding => ({ check, state: 'ok', message });

export const warning = (check: string, message: string, fix: string): Finding => ({
  check,
  state: 'warning',
  message,
  fix,
});

export const failing = (check: string, message: string, fix: string): Finding => ({
  check,
  state: 'error',
  message,
  fix,
});

/** The first ten, and how many more there are. */
export function firstTen(labels: readonly string[]): string {
  const more = labels.length > 10 ? `, and ${labels.length - 10} more` : '';
  return `${labels.slice(0, 10).join(', ')}${more}`;
}
