// Errors for versions that a registry withholds.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { type IndexVersion, InstallReason } from '../protocol/index.ts';
import { noticeLine, type RegistryNotice } from './registry-notices.ts';

const OTHER = 'use another version';

/** E236 for a purged version, E237 for one that cannot be installed for other reasons; undefined for the rest. */
export function withheldError(
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
const withholding: ReadonlySet<RegistryNotice['kind']> = new Set([
  'purged',
  'quarantined',
  'rejected',
  'pending',
  'scan',
]);

/** The same error for an installed version, from the warnings about it; undefined when it may be installed again. */
export function withheldByNotices(
  what: string,
  notices: readonly RegistryNotice[],
): SkillwrightError | undefined {
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
