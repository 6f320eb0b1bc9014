// Semantic versions (semver.org 2.0.0), to the extent the format needs them.

const IDENTIFIER = '(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)';
const SEMVER = new RegExp(
  `^(?:0|[1-9]\\d*)(?:\\.(?:0|[1-9]\\d*)){2}(?:-${IDENTIFIER}(?:\\.${IDENTIFIER})*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
);

/** Whether a text is a complete semantic version such as `1.2.0` or `2.0.0-beta.1`. */
export function isSemver(version: string): boolean {
  return version.length <= 256 && SEMVER.test(version);
}
