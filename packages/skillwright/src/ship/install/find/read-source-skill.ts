// Reads one SKILL.md of a source and checks its name before it becomes a path.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Diagnostic, diagnose, SkillwrightError } from '../../../base/diagnostics/index.ts';
import { isReservedName } from '../../../base/files/index.ts';
import { isSkillName } from '../../../skill/format/index.ts';
import {
  findSkillProblem,
  notText,
  openSkill,
  readBuildManifest,
  SKILL_FILE,
  writtenName,
} from '../../../skill/skill/index.ts';

/** Directory of another compiler's stubs, the counterpart of our `.skillc`. */
const FOREIGN_MARK = '.skillc-meta';

/** One skill of a source, from its SKILL.md. */
interface SourceDescription {
  readonly name: string;
  readonly description: string;
  readonly internal: boolean;
  /** Warnings about it. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Name and description of the skill in `dir`; undefined for a compiled stub. A store accepts standard names only: any
 * other is replaced by `fallback`, the directory name. E010, E011, E014, E015 when the skill cannot be used.
 */
export function readSourceSkill(
  dir: string,
  { path, fallback }: { path: string; fallback: string },
): SourceDescription | undefined {
  if (readBuildManifest(dir) !== undefined || existsSync(join(dir, FOREIGN_MARK))) return undefined;
  const file = path === '' ? SKILL_FILE : `${path}/${SKILL_FILE}`;
  const skill = openSkill(dir);
  const problem =
    skill.problem?.code === 'E015'
      ? notText(file)
      : findSkillProblem(skill.parts, { name: skill.name, path: file });
  if (problem !== undefined) throw problem.withHelp(`in ${file}`);
  const written = writtenName(skill.frontmatter)!;
  const name = [written, fallback].find((candidate) => isSkillName(candidate) && !isReservedName(candidate));
  if (name === undefined) {
    const why = `neither '${written}' nor its directory name is a valid skill name`;
    throw SkillwrightError.of('E014', { path: file, why });
  }
  return {
    name,
    description: String(skill.frontmatter.description).trim(),
    internal: isInternal(skill.frontmatter.metadata),
    diagnostics: name === written ? [] : [diagnose('W006', { written, name }, { data: { path } })],
  };
}

function isInternal(metadata: unknown): boolean {
  if (typeof metadata !== 'object' || metadata === null) return false;
  const { internal } = metadata as { internal?: unknown };
  return internal === true || internal === 'true';
}
