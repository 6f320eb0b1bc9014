// Takes skills that are off or denied out of the directories of agents after a change, and says so.

import { makeVisible } from '../../base/diagnostics/index.ts';
import type { Settled } from '../../ship/results/index.ts';
import type { CommandContext } from './command-context.ts';

/** Settles skills that were switched, and any other that was due. */
export async function settleSwitched(
  names: readonly string[],
  context: Pick<CommandContext, 'workspace' | 'now'>,
): Promise<Settled[]> {
  const { settleDeployments } = await import('../../ship/doctor/index.ts');
  const settled = await settleDeployments(context);
  const isChanged = ({ removed, restored }: Settled) => removed.length + restored.length > 0;
  return settled.filter((one) => isChanged(one) || names.includes(one.name));
}

/** Takes away what was deployed of skills that agents may not have, with a note for each. */
export async function settleDeployed(context: CommandContext): Promise<void> {
  const { off, config } = context.workspace;
  const { permissions } = await config();
  if (off.names.length + permissions.deny.length === 0) return;
  for (const line of settledLines(await settleSwitched([], context))) context.note(line);
}

/** The settled deployments, one line for each change. */
export function settledLines(settled: readonly Settled[]): string[] {
  return settled.flatMap(({ name, removed, restored, seen_by: seen, fix }) => [
    ...removed.map((place) => `${makeVisible(name)}: removed from ${makeVisible(place)}`),
    ...restored.map((place) => `${makeVisible(name)}: back in ${makeVisible(place)}`),
    ...seen.map(({ agent, place }) => `${agent} still sees ${makeVisible(name)} in ${makeVisible(place)}`),
    ...(fix === null ? [] : [`  ${makeVisible(fix)}`]),
  ]);
}
