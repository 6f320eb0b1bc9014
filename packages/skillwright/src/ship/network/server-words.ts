// Reads the message of a server that refused a request, safe to print.

import * as z from 'zod';
import { hideSecrets, makeVisible } from '../../base/diagnostics/index.ts';
import { parseJson } from './parse-json.ts';

/** Bytes read from a refusal. */
export const MAX_REFUSAL_BYTES = 64 * 1024;
const MAX_LINES = 20;
const MAX_LINE = 500;

/** Message of a server about a failure. */
export interface ServerWords {
  /** Code of the failure, if the server sends one. */
  readonly code: string | undefined;
  readonly message: string;
  /** Indented, to print under an error. */
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

/** Reads the body of a refusal; undefined when it has no message. The result contains no terminal control characters. */
export function readServerWords(body: Uint8Array): ServerWords | undefined {
  const parsed = parseJson(body);
  if (parsed.problem !== undefined) return undefined;
  const failure = Failure.safeParse(parsed.value);
  if (!failure.success) return undefined;
  const { message, code, details = [] } = failure.data;
  const showLine = (line: string) => serverLine(line, MAX_LINE);
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

/** Text of a server on one line, shortened, without secrets and terminal control characters. */
export function serverLine(text: string, most: number): string {
  const plain = text
    .slice(0, 4 * most)
    .replace(/\s+/g, ' ')
    .trim();
  const line = makeVisible(hideSecrets(plain));
  return line.length > most ? `${line.slice(0, most).toWellFormed()}…` : line;
}
