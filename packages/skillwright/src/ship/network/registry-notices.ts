// Warnings of a registry about a version of a skill.

import satisfies from 'semver/functions/satisfies.js';
import validRange from 'semver/ranges/valid.js';
import type { RegistryAdvisory, SkillIndex, VersionState } from '../protocol/index.ts';
import { Notice } from '../results/index.ts';
import { serverLine } from './server-words.ts';

/** All warnings about a version in an index, the most severe first. */
export function registryNotices(index: SkillIndex, version: string | undefined): Notice[] {
  const found = index.versions.find((one) => one.version === version);
  return stateNotices({
    installable: found?.installable ?? null,
    deprecated: index.deprecated,
    advisories:
      version === undefined ? [] : index.advisories.filter((advisory) => isAffected(advisory, version)),
  });
}

/** All warnings about an installed version, the most severe first. */
export function stateNotices({
  installable,
  advisories,
  deprecated,
}: Pick<VersionState, 'installable' | 'advisories' | 'deprecated'>): Notice[] {
  const notices: Notice[] = [
    ...(installable?.reasons ?? []).map(({ code, message }) => ({ kind: code, text: message })),
    ...advisories.map((advisory) => ({ kind: 'advisory' as const, text: describeAdvisory(advisory) })),
    ...(deprecated === null ? [] : [{ kind: 'deprecated' as const, text: deprecated }]),
  ];
  const { options } = Notice.shape.kind;
  return notices.sort((a, b) => options.indexOf(a.kind) - options.indexOf(b.kind));
}

/** An invalid range covers every version. */
function isAffected({ affected }: RegistryAdvisory, version: string): boolean {
  return validRange(affected) === null || satisfies(version, affected, { includePrerelease: true });
}

function describeAdvisory({ id, severity, summary, url }: RegistryAdvisory): string {
  return `${id} (${severity}): ${summary}${url === null ? '' : ` ${url}`}`;
}

/** A registry's text on one line. */
export const noticeLine = (text: string): string => serverLine(text, 300);
