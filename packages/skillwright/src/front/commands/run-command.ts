// Running a command, whatever the front end: the workspace is settled, the skill it names is found and judged, then it
// runs, and what it served leaves a row in the access log.

import { type AccessedSkill, createAccess, type OpenedSkill } from '../../read/access/index.ts';
import type { QuizMemory } from '../../skill/quiz/index.ts';
import { openWorkspace, type Workspace } from '../../skill/workspace/index.ts';
import type { CommandContext, Connection, FrontContext } from './command-context.ts';
import type { AnyCommand, AnyOperation } from './define-command.ts';
import { requireUsersOwn } from './users-own.ts';

/** Runs a checked input and gives the result. Operations that serve content are recorded, also when they fail. */
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
 * Runs an operation in a connection: its session finds, judges and records the skills that the operation touches.
 * Nothing is awaited before it starts, so that one that fixes the folder does so before the next message is looked at.
 */
export async function runInSession(
  { run }: AnyOperation,
  { input, connection }: { input: Record<string, unknown>; connection: Connection },
): Promise<unknown> {
  return run(input, connection);
}

/** What is known of a run besides its surroundings. */
interface ContextOptions {
  readonly accessed?: ((skill: AccessedSkill) => void) | undefined;
  /** The skill it is about, once that is known. */
  readonly skill?: () => OpenedSkill | undefined;
}

/** The world of a command. */
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
    // What is only made when it is asked for stays so.
    ...Object.getOwnPropertyDescriptors(front),
    workspace: { value: workspace, enumerable: true },
    access: { value: access, enumerable: true },
    memory: { value: memory, enumerable: true },
    skill: { get: skill, enumerable: true },
  });
}

/** The skill that the input of a command names; undefined when it names none. */
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
  tool === 'skill_run' ? `Run something of ${skill}?` : `Read ${skill}?`;
