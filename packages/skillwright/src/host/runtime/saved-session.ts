// What a session leaves behind, and what has become of it when it is taken up again.

import * as z from 'zod';
import { describeIssue, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import { QuizProgress } from '../../skill/quiz/index.ts';
import { openListed } from './open-listed.ts';

/** A skill whose text was given to the model. */
export const LoadedSkill = z.strictObject({
  skill_id: z.string(),
  name: z.string(),
  path: z.string(),
  digest: z.string(),
  mtime_ms: z.number(),
  /** False once the conversation was compacted: the model may not have the text any more. */
  in_context: z.boolean(),
});
export type LoadedSkill = z.infer<typeof LoadedSkill>;

/** A saved session; plain JSON. */
export const SavedSession = z.strictObject({
  version: z.literal(1),
  session_id: z.string(),
  cwd: z.string(),
  loaded: z.array(LoadedSkill),
  /** Ids of the skills that were there. */
  known: z.array(z.string()),
  /** How far the quizzes are, by the digest of all files of a skill: another text is another quiz. */
  quizzes: z.array(z.strictObject({ digest: z.string(), progress: QuizProgress })).optional(),
});
export type SavedSession = z.infer<typeof SavedSession>;

/** What is different now. */
export interface ResumeReport {
  readonly unchanged: readonly LoadedSkill[];
  /** Loaded then, with another text now: load it again. */
  readonly changed: readonly LoadedSkill[];
  /** Loaded then; removed, disabled, denied or unreadable now. */
  readonly vanished: readonly LoadedSkill[];
  /** Skills that were not there then. */
  readonly added: readonly SkillRecord[];
}

/** Checks a saved session. E100 when it is none. */
export function readSavedSession(value: unknown): SavedSession {
  const result = SavedSession.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const why = `not a saved session: ${[...issue.path, describeIssue(issue)].join(' ')}`;
  throw SkillwrightError.of('E100', { why });
}

/** The skills there are now. */
export interface PresentSkills {
  /** Those that the model or the user may use. */
  readonly usable: readonly SkillRecord[];
  /** Those that the model may see. */
  readonly listed: readonly SkillRecord[];
}

/** Compares what was loaded with the skills of now. What they are called is said by the catalog, not by what was saved. */
export function compareSaved(saved: SavedSession, { usable, listed }: PresentSkills): ResumeReport {
  const byPath = new Map(usable.map((skill) => [skill.path, skill]));
  const before = new Map(
    saved.loaded.map((loaded) => {
      const skill = byPath.get(loaded.path);
      const known = skill === undefined ? {} : { skill_id: skill.id, name: skill.name };
      return [loaded.path, { ...loaded, ...known }];
    }),
  );
  const groups = Object.groupBy(before.values(), (loaded) => {
    const skill = byPath.get(loaded.path);
    const digest = skill === undefined ? undefined : digestOf(skill);
    if (digest === undefined) return 'vanished';
    return digest === loaded.digest ? 'unchanged' : 'changed';
  });
  const known = new Set(saved.known);
  return {
    unchanged: groups.unchanged ?? [],
    changed: groups.changed ?? [],
    vanished: groups.vanished ?? [],
    added: listed.filter(({ id }) => !known.has(id)),
  };
}

function digestOf(skill: SkillRecord): string | undefined {
  try {
    return openListed(skill).digest;
  } catch (error) {
    if (error instanceof SkillwrightError) return undefined;
    throw error;
  }
}
