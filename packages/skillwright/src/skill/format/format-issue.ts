// Faults of fields, worded for the author, and flags as authors write them. Free of zod, because it runs for every skill.

import { shorten } from './text-length.ts';

/** One fault. The path starts with the field and leads to the exact spot in the source. */
export interface FormatIssue {
  kind: 'missing' | 'empty' | 'type' | 'length' | 'format' | 'mismatch' | 'unknown' | 'value';
  /** The top-level field. */
  field: string;
  path: readonly (string | number)[];
  message: string;
  help?: string | undefined;
  severity: 'error' | 'warning';
}

/** A path as an author reads it: `quiz[0].questions[1]`. */
export const spellFieldPath = (path: FormatIssue['path']): string =>
  path.map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`)).join('');

/** Names a value in a sentence: `the text "30s"`, `the number 5`, `a list`. */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value === '' ? 'an empty text' : `the text ${JSON.stringify(shorten(value, 40))}`;
    case 'number':
    case 'bigint':
      return `the number ${value}`;
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return 'nothing';
      return Array.isArray(value) ? 'a list' : 'a mapping';
    default:
      return 'nothing';
  }
}

/** Whether a value is a mapping, as opposed to a list, a scalar or nothing. */
export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const MAX_DEPTH = 100;
/** Deeper than any accepted text; a cyclic value exceeds it. */
const MAX_WIDTH = 4_000_000;

/** Whether a parsed value is shallow enough to walk without a stack overflow. */
export function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
    if (level.length === 0) return true;
    if (level.length > MAX_WIDTH) return false;
  }
  return false;
}

/** Common words for yes and no. */
const flagWords: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['on', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['off', false],
  ['0', false],
]);

/** A boolean, also written as yes/no, on/off or 1/0 in any case; undefined for anything else. */
export function readFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const isWord = typeof value === 'string' || typeof value === 'number';
  return isWord ? flagWords.get(String(value).toLowerCase()) : undefined;
}
