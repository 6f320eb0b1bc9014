// What a check of the doctor is: metadata and a function that looks and changes nothing.

import type { Severity } from '../../base/diagnostics/index.ts';
import type { Survey } from './survey.ts';

/** How a fault is repaired. Doing it twice, or while somebody else does it, is no harm. */
export interface Repair {
  /** Faults with the same key are repaired together. */
  readonly key: string;
  run(): void | Promise<void>;
}

/** Something that is not as it should be. */
export interface Fault {
  readonly severity: Severity;
  /** The path or the name it is about. */
  readonly subject: string;
  readonly message: string;
  /** What follows from it, or how it came about. */
  readonly why: string;
  /** A command, or a sentence. */
  readonly fix: string;
  readonly repair?: Repair | undefined;
}

/** What findings are listed under, in this order. */
export const groups = [
  'configuration',
  'installed skills',
  'compiled skills',
  'links and copies',
  'what agents see',
  'left behind',
  'this machine',
] as const;

/** One of the headings. */
export type Group = (typeof groups)[number];

/** A check. */
export interface Check {
  /** `broken-link`: also the name of its file. */
  readonly id: string;
  readonly group: Group;
  /** One sentence: what it looks for. */
  readonly summary: string;
  /** Whether it says something true also while a store is in the middle of a change. */
  readonly always?: true;
  find(survey: Survey): Iterable<Fault> | Promise<Iterable<Fault>>;
}

/** Declares a check; exists for type inference alone. */
export function defineCheck(check: Check): Check {
  return check;
}

/** What `--fix` does is said the same way everywhere. */
export const FIX = 'skc doctor --fix';
