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
  /** Set for a directory of this machine: it has no source that could speak for it. */
  readonly isLocal?: boolean | undefined;
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
const isText = (value: string | undefined): boolean => value !== undefined && value.trim() !== '';

/** A factor: its points and the reason for them. Only sources of the kind in `from` can say something about it. */
interface FactorRow {
  readonly factor: string;
  readonly max: number;
  readonly from?: 'registry' | 'source';
  judge(facts: TrustFacts): readonly [points: number, reason: string];
}

const given = (factor: string, field: 'license' | 'version' | 'author', max: number): FactorRow => ({
  factor,
  max,
  judge: (facts) =>
    isText(facts[field]) ? [max, `the ${factor} is declared`] : [0, `no ${factor} is declared`],
});

const rows: readonly FactorRow[] = [
  {
    factor: 'level',
    max: 20,
    from: 'registry',
    judge({ registry }) {
      const { level = 'community' } = registry ?? {};
      return [
        { community: 0, verified: 15, official: 20 }[level] ?? 0,
        `its level in the registry is ${level}`,
      ];
    },
  },
  {
    factor: 'repository',
    max: 10,
    from: 'source',
    judge({ repository, registry, claimedRepository }) {
      if (isText(repository)) return [10, `fetched from ${repository}`];
      if (isText(registry?.repository)) return [10, `its registry lists ${registry!.repository}`];
      return [
        0,
        isText(claimedRepository)
          ? 'the repository is known from the skill alone'
          : 'no public repository is known',
      ];
    },
  },
  given('licence', 'license', 10),
  given('version', 'version', 5),
  given('author', 'author', 5),
  {
    factor: 'rating',
    max: 15,
    from: 'registry',
    judge({ registry: { rating } = { level: 'community' } }) {
      if (rating === undefined || !Number.isFinite(rating)) return [0, 'it has no rating in a registry'];
      return rating >= 3.5 && rating <= 5
        ? [15, `rated ${rating} of 5`]
        : [0, `rated ${rating}; at least 3.5 of 5 is required`];
    },
  },
  {
    factor: 'downloads',
    max: 10,
    from: 'registry',
    judge({ registry: { downloads } = { level: 'community' } }) {
      if (downloads === undefined || !Number.isFinite(downloads))
        return [0, 'it has no download count in a registry'];
      const points = downloads >= 1000 ? 10 : downloads >= 100 ? 5 : 0;
      return [points, `${formatCount(downloads, 'download')}; 5 points from 100, 10 from 1000`];
    },
  },
  {
    factor: 'scan',
    max: 20,
    judge: ({ scan }) =>
      scan === undefined
        ? [0, 'it was not scanned']
        : (
            {
              clean: [20, 'the scan found nothing to worry about'],
              caution: [5, 'the scan found things to review first'],
              danger: [0, 'the scan found danger'],
            } as const
          )[scan],
  },
  {
    factor: 'size',
    max: 15,
    judge({ bytes }) {
      if (bytes === undefined) return [0, 'its size was not measured'];
      const points = bytes <= MIB ? 15 : bytes <= 10 * MIB ? 10 : bytes <= 50 * MIB ? 5 : 0;
      return [points, `${formatBytes(bytes)}; 15 points up to 1 MiB, 10 up to 10 MiB, 5 up to 50 MiB`];
    },
  },
  {
    factor: 'integrity',
    max: 10,
    from: 'source',
    judge: ({ verified }) =>
      verified
        ? [10, 'it matches the digest from its source']
        : [0, 'its source provides no digest to check'],
  },
];

/**
 * Scores a skill: the share of the points that a skill of such a source can have. What only a registry knows counts for skills
 * of a registry, and what only a source knows for skills that were fetched; other factors have a maximum of 0.
 */
export function scoreTrust(facts: TrustFacts): TrustScore {
  const factors = rows.map(({ factor, max, from, judge }): TrustFactor => {
    const uncounted =
      facts.registry !== undefined
        ? undefined
        : from === 'registry'
          ? 'not counted: it does not come from a registry'
          : from === 'source' && facts.isLocal
            ? 'not counted: it is a directory of this machine'
            : undefined;
    if (uncounted !== undefined) return { factor, points: 0, max: 0, reason: uncounted };
    const [points, reason] = judge(facts);
    return { factor, points, max, reason };
  });
  const total = (of: 'points' | 'max') => factors.reduce((sum, factor) => sum + factor[of], 0);
  const sum = Math.min(100, Math.round((100 * total('points')) / Math.min(100, total('max'))));
  if (facts.scan !== 'danger' || sum <= DANGER_CAP) return { score: sum, factors, cap: null };
  return {
    score: DANGER_CAP,
    factors,
    cap: { at: DANGER_CAP, reason: 'the scan found danger, which caps the score' },
  };
}

/** Facts that the installer knows about a skill. */
interface FetchFacts {
  readonly repository?: string | undefined;
  readonly registry?: TrustFacts['registry'];
  readonly verified: boolean;
  readonly scan?: Pick<ScanResult, 'verdict' | 'bytes'> | undefined;
  readonly isLocal?: boolean | undefined;
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
    isLocal: fetched.isLocal,
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
