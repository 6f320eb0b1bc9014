// Versions: semantic ones (semver.org 2.0.0), and `min-skillli-version`, the oldest version of the tool a skill works with.

import { toolVersion } from '../../base/version.ts';
import { textOfRegistryField } from './registry-field.ts';

const IDENTIFIER = '(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)';
const SEMVER = new RegExp(
  `^(?:0|[1-9]\\d*)(?:\\.(?:0|[1-9]\\d*)){2}(?:-${IDENTIFIER}(?:\\.${IDENTIFIER})*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
);

/** Whether a text is a complete semantic version such as `1.2.0` or `2.0.0-beta.1`. */
export function isSemver(version: string): boolean {
  return version.length <= 256 && SEMVER.test(version);
}

/** The version a skill needs, if newer than this skc. Text that does not parse as a version requires nothing. */
export function unreachedVersion(data: Readonly<Record<string, unknown>>): string | undefined {
  const needed = textOfRegistryField(data, 'min-skillli-version');
  return needed === undefined || isReached(needed, toolVersion) ? undefined : needed;
}

const VERSION = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(-[0-9A-Za-z.-]+)?(?:\+.*)?$/;

/** Whether a text is a version; missing parts are 0. */
export function isLooseVersion(text: string): boolean {
  return text.length <= 256 && VERSION.test(text);
}

/** Whether `version` is `needed` or newer. A pre-release is older than its release. */
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
