// `min-skillli-version`: the oldest version of the tool that a skill works with.

import { toolVersion } from '../../base/version.ts';
import { isMapping } from './format-issue.ts';
import { writtenText } from './written-text.ts';

const FIELD = 'min-skillli-version';

/** The version a skill needs, where this skc does not reach it. A text that is no version demands nothing. */
export function unreachedVersion(data: Readonly<Record<string, unknown>>): string | undefined {
  const needed = writtenField(data);
  if (needed === undefined) return undefined;
  return isReached(needed, toolVersion) ? undefined : needed;
}

function writtenField(data: Readonly<Record<string, unknown>>): string | undefined {
  const { metadata } = data;
  if (FIELD in data) return writtenText(data, FIELD)?.trim();
  return isMapping(metadata) ? writtenText(metadata, FIELD)?.trim() : undefined;
}

const VERSION = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(-[0-9A-Za-z.-]+)?(?:\+.*)?$/;

/** Whether a text names a version; parts that are left out are 0. */
export function isLooseVersion(text: string): boolean {
  return text.length <= 256 && VERSION.test(text);
}

/** Whether `version` is `needed` or newer. Of two with the same numbers, the one that comes before a release is older. */
export function isReached(needed: string, version: string): boolean {
  const [, ...wanted] = (needed.length <= 256 ? VERSION.exec(needed) : null) ?? [];
  const [, ...given] = VERSION.exec(version) ?? [];
  if (wanted.length === 0 || given.length === 0) return true;
  for (const part of [0, 1, 2]) {
    const difference = Number(given[part] ?? 0) - Number(wanted[part] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return given[3] === undefined || wanted[3] !== undefined;
}
