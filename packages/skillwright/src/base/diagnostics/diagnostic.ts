// A fact about the user's files or situation: reported beside a result, never thrown.

import type { Code, CodeValues } from './codes.ts';
import { formatMessage } from './format-message.ts';
import type { SkillwrightError } from './skillwright-error.ts';

/** How bad a diagnostic is. `info` is neither counted nor able to fail a command. */
export type Severity = 'error' | 'warning' | 'info';

/** One reported fact. */
export interface Diagnostic {
  readonly code: Code;
  readonly severity: Severity;
  readonly message: string;
  readonly help?: string;
  readonly detail?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** A diagnostic of the table's code; the severity follows from its letter. */
export function diagnose<C extends Code>(
  code: C,
  values: CodeValues<C>,
  extras: Pick<Diagnostic, 'help' | 'detail' | 'data'> = {},
): Diagnostic {
  return {
    code,
    severity: code.startsWith('E') ? 'error' : 'warning',
    message: formatMessage(code, values),
    ...extras,
  };
}

/** `{"error":{code,message,help,data}}`: the JSON of a failed command, the same on every front end. */
export function failureJson({ code, message, help, data }: Diagnostic) {
  return { error: { code, message, help: help ?? null, data: data ?? null } };
}

/** An error seen as a diagnostic, for operations that report it and go on. */
export function diagnosticOf({ code, message, help, detail, data }: SkillwrightError): Diagnostic {
  return {
    ...{ code, severity: 'error', message },
    ...(help !== undefined && { help }),
    ...(detail !== undefined && { detail }),
    ...(data !== undefined && { data }),
  };
}
