// Answers about the session itself, in the names of the wire: what it gave to the model, saved, resumed and its state.

import * as z from 'zod';
import type { CatalogError, SkillRecord } from '../../read/catalog/index.ts';
import { QuizProgress } from '../../skill/quiz/index.ts';
import { Remark, type Remarks, SkillMetadata, type With } from './skill-answers.ts';

/** A skill whose text was given to the model. */
export const LoadedSkill = z.strictObject({
  skill_id: z.string(),
  name: z.string(),
  path: z.string(),
  digest: z.string(),
  mtime_ms: z.number(),
  /** True when the text was a stub. */
  stub: z.boolean().optional(),
  /** False once the conversation was compacted: the model may not have the text any more. */
  in_context: z.boolean(),
});
export type LoadedSkill = z.infer<typeof LoadedSkill>;

/** Loaded skills after the host compacted the conversation. */
export const CompactedSkills = z.strictObject({
  skills: z.array(LoadedSkill).describe('Skills whose text is gone; loading them sends it again'),
  kept: z.array(LoadedSkill).describe('Skills whose text the host kept'),
  unknown: z.array(z.string()).describe('Entries of kept that match no loaded skill, or more than one'),
  text: z
    .string()
    .describe('Add it to the shortened conversation: it lists the skills in use; empty when there are none'),
});
export type CompactedSkills = z.infer<typeof CompactedSkills>;

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
  /** Confirmations for this session only. They are permissions, so they are accepted only if the host trusts for them. */
  confirmed: z.array(SavedConfirmation),
  /** Ids of the skills in the catalog. */
  known: z.array(z.string()),
  /** Quiz progress, by digest of all files of a skill: changed files mean a new quiz. */
  quizzes: z.array(SavedQuiz),
});
export type SavedSession = z.infer<typeof SavedSession>;

/** Differences between a saved session and now. */
export const ResumeReport = z.strictObject({
  unchanged: z.array(LoadedSkill),
  changed: z.array(LoadedSkill).describe('Skills whose text has changed'),
  vanished: z.array(LoadedSkill).describe('Skills that are now removed, disabled, denied or unreadable'),
  added: z.array(SkillMetadata).describe('Skills added since'),
  active: z.array(ActiveSkill).describe('Skills whose tools are active again'),
  diagnostics: z.array(Remark).describe('Saved items that no longer hold, and why'),
});
export type ResumeReport = With<z.output<typeof ResumeReport>, Remarks & { added: readonly SkillRecord[] }>;

const Use = z.strictObject({ used: z.int(), limit: z.int() });

/** The state of a session, in wire names. */
export const SessionStatus = z.strictObject({
  session_id: z.string(),
  cwd: z.string(),
  trusted: z.boolean(),
  loaded_versions: z.array(LoadedSkill),
  budget: z.strictObject({
    entries: Use,
    bytes: Use,
    tokens: z.strictObject({ used: z.int(), limit: z.int().nullable() }),
    shortened: z.int().describe('Skills with a shortened description'),
    missing: z.int().describe('Skills that do not fit into the prompt'),
  }),
});

/** The state, and on request the skills. */
export interface SessionReport extends z.output<typeof SessionStatus> {
  readonly skills?: {
    readonly skills: readonly SkillMetadata[];
    readonly hidden: readonly { readonly path: string; readonly name: string; readonly reason: string }[];
    readonly errors: readonly CatalogError[];
    readonly truncated: boolean;
  };
}
