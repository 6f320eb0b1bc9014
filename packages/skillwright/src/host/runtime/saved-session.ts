// Saves a session, and compares a saved one with the current skills.

import * as z from 'zod';
import { type Diagnostic, describeIssue, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import { isMapping } from '../../skill/format/index.ts';
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

/** A skill whose tools were active. */
export const ActiveSkill = z.strictObject({
  name: z.string(),
  path: z.string(),
  /** The names of its tools. */
  tools: z.array(z.string()),
});
export type ActiveSkill = z.infer<typeof ActiveSkill>;

/** A confirmation for the session, for a skill with exactly these files. */
const SavedConfirmation = z.strictObject({
  tool: z.enum(['skill_load', 'skill_run']),
  dir: z.string(),
  digest: z.string(),
});

const SavedQuiz = z.strictObject({ digest: z.string(), progress: QuizProgress });

/** It goes into the environment of child processes, and into logs. */
export const SessionId = z
  .string()
  .max(200)
  .refine((id) => /^[\p{L}\p{N}\p{P}\p{S}]+$/u.test(id), 'must be visible characters');

/** A saved session; plain JSON. */
export const SavedSession = z.strictObject({
  version: z.literal(2),
  session_id: SessionId,
  cwd: z.string(),
  loaded: z.array(LoadedSkill),
  /** Skills with active toolsets. */
  active: z.array(ActiveSkill),
  /** Confirmations for this session only. They are permissions, so they are accepted only if the host vouches for them. */
  confirmed: z.array(SavedConfirmation),
  /** Ids of the skills in the catalog. */
  known: z.array(z.string()),
  /** Quiz progress, by digest of all files of a skill: changed files mean a new quiz. */
  quizzes: z.array(SavedQuiz),
});
export type SavedSession = z.infer<typeof SavedSession>;

/** Version 1: without toolsets and confirmations. */
const FirstSavedSession = SavedSession.omit({ active: true, confirmed: true })
  .extend({ version: z.literal(1), quizzes: z.array(SavedQuiz).optional() })
  .transform(
    ({ quizzes = [], ...saved }): SavedSession => ({
      ...saved,
      version: 2,
      quizzes,
      active: [],
      confirmed: [],
    }),
  );

/** Differences between a saved session and now. */
export interface ResumeReport {
  readonly unchanged: readonly LoadedSkill[];
  /** Loaded then, and changed since: load it again. */
  readonly changed: readonly LoadedSkill[];
  /** Loaded then; removed, disabled, denied or unreadable now. */
  readonly vanished: readonly LoadedSkill[];
  /** Skills added since. */
  readonly added: readonly SkillRecord[];
  /** Skills whose toolsets run again, with their current tools. */
  readonly active: readonly ActiveSkill[];
  /** One W061 for each saved item that no longer holds. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Checks a saved session of this or an earlier version. E063 when it is damaged, E064 when it is something else. */
export function readSavedSession(value: unknown): SavedSession {
  const version = isMapping(value) ? value.version : undefined;
  const schema = version === 1 ? FirstSavedSession : version === 2 ? SavedSession : undefined;
  if (schema === undefined) {
    const why = version === undefined ? 'it has no version' : `its version is ${JSON.stringify(version)}`;
    throw SkillwrightError.of('E064', { why });
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  throw SkillwrightError.of('E063', { why: [issue.path.join('.'), describeIssue(issue)].join(' ').trim() });
}

/** All current skills. */
interface PresentSkills {
  /** Those that the model or the user may use. */
  readonly usable: readonly SkillRecord[];
  /** Those that the model may see. */
  readonly listed: readonly SkillRecord[];
}

/** Compares loaded skills with the current ones. Names come from the catalog, not from the saved session. */
export function compareSaved(
  saved: SavedSession,
  { usable, listed }: PresentSkills,
): Omit<ResumeReport, 'active' | 'diagnostics'> {
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
