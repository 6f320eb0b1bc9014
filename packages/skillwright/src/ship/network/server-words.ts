// The words a server adds to a refusal, made fit to be shown.

import * as z from 'zod';
import { hideSecrets, makeVisible } from '../../base/diagnostics/index.ts';
import { parseJson } from './parse-json.ts';

/** Bytes of a refusal that are read. */
export const MAX_REFUSAL_BYTES = 64 * 1024;
const MAX_LINES = 20;
const MAX_LINE = 500;

/** What a server says about a failure. */
export interface ServerWords {
  /** A name of the failure, where the server has one. */
  readonly code: string | undefined;
  readonly message: string;
  /** Indented, ready to be put under an error. */
  readonly detail: string;
}

/** The shapes in use: that of the registry protocol, `{"error": "…"}`, and `{"message": "…"}`. */
const Failure = z.union([
  z
    .object({
      error: z.object({
        code: z.string().optional(),
        message: z.string(),
        details: z.array(z.string()).optional(),
      }),
    })
    .transform(({ error }) => error),
  z
    .object({ error: z.string() })
    .transform(({ error }) => ({ message: error, code: undefined, details: undefined })),
  z
    .object({ message: z.string() })
    .transform(({ message }) => ({ message, code: undefined, details: undefined })),
]);

/** Reads the body of a refusal. Undefined where it says nothing that can be shown. Nothing in it controls a terminal. */
export function readServerWords(body: Uint8Array): ServerWords | undefined {
  const parsed = parseJson(body);
  if (parsed.problem !== undefined) return undefined;
  const failure = Failure.safeParse(parsed.value);
  if (!failure.success) return undefined;
  const { message, code, details = [] } = failure.data;
  const lines = [message, ...details].map(showLine).filter((line) => line !== '');
  if (lines.length === 0) return undefined;
  const hidden = lines.length - MAX_LINES;
  const shown = [...lines.slice(0, MAX_LINES), ...(hidden > 0 ? [`… and ${hidden} more`] : [])];
  return {
    code: code === undefined ? undefined : showLine(code),
    message: showLine(message),
    detail: shown.map((line) => `  ${line}`).join('\n'),
  };
}

function showLine(text: string): string {
  const line = makeVisible(
    hideSecrets(
      text
        .slice(0, 4 * MAX_LINE)
        .replace(/\s+/g, ' ')
        .trim(),
    ),
  );
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE).toWellFormed()}…` : line;
}
