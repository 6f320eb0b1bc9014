// Versions of mirrored skills.

import { isSemver } from 'skillwright/skill';

/**
 * The author's version while it is new. When its content changed but the version did not, or there is none, the day:
 * `1.2.0+20261116` after 1.2.0, or `0.20261116.0`. A second change on the same day counts up.
 */
export function chooseVersion(
  declared: string | undefined,
  { taken, now }: { readonly taken: ReadonlySet<string>; readonly now: Date },
): string {
  if (declared !== undefined && isSemver(declared) && !taken.has(declared)) return declared;
  const day = now.toISOString().slice(0, 10).replaceAll('-', '');
  for (let count = 0; ; count++) {
    const version =
      declared !== undefined && isSemver(declared)
        ? `${declared.split('+')[0]}+${day}${count === 0 ? '' : `.${count}`}`
        : `0.${day}.${count}`;
    if (!taken.has(version)) return version;
  }
}
