// Running a command, whatever the front end: the operation itself, and its row in the access log.

import type { AccessedSkill, CommandContext } from './command-context.ts';
import type { AnyCommand } from './define-command.ts';
import { permitRead } from './permit-read.ts';
import { withCatalog } from './with-catalog.ts';

/** Runs a checked input and gives the result. Operations that serve content are recorded, also when they fail. */
export async function runCommand(
  name: string,
  command: AnyCommand,
  run: { input: Record<string, unknown>; context: CommandContext },
): Promise<unknown> {
  const { input } = run;
  const context = await withCatalog(name, input, run.context);
  if (command.served === undefined) return command.run(input, context);
  let accessed: AccessedSkill | undefined;
  const watched = Object.create(context, {
    accessed: { value: (skill: AccessedSkill) => (accessed = skill) },
    permit: { value: context.permit ?? ((dir: string) => permitRead(dir, context)) },
  }) as CommandContext;
  const started = performance.now();
  let output: unknown;
  let failure: unknown;
  try {
    output = await command.run(input, watched);
  } catch (error) {
    failure = error;
  }
  if (accessed !== undefined) {
    const { recordAccess } = await import('./record-access.ts');
    await recordAccess(
      { name, command, input, output, failure, accessed, milliseconds: performance.now() - started },
      context,
    );
  }
  if (failure !== undefined) throw failure;
  return output;
}
