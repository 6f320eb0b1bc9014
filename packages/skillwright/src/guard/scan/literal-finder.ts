// Finds many literals in one pass over a text (Aho–Corasick as a table), ignoring case.

/** Positions right after each occurrence, by the number of the literal. */
export type LiteralHits = ReadonlyMap<number, readonly number[]>;

/** Finds a fixed list of literals. */
interface LiteralFinder {
  /** Time depends on the length of the text, not on the number of literals. */
  find(text: string): LiteralHits;
}

/** Creates a finder of ASCII literals, ignoring case. */
export function createLiteralFinder(literals: readonly string[]): LiteralFinder {
  const classes = new Uint8Array(128);
  let width = 1;
  for (const literal of literals)
    for (const letter of literal.toLowerCase()) {
      const code = letter.charCodeAt(0);
      if (code > 127) throw new RangeError(`not ASCII: ${literal}`);
      if (classes[code] === 0) classes[code] = width++;
    }
  for (let code = 65; code <= 90; code++) classes[code] = classes[code + 32]!;

  const states = literals.reduce((sum, literal) => sum + literal.length, 1);
  const next = new Int32Array(states * width);
  const outputs = new Map<number, number[]>();
  let used = 1;
  literals.forEach((literal, number) => {
    let state = 0;
    for (let at = 0; at < literal.length; at++) {
      const slot = state * width + classes[literal.charCodeAt(at)]!;
      if (next[slot] === 0) next[slot] = used++;
      state = next[slot]!;
    }
    outputs.set(state, [...(outputs.get(state) ?? []), number]);
  });
  linkFailures({ next, outputs, width, used });
  // Small numbers keep the table in the CPU caches.
  const table = used < 0x8000 ? new Uint16Array(next.subarray(0, used * width)) : next;
  const isEnd = new Uint8Array(used);
  for (const state of outputs.keys()) isEnd[state] = 1;

  return {
    find(text) {
      const hits = new Map<number, number[]>();
      let state = 0;
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at);
        // Only the first letter of some literal leaves state zero.
        state = code > 127 ? 0 : table[state * width + classes[code]!]!;
        if (state === 0) continue;
        if (isEnd[state] === 0) continue;
        for (const number of outputs.get(state)!) {
          const places = hits.get(number);
          if (places === undefined) hits.set(number, [at + 1]);
          else places.push(at + 1);
        }
      }
      return hits;
    },
  };
}

/** Turns the trie of literals into a table without dead ends: breadth first, each state inherits from its suffix. */
function linkFailures(tree: {
  next: Int32Array;
  outputs: Map<number, number[]>;
  width: number;
  used: number;
}): void {
  const { next, outputs, width } = tree;
  const failure = new Int32Array(tree.used);
  const queue: number[] = [];
  for (let letter = 1; letter < width; letter++) if (next[letter] !== 0) queue.push(next[letter]!);
  for (let at = 0; at < queue.length; at++) {
    const state = queue[at]!;
    for (let letter = 1; letter < width; letter++) {
      const child = next[state * width + letter]!;
      const fallback = next[failure[state]! * width + letter]!;
      if (child === 0) {
        next[state * width + letter] = fallback;
        continue;
      }
      failure[child] = fallback;
      const inherited = outputs.get(fallback);
      if (inherited !== undefined) outputs.set(child, [...(outputs.get(child) ?? []), ...inherited]);
      queue.push(child);
    }
  }
}
