// Checks a skill's own claims: the skc version it needs, and its checksum.

import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import { toolVersion } from '../../../base/version.ts';
import { checksumOf, readChecksum, unreachedVersion } from '../../../skill/format/index.ts';
import type { Skill } from '../../../skill/skill/index.ts';
import type { SkillFiles } from '../place/stored-files.ts';

/** E226 when the skill needs a newer skc, E204 when its files do not match its checksum. */
export function checkPromises(
  name: string,
  { frontmatter }: Pick<Skill, 'frontmatter'>,
  readFiles: () => SkillFiles,
): void {
  const needed = unreachedVersion(frontmatter);
  if (needed !== undefined)
    throw SkillwrightError.of(
      'E226',
      { skill: name, needed, version: toolVersion },
      { help: 'install a newer skc, or an older version of the skill', data: { needed } },
    );
  const declared = readChecksum(frontmatter);
  if (declared === undefined) return;
  const files = [...readFiles()].map(([path, { bytes }]) => ({ path, bytes }));
  const received = checksumOf(files, declared);
  if (received === declared) return;
  throw SkillwrightError.of(
    'E204',
    { what: `${name}, by the checksum in its SKILL.md` },
    {
      help: 'it changed after it was published; its author must remove the checksum and publish it again',
      detail: `  promised ${declared}\n  received ${received}`,
      data: { promised: declared, received },
    },
  );
}
