// Chooses a version of a skill by the registry's own answer to "can it be installed".

import maxSatisfying from 'semver/ranges/max-satisfying.js';
import validRange from 'semver/ranges/valid.js';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { isSemver } from '../../skill/format/index.ts';
import type { IndexVersion, SkillIndex } from '../protocol/index.ts';
import { withheldError } from './withheld-version.ts';

/**
 * The version that matches a range or an exact version; by default the newest. Versions such as yanked ones count only
 * when named exactly. E201 when none fits, E236 and E237 when the named one is withheld.
 */
export function chooseVersion(index: SkillIndex, range?: string): IndexVersion {
  const offered = index.versions
    .filter(({ installable }) => installable.answer === 'yes')
    .map(({ version }) => version);
  const wanted =
    range !== undefined && isSemver(range) ? range : matchVersion(offered, { range, latest: index.latest });
  const found = index.versions.find(({ version }) => version === wanted);
  if (found !== undefined) {
    const withheld = withheldError(`${index.name}@${found.version}`, found);
    if (withheld !== undefined) throw withheld;
    return found;
  }
  const shown = offered.slice(0, 10).join(', ');
  const help = offered.length === 0 ? 'it has no version that can be installed' : `available: ${shown}`;
  throw SkillwrightError.of(
    'E201',
    { what: `${index.name}@${range ?? 'latest'}` },
    { help, data: { versions: offered } },
  );
}

/** The highest of the offered versions in a range; without one, the newest. Null when none fits. */
export function matchVersion(
  offered: readonly string[],
  { range = 'latest', latest }: { readonly range?: string | undefined; readonly latest: string | null },
): string | null {
  const versions = [...offered];
  if (range === 'latest') return latest ?? maxSatisfying(versions, '*', { includePrerelease: true });
  return validRange(range) === null ? null : maxSatisfying(versions, range);
}
