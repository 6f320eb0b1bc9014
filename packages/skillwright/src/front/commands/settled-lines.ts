// Says which skills were taken out of the directories of agents.

import { makeVisible } from '../../base/diagnostics/index.ts';
import type { Settled } from '../../ship/results/index.ts';

/** The settled deployments, one line for each change. */
export function settledLines(settled: readonly Settled[]): string[] {
  return settled.flatMap(({ name, removed, restored, seen_by: seen, fix }) => [
    ...removed.map((place) => `${makeVisible(name)}: removed from ${makeVisible(place)}`),
    ...restored.map((place) => `${makeVisible(name)}: back in ${makeVisible(place)}`),
    ...seen.map(({ agent, place }) => `${agent} still sees ${makeVisible(name)} in ${makeVisible(place)}`),
    ...(fix === null ? [] : [`  ${makeVisible(fix)}`]),
  ]);
}
