// What the doctor found.

import type { Registry } from '../registry.ts';

/** One line of the report. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'error';
  readonly message: string;
  /** What to do. */
  readonly fix?: string;
}

/** A check. `isThorough` looks at everything instead of a sample. */
export type Check = (registry: Registry, options: { readonly isThorough: boolean }) => Promise<Finding[]>;
