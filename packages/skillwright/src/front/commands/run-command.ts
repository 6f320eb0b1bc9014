// Runs a command for any front end: opens the workspace, finds and judges the named skill, checks the fields that only the
// user may set or that go together, runs the command, and logs the access.

import { invalidOption, plainPaint, SkillwrightError } from '../../base/diagnostics/index.ts';
import { createAccess, type OpenedSkill } from '../../read/access/index.ts';
import { createIndexCache, type IndexCache } from '../../read/index/index.ts';
import type { FinishedAccess, LogContext } from '../../read/usage/index.ts';
import type { QuizMemory } from '../../skill/quiz/index.ts';
import { openWorkspace, type Workspace } from '../../skill/workspace/index.ts';
import type { CommandContext, FrontContext } from './command-context.ts';
import type { AnyDeclaration } from './define-command.ts';

/** A checked input, and the front end it comes from. */
interface Given {
  readonly input: Record<string, unknown>;
  readonly context: FrontContext;
}

/** A result, and its text for a reader without a terminal, which is rendered once. */
interface Answered {
  readonly output: unknown;
  text(): string;
}

/** Runs a command with a checked input and returns its result. */
export async function runCommand(name: string, command: AnyDeclaration, given: Given): Promise<unknown> {
  return (await answerCommand(name, command, given)).output;
}

/** Runs a command for a front end that shows the text. Operations that serve content are logged, failures too. */
export async function answerCommand(
  name: string,
  command: AnyDeclaration,
  { input, context: front }: Given,
): Promise<Answered> {
  let accessed: FinishedAccess['skill'] | undefined;
  const noteAccess = ({ dir }: OpenedSkill, runtime: string) => {
    accessed = { dir, runtime };
  };
  const isLogged = command.served !== undefined;
  // The log needs the index that the command has read.
  const own = isLogged && front.indexes === undefined ? createIndexCache(1, { copies: false }) : undefined;
  const context = await openContext(front, {
    accessed: isLogged ? noteAccess : undefined,
    indexes: own,
  });
  const started = performance.now();
  let output: unknown;
  let failure: unknown;
  let rendered: string | undefined;
  const text = () => {
    rendered ??= command.text(output, { paint: plainPaint, columns: 80, by: front.by });
    return rendered;
  };
  try {
    if (front.by === 'model') requireUsersOwn(command, input);
    requireTogether(command, input);
    const skill = await openNamed(command, input, context);
    if (skill !== undefined) Object.assign(context, { skill });
    output = await command.run(input, context);
  } catch (error) {
    failure = error;
  }
  if (accessed !== undefined) {
    const milliseconds = performance.now() - started;
    const served = output === undefined ? undefined : command.served?.(output, input);
    const { recordAccess } = await import('../../read/usage/write-access.ts');
    await recordAccess(
      {
        command: name,
        skill: accessed,
        args: command.logged?.(input) ?? input,
        text: output === undefined ? '' : text(),
        served,
        failure,
        milliseconds,
      },
      logContext(context),
    );
  }
  own?.close();
  if (failure !== undefined) throw failure;
  return { output, text };
}

/** The log, as a front end writes to it. */
export const logContext = (context: CommandContext): LogContext => ({
  ...{
    workspace: context.workspace,
    indexes: context.indexes,
    client: context.client,
    run: context.run,
    trace,
  },
  now: context.now,
  report: (told) => context.report(told),
});

/** Sends a span; the code for requests is loaded only then. */
const trace: NonNullable<LogContext['trace']> = async (call, how) => {
  const { exportSpan } = await import('../../ship/network/export-span.ts');
  await exportSpan(call, how);
};

/** Facts about a run. */
interface ContextOptions {
  readonly accessed?: ((skill: OpenedSkill, runtime: string) => void) | undefined;
  readonly indexes?: IndexCache | undefined;
}

/** The context of a command. */
export async function openContext(
  front: FrontContext,
  { accessed, indexes = front.indexes }: ContextOptions = {},
): Promise<CommandContext> {
  const { cwd, home, env, by, ask, confirm, catalog } = front;
  const report = front.report.bind(front);
  const workspace = await (front.workspace?.(cwd) ?? openWorkspace({ cwd, home, env, report }));
  const memory = () => openMemory(front, workspace);
  const access = createAccess({
    workspace,
    by,
    memory,
    accessed,
    confirm: confirm ?? (ask && (({ skill, tool }) => ask.confirm(questionFor(skill.name, tool)))),
    catalog: catalog && ((options) => catalog(workspace, options)),
  });
  return Object.defineProperties({} as CommandContext, {
    // Copies getters as getters, so that they stay lazy.
    ...Object.getOwnPropertyDescriptors(front),
    workspace: { value: workspace, enumerable: true },
    indexes: { value: indexes, enumerable: true },
    access: { value: access, enumerable: true },
    memory: { value: memory, enumerable: true },
    skill: { value: undefined, enumerable: true, writable: true },
  });
}

/** The skill the input names; undefined if it names none. */
async function openNamed(
  { touches }: AnyDeclaration,
  input: Record<string, unknown>,
  { access }: CommandContext,
): Promise<OpenedSkill | undefined> {
  if (touches === 'nothing' || !('skill' in touches)) return undefined;
  const word = input[touches.skill];
  if (typeof word !== 'string') return undefined;
  return access.open(word, { operation: touches.operation, author: input.author === true });
}

async function openMemory({ quizMemory, now }: FrontContext, workspace: Workspace): Promise<QuizMemory> {
  if (quizMemory !== undefined) return quizMemory;
  const { openQuizStateFile } = await import('../../skill/quiz/quiz-state-file.ts');
  return openQuizStateFile(workspace, now);
}

const questionFor = (skill: string, tool: string) =>
  tool === 'skill_run' ? `Run a script or tool of ${skill}?` : `Read ${skill}?`;

/** E018 when a model sends one of the user's fields, with any value. */
export function refuseUsersOwn({ usersOwn = {} }: Pick<AnyDeclaration, 'usersOwn'>, sent: unknown): void {
  if (typeof sent !== 'object' || sent === null) return;
  const field = Object.keys(usersOwn).find((name) => Object.hasOwn(sent, name));
  if (field !== undefined) throw refusedInput(field);
}

/** E018 when a checked input sets one of the user's fields to a value other than the one for models. */
export function requireUsersOwn(
  { usersOwn = {} }: Pick<AnyDeclaration, 'usersOwn'>,
  input: Readonly<Record<string, unknown>>,
): void {
  // Loaded here, because it costs a start more than a millisecond and only models are checked.
  const { isDeepStrictEqual } = process.getBuiltinModule('node:util');
  const field = Object.entries(usersOwn).find(([name, value]) => !isDeepStrictEqual(input[name], value))?.[0];
  if (field !== undefined) throw refusedInput(field);
}

/** E100 for a flag without the one it belongs to, and for two that exclude each other. */
function requireTogether(command: AnyDeclaration, input: Readonly<Record<string, unknown>>): void {
  const { belongsTo, excludes } = command;
  if (belongsTo === undefined && excludes === undefined) return;
  const isGiven = (field: string): boolean => {
    const value = input[field];
    // Compared as text: a default may be an empty list.
    return value !== undefined && String(value) !== String(command.fields[field]?.default);
  };
  const spell = (field: string) => `--${field.replaceAll('_', '-')}`;
  for (const [field, owners] of Object.entries(belongsTo ?? {}) as [string, string[]][])
    if (isGiven(field) && !owners.some(isGiven))
      throw invalidOption(`${spell(field)} belongs to ${owners.map(spell).join(' or ')}`);
  for (const [one, other] of excludes ?? [])
    if (isGiven(one) && isGiven(other))
      throw invalidOption(`${spell(one)} and ${spell(other)} exclude each other`);
}

/** E018 for a field that a model has set. */
export function refusedInput(
  input: string,
  help = 'leave it out; the user can run the command in a terminal, or set it in their configuration',
): SkillwrightError {
  const why = 'a model cannot set it';
  return SkillwrightError.of('E018', { input, why }, { help, data: { input } });
}
