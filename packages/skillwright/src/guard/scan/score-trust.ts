// How far a skill can be trusted: a score from 0 to 100, explained factor by factor.

import { readdirSync } from 'node:fs';
import * as z from 'zod';
import { formatCount } from '../../base/diagnostics/index.ts';
import { formatBytes } from '../../base/files/index.ts';
import { findRegistryField, type SkillManifest } from '../../skill/format/index.ts';
import type { ScanResult, ScanVerdict } from './finding.ts';

/** Facts about a skill. None comes from the skill's own claim about its trust level. */
export interface TrustFacts {
  /** Claims of a registry; absent for every other kind of source. */
  readonly registry?:
    | {
        readonly level: 'community' | 'verified' | 'official';
        /** From 0 to 5. */
        readonly rating?: number | undefined;
        readonly downloads?: number | undefined;
        /** The source repository according to the registry. */
        readonly repository?: string | undefined;
      }
    | undefined;
  /** The public repository the skill was fetched from. */
  readonly repository?: string | undefined;
  /** A home that only the skill itself names. */
  readonly claimedRepository?: string | undefined;
  readonly license?: string | undefined;
  readonly version?: string | undefined;
  readonly author?: string | undefined;
  /** Absent if it was not scanned. */
  readonly scan?: ScanVerdict | undefined;
  /** Size of all its files; absent if not measured. */
  readonly bytes?: number | undefined;
  /** Whether a digest from the source itself was checked. */
  readonly verified: boolean;
}

/** The score and its factors. */
export const TrustScore = z.object({
  score: z.number().describe('From 0 to 100'),
  factors: z.array(z.object({ factor: z.string(), points: z.number(), max: z.number(), reason: z.string() })),
  cap: z
    .object({ at: z.number(), reason: z.string() })
    .nullable()
    .describe('Set if the score was capped, whatever the factors add up to'),
});
/** The score and its factors. */
export type TrustScore = z.output<typeof TrustScore>;

type TrustFactor = TrustScore['factors'][number];

/** Maximum score of a skill with a danger verdict: below the 30 at which installing asks you to accept the risk. */
const DANGER_CAP = 10;

const MIB = 1024 * 1024;
const sizes = [
  { atMost: MIB, points: 15 },
  { atMost: 10 * MIB, points: 10 },
  { atMost: 50 * MIB, points: 5 },
] as const;

const isText = (value: string | undefined) => value !== undefined && value.trim() !== '';

/** Scores a skill. */
export function scoreTrust(facts: TrustFacts): TrustScore {
  const factors = [
    levelFactor(facts),
    repositoryFactor(facts),
    given('licence', facts.license, 10),
    given('version', facts.version, 5),
    given('author', facts.author, 5),
    ratingFactor(facts),
    downloadsFactor(facts),
    scanFactor(facts),
    sizeFactor(facts),
    {
      factor: 'integrity',
      points: facts.verified ? 10 : 0,
      max: 10,
      reason: facts.verified
        ? 'it matches the digest from its source'
        : 'its source provides no digest to check',
    },
  ];
  const sum = Math.min(
    100,
    factors.reduce((total, { points }) => total + points, 0),
  );
  if (facts.scan !== 'danger' || sum <= DANGER_CAP) return { score: sum, factors, cap: null };
  return {
    score: DANGER_CAP,
    factors,
    cap: { at: DANGER_CAP, reason: 'the scan found danger, which caps the score' },
  };
}

function levelFactor({ registry }: TrustFacts): TrustFactor {
  const max = 20;
  if (registry === undefined)
    return { factor: 'level', points: 0, max, reason: 'it has no level in a registry' };
  const points = { community: 0, verified: 15, official: 20 }[registry.level] ?? 0;
  return { factor: 'level', points, max, reason: `its level in the registry is ${registry.level}` };
}

function repositoryFactor({ repository, registry, claimedRepository }: TrustFacts): TrustFactor {
  const max = 10;
  if (isText(repository))
    return { factor: 'repository', points: 10, max, reason: `fetched from ${repository}` };
  if (isText(registry?.repository))
    return { factor: 'repository', points: 10, max, reason: `its registry lists ${registry!.repository}` };
  if (isText(claimedRepository))
    return { factor: 'repository', points: 0, max, reason: 'the repository is known from the skill alone' };
  return { factor: 'repository', points: 0, max, reason: 'no public repository is known' };
}

function given(factor: string, value: string | undefined, max: number): TrustFactor {
  return isText(value)
    ? { factor, points: max, max, reason: `the ${factor} is declared` }
    : { factor, points: 0, max, reason: `no ${factor} is declared` };
}

function ratingFactor({ registry }: TrustFacts): TrustFactor {
  const max = 15;
  const rating = registry?.rating;
  if (rating === undefined || !Number.isFinite(rating))
    return { factor: 'rating', points: 0, max, reason: 'it has no rating in a registry' };
  const good = rating >= 3.5 && rating <= 5;
  return {
    factor: 'rating',
    points: good ? max : 0,
    max,
    reason: good ? `rated ${rating} of 5` : `rated ${rating}; at least 3.5 of 5 is required`,
  };
}

function downloadsFactor({ registry }: TrustFacts): TrustFactor {
  const max = 10;
  const downloads = registry?.downloads;
  if (downloads === undefined || !Number.isFinite(downloads))
    return { factor: 'downloads', points: 0, max, reason: 'it has no download count in a registry' };
  const points = downloads >= 1000 ? 10 : downloads >= 100 ? 5 : 0;
  return {
    factor: 'downloads',
    points,
    max,
    reason: `${formatCount(downloads, 'download')}; 5 points from 100, 10 from 1000`,
  };
}

function scanFactor({ scan }: TrustFacts): TrustFactor {
  const max = 20;
  if (scan === undefined) return { factor: 'scan', points: 0, max, reason: 'it was not scanned' };
  const points = { clean: 20, caution: 5, danger: 0 }[scan];
  const reason = {
    clean: 'the scan found nothing to worry about',
    caution: 'the scan found things to review first',
    danger: 'the scan found danger',
  }[scan];
  return { factor: 'scan', points, max, reason };
}

function sizeFactor({ bytes }: TrustFacts): TrustFactor {
  const max = 15;
  if (bytes === undefined) return { factor: 'size', points: 0, max, reason: 'its size was not measured' };
  const points = sizes.find(({ atMost }) => bytes <= atMost)?.points ?? 0;
  return {
    factor: 'size',
    points,
    max,
    reason: `${formatBytes(bytes)}; 15 points up to 1 MiB, 10 up to 10 MiB, 5 up to 50 MiB`,
  };
}

/** Facts that the installer knows about a skill. */
export interface FetchFacts {
  readonly repository?: string | undefined;
  readonly registry?: TrustFacts['registry'];
  readonly verified: boolean;
  readonly scan?: Pick<ScanResult, 'verdict' | 'bytes'> | undefined;
}

/** The facts about the skill in `dir`. A `trust-level` in its own manifest does not count. */
export function trustFactsOf(dir: string, manifest: SkillManifest, fetched: FetchFacts): TrustFacts {
  const text = (field: string): string | undefined => {
    const value = findRegistryField(manifest, field)?.value;
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  };
  return {
    registry: fetched.registry,
    repository: fetched.repository,
    claimedRepository: text('repository'),
    license: manifest.license ?? text('license') ?? licenseFile(dir),
    version: text('version'),
    author: text('author'),
    scan: fetched.scan?.verdict,
    bytes: fetched.scan?.bytes,
    verified: fetched.verified,
  };
}

/** The name of a licence file in the skill's directory. */
function licenseFile(dir: string): string | undefined {
  try {
    return readdirSync(dir).find((name) => /^(?:licen[cs]e|copying)(?:[-.]|$)/i.test(name));
  } catch {
    // An unreadable directory has no licence file.
    return undefined;
  }
}
