// Packs the skills `skc publish` names: leaves out nested skills that are locked, and scans the rest.

import { join, relative, sep } from 'node:path';
import { invalidOption, SkillwrightError } from '../../base/diagnostics/index.ts';
import { realPath } from '../../base/files/index.ts';
import { type Access, findMeant, type OpenedSkill } from '../../read/access/index.ts';
import { type Consent, openGate, reviewFiles } from '../../ship/install/index.ts';
import { type PackedFile, type PackedSkill, packSkill } from '../../ship/network/index.ts';
import { nestedManifests } from '../../skill/judge/index.ts';
import { isSkill, SKILL_FILE } from '../../skill/skill/index.ts';
import type { CommandContext } from './command-context.ts';

/** A packed skill, and the directories left out of it. */
export type ToPublish = PackedSkill & {
  /** Directories of nested skills that may not be published, with `/` at the end. */
  readonly omitted: readonly string[];
};

/** The named skills, each once. */
export async function findForPublishing(
  words: readonly string[],
  { workspace, access }: CommandContext,
): Promise<ReadonlyMap<string, OpenedSkill>> {
  if (words.length === 0 && !isSkill(workspace.cwd)) {
    const help = 'name a skill, or a directory of skills';
    throw SkillwrightError.of('E010', { path: workspace.cwd }, { help });
  }
  const found = new Map<string, OpenedSkill>();
  for await (const meant of findMeant(words.length === 0 ? ['.'] : words, access, { operation: 'make' })) {
    if (meant.kind === 'skipped') continue;
    if (meant.kind !== 'skill') throw meant.error;
    found.set(meant.dir, meant.skill);
  }
  return found;
}

/** Packs skills, in the order of their names. E100 when two have the same name. */
export async function packForPublishing(
  found: ReadonlyMap<string, OpenedSkill>,
  { access }: CommandContext,
): Promise<ToPublish[]> {
  const packed: ToPublish[] = [];
  for (const [dir, opened] of found) {
    const skill = packSkill(dir);
    const paths = skill.files.map(({ path }) => path);
    const { fenced } = await opened.reach(paths);
    const omitted = [...new Set([...fenced, ...(await closedInside(dir, paths, access))])].sort();
    packed.push({ ...skill, files: skill.files.filter(isGiven(dir, omitted)), omitted });
  }
  const skills = packed.sort((a, b) => (a.name < b.name ? -1 : 1));
  const twice = skills.find(({ name }, index) => skills[index + 1]?.name === name);
  if (twice !== undefined) throw invalidOption(`two skills are named '${twice.name}'`);
  return skills;
}

/** Directories of nested skills whose quiz is not passed; they may have another author. */
async function closedInside(dir: string, paths: readonly string[], { judge }: Access): Promise<string[]> {
  const closed: string[] = [];
  for (const manifest of nestedManifests(paths)) {
    const prefix = manifest.slice(0, -SKILL_FILE.length);
    if ((await judge.gateOf(join(dir, prefix))) !== undefined) closed.push(prefix);
  }
  return closed;
}

/** True unless the file, by path or real path, is in a skill that is denied, switched off or locked. */
const isGiven =
  (dir: string, omitted: readonly string[]) =>
  ({ path }: PackedFile): boolean => {
    if (omitted.length === 0) return true;
    const real = relative(dir, realPath(join(dir, path)))
      .split(sep)
      .join('/');
    return !omitted.some((prefix) => path.startsWith(prefix) || real.startsWith(prefix));
  };

/** E208 when the scan finds danger in the packed files, unless every finding is accepted. */
export async function scanForPublishing(
  skills: readonly ToPublish[],
  { command, consent }: { command: string; consent: Consent },
  context: CommandContext,
): Promise<void> {
  const gate = openGate(consent, context);
  const candidates = [];
  for (const { name, files: packed } of skills) {
    const files = new Map(
      packed.map(({ path, bytes, executable }) => [path, { bytes: Buffer.from(bytes), executable }]),
    );
    const review = await reviewFiles(name, files, { verified: false });
    candidates.push({ name, review, files: () => files, accepted: [], isScored: false });
  }
  // Publishing writes no lock, so findings are accepted for one run only.
  await gate.clear(candidates, { place: { scope: 'user' }, command });
  gate.close();
}
