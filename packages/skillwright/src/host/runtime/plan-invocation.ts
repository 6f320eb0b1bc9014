// Plans an invocation of a skill: its text with the arguments filled in, and how to run it.

import * as z from 'zod';
import { type Diagnostic, diagnose } from '../../base/diagnostics/index.ts';
import { openRecord, type SkillReference } from '../../read/access/index.ts';
import { neutralise, type SkillRecord } from '../../read/catalog/index.ts';
import { readInvocation, readManifest } from '../../skill/format/index.ts';
import { type Actor, refusal, standingOf } from '../../skill/judge/index.ts';
import { type QuizMemory, renderQuiz } from '../../skill/quiz/index.ts';
import { bodyOf, SKILL_FILE, type Skill } from '../../skill/skill/index.ts';
import { noneOff, noPermissions, type Permissions } from '../../skill/workspace/index.ts';
import { type DynamicCommand, InvocationPlan } from '../answers/index.ts';
import { quizInstead, remarksOn } from './load-skill.ts';
import { allowedFiles } from './read-resource.ts';
import type { LoadOptions } from './session.ts';
import { aboutSkill, method, offsetField, withReference } from './session-method.ts';
import { openFor, type SessionState } from './session-state.ts';
import { limitBody, MAX_BODY_BYTES } from './skill-context.ts';
import { fitSkillFiles } from './skill-files.ts';
import { readVariable, substituteArguments } from './substitute-arguments.ts';

/** Runs a command in a skill's body and returns its output. The host that provides it is responsible for the sandbox. */
export type RunDynamic = (
  command: DynamicCommand,
  skill: SkillRecord,
) => Promise<{ readonly ok: boolean; readonly output: string }>;

/** Context of an invocation. */
interface InvocationOptions {
  /** The invoking party. Default: the user. */
  readonly by?: Actor;
  readonly sessionId?: string;
  readonly projectDir?: string;
  readonly permissions?: Permissions;
  /** Quizzes that were passed; without it every gate is closed. */
  readonly quizMemory?: QuizMemory;
  /** Authors invoke their own skills without a quiz. */
  readonly author?: boolean;
  /** Longer texts are split at line ends. Default: 256 KiB. */
  readonly maxBodyBytes?: number;
  /** Byte offset where the part begins. */
  readonly offset?: number | undefined;
  /** Which files may be named. */
  readonly allows?: (path: string) => boolean;
  /** Without it, commands in the body stay as written. */
  readonly runDynamic?: RunDynamic;
}

/** Most output taken from one command, in bytes. */
const MAX_DYNAMIC_OUTPUT = 64 * 1024;

/** Plans an invocation of a catalogued skill as it is now. E001, E060 when `by` may not use it; E014, E015 when unreadable. */
export async function planInvocation(
  skill: SkillRecord,
  args: string | readonly string[] = '',
  options: InvocationOptions = {},
): Promise<InvocationPlan> {
  const { by = 'user', permissions: rules = noPermissions } = options;
  const now = await openRecord(skill);
  const { frontmatter } = now;
  for (const judged of [skill, { ...skill, frontmatter }]) {
    const operation = by === 'model' ? 'read' : 'invoke';
    const standing = standingOf(judged, { operation, by }, { rules, off: noneOff });
    if ('reason' in standing) throw refusal(skill, standing.reason);
  }
  return planOpened({ record: skill, now }, args, options);
}

export const plan = method({
  rpc: 'skills.plan',
  summary: 'Get everything needed to invoke a skill with arguments',
  input: withReference({
    arguments: z
      .union([z.string(), z.array(z.string())])
      .default('')
      .describe('Arguments as typed, or split into words'),
    offset: offsetField.describe('Bytes to skip in a long text: next_offset of the previous part'),
    by: z.enum(['user', 'model']).default('user').describe('Who invokes the skill'),
  }),
  output: InvocationPlan,
  writes: [],
  touches: { skill: 'name', operation: 'invoke' },
  async wire({ arguments: args, by, offset, ...reference }, run) {
    const planned = await run(reference, args, { by, offset });
    const { allowedTools, disallowedTools, agentType, isMode, issues: _, ...rest } = planned;
    return {
      ...rest,
      agent_type: agentType,
      is_mode: isMode,
      allowed_tools: allowedTools,
      disallowed_tools: disallowedTools,
    };
  },
  logged: {
    command: 'plan',
    more: (_reference, _args, how) => ({ by: how?.by ?? 'user' }),
    // A quiz returned instead is not part of the file.
    served: ({ body: text, quiz, skill: { dir } }) => ({
      ...{ text, dir },
      parts: quiz === null ? [{ file: SKILL_FILE }] : [],
    }),
  },
  recorded: aboutSkill('plan'),
  async run(
    state: SessionState,
    reference: SkillReference,
    args: string | readonly string[] = '',
    how: LoadOptions = {},
  ): Promise<InvocationPlan> {
    const by = how.by ?? 'user';
    // Planning is invoking, whatever else the caller intends.
    const opened = await openFor(state, reference, { ...how, by, operation: undefined });
    const { cwd, maxBodyBytes = MAX_BODY_BYTES, runDynamic } = state.options;
    return planOpened({ record: opened.record, now: opened }, args, {
      by,
      sessionId: state.id,
      projectDir: cwd,
      maxBodyBytes,
      offset: how.offset,
      allows: await allowedFiles(opened),
      ...(how.author === true ? { author: true } : { quizMemory: state.quizMemory }),
      ...(runDynamic === undefined ? {} : { runDynamic }),
    });
  },
});

/** Plans an invocation of a skill that may be invoked: its record in the catalog, and the skill as it is now. */
async function planOpened(
  { record: skill, now }: { readonly record: SkillRecord; readonly now: Skill },
  args: string | readonly string[],
  options: InvocationOptions,
): Promise<InvocationPlan> {
  const { maxBodyBytes = MAX_BODY_BYTES } = options;
  const { frontmatter } = now;
  const { body } = bodyOf(now);
  const { manifest, issues } = readManifest({ ...frontmatter });
  const variables = {
    CLAUDE_SESSION_ID: options.sessionId,
    CLAUDE_SKILL_DIR: skill.dir,
    CLAUDE_PROJECT_DIR: options.projectDir,
    CLAUDE_EFFORT: manifest.effort,
  };
  const quiz = (options.author === true ? undefined : await quizInstead(skill, options.quizMemory)) ?? null;
  const { pieces, words, appendix } = substituteArguments(quiz === null ? body : '', {
    args,
    variables,
    names: manifest.arguments ?? [],
    shell: manifest.shell === 'powershell' ? 'powershell' : 'bash',
  });
  const run = await runCommands(skill, pieces, options.runDynamic);
  // A command left as written does not reveal its placeholder values.
  const isTold = !run.left.some(refersToArguments) || pieces.at(-1) === appendix;
  const text = isTold ? run.text : run.text + appendix;
  const part = limitBody(text, { maxBytes: maxBodyBytes, offset: options.offset });
  const invocation = readInvocation(manifest);
  const expand = (rule: string) =>
    rule.replace(/\$\{(\w+)\}/g, (whole, name) => readVariable(variables, name) ?? whole);
  return {
    skill: { id: skill.id, name: skill.name, path: skill.path, dir: skill.dir },
    body: neutralise(quiz === null ? part.text : renderQuiz(quiz)),
    next_offset: quiz === null ? part.next_offset : null,
    arguments: words,
    ...invocation,
    model: manifest.model ?? invocation.agentType?.model ?? null,
    effort: manifest.effort ?? null,
    background: manifest.background ?? false,
    allowedTools: quiz === null ? (manifest['allowed-tools'] ?? []).map(expand) : [],
    disallowedTools: manifest['disallowed-tools'] ?? [],
    hooks: Object.entries((quiz === null ? manifest.hooks : undefined) ?? {}).flatMap(([event, groups]) =>
      groups.flatMap(({ matcher, hooks }) =>
        hooks.map((handler) => ({ event, matcher: matcher ?? null, handler })),
      ),
    ),
    files: fitSkillFiles(skill.dir, {
      tree: now.tree(),
      ...(options.allows === undefined ? {} : { allows: options.allows }),
    }),
    quiz,
    dynamic: run.left,
    issues: quiz === null ? issues : issues.filter(({ field }) => field !== 'quiz'),
    diagnostics: [
      ...(quiz === null ? await remarksOn(now) : []),
      ...run.left.map((command) => notRun(command, options.runDynamic !== undefined)),
      ...run.done.flatMap(notFilledIn),
    ],
  };
}

/** The text with the output of its commands, run in order. Commands that were not run or failed stay as written. */
async function runCommands(
  skill: SkillRecord,
  pieces: readonly (string | DynamicCommand)[],
  runDynamic: RunDynamic | undefined,
): Promise<{ text: string; left: DynamicCommand[]; done: DynamicCommand[] }> {
  const texts: string[] = [];
  const left: DynamicCommand[] = [];
  const done: DynamicCommand[] = [];
  for (const piece of pieces) {
    if (typeof piece === 'string') texts.push(piece);
    else {
      const result = piece.refused === null ? await runDynamic?.(piece, skill) : undefined;
      if (result?.ok) {
        texts.push(result.output.slice(0, MAX_DYNAMIC_OUTPUT).trimEnd());
        done.push(piece);
      } else {
        texts.push(piece.written);
        left.push(piece);
      }
    }
  }
  return { text: texts.join(''), left, done };
}

const refersToArguments = ({ env, literal }: DynamicCommand) =>
  literal.length > 0 || Object.keys(env).some((name) => name.startsWith('SKC_ARGUMENT'));

function notRun({ source: command, line, refused }: DynamicCommand, attempted: boolean): Diagnostic {
  const stays = 'it stays in the text as written';
  const why = attempted ? (refused ?? 'it failed') : undefined;
  const help = why === undefined ? stays : `${why}; it stays in the text as written`;
  return diagnose('W005', { command }, { help, data: { command, line } });
}

function notFilledIn({ literal, source: command, line }: DynamicCommand): Diagnostic[] {
  return literal.map((placeholder) =>
    diagnose('W071', { placeholder, command }, { data: { placeholder, command, line } }),
  );
}
