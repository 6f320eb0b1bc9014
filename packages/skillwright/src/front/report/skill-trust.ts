// The trust score of a skill on this machine, without asking anybody.

import { type ScanResult, scoreTrust, type TrustScore, trustFactsOf } from '../../guard/scan/index.ts';
import { compareWithLock, type InstalledEntry, isIntact } from '../../ship/install/index.ts';
import { readManifest } from '../../skill/format/index.ts';
import type { Skill } from '../../skill/skill/index.ts';

/** Facts that only a registry knows. */
const asked = new Set(['level', 'rating', 'downloads']);

/** The score of a skill, factor by factor. `installed` is its place in the lock. */
export function skillTrust(
  { dir, frontmatter }: Pick<Skill, 'dir' | 'frontmatter'>,
  {
    scan,
    installed,
    drift = installed && compareWithLock(dir, installed.entry),
  }: {
    scan: Pick<ScanResult, 'verdict' | 'bytes'>;
    installed: InstalledEntry | undefined;
    /** Its difference from the lock, if it was compared before. */
    drift?: ReturnType<typeof compareWithLock> | undefined;
  },
): TrustScore {
  const { entry, facts } = installed ?? {};
  const [, repository] =
    /^(?:git\+)?(https:\/\/[^\s#]+?)(?:\.git)?(?:#|$)/.exec(
      facts?.origin === null ? (facts?.source ?? '') : '',
    ) ?? [];
  const { commit, digest } = entry?.resolution ?? {};
  const trust = scoreTrust(
    trustFactsOf(dir, readManifest({ ...frontmatter }).manifest, {
      repository,
      isLocal: (commit ?? digest) === undefined && facts?.origin == null,
      verified: drift !== undefined && isIntact(drift) && (commit ?? digest) !== undefined,
      scan,
    }),
  );
  const isFromRegistry = facts !== undefined && facts.origin !== null;
  return {
    ...trust,
    factors: trust.factors.map((factor) =>
      isFromRegistry && asked.has(factor.factor)
        ? { ...factor, reason: 'the registry was not asked: this uses no network' }
        : factor,
    ),
  };
}
