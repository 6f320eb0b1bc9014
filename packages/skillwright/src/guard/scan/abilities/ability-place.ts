// A place where an ability was found.

import type { ScanFile } from '../scan-file.ts';
import type { FoundAbility } from './found-ability.ts';

/** One place. */
export type Place = Pick<FoundAbility, 'kind' | 'what' | 'by' | 'program'> & {
  readonly file: ScanFile;
  readonly line: number | null;
  readonly text: string;
};

/** Collects places. */
export type Add = (place: Place) => void;

/** Matches less likely than this are descriptions, not acts. */
export const LIKELY = 0.36;
