// The document of an npm package, and the choice of a version.

import maxSatisfying from 'semver/ranges/max-satisfying.js';
import validRange from 'semver/ranges/valid.js';
import * as z from 'zod';
import { SkillwrightError } from '../../../../base/diagnostics/index.ts';

const Dist = z.looseObject({
  tarball: z.url({ protocol: /^https?$/ }),
  integrity: z.string().optional(),
  shasum: z.string().optional(),
});

/** The parts of a package document that are used. */
export const NpmPackage = z.looseObject({
  'dist-tags': z.record(z.string(), z.string()).default({}),
  versions: z.record(z.string(), z.looseObject({ dist: Dist })).default({}),
});
export type NpmPackage = z.infer<typeof NpmPackage>;

/** One version of a package. */
export interface NpmVersion {
  readonly version: string;
  readonly dist: z.infer<typeof Dist>;
}

/** The version for a range, a tag or an exact version; without one, the latest. E201 when none matches. */
export function chooseVersion(name: string, document: NpmPackage, range = 'latest'): NpmVersion {
  const { versions, 'dist-tags': tags } = document;
  const known = Object.keys(versions);
  const version = Object.hasOwn(versions, range)
    ? range
    : Object.hasOwn(tags, range)
      ? tags[range]
      : validRange(range) === null
        ? null
        : preferLatest(known, { range, latest: tags.latest });
  const found =
    typeof version === 'string' && Object.hasOwn(versions, version) ? versions[version] : undefined;
  if (found !== undefined) return { version: version as string, dist: found.dist };
  throw SkillwrightError.of('E201', { what: `npm:${name}@${range}` });
}

/** Like npm: the version tagged latest if it matches, else the highest match. */
function preferLatest(
  known: readonly string[],
  { range, latest }: { range: string; latest: string | undefined },
): string | null {
  const isFit = latest !== undefined && maxSatisfying([latest], range) !== null;
  return isFit ? latest : maxSatisfying(known, range);
}
