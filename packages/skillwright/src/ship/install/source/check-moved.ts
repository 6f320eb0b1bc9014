// Tags and versions name one content for good. One with new content was moved, by its publisher or by an attacker.

import { hideSecrets, SkillwrightError } from '../../../base/diagnostics/index.ts';
import type { LockedSkill } from '../lock/lock.ts';
import type { Resolution } from './fetched-source.ts';

/** E221 when a locked tag or version was moved; undefined otherwise. */
export function movedError(
  { source, resolution: before }: Pick<LockedSkill, 'source' | 'resolution'>,
  after: Resolution,
): SkillwrightError | undefined {
  const isTag = before.tag === true || after.tag === true;
  if (isTag && before.commit !== undefined && after.commit !== undefined && before.commit !== after.commit)
    return moved(`tag ${refOf(source) ?? ''} of ${placeOf(source)}`, before.commit, after.commit);
  const isVersion = before.version !== undefined && before.version === after.version;
  if (
    isVersion &&
    before.digest !== undefined &&
    after.digest !== undefined &&
    before.digest !== after.digest
  )
    return moved(`version ${before.version} of ${source}`, before.digest, after.digest);
  return undefined;
}

/** Whether two sources, as locks spell them, name the same ref of the same repository. */
export function isSameRef(a: string, b: string): boolean {
  return placeOf(a) === placeOf(b) && refOf(a) !== undefined && refOf(a) === refOf(b);
}

function moved(what: string, before: string, after: string): SkillwrightError {
  return SkillwrightError.of(
    'E221',
    { what: hideSecrets(what) },
    {
      help: 'ask its publisher; --accept-moved accepts the new content',
      detail: `  installed ${before}\n  now       ${after}`,
      data: { before, after },
    },
  );
}

const placeOf = (source: string) => source.split('#', 1)[0]!;

/** The ref after the `#` of a git source. */
function refOf(source: string): string | undefined {
  const ref = source.split('#')[1]?.split(':')[0];
  return ref === '' ? undefined : ref;
}
