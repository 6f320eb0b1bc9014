// Findings of the doctor.

import type { Fault, Group } from './check.ts';

/** A fault, and the check that found it. */
export interface CheckedFault extends Fault {
  /** Id of the check. */
  readonly check: string;
  readonly group: Group;
}

/** One problem, repaired or not. */
export interface Finding extends Omit<CheckedFault, 'repair'> {
  /** Whether `--fix` can repair it. */
  readonly fixable: boolean;
  /** Whether it has been repaired. */
  readonly fixed: boolean;
}

/** The finding for a fault. */
export function findingOf({ repair, ...fault }: CheckedFault, fixed = false): Finding {
  const { check, group, severity, subject, message, why, fix } = fault;
  return { check, group, severity, subject, message, why, fix, fixable: repair !== undefined, fixed };
}

/** Identifies a fault across runs. */
export function faultKey({
  check,
  subject,
  message,
}: Pick<Finding, 'check' | 'subject' | 'message'>): string {
  return JSON.stringify([check, subject, message]);
}
