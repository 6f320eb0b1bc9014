// A check of the doctor: metadata and a function that reads and changes nothing.

import type { Severity } from '../../base/diagnostics/index.ts';
import type { Survey } from './survey.ts';

/** Repairs a fault. It is safe to run twice, or at the same time as another process. */
export interface Repair {
  /** Faults with the same key are repaired together. */
  readonly key: string;
  run(): void | Promise<void>;
}

/** A problem that a check found. */
export interface Fault {
  readonly severity: Severity;
  /** The path or name it concerns. */
  readonly subject: string;
  readonly message: string;
  /** Its effect or its cause. */
  readonly why: string;
  /** A command, or a sentence. */
  readonly fix: string;
  readonly repair?: Repair | undefined;
}

/** Headings for findings, in this order. */
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
  /** `broken-link`. */
  readonly id: string;
  readonly group: Group;
  /** One sentence: the condition it checks. */
  readonly summary: string;
  /** Whether its result is valid even while a store is being changed. */
  readonly always?: true;
  find(survey: Survey): Iterable<Fault> | Promise<Iterable<Fault>>;
}

type UngroupedCheck = Omit<Check, 'group'>;

/** Declares a check; exists only for type inference. */
export function defineCheck(check: UngroupedCheck): UngroupedCheck {
  return check;
}

/** The checks under one heading. */
export function checksOf(group: Group, checks: readonly UngroupedCheck[]): Check[] {
  return checks.map((check) => ({ ...check, group }));
}

/** The command that applies repairs. */
export const FIX = 'skc doctor --fix';
