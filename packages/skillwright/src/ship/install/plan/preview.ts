// Previews an installation before anything is written: scans, scores and describes the skills.

import { mkdirSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeVisible } from '../../../base/diagnostics/index.ts';
import { discardTemporary, formatBytes, walkTree } from '../../../base/files/index.ts';
import type { FindingIdentity, ScanFinding, ScanVerdict, TrustScore } from '../../../guard/scan/index.ts';
import { readFrontmatter, readManifest, readSkillText } from '../../../skill/format/index.ts';
import { describeFiles, readSkillFiles, type SkillFiles, writeSkillFiles } from '../place/stored-files.ts';
import type { FetchedSource } from '../source/fetched-source.ts';

/** The trust score below which installing warns, and the one below which it asks. */
export const WARN_BELOW = 50;
export const ASK_BELOW = 30;

/** Scan and score of a skill. */
export interface Review {
  /** Digest of the scanned files. */
  readonly digest: string;
  readonly files: number;
  readonly bytes: number;
  readonly verdict: ScanVerdict;
  /** All findings, worst first. */
  readonly findings: readonly (ScanFinding & FindingIdentity)[];
  readonly trust: TrustScore;
}

/** Status of a skill before it is installed. */
export type PreviewStatus =
  /** Not installed yet. */
  | 'new'
  /** Installed, with other content. */
  | 'update'
  /** Installed with the same content. */
  | 'unchanged'
  /** Would replace another skill or directory of that name. */
  | 'replace';

/** One skill of the preview. */
export interface PreviewedSkill {
  readonly name: string;
  readonly description: string;
  /** Path inside the source. */
  readonly path: string;
  readonly status: PreviewStatus;
  readonly review: Review;
  readonly agents: readonly string[];
}

/** Scans the skill in `dir` and scores it. */
export async function reviewSkill(
  dir: string,
  source: Pick<FetchedSource, 'repository' | 'registry' | 'verified'>,
): Promise<Review> {
  const { identifyFindings, scanSkill, scoreTrust, trustFactsOf } = await import(
    '../../../guard/scan/index.ts'
  );
  const { digest } = describeFiles(readSkillFiles(dir));
  const scan = scanSkill(dir, { everyFinding: true });
  const content = readSkillText(dir);
  const data = content.problem === undefined ? readFrontmatter(content.text).data : undefined;
  const { repository, registry, verified } = source;
  const facts = trustFactsOf(dir, readManifest({ ...data }).manifest, {
    repository,
    registry,
    verified,
    scan,
  });
  const { verdict } = scan;
  const findings = identifyFindings(dir, scan.findings);
  return { ...measure(dir), digest, verdict, findings, trust: scoreTrust(facts) };
}

/** Scans and scores files that are not on disk yet. */
export async function reviewFiles(
  name: string,
  files: SkillFiles,
  source: Pick<FetchedSource, 'repository' | 'registry' | 'verified'>,
): Promise<Review> {
  const root = mkdtempSync(join(tmpdir(), 'skc-review-'));
  try {
    const dir = join(root, name);
    mkdirSync(dir);
    writeSkillFiles(dir, files);
    return await reviewSkill(dir, source);
  } finally {
    discardTemporary(root);
  }
}

function measure(dir: string): { files: number; bytes: number } {
  const files = walkTree(dir).entries.filter(({ kind }) => kind === 'file');
  const sizes = files.map(({ path }) => statSync(join(dir, path), { throwIfNoEntry: false })?.size ?? 0);
  return { files: files.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

const SHOWN_FINDINGS = 5;

const statusWords: Readonly<Record<PreviewStatus, string>> = {
  new: 'new',
  update: 'update',
  unchanged: 'already installed',
  replace: 'replaces the existing one',
};

/** With more skills than this, each gets one line. */
const MAX_DETAILED = 8;

/** The preview of skills as lines for a person. */
export function renderPreviews(skills: readonly PreviewedSkill[]): string[] {
  if (skills.length <= MAX_DETAILED) return skills.flatMap(renderPreview);
  return skills.flatMap((skill) => {
    const { verdict, trust } = skill.review;
    if (verdict !== 'clean') return renderPreview(skill);
    return [`${describeSkill(skill)}; scan: clean; trust: ${trust.score}`];
  });
}

function describeSkill({ name, status, review, path }: PreviewedSkill): string {
  const { files, bytes } = review;
  const amount = `${files} ${files === 1 ? 'file' : 'files'}, ${formatBytes(bytes)}`;
  return `${name} (${statusWords[status]}; ${amount}${path === '' ? '' : `; ${makeVisible(path)}`})`;
}

function renderPreview(skill: PreviewedSkill): string[] {
  const { description, review, agents } = skill;
  const { verdict, findings, trust } = review;
  const hidden = findings.length - SHOWN_FINDINGS;
  return [
    describeSkill(skill),
    `  ${shorten(makeVisible(description))}`,
    `  scan: ${verdict}${findings.length === 0 ? '' : `, ${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}`}`,
    ...findings.slice(0, SHOWN_FINDINGS).map(describeFinding),
    ...(hidden > 0 ? [`    … and ${hidden} more`] : []),
    `  trust: ${trust.score} of 100 (${describeTrust(trust)})`,
    `  for: ${agents.length === 0 ? 'no agent' : agents.map(makeVisible).join(', ')}`,
  ];
}

function describeFinding({ severity, file, line, message }: ScanFinding): string {
  const where = line === null ? file : `${file}:${line}`;
  return `    ${severity}: ${makeVisible(where)}: ${makeVisible(message)}`;
}

/** The earned points, then the missing factors. */
function describeTrust({ factors, cap }: TrustScore): string {
  if (cap !== undefined) return makeVisible(cap.reason);
  const earned = factors
    .filter(({ points }) => points > 0)
    .map(({ factor, points }) => `${factor} ${points}`);
  const missing = factors.filter(({ points }) => points === 0).map(({ factor }) => factor);
  return [earned.join(', ') || 'no points', missing.length > 0 ? `without ${missing.join(', ')}` : '']
    .filter((part) => part !== '')
    .join('; ');
}

const shorten = (text: string) => (text.length > 160 ? `${text.slice(0, 159).trimEnd()}…` : text);
