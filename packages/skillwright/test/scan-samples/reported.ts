// Malicious skills after public reports, by kind, split into those the rules may be tuned on and those kept apart.

import { createHash } from 'node:crypto';
import { dataGuide, dockerGuide, pythonGuide, reviewGuide } from './guides.ts';
import { hijackers } from './hijackers.ts';
import { injectedLines } from './injected-lines.ts';
import { loaders } from './loaders.ts';
import { nearMisses1 } from './near-misses-1.ts';
import { nearMisses2 } from './near-misses-2.ts';
import type { Sample } from './sample.ts';
import { shadowPrograms } from './shadow-programs.ts';
import { thiefPrograms1 } from './thief-programs-1.ts';
import { thiefPrograms2 } from './thief-programs-2.ts';
import { thiefProse } from './thief-prose.ts';

/** A set of samples in two halves. */
export interface Halves {
  readonly tuned: readonly Sample[];
  readonly keptApart: readonly Sample[];
}

/** Which half a sample is in follows from its name alone, so no one chooses. */
function halve(samples: readonly Sample[]): Halves {
  const odd = ({ name }: Sample) => ((createHash('sha256').update(name).digest()[0] ?? 0) & 1) === 1;
  return { tuned: samples.filter((one) => !odd(one)), keptApart: samples.filter(odd) };
}

/** Malicious skills by kind. */
export const reported: Readonly<Record<string, Halves>> = {
  'thief programs': halve([...thiefPrograms1, ...thiefPrograms2]),
  'thief prose': halve(thiefProse),
  loaders: halve(loaders),
  hijackers: halve(hijackers),
  'shadow programs': halve(shadowPrograms),
  'injected lines': halve(injectedLines),
};

/** Harmless skills that trip scanners. */
export const nearMisses: Halves = halve([
  ...nearMisses1,
  ...nearMisses2,
  ...[dataGuide, dockerGuide, pythonGuide, reviewGuide].map((guide) => guide()),
]);
