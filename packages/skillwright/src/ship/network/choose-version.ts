// Chooses a version of a skill by the registry's own answer to "can it be installed", says why one is withheld, and what the
// registry warns about.

import satisfies from 'semver/functions/satisfies.js';
import maxSatisfying from 'semver/ranges/max-satisfying.js';
import validRange from 'semver/ranges/valid.js';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { isSemver } from '../../skill/format/index.ts';
import {
  type IndexVersion,
  InstallReason,
  type RegistryAdvisory,
  type SkillIndex,
  type VersionState,
} from '../protocol/index.ts';
import { Notice } from '../results/index.ts';
import { serverLine } from './server-words.ts';

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

const OTHER = 'use another version';

/** E236 for a purged version, E237 for one that cannot be installed for other reasons; undefined for the rest. */
function withheldError(
  what: string,
  { purged, installable: { answer, reasons } }: Pick<IndexVersion, 'purged' | 'installable'>,
): SkillwrightError | undefined {
  const gone = purged ?? reasons.find(({ code }) => code === 'purged')?.message;
  const data = { what, reasons };
  if (gone !== undefined)
    return SkillwrightError.of('E236', { what, why: noticeLine(gone) }, { help: OTHER, data });
  if (answer !== 'no') return undefined;
  const why = reasons.map(({ code, message }) => `${code}: ${noticeLine(message)}`).join('; ');
  return SkillwrightError.of('E237', { what, why: why === '' ? 'it gives no reason' : why }, { data });
}

/** Warnings for which a registry no longer hands a version out. */
const withholding: ReadonlySet<Notice['kind']> = new Set([
  'purged',
  'quarantined',
  'rejected',
  'pending',
  'scan',
]);

/** The same error for an installed version, from the warnings about it; undefined when it may be installed again. */
export function withheldByNotices(what: string, notices: readonly Notice[]): SkillwrightError | undefined {
  const reasons = notices.flatMap(({ kind, text }) => {
    const { data: code } = InstallReason.shape.code.safeParse(kind);
    return code === undefined || !withholding.has(kind) ? [] : [{ code, message: text }];
  });
  if (reasons.length === 0) return undefined;
  return withheldError(what, { purged: null, installable: { answer: 'no', reasons } });
}

/** Runs a request for a version; E236 and E237 when the registry answers that it is purged or quarantined. */
export async function explainWithheld<Value>(what: string, request: () => Promise<Value>): Promise<Value> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    const { error: code, said, status } = error.data ?? {};
    const why = typeof said === 'string' ? said : 'it gives no reason';
    const data = { ...error.data, what };
    if (code === 'purged' || status === 410)
      throw SkillwrightError.of('E236', { what, why }, { help: OTHER, data, cause: error });
    if (code === 'quarantined')
      throw SkillwrightError.of('E237', { what, why: `quarantined: ${why}` }, { data, cause: error });
    throw error;
  }
}

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
