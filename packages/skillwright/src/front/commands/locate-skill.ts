// Where a skill and its log are, for commands that read no content.

import type { AccessedSkill, CommandContext } from './command-context.ts';

/** The skill a word means and its runtime directory. E001, E005 or E010 when there is no such skill. */
export async function locateSkill(
  word: string,
  { cwd, home, now }: Pick<CommandContext, 'cwd' | 'home' | 'now'>,
): Promise<AccessedSkill> {
  const { openSource } = await import('../../read/gateway/open-gateway.ts');
  let found: AccessedSkill | undefined;
  await openSource(word, { cwd, home, now, accessed: (skill) => (found = skill) });
  return found!;
}
