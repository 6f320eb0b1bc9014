// What the doctor says.

import type { Fault, Group } from './check.ts';

/** A fault, and the check that found it. */
export interface CheckedFault extends Fault {
  /** Id of the check. */
  readonly check: string;
  readonly group: Group;
}

/** One thing that is, or was, not as it should be. */
export interface Finding extends Omit<CheckedFault, 'repair'> {
  /** Whether `--fix` can repair it. */
  readonly fixable: boolean;
  /** Whether it has been repaired. */
  readonly fixed: boolean;
}

/** A fault as it is told. */
export function findingOf({ repair, ...fault }: CheckedFault, fixed = false): Finding {
  const { check, group, severity, subject, message, why, fix } = fault;
  return { check, group, severity, subject, message, why, fix, fixable: repair !== undefined, fixed };
}

/** The same for the same fault, seen again. */
export function faultKey({
  check,
  subject,
  message,
}: Pick<Finding, 'check' | 'subject' | 'message'>): string {
  return JSON.stringify([check, subject, message]);
}
