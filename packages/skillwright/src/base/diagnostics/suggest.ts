// Did-you-mean: the few known words closest to a mistyped one.

/** Longer words are not compared: the cost is the product of the lengths. */
const MAX_LENGTH = 100;

/** Up to `limit` candidates that resemble `word`: same prefix first, then containing it, then a small edit distance. */
export function suggest(word: string, candidates: Iterable<string>, limit = 3): string[] {
  const wanted = word.toLowerCase();
  if (wanted === '' || wanted.length > MAX_LENGTH) return [];
  const tolerance = Math.max(1, Math.floor(wanted.length / 3));
  const ranked: { candidate: string; rank: number }[] = [];
  for (const candidate of new Set(candidates)) {
    if (candidate.length > MAX_LENGTH) continue;
    const rank = resemblance(wanted, candidate.toLowerCase(), tolerance);
    if (rank !== undefined) ranked.push({ candidate, rank });
  }
  ranked.sort((a, b) => a.rank - b.rank || (a.candidate < b.candidate ? -1 : 1));
  return ranked.slice(0, limit).map((entry) => entry.candidate);
}

function resemblance(wanted: string, known: string, tolerance: number): number | undefined {
  if (known === wanted) return 0;
  if (wanted.length >= 2 && known.startsWith(wanted)) return 1;
  const distance = editDistance(wanted, known, tolerance);
  if (distance <= tolerance) return 1 + distance;
  if (wanted.length >= 3 && known.includes(wanted)) return 2 + tolerance;
  return undefined;
}

/** Damerau-Levenshtein distance (adjacent swaps count one), or `limit + 1` as soon as it is certain to be larger. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    let best = i;
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        value = Math.min(value, beforePrevious[j - 2]! + 1);
      }
      current.push(value);
      best = Math.min(best, value);
    }
    if (best > limit) return limit + 1;
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length]!;
}
