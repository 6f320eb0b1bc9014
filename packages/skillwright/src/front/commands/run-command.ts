// Runs a command for any front end: opens the workspace, finds and judges the named skill, runs the command, and logs
// the access.

import { type AccessedSkill, createAccess, type OpenedSkill } from '../../read/access/index.ts';
import type { QuizMemory } from '../../skill/quiz/index.ts';
import { openWorkspace, type Workspace } from '../../skill/workspace/index.ts';
import type { CommandContext, Connection, FrontContext } from './command-context.ts';
import type { AnyCommand, AnyOperation } from './define-command.ts';
import { requireTogether, requireUsersOwn } from './users-own.ts';

/** Runs a command with a checked input. Operations that serve content are logged, failures too. */
export async function runCommand(
  name: string,
  command: AnyCommand,
  { input, context: front }: { input: Record<string, unknown>; context: FrontContext },
): Promise<unknown> {
  let accessed: AccessedSkill | undefined;
  const noteAccess = (skill: AccessedSkill) => {
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
  try {
    if (front.by === 'model') requireUsersOwn(command, input);
    requireTogether(command, input);
    named = await openNamed(command, input, context);
    output = await command.run(input, context);
  } catch (error) {
    failure = error;
  }
  if (accessed !== undefined) {
    const { recordAccess } = await import('./record-access.ts');
    const milliseconds = performance.now() - started;
    await recordAccess({ name, command, input, output, failure, accessed, milliseconds }, context);
  }
  if (failure !== undefined) throw failure;
  return output;
}

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
  readonly accessed?: ((skill: AccessedSkill) => void) | undefined;
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
