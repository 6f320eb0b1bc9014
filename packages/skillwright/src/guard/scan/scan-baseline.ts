// Reviewed findings, kept in a file. A review expires when the file with the finding changes.

import { readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { attempt, orUndefined } from '../../base/diagnostics/index.ts';
import {
  decodeText,
  makeDirectory,
  readInside,
  sha256,
  splitLines,
  writeFileAtomic,
} from '../../base/files/index.ts';
import { readBaselineFile } from './baseline-file.ts';
import type { ScanFinding, ScanResult } from './finding.ts';
import { judgeFindings } from './judge-findings.ts';

/** One reviewed finding. */
export const ReviewedFinding = z.object({
  id: z.string().describe('Id of the finding, valid until its file changes'),
  rule: z.string(),
  skill: z.string().describe("Name of the skill's directory"),
  file: z.string(),
  digest: z.string().describe('Digest of the file at the time of the review'),
  by: z.string(),
  why: z.string(),
  at: z.string().describe('When it was reviewed'),
});
/** One reviewed finding. */
export type ReviewedFinding = z.output<typeof ReviewedFinding>;

const Baseline = z.object({ version: z.literal(1), findings: z.array(ReviewedFinding) });

const MAX_BYTES = 8 * 1024 * 1024;

/** The reviews in a file; E223 when it is unusable, or missing although required. */
export function readBaseline(path: string, { isNew }: { isNew: boolean }): ReviewedFinding[] {
  return (
    readBaselineFile(path, { schema: Baseline, maxBytes: MAX_BYTES, code: 'E223', isNew })?.findings ?? []
  );
}

/** Writes reviews to a file, sorted, so that changing one changes only its lines. */
export function writeBaseline(path: string, findings: readonly ReviewedFinding[]): void {
  const sorted = findings.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  makeDirectory(dirname(path));
  writeFileAtomic(path, `${JSON.stringify({ version: 1, findings: sorted }, null, 2)}\n`);
}

const sortKey = ({ skill, file, rule, id }: ReviewedFinding): string => [skill, file, rule, id].join('\0');

/** A scan result with reviews applied. */
interface UnderReview {
  readonly result: ScanResult;
  /** Reviews that still apply. */
  readonly reviewed: readonly ReviewedFinding[];
  /** Reviews of a file that has changed since. */
  readonly expired: readonly ReviewedFinding[];
  /** Findings without a review, with their identities. */
  readonly open: readonly (ScanFinding & FindingIdentity)[];
}

/** Removes reviewed findings from a result and judges the rest. */
export function applyBaseline(
  scanned: { readonly dir: string; readonly skill: string; readonly result: ScanResult },
  reviews: readonly ReviewedFinding[],
): UnderReview {
  const { dir, skill, result } = scanned;
  const own = reviews.filter((review) => review.skill === skill);
  const found = identifyFindings(
    dir,
    result.findings.filter(({ is_sum }) => is_sum !== true),
  );
  const isSame = (review: ReviewedFinding, finding: FindingIdentity): boolean =>
    review.id === finding.id &&
    review.rule === finding.rule &&
    review.file === finding.file &&
    review.digest === finding.digest;
  const open = found.filter((finding) => !own.some((review) => isSame(review, finding)));
  const reviewed = own.filter((review) => found.some((finding) => isSame(review, finding)));
  const expired = own.filter(
    (review) =>
      !reviewed.includes(review) &&
      open.some(
        ({ rule, file, digest }) => rule === review.rule && file === review.file && digest !== review.digest,
      ),
  );
  const left = open.map(({ id: _, digest: __, ...finding }) => finding);
  return {
    result: { ...result, ...judgeFindings(left, { isPartial: !result.complete }) },
    reviewed,
    expired,
    open,
  };
}

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
