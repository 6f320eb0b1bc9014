// Warnings of a registry about a version of a skill.

import satisfies from 'semver/functions/satisfies.js';
import validRange from 'semver/ranges/valid.js';
import type { RegistryAdvisory, RegistrySkill } from './registry-protocol.ts';

/** One warning about a version, in the registry's words. */
export interface RegistryNotice {
  readonly kind: 'yanked' | 'quarantined' | 'deprecated' | 'advisory';
  readonly text: string;
}

/** All warnings about a version, the most severe first. */
export function registryNotices(skill: RegistrySkill, version: string | undefined): RegistryNotice[] {
  const found = skill.versions.find((one) => one.version === version);
  const notices: RegistryNotice[] = [];
  if (found?.quarantined != null) notices.push({ kind: 'quarantined', text: found.quarantined });
  if (found?.yanked != null) notices.push({ kind: 'yanked', text: found.yanked });
  for (const advisory of skill.advisories)
    if (version !== undefined && isAffected(advisory, version))
      notices.push({ kind: 'advisory', text: describe(advisory) });
  if (skill.deprecated !== null) notices.push({ kind: 'deprecated', text: skill.deprecated });
  return notices;
}

/** An invalid range covers every version. */
function isAffected({ affected }: RegistryAdvisory, version: string): boolean {
  return validRange(affected) === null || satisfies(version, affected, { includePrerelease: true });
}

function describe({ id, severity, summary, url }: RegistryAdvisory): string {
  return `${id} (${severity}): ${summary}${url === null ? '' : ` ${url}`}`;
}
