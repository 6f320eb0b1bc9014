// Answers of a session, in the names of the wire. A session returns them; `skc rpc` and commands print them.

import * as z from 'zod';
import type { Diagnostic } from '../../base/diagnostics/index.ts';
import type { Frozen } from '../../base/frozen.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import { type FormatIssue, HOOK_TYPES, type HookHandler } from '../../skill/format/index.ts';
import { QuizView } from '../../skill/quiz/index.ts';

/** An answer whose field holds another value in the library than on the wire. */
export type With<Answer, Changed> = Frozen<Omit<Answer, keyof Changed>> & Readonly<Changed>;

/** A diagnostic next to a result. */
export const Remark = z.strictObject({
  code: z.string(),
  severity: z.enum(['error', 'warning', 'info']),
  message: z.string(),
  help: z.string().optional(),
  detail: z.string().optional(),
  data: z.record(z.string(), z.unknown()).optional(),
});

const remarks = { diagnostics: z.array(Remark) };
export type Remarks = { diagnostics: readonly Diagnostic[] };

/** Scope of a skill; `repo` is the project. */
export const WireScope = z.enum(['repo', 'user', 'bundled']);

/** A skill without its text. */
export const SkillMetadata = z.strictObject({
  id: z.string().describe('Stable id, derived from the canonical path'),
  name: z.string(),
  description: z.string(),
  path: z.string().describe('Absolute path of its SKILL.md'),
  dir: z.string().describe('Absolute directory; relative paths in the skill start here'),
  scope: WireScope,
  mtimeMs: z.number(),
});
export type SkillMetadata = z.output<typeof SkillMetadata>;

/** A loaded skill. */
export const LoadResult = z.strictObject({
  /** `stub`: the skill is over the budget. `quiz`: the skill is locked, and the text is its quiz. */
  status: z.enum(['loaded', 'already-loaded', 'stub', 'quiz']),
  text: z.string().describe('Text for the model'),
  /** True when the body continues, or files are listed as directories or left out. */
  truncated: z.boolean(),
  next_offset: z.int().nullable().describe('Offset of the next part of a long body; null at its end'),
  metadata: z.strictObject({
    skill_id: z.string(),
    name: z.string(),
    path: z.string(),
    dir: z.string(),
    mtime_ms: z.number(),
  }),
  quiz: QuizView.optional().describe('With status quiz: the quiz to pass first'),
  ...remarks,
});
export type LoadResult = With<z.output<typeof LoadResult>, Remarks & { quiz?: QuizView }>;

/** A command in a body, to be replaced by its output. */
const DynamicCommand = z.strictObject({
  source: z.string().describe('The command as the author wrote it'),
  command: z.string().describe('Command for a shell; arguments are variables in it'),
  /** Without them the command sees empty values. */
  env: z.record(z.string(), z.string()).describe('Variables the command refers to'),
  /** The source with its delimiters in the body. */
  written: z.string(),
  /** Line of the body, from 1. */
  line: z.int(),
  literal: z.array(z.string()).describe('Placeholders left as written'),
  refused: z.string().nullable().describe('Why it must not run with these arguments'),
});
export type DynamicCommand = Frozen<z.output<typeof DynamicCommand>>;

/** The files of a skill within a limit: every file, or the directory in its place. */
const SkillFileList = z.strictObject({
  /** Paths relative to the skill; that of a directory ends with `/` and comes with the number of its files. */
  entries: z.array(z.strictObject({ path: z.string(), files: z.int() })),
  /** Number of files, without SKILL.md. */
  total: z.int(),
  /** Files not covered by any entry: only when the skill's top directory has more entries than the list allows. */
  missing: z.int(),
  /** True when something was collapsed or left out. */
  truncated: z.boolean(),
});
export type SkillFileList = Frozen<z.output<typeof SkillFileList>>;

/** A hook as the skill defines it; further fields depend on its type. */
const PlannedHook = z.strictObject({
  event: z.string(),
  matcher: z.string().nullable(),
  handler: z.looseObject({ type: z.enum(HOOK_TYPES) }),
});
type PlannedHook = With<z.output<typeof PlannedHook>, { handler: HookHandler }>;

/** Everything needed to invoke a skill. */
export const InvocationPlan = z.strictObject({
  skill: z.strictObject({ id: z.string(), name: z.string(), path: z.string(), dir: z.string() }),
  body: z.string().describe('Text for the model with the arguments filled in'),
  next_offset: z.int().nullable().describe('Plan again with this offset for the next part; null at the end'),
  arguments: z.array(z.string()),
  mode: z.enum(['inline', 'fork']).describe('fork: run in a separate conversation'),
  agent: z.string().nullable().describe('Kind of agent for a fork'),
  agent_type: z
    .strictObject({
      type: z.string(),
      model: z.string().nullable(),
      tools: z.enum(['read-only', 'terminal', 'all']),
      use: z.string(),
    })
    .nullable()
    .describe('Definition of that kind of agent; null for an agent the user defined'),
  is_mode: z.boolean().describe('Whether it is a mode, which stays on afterwards'),
  model: z.string().nullable().describe('Model to use; null for the model of the conversation'),
  effort: z.string().nullable(),
  background: z.boolean(),
  /** Tools the skill may use without confirmation; empty when it names none. */
  allowed_tools: z.array(z.string()),
  disallowed_tools: z.array(z.string()),
  hooks: z.array(PlannedHook),
  files: SkillFileList,
  /** While it is open, no tool is allowed. */
  quiz: QuizView.nullable().describe('Quiz to pass first; the body is then its text'),
  dynamic: z.array(DynamicCommand).describe('Commands in the body; this method never runs them'),
  ...remarks,
});
type PlanOnWire = z.output<typeof InvocationPlan>;
export type InvocationPlan = With<
  Omit<PlanOnWire, 'agent_type' | 'is_mode' | 'allowed_tools' | 'disallowed_tools'>,
  Remarks & {
    agentType: PlanOnWire['agent_type'];
    isMode: boolean;
    allowedTools: readonly string[];
    disallowedTools: readonly string[];
    hooks: readonly PlannedHook[];
    /** Frontmatter fields that could not be read and are left out. */
    issues: readonly FormatIssue[];
  }
>;

/** A skill that a message names. */
export const Mention = z.strictObject({
  text: z.string().describe('The mention as written'),
  start: z.int().describe('Offset in the message, in UTF-16 code units'),
  end: z.int(),
  name: z.string(),
  skill: SkillMetadata.nullable().describe('Null when the name is ambiguous or the skill may not be used'),
  /** Why there is no skill. */
  problem: z.enum(['ambiguous', 'denied', 'model-only', 'unavailable', 'not-in-catalog']).nullable(),
  candidates: z.array(z.string()).describe('Paths of the skills when the name is ambiguous'),
});
export type Mention = With<z.output<typeof Mention>, { skill: SkillRecord | null }>;

/** A skill to suggest for a message. */
export const TriggerMatch = z.strictObject({
  skill: SkillMetadata,
  /** Higher with more triggers, and with more specific ones. */
  score: z.number().describe('From 0 to 1'),
  reasons: z.array(
    z.strictObject({
      kind: z.enum(['name', 'keyword', 'verb', 'pattern', 'description']),
      value: z.string().describe('The trigger, or a word of the description'),
      matched: z.string().describe('The part of the message that matched'),
    }),
  ),
});
export type TriggerMatch = With<z.output<typeof TriggerMatch>, { skill: SkillRecord }>;
export type TriggerReason = TriggerMatch['reasons'][number];

/** The skill that an answer is about. */
const aboutSkill = { name: z.string(), path: z.string().describe('Path of its SKILL.md') };

/** A section, and where it is. */
const place = {
  file: z.string(),
  section: z.string().describe('The heading; empty for text without one'),
  anchor: z.string(),
  start_line: z.int(),
  end_line: z.int(),
};
const level = z.int().describe('Level of the heading; 0 for a whole file');

/** The request that shows a section. */
const Shows = z.strictObject({ section: z.string(), file: z.string().optional() });

/** A part of a text. */
const textPart = {
  content: z.string(),
  offset: z.int().describe('Start of this part, in bytes'),
  size: z.int().describe('Size of the whole text, in bytes'),
  truncated: z.boolean().describe('Whether there is more to read'),
  next_offset: z.int().nullable().describe('Offset of the next part; null at the end'),
};

/** The headings of a skill. */
export const SkillOutline = z.strictObject({
  ...aboutSkill,
  headings: z.array(z.strictObject({ ...place, level })),
  total: z.int().describe('Headings without the budget'),
  left_out: z
    .array(z.strictObject({ file: z.string(), headings: z.int() }))
    .describe('Headings that the budget left out, by file; the largest number first'),
  behind_quiz: z.int().describe('Headings that a quiz hides'),
  ...remarks,
});
export type SkillOutline = With<z.output<typeof SkillOutline>, Remarks>;

/** A section, or a part of it. */
export const SkillSection = z.strictObject({
  ...aboutSkill,
  ...place,
  level,
  ...textPart,
  others: z
    .array(z.strictObject({ file: z.string(), section: z.string(), start_line: z.int(), request: Shows }))
    .describe('Other sections of that name'),
  ...remarks,
});
export type SkillSection = With<z.output<typeof SkillSection>, Remarks>;

/** Sections that match, best first. */
export const FoundSections = z.strictObject({
  ...aboutSkill,
  results: z.array(
    z.strictObject({
      ...place,
      snippet: z.string().describe('Text with its matches in [MATCH]…[/MATCH]'),
      score: z.number(),
      missing: z.array(z.string()).describe('Words of the query that the section does not have'),
      request: Shows.nullable().describe('Shows the section; null: read the file from the offset'),
      offset: z.int(),
    }),
  ),
  relaxed: z.boolean().describe('Whether no section has all the words'),
  instead: z
    .array(z.strictObject({ word: z.string(), by: z.array(z.string()) }))
    .describe('Words the skill does not have, and the ones searched for instead'),
  ...remarks,
});
export type FoundSections = With<z.output<typeof FoundSections>, Remarks>;

/** The result of a script, also of one that failed. */
export const ScriptResult = z.object({
  ok: z.boolean(),
  exitCode: z.number().int(),
  stdout: z.string(),
  stderr: z.string(),
  truncated: z.boolean().describe('True when it was stopped for printing too much'),
  timedOut: z.boolean(),
  durationMs: z.number(),
  sandbox: z.enum(['bubblewrap', 'sandbox-exec', 'none']),
  data: z.unknown().optional().describe('With json_output: the parsed output'),
});

/** A text file of a skill, or a part of it. */
export const SkillResource = z.strictObject({
  path: z.string().describe('Relative to the skill, as requested'),
  kind: z.enum(['file', 'directory']).describe('For a directory, content lists the paths of its files'),
  ...textPart,
});
export type SkillResource = z.output<typeof SkillResource>;

/** The files of a skill. */
export const ResourceList = z.strictObject({
  files: z.array(z.string()).describe('Paths relative to the skill'),
  total: z.int(),
  truncated: z.boolean(),
});
export type ResourceList = z.output<typeof ResourceList>;
