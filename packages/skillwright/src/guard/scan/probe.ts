// A pattern to look for, and the search for it in a text.

/** One pattern to look for. */
export interface Probe {
  /** Global; every repetition in it is bounded, so that it runs in linear time. */
  readonly pattern: RegExp;
  /** Texts in lower case, one of which is in every match. None: the pattern is tried everywhere. */
  readonly needs: readonly Need[];
  /** Maximum characters from the beginning of such a text to either end of what the pattern looks at. */
  readonly reach: number;
  /** Tried on decoded texts only. */
  readonly hiddenOnly: boolean;
  /** Tried on instructions and decoded texts, not on programs and settings in plain sight. */
  readonly inProse: boolean;
}

interface Need {
  readonly text: string;
  readonly runs: readonly number[];
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
    needs: options.needs?.split(',').map((text) => ({ text, runs: runsOf(text) })) ?? [],
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

/** Where in a text a probe matched. */
export interface ProbeMatch {
  readonly index: number;
  readonly text: string;
  readonly groups: readonly (string | undefined)[];
}

/** Maximum matches of one probe in one text. An author who puts in more hides something among them. */
export const MAX_MATCHES = 1000;

/** A text in which many probes are looked for. */
export class ProbedText {
  readonly #text: string;
  /** In lower case, with the same offsets. */
  readonly #lower: string;
  /** Which runs of four letters the text contains: most needs are missing, and this tells without a search. */
  readonly #runs = new Uint8Array(RUNS);

  constructor(text: string) {
    this.#text = text;
    const lower = text.toLowerCase();
    this.#lower =
      lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
    let run = 0;
    for (let at = 0; at < this.#lower.length; at++) {
      run = nextRun(run, this.#lower.charCodeAt(at));
      this.#runs[run] = 1;
    }
  }

  /** The matches of a probe: the same as in the whole text, but tried only near the texts it needs. */
  match(probe: Probe): ProbeMatch[] {
    const matches: ProbeMatch[] = [];
    const { pattern } = probe;
    for (const [from, to] of this.#windows(probe)) {
      // Cut only at the end, so that the pattern sees the text before. Not `matchAll`, which clones the expression each time.
      const part = this.#text.slice(0, to);
      pattern.lastIndex = from;
      for (let match = pattern.exec(part); match !== null; match = pattern.exec(part)) {
        matches.push({ index: match.index, text: match[0], groups: match.slice(1) });
        if (matches.length >= MAX_MATCHES) {
          // Reset the shared expression for the next text.
          pattern.lastIndex = 0;
          return matches;
        }
        if (match[0] === '') pattern.lastIndex++;
      }
    }
    return matches;
  }

  /** The parts of the text that contain every match, in order and without overlap. */
  #windows({ needs, reach }: Probe): [from: number, to: number][] {
    if (needs.length === 0) return [[0, this.#text.length]];
    const places: number[] = [];
    for (const { text, runs } of needs) {
      if (!runs.every((run) => this.#runs[run])) continue;
      for (let at = this.#lower.indexOf(text); at >= 0; at = this.#lower.indexOf(text, at + 1))
        places.push(at);
    }
    const windows: [from: number, to: number][] = [];
    for (const place of places.sort((a, b) => a - b)) {
      const last = windows.at(-1);
      if (last !== undefined && place - reach <= last[1]) last[1] = place + reach;
      else windows.push([Math.max(0, place - reach), place + reach]);
    }
    return windows;
  }
}

const RUNS = 0x10000;

/** The number of the last four letters: each letter shifts the others by four of sixteen bits. */
const nextRun = (run: number, code: number): number => ((run << 4) ^ (code * 0x9e5)) & (RUNS - 1);

/** Numbers of the runs of four letters in a text; none if it is shorter. */
function runsOf(text: string): number[] {
  const runs: number[] = [];
  let run = 0;
  for (let at = 0; at < text.length; at++) {
    run = nextRun(run, text.charCodeAt(at));
    if (at >= 3) runs.push(run);
  }
  return runs;
}
