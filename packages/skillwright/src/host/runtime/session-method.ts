// A method of a session, declared once. Its form in `skc rpc`, its row in the access log, its step in a recording and the
// tool that a model gets are parts of the declaration.

import * as z from 'zod';
import { type Diagnostic, renderDiagnostic } from '../../base/diagnostics/index.ts';
import type { Frozen } from '../../base/frozen.ts';
import type { SkillReference } from '../../read/access/index.ts';
import { neutralise, type SkillRecord } from '../../read/catalog/index.ts';
import type { Served } from '../../read/usage/index.ts';
import type { Touches, Written } from '../../skill/judge/index.ts';
import type { RecordedStep } from './recording.ts';
import type { SessionState } from './session-state.ts';

/** Options of a call besides its input. */
export interface CallOptions {
  /** Stops the script or tool that the call started. */
  readonly signal?: AbortSignal | undefined;
}

/** A method of the library that clients of `skc rpc` call too. */
export interface WireMethod<
  Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Given extends readonly unknown[],
  Result,
> {
  run(state: SessionState, ...given: Given): Result;
  readonly recorded?: Repeated<Given, NoInfer<Result>> | Title<Given> | string;
  /** Its name in the protocol. */
  readonly rpc: Name;
  readonly summary: string;
  /** Field names match the types that clients use. */
  readonly input: Input;
  readonly output: Output;
  readonly touches: Touches<string>;
  /** Every place it may write, besides its row in the access log. */
  readonly writes: readonly Written[];
  /** Answers a request with the method of a session. */
  wire(
    input: z.output<Input>,
    run: (...given: Given) => Result,
    call: CallOptions,
  ): Frozen<z.output<Output>> | Promise<Frozen<z.output<Output>>>;
  readonly logged?: LogRow<Given, Awaited<NoInfer<Result>>>;
  readonly tool?: ModelTool<Input, Given, NoInfer<Result>>;
}

/** The row of a method in the access log. The first parameter of the method is a reference to a skill. */
interface LogRow<Given extends readonly unknown[], Result> {
  /** The command of the same purpose. */
  readonly command: string;
  /** Arguments besides the reference. */
  more?(...given: Given): Readonly<Record<string, unknown>>;
  served(result: Result, ...given: Given): ServedText;
}

/** The text that was served, and its parts. `dir` is the skill's directory if known. */
export interface ServedText extends Served {
  readonly text: string;
  readonly dir?: string;
}

/** A method as a tool for a model. */
interface ModelTool<Input extends z.ZodObject, Given extends readonly unknown[], Result> {
  readonly name: string;
  readonly description: string;
  /** Fields of the input that a model does not get. */
  readonly without?: readonly (keyof z.output<Input> & string)[];
  /** The answer as text. */
  answer(
    input: z.output<Input>,
    run: (...given: Given) => Result,
    call: CallOptions,
  ): string | Promise<string>;
}

/** Words of a recording for a call that a replay does not repeat. */
export type Title<Given extends readonly unknown[]> = (
  spell: (path: string) => string,
  ...given: Given
) => string;

type Step<Kind> = Extract<RecordedStep, { readonly do: Kind; readonly got?: unknown }>;
type StepKind = Exclude<RecordedStep['do'], 'other'>;
type Or<Value> = Value | Promise<Value>;

/** Steps of one kind: a call that a replay repeats. */
interface RepeatedAs<Kind extends StepKind, Given extends readonly unknown[], Result> {
  readonly do: Kind;
  /** The call as another machine would write it. */
  step(notes: Notes, ...given: Given): Or<Omit<Step<Kind>, 'do' | 'got'>>;
  /** The answer in short. */
  got(
    result: Awaited<Result>,
    notes: Notes,
    ...given: Given
  ): Or<Exclude<Step<Kind>['got'], { error: string } | undefined>>;
  /** Fields of the step that follow from the answer. */
  settled?(result: Awaited<Result>, ...given: Given): Partial<Step<Kind>>;
  repeat(step: Step<Kind>, run: (...given: Given) => Result): unknown;
}
type Repeated<Given extends readonly unknown[], Result> = {
  readonly [Kind in StepKind]: RepeatedAs<Kind, Given, Result>;
}[StepKind];

/** Facts about the recorded session that a step needs. */
export interface Notes {
  /** Skills the model may see, and all of them. */
  visible(): Promise<readonly SkillRecord[]>;
  known(): Promise<readonly SkillRecord[]>;
  /** A reference that means the same skill on another machine. */
  portable(reference: SkillReference): Promise<SkillReference>;
  /** A text as digest and tokens, without the directories of the skills. */
  weigh(
    text: string,
    skills: readonly Pick<SkillRecord, 'name' | 'dir'>[],
  ): { readonly digest: string; readonly tokens: number };
  /** The skills that a message names, suggests and finds. */
  message(text: string): Promise<Exclude<Step<'message'>['got'], { error: string } | undefined>>;
}

/** Declares a method of the protocol. */
export const method = <
  const Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Given extends readonly unknown[],
  Result,
>(
  declared: WireMethod<Name, Input, Output, Given, Result>,
) => declared;

/** A method without its types. One of the library alone has no more than `run` and `recorded`. */
// biome-ignore lint/suspicious/noExplicitAny: the types differ from row to row of the table
type Any = WireMethod<string, any, any, any, any>;
export type AnyMethod = Pick<Any, 'run'> & Partial<Any>;

/** Names a skill, for a call that a replay does not repeat. */
export const aboutSkill =
  (call: string): Title<readonly [SkillReference, ...unknown[]]> =>
  (spell, { name, path }) => {
    const skill = name ?? (path === undefined ? undefined : spell(path));
    return skill === undefined ? call : `${call} '${skill}'`;
  };

const referenceFields = {
  name: z.string().optional().describe('Name of the skill; an error if several skills share it'),
  path: z.string().optional().describe('Path of its SKILL.md or directory; takes precedence over name'),
};

/** Params that name a skill by name or path, plus further fields. The JSON Schema requires one of the two. */
export function withReference<Fields extends z.ZodRawShape>(fields: Fields) {
  const reference = z.strictObject({ ...referenceFields, ...fields });
  return reference
    .refine((value) => {
      const { name, path } = value as SkillReference;
      return Boolean(name) || Boolean(path);
    }, 'name or path is required')
    .meta({ anyOf: [{ required: ['name'] }, { required: ['path'] }] });
}

/** A method that reads one skill. */
export const readsSkill = { writes: [], touches: { skill: 'name', operation: 'read' } } as const;

/** One that may have to index the skill first. */
export const indexesSkill = { ...readsSkill, writes: ['cache'] } as const;

/** One that runs code of a skill. */
export const runsSkill = {
  writes: ['granted directories'],
  touches: { skill: 'name', operation: 'run' },
} as const;

/** One that lists skills. */
export const listsSkills = { writes: [], touches: { skills: 'list' } } as const;

/** Bytes to skip of a long text. */
export const offsetField = z.int().nonnegative().optional();

/** Diagnostics as lines for a model; they may quote a skill. */
export const renderRemarks = ({ diagnostics }: { readonly diagnostics: readonly Diagnostic[] }) =>
  diagnostics.map((diagnostic) => neutralise(renderDiagnostic(diagnostic).trimEnd()));
