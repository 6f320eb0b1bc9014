// Previews an installation before anything is written: scans, scores and describes the skills.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, makeVisible } from '../../../base/diagnostics/index.ts';
import { formatBytes, makePrivateDirectory } from '../../../base/files/index.ts';
import type { FindingIdentity, ScanFinding, ScanVerdict, TrustScore } from '../../../guard/scan/index.ts';
import { readManifest, shorten } from '../../../skill/format/index.ts';
import { openSkill, type Skill } from '../../../skill/skill/index.ts';
import type { ReviewSummary } from '../../results/index.ts';
import { describeFiles, type SkillFiles, writeSkillFiles } from '../place/stored-files.ts';
import type { FetchedSkill, FetchedSource } from '../source/fetched-source.ts';

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

/**
 * Status of a skill before it is installed: `update` with other content, `unchanged` with the same, `replace` for another
 * skill or directory of that name.
 */
export type PreviewStatus = 'new' | 'update' | 'unchanged' | 'replace';

/** One skill of the preview. */
export interface Preview {
  readonly name: string;
  readonly description: string;
  /** Path inside the source. */
  readonly path: string;
  readonly status: PreviewStatus;
  readonly review: Review;
  /** Undefined before the user has chosen them. */
  readonly agents?: readonly string[] | undefined;
}

/** Facts of a source that count for the trust score. */
type SourceFacts = Pick<FetchedSource, 'repository' | 'registry' | 'verified'> &
  Partial<Pick<FetchedSource, 'source'>>;

/** Scans a staged skill and scores it. */
export function reviewSkill(
  skill: Pick<FetchedSkill, 'dir' | 'everything' | 'frontmatter' | 'content' | 'bytes'>,
  source: SourceFacts,
): Promise<Review> {
  const { dir, content, bytes } = skill;
  const measured = { digest: content.digest, files: Object.keys(content.files).length, bytes };
  return review(dir, { skill, measured, source });
}

/** Scans and scores files that are not on disk yet. */
export async function reviewFiles(name: string, files: SkillFiles, source: SourceFacts): Promise<Review> {
  const root = makePrivateDirectory();
  try {
    const dir = join(root.path, name);
    mkdirSync(dir);
    writeSkillFiles(dir, files);
    const bytes = [...files.values()].reduce((sum, file) => sum + file.bytes.length, 0);
    const measured = { digest: describeFiles(files).digest, files: files.size, bytes };
    // Every file that would be placed is scanned, hidden ones too.
    const entries = [...files.keys()].map((path) => ({ path, kind: 'file' as const }));
    const skill = attempt(() => ({ ...openSkill(dir), everything: () => ({ entries, truncated: false }) }));
    return await review(dir, { skill, measured, source });
  } finally {
    root.remove();
  }
}

async function review(
  dir: string,
  {
    skill,
    measured,
    source: { repository, registry, verified, source },
  }: {
    skill: Pick<Skill, 'dir' | 'everything' | 'frontmatter'> | undefined;
    measured: Pick<Review, 'digest' | 'files' | 'bytes'>;
    source: SourceFacts;
  },
): Promise<Review> {
  const { identifyFindings, scanSkill, scoreTrust, trustFactsOf } = await import(
    '../../../guard/scan/index.ts'
  );
  const scan = scanSkill(skill ?? dir, { everyFinding: true });
  const { manifest } = readManifest({ ...skill?.frontmatter });
  const isLocal = source?.kind === 'path';
  const facts = trustFactsOf(dir, manifest, { repository, registry, verified, isLocal, scan });
  const findings = identifyFindings(dir, scan.findings);
  return { ...measured, verdict: scan.verdict, findings, trust: scoreTrust(facts) };
}

/** Findings in a printed result. */
const PRINTED_FINDINGS = 20;

/** A review as it is printed. */
export function summarizeReview({ files, bytes, verdict, findings, trust }: Review): ReviewSummary {
  const printed = findings.slice(0, PRINTED_FINDINGS);
  return {
    files,
    bytes,
    scan: {
      verdict,
      findings: printed.map(({ id, rule, severity, file, line, message }) => ({
        id,
        rule,
        severity,
        file,
        line,
        message,
      })),
      total: findings.length,
    },
    trust: {
      score: trust.score,
      factors: trust.factors.map(({ factor, points, max, reason }) => ({ factor, points, max, reason })),
    },
  };
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
export function renderPreviews(skills: readonly Preview[]): string[] {
  if (skills.length <= MAX_DETAILED) return skills.flatMap(renderPreview);
  return skills.flatMap((skill) => {
    const { verdict, trust } = skill.review;
    if (verdict !== 'clean') return renderPreview(skill);
    return [`${describeSkill(skill)}; scan: clean; trust: ${trust.score}`];
  });
}

function describeSkill({ name, status, review, path }: Preview): string {
  const { files, bytes } = review;
  const amount = `${files} ${files === 1 ? 'file' : 'files'}, ${formatBytes(bytes)}`;
  return `${name} (${statusWords[status]}; ${amount}${path === '' ? '' : `; ${makeVisible(path)}`})`;
}

function renderPreview(skill: Preview): string[] {
  const { description, review, agents } = skill;
  const { verdict, findings, trust } = review;
  const hidden = findings.length - SHOWN_FINDINGS;
  return [
    describeSkill(skill),
    `  ${shorten(makeVisible(description), 160)}`,
    `  scan: ${verdict}${findings.length === 0 ? '' : `, ${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}`}`,
    ...findings.slice(0, SHOWN_FINDINGS).map(describeFinding),
    ...(hidden > 0 ? [`    … and ${hidden} more`] : []),
    `  trust: ${trust.score} of 100 (${describeTrust(trust)})`,
    ...(agents === undefined
      ? []
      : [`  for: ${agents.length === 0 ? 'no agent' : agents.map(makeVisible).join(', ')}`]),
  ];
}

function describeFinding({ severity, file, line, message }: ScanFinding): string {
  const where = line === null ? file : `${file}:${line}`;
  return `    ${severity}: ${makeVisible(where)}: ${makeVisible(message)}`;
}

/** The earned points, then the missing factors. */
function describeTrust({ factors, cap }: TrustScore): string {
  if (cap !== null) return makeVisible(cap.reason);
  const earned = factors
    .filter(({ points }) => points > 0)
    .map(({ factor, points }) => `${factor} ${points}`);
  const missing = factors.filter(({ points, max }) => points === 0 && max > 0).map(({ factor }) => factor);
  return [earned.join(', ') || 'no points', missing.length > 0 ? `without ${missing.join(', ')}` : '']
    .filter((part) => part !== '')
    .join('; ');
}
