// Facts: one that is remembered, and how often a run looks up the same one. SKC_DEBUG prints it, and a test holds it to
// once.

let counts: Map<string, Map<string, number>> | undefined;

/** Starts counting from zero. Without this call nothing is counted. */
export function countFacts(): void {
  counts = new Map();
}

/** Counts one look-up: the kind of fact and its subject. */
export function countFact(kind: string, about = ''): void {
  if (counts === undefined) return;
  const known = counts.get(kind) ?? new Map<string, number>();
  counts.set(kind, known.set(about, (known.get(about) ?? 0) + 1));
}

/** One line per kind: the number of facts, and the most look-ups of one fact. */
export function countedFacts(): string[] {
  return [...(counts ?? [])].map(([kind, known]) => {
    return `debug: ${kind}: ${known.size}, the same one at most ${Math.max(...known.values())} times`;
  });
}

/** A fact that is read on the first call and remembered. One that could not be read is read again. */
export function once<Fact>(read: () => Fact): () => Fact {
  let known: { readonly fact: Fact } | undefined;
  return () => {
    known ??= { fact: read() };
    return known.fact;
  };
}
