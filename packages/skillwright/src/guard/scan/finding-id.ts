// Identity of a finding. It stays the same until the file changes, so reviews and acceptances can refer to it.

import { readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, orUndefined } from '../../base/diagnostics/index.ts';
import { decodeText, readInside, sha256, splitLines } from '../../base/files/index.ts';
import type { ScanFinding } from './finding.ts';

/** Tells one finding from another, whatever the wording of its message. */
export interface FindingIdentity {
  /** Twelve hexadecimal digits, derived from the other fields: short enough to type. Compare `rule`, `file` and `digest` too. */
  readonly id: string;
  readonly rule: string;
  readonly file: string;
  /** Digest of the whole file (`sha256:<hex>`): any change to the file changes the identity of the finding. */
  readonly digest: string;
}

/** The identity of a finding in a file with this digest, on a line with this text. */
export function findingIdentity(
  { rule, file }: Pick<ScanFinding, 'rule' | 'file'>,
  { digest, line }: { readonly digest: string; readonly line: string },
): FindingIdentity {
  const id = sha256(JSON.stringify([rule, file, digest, line.trim()])).slice(0, 12);
  return { id, rule, file, digest };
}

/**
 * The identities of findings of the skill in `dir`, in the same order. Each file is read once. Total: for anything but a
 * readable file the digest is that of the link's target, or of nothing.
 */
export function identifyFindings<Finding extends Pick<ScanFinding, 'rule' | 'file' | 'line'>>(
  dir: string,
  findings: readonly Finding[],
): (Finding & FindingIdentity)[] {
  const files = new Map<string, { digest: string; lines: readonly string[] }>();
  return findings.map((finding) => {
    const known = files.get(finding.file) ?? readFor(dir, finding.file);
    files.set(finding.file, known);
    const line = finding.line === null ? '' : (known.lines[finding.line - 1] ?? '');
    return { ...finding, ...findingIdentity(finding, { digest: known.digest, line }) };
  });
}

function readFor(dir: string, file: string): { digest: string; lines: readonly string[] } {
  const bytes = attempt(() => readInside(dir, file, { maxBytes: Number.MAX_SAFE_INTEGER }));
  if (bytes !== undefined)
    return { digest: `sha256:${sha256(bytes)}`, lines: splitLines(decodeText(bytes).text) };
  const target = orUndefined(() => readlinkSync(join(dir, file))) ?? '';
  return { digest: `sha256:${sha256(target)}`, lines: [] };
}
