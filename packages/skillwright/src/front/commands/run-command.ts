// Runs a command for any front end: opens the workspace, finds and judges the named skill, runs the command, and logs
// the access.

import { plainPaint } from '../../base/diagnostics/index.ts';
import { createAccess, type OpenedSkill } from '../../read/access/index.ts';
import type { LogContext } from '../../read/usage/index.ts';
import type { QuizMemory } from '../../skill/quiz/index.ts';
import { openWorkspace, type Workspace } from '../../skill/workspace/index.ts';
import type { CommandContext, Connection, FrontContext } from './command-context.ts';
import type { AnyCommand, AnyOperation } from './define-command.ts';
import { requireTogether, requireUsersOwn } from './users-own.ts';

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
export async function runCommand(name: string, command: AnyCommand, given: Given): Promise<unknown> {
  return (await answerCommand(name, command, given)).output;
}

/** Runs a command for a front end that shows the text. Operations that serve content are logged, failures too. */
export async function answerCommand(
  name: string,
  command: AnyCommand,
  { input, context: front }: Given,
): Promise<Answered> {
  let accessed: OpenedSkill | undefined;
  const noteAccess = (skill: OpenedSkill) => {
    accessed = skill;
  };
  let named: OpenedSkill | undefined;
  const context = await openContext(front, {
    accessed: command.served === undefined ? undefined : noteAccess,
    skill: () => named,
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
    named = await openNamed(command, input, context);
    output = await command.run(input, context);
  } catch (error) {
    failure = error;
  }
  if (accessed !== undefined) {
    const milliseconds = performance.now() - started;
    const served = output === undefined ? undefined : command.served?.(output);
    const { recordAccess } = await import('../../read/usage/write-access.ts');
    await recordAccess(
      {
        command: name,
        skill: accessed,
        args: { ...(command.logged?.(input) ?? input), ...served },
        text: output === undefined ? '' : text(),
        files: [...(served?.files ?? []), ...(served?.sections ?? []).map(({ file }) => file)],
        failure,
        milliseconds,
      },
      { workspace: context.workspace, now: () => front.now(), report: (told) => front.report(told), trace },
    );
  }
  if (failure !== undefined) throw failure;
  return { output, text };
}

/** Sends a span; the code for requests is loaded only then. */
const trace: NonNullable<LogContext['trace']> = async (call, how) => {
  const { exportSpan } = await import('../../ship/network/export-span.ts');
  await exportSpan(call, how);
};

/**
 * Runs an operation in a connection, whose session finds, judges and logs the skills the operation touches. Awaits
 * nothing before it starts, so that an operation that sets the folder does so before the next message is read.
 */
export async function runInSession(
  { run }: AnyOperation,
  { input, connection }: { input: Record<string, unknown>; connection: Connection },
): Promise<unknown> {
  return run(input, connection);
}

/** Facts about a run. */
interface ContextOptions {
  readonly accessed?: ((skill: OpenedSkill) => void) | undefined;
  /** The skill, once it is found. */
  readonly skill?: () => OpenedSkill | undefined;
}

/** The context of a command. */
export async function openContext(
  front: FrontContext,
  { accessed, skill = () => undefined }: ContextOptions = {},
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
    access: { value: access, enumerable: true },
    memory: { value: memory, enumerable: true },
    skill: { get: skill, enumerable: true },
  });
}

/** The skill the input names; undefined if it names none. */
async function openNamed(
  { touches }: AnyCommand,
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
