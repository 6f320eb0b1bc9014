// Warnings of a registry about a version of a skill.

import satisfies from 'semver/functions/satisfies.js';
import validRange from 'semver/ranges/valid.js';
import { hideSecrets, makeVisible } from '../../base/diagnostics/index.ts';
import type { Installable, RegistryAdvisory, SkillIndex, VersionState } from '../protocol/index.ts';

/** Kinds of warnings, the most severe first. */
const noticeKinds = [
  'purged',
  'quarantined',
  'rejected',
  'pending',
  'scan',
  'yanked',
  'too-young',
  'advisory',
  'deprecated',
] as const;

/** One warning about a version, in the registry's words. */
export interface RegistryNotice {
  readonly kind: (typeof noticeKinds)[number];
  readonly text: string;
}

/** All warnings about a version in an index, the most severe first. */
export function registryNotices(index: SkillIndex, version: string | undefined): RegistryNotice[] {
  const found = index.versions.find((one) => one.version === version);
  return noticesFrom({
    installable: found?.installable ?? null,
    deprecated: index.deprecated,
    advisories:
      version === undefined ? [] : index.advisories.filter((advisory) => isAffected(advisory, version)),
  });
}

/** All warnings about an installed version, the most severe first. */
export function stateNotices(state: VersionState): RegistryNotice[] {
  return noticesFrom(state);
}

function noticesFrom({
  installable,
  advisories,
  deprecated,
}: {
  readonly installable: Installable | null;
  readonly advisories: readonly RegistryAdvisory[];
  readonly deprecated: string | null;
}): RegistryNotice[] {
  const notices: RegistryNotice[] = [
    ...(installable?.reasons ?? []).map(({ code, message }) => ({ kind: code, text: message })),
    ...advisories.map((advisory) => ({ kind: 'advisory' as const, text: describeAdvisory(advisory) })),
    ...(deprecated === null ? [] : [{ kind: 'deprecated' as const, text: deprecated }]),
  ];
  return notices.sort((a, b) => noticeKinds.indexOf(a.kind) - noticeKinds.indexOf(b.kind));
}

/** An invalid range covers every version. */
function isAffected({ affected }: RegistryAdvisory, version: string): boolean {
  return validRange(affected) === null || satisfies(version, affected, { includePrerelease: true });
}

function describeAdvisory({ id, severity, summary, url }: RegistryAdvisory): string {
  return `${id} (${severity}): ${summary}${url === null ? '' : ` ${url}`}`;
}

const MAX_TEXT = 300;

/** A registry's text on one line, shortened, without terminal control characters. */
export function noticeLine(text: string): string {
  const line = makeVisible(
    hideSecrets(
      text
        .slice(0, 4 * MAX_TEXT)
        .replace(/\s+/g, ' ')
        .trim(),
    ),
  );
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT).toWellFormed()}…` : line;
}
