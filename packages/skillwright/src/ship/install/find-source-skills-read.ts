// What one SKILL.md of a source says of its skill, checked before its name becomes a path.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { isSkillName, readFrontmatter, readSkillText, writtenText } from '../../skill/format/index.ts';
import { readBuildManifest, SKILL_FILE } from '../../skill/places/index.ts';
import { isReservedName } from './archive-guard.ts';

/** Where stubs of another compiler keep what ours keep in `.skillc`. */
const FOREIGN_MARK = '.skillc-meta';

/**
 * Name and description of the skill in `dir`; undefined for a compiled stub. Where its name is a title rather than a
 * name, `fallback` is its name. E011 and E014 when something is missing or unreadable, E012 for a name that is a path.
 */
export function readSourceSkill(
  dir: string,
  { path, fallback }: { path: string; fallback: string },
): { name: string; description: string; internal: boolean } | undefined {
  if (readBuildManifest(dir) !== undefined || existsSync(join(dir, FOREIGN_MARK))) return undefined;
  const file = path === '' ? SKILL_FILE : `${path}/${SKILL_FILE}`;
  const content = readSkillText(dir);
  if (content.problem !== undefined) throw SkillwrightError.of('E014', { path: file, why: content.problem });
  const { data, problems } = readFrontmatter(content.text);
  if (data === undefined) {
    const [problem] = problems;
    if (problem?.kind === 'missing')
      throw SkillwrightError.of('E011', { field: 'description' }, { help: `${file}: ${problem.message}` });
    const why = `${problem?.message ?? 'unknown'}, line ${problem?.line ?? 1}`;
    throw SkillwrightError.of('E014', { path: file, why });
  }
  const description = writtenText(data, 'description')?.trim() ?? '';
  if (description === '') throw SkillwrightError.of('E011', { field: 'description' }, { help: `in ${file}` });
  return {
    name: chooseName(data, { file, fallback }),
    description,
    internal: isInternal(data.metadata),
  };
}

function chooseName(
  data: Readonly<Record<string, unknown>>,
  { file, fallback }: { file: string; fallback: string },
): string {
  const written = (writtenText(data, 'name') ?? '').trim();
  if (isUsable(written)) return written;
  if (/[\\/]/.test(written) || /^\.+$/.test(written)) throw SkillwrightError.of('E012', { path: written });
  const isTitle = written === '' || /^[\p{L}\p{N}][\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u.test(written);
  if (isTitle && !isReservedName(written) && isUsable(fallback)) return fallback;
  const why = written === '' ? 'it has no name' : `'${written}' cannot be the name of a skill`;
  throw SkillwrightError.of('E014', { path: file, why });
}

function isUsable(name: string): boolean {
  return isSkillName(name) && !isReservedName(name);
}

function isInternal(metadata: unknown): boolean {
  if (typeof metadata !== 'object' || metadata === null) return false;
  const { internal } = metadata as { internal?: unknown };
  return internal === true || internal === 'true';
}
