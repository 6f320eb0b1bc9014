// Text of the log: canonical JSON, base64, and the error for what does not parse.

import { SkillwrightError } from '../../base/diagnostics/index.ts';

/** Canonical JSON of plain values. */
export function canonicalJson(value: object): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

/** The bytes of standard Base64; undefined unless it is the one spelling of them. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

/** The error for log data that does not follow its format. */
export function malformed(why: string): SkillwrightError {
  return SkillwrightError.of('E233', { why });
}
