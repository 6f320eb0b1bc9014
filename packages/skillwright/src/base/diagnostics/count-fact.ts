// How often one run finds out the same thing. Shown with SKC_DEBUG, so that a test can hold it to once.

let counts: Map<string, Map<string, number>> | undefined;

/** Counts from now on, from zero. Without it nothing is kept. */
export function countFacts(): void {
  counts = new Map();
}

/** One look at a fact: its kind, and what it is about. */
export function countFact(kind: string, about = ''): void {
  if (counts === undefined) return;
  const known = counts.get(kind) ?? new Map<string, number>();
  counts.set(kind, known.set(about, (known.get(about) ?? 0) + 1));
}

/** A line for each kind: how many facts were found out, and how often the same one at most. */
export function countedFacts(): string[] {
  return [...(counts ?? [])].map(([kind, known]) => {
    return `debug: ${kind}: ${known.size}, the same one at most ${Math.max(...known.values())} times`;
  });
}
