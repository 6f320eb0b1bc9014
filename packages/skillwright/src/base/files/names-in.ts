// The names in a directory, without their types.

import { readdirSync } from 'node:fs';
import { orUndefined } from '../diagnostics/index.ts';
import { compareBytes } from './compare-paths.ts';

const isVisible = (name: string) => !name.startsWith('.');
/** Keeps every name, hidden ones too. */
export const anyName = () => true;

/** The names in a directory that `matches` keeps, hidden ones left out by default, in bytewise order. None when it cannot be listed. */
export function namesIn(directory: string, matches: (name: string) => boolean = isVisible): string[] {
  return (orUndefined(() => readdirSync(directory)) ?? []).filter(matches).sort(compareBytes);
}
