// Patterns to look for, and the words near which they are tried: one pass finds every declared word in a text.

/** One pattern to look for. */
export interface Probe {
  /** Global; every repetition in it is bounded, so that it runs in linear time. */
  readonly pattern: RegExp;
  /** Words, one of which is in every match. None: the pattern is tried everywhere. */
  readonly needs: readonly WordId[];
  /** Maximum characters from the beginning of such a text to either end of what the pattern looks at. */
  readonly reach: number;
  /** Tried on decoded texts only. */
  readonly hiddenOnly: boolean;
  /** Tried on instructions and decoded texts, not on programs and settings in plain sight. */
  readonly inProse: boolean;
}

/** Reach of most probes. */
const REACH = 500;

/** Every declared probe, for the test that tries each alternative of each. */
export const declaredProbes: Probe[] = [];

/** Declares a probe. `needs` is a list with commas, such as `curl,wget`. */
export function defineProbe(
  pattern: RegExp,
  options: { needs?: string; reach?: number; hiddenOnly?: boolean; inProse?: boolean } = {},
): Probe {
  const probe = {
    pattern,
    needs: options.needs === undefined ? [] : declareWords(options.needs),
    reach: options.reach ?? REACH,
    hiddenOnly: options.hiddenOnly ?? false,
    inProse: options.inProse ?? false,
  };
  declaredProbes.push(probe);
  return probe;
}

/** Whether a probe matches anywhere in a short text. */
export function occursIn(probe: Probe, text: string): boolean {
  return text.search(probe.pattern) >= 0;
}

/** A word in lower case, by its number. */
export type WordId = number;

const words: string[] = [];
const known = new Map<string, WordId>();
/** Words by a number made of their first four letters, and shorter ones by their first two or their only letter. */
const byStart = new Map<number, WordId[]>();
const byPair = new Map<number, WordId[]>();
const byLetter = new Map<number, WordId[]>();
const isStart = new Uint8Array(0x10000);
const isPair = new Uint8Array(0x10000);
const isLetter = new Uint8Array(0x10000);

/** The number of the last four letters: each letter shifts the others by four of sixteen bits. */
const nextRun = (run: number, code: number): number => ((run << 4) ^ (code * 0x9e5)) & 0xffff;

/** Declares a word, so that every text is searched for it. */
function declareWord(word: string): WordId {
  const id = known.get(word) ?? words.push(word) - 1;
  if (known.has(word)) return id;
  known.set(word, id);
  let key = 0;
  const length = word.length < 4 ? Math.min(2, word.length) : 4;
  for (let at = 0; at < length; at++) key = nextRun(key, word.charCodeAt(at));
  (length === 4 ? isStart : length === 2 ? isPair : isLetter)[key] = 1;
  const table = length === 4 ? byStart : length === 2 ? byPair : byLetter;
  table.set(key, [...(table.get(key) ?? []), id]);
  return id;
}

/** Declares words, separated by commas. */
export const declareWords = (list: string): readonly WordId[] => list.split(',').map(declareWord);

/** Where each declared word is in a text in lower case, in order. */
export function findWords(lower: string): ReadonlyMap<WordId, number[]> {
  const found = new Map<WordId, number[]>();
  const tryAll = (ids: readonly WordId[], at: number): void => {
    for (const id of ids) {
      if (!lower.startsWith(words[id]!, at)) continue;
      const places = found.get(id);
      if (places === undefined) found.set(id, [at]);
      else places.push(at);
    }
  };
  let run = 0;
  let letter = 0;
  for (let at = 0; at < lower.length; at++) {
    const code = lower.charCodeAt(at);
    const pair = nextRun(letter, code);
    letter = nextRun(0, code);
    run = nextRun(run, code);
    if (isStart[run] === 1 && at >= 3) tryAll(byStart.get(run)!, at - 3);
    if (isPair[pair] === 1 && at >= 1) tryAll(byPair.get(pair)!, at - 1);
    if (isLetter[letter] === 1) tryAll(byLetter.get(letter)!, at);
  }
  return found;
}
