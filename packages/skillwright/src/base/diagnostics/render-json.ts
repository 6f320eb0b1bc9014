// The JSON shape of a failure, the same on every front end.

import type { Code } from './codes.ts';
import type { Diagnostic } from './diagnostic.ts';

/** What `--json` prints when a command fails. */
interface FailureJson {
  error: { code: Code; message: string; help: string | null; data: Readonly<Record<string, unknown>> | null };
}

/** `{"error":{code,message,help,data}}` for one failure. */
export function failureJson({ code, message, help, data }: Diagnostic): FailureJson {
  return { error: { code, message, help: help ?? null, data: data ?? null } };
}
