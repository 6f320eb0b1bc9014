// Compares skills with each other: equal names, and descriptions that say the same.
//
// A description is a set of telling words: word stems without words that occur everywhere. Words are ordered by how rare they
// are. Two sets that share half of their union then have one of their first, rarest words in common, so each skill is
// looked up by those alone, and a run over thousands of skills compares each with a handful.

import { copyText } from '../../base/files/index.ts';
import { foldText } from '../../base/markdown/index.ts';
import { readQueryWords, scannerFor } from '../../base/words/index.ts';

/** A skill to compare. */
export interface Neighbour {
  /** Its canonical directory: a skill found by two paths is not its own neighbour. */
  readonly identity: string;
  /** Its directory as shown in messages. */
  readonly path: string;
  readonly name: string;
  readonly description: string;
}

/** Overlap of a linted skill with another. */
export interface Likeness {
  readonly kind: 'name' | 'description';
  readonly other: Pick<Neighbour, 'path' | 'name'>;
  /** Hashes of the words that both descriptions have. */
  readonly shared: ReadonlySet<number>;
}

interface Known extends Omit<Neighbour, 'description'> {
  /** The name, for comparison. */
  readonly key: string;
  readonly isLinted: boolean;
  /** Numbers of the words of the description, in order. */
  words: Uint32Array;
  /** Its words in other spellings. */
  more: Uint32Array;
  /** Those words of its name that its description has; undefined until somebody asks. */
  subject?: readonly number[];
}

/** Shorter descriptions are alike by chance. */
const MIN_WORDS = 4;
/** Descriptions are compared by this many characters. */
const MAX_LENGTH = 2000;
/** Share of their union that two descriptions must have in common. */
const SIMILARITY = 0.5;
/** Each skill is compared with this many that share a word. */
const MAX_ALIKE = 24;
/** Beyond this many skills, only names are compared. */
const MAX_DESCRIPTIONS = 50_000;
/** More than there are different words. */
const NUMBERS = 2 ** 32;

const noWords = new Uint32Array();

/** The skills of one run. */
export class SkillNeighbours {
  /** By identity. */
  readonly #known = new Map<string, Known>();
  readonly #likeness = new Map<string, Likeness>();
  readonly #byName = new Map<string, Likeness['other']>();
  /** Words are numbered, so that facts about them are in arrays: lookups would take longer than all the rest. */
  readonly #numbers = new Map<number, number>();
  readonly #hashes: number[] = [];
  readonly #frequency: number[] = [];
  /** One skill alone is not compared: its words are read when there is another. */
  #unread: (() => void)[] = [];

  /** Adds a linted skill. One of an earlier name is like that one. */
  add(skill: Neighbour): void {
    const known = this.#remember(skill, true);
    if (known === undefined) return;
    const { identity, key, path, name } = known;
    const other = this.#byName.get(key);
    // A copy of a skill has the same description too; one finding is enough.
    if (other !== undefined) this.#likeness.set(identity, { kind: 'name', other, shared: new Set() });
    else this.#byName.set(key, { path, name });
  }

  /** Adds a skill that is not linted; a linted one that was added before stays. */
  addVisible(skill: Neighbour): void {
    this.#remember(skill, false);
  }

  /**
   * The likeness of each linted skill, by identity. Two linted skills of one kind are reported once, for the later one. One that is not
   * linted and has the same name counts as a copy or another version.
   */
  compare(): ReadonlyMap<string, Likeness> {
    const found = new Map(this.#likeness);
    const byWord: Known[][] = [];
    const candidates = new Set<Known>();
    // Skills that are not linted come first: every linted one is compared with them.
    const skills = [...this.#known.values()].filter(({ words }) => words.length >= MIN_WORDS);
    for (const skill of skills.sort((a, b) => Number(a.isLinted) - Number(b.isLinted))) {
      const isOpen = skill.isLinted && !found.has(skill.identity);
      candidates.clear();
      for (const word of this.#rarestOf(skill.words)) {
        byWord[word] ??= [];
        const alike = byWord[word];
        if (isOpen) for (const one of alike) candidates.add(one);
        if (alike.length < MAX_ALIKE) alike.push(skill);
      }
      const likeness = this.#findLike(skill, candidates);
      if (likeness !== undefined) found.set(skill.identity, likeness);
    }
    return found;
  }

  #findLike(skill: Known, candidates: ReadonlySet<Known>): Likeness | undefined {
    let best: { readonly other: Known; readonly share: number } | undefined;
    for (const other of candidates) {
      if (other.key === skill.key) continue;
      const share = shareOf(skill.words, other.words);
      if (share < SIMILARITY || share <= (best?.share ?? 0)) continue;
      if (!this.#areApart(skill, other)) best = { other, share };
    }
    if (best === undefined) return undefined;
    const { path, name, words } = best.other;
    const shared = [...skill.words].filter((word) => words.includes(word));
    const hashes = new Set(shared.map((word) => this.#hashes[word]!));
    return { kind: 'description', other: { path, name }, shared: hashes };
  }

  /** The first words of a skill, the rarest first. */
  *#rarestOf(words: Uint32Array): Generator<number> {
    // Numbers sort without a comparison function: the frequency, then the word.
    const keys = Float64Array.from(words, (word) => this.#frequency[word]! * NUMBERS + word).sort();
    // Two similar sets, ordered alike, share one of this many first elements.
    const first = words.length - Math.ceil(SIMILARITY * words.length) + 1;
    for (const key of keys.subarray(0, first)) yield key % NUMBERS;
  }

  #remember({ identity, path, name, description }: Neighbour, isLinted: boolean): Known | undefined {
    if (this.#known.has(identity)) return undefined;
    const known: Known = {
      identity: copyText(identity),
      path: copyText(path),
      name: copyText(name),
      key: copyText(foldText(name)),
      isLinted,
      words: noWords,
      more: noWords,
    };
    if (this.#known.size < MAX_DESCRIPTIONS) this.#unread.push(() => this.#readWords(known, description));
    this.#known.set(known.identity, known);
    if (this.#known.size > 1) for (const read of this.#unread.splice(0)) read();
    return known;
  }

  #readWords(known: Known, description: string): void {
    known.words = this.#numbersOf(description).sort();
    // `nodejs` is also written Node.js.
    if (COMPOUND.test(description)) known.more = this.#numbersOf(description.replaceAll(COMPOUNDS, ''));
    for (const word of known.words) this.#frequency[word]! += 1;
  }

  #numbersOf(text: string): Uint32Array {
    const found = new Set<number>();
    const known = text.slice(0, MAX_LENGTH);
    scannerFor('porter')(known, (run, start, end) => {
      if (run.numbered?.by !== this) {
        const numbers = tellingWords(known.slice(start, end)).map((hash) => this.#numberOf(hash));
        run.numbered = { by: this, numbers };
      }
      for (const number of run.numbered.numbers) found.add(number);
    });
    return Uint32Array.from(found);
  }

  #numberOf(hash: number): number {
    const number = this.#numbers.get(hash) ?? this.#hashes.push(hash) - 1;
    this.#numbers.set(hash, number);
    this.#frequency[number] ??= 0;
    return number;
  }

  /** Whether it is one text for two products: each description has a word of its skill's name that the other lacks. */
  #areApart(one: Known, other: Known): boolean {
    const isAbout = (skill: Known, another: Known) => {
      skill.subject ??= [...this.#numbersOf(skill.name)].filter((word) => says(skill, word));
      return skill.subject.some((word) => !says(another, word));
    };
    return isAbout(one, other) && isAbout(other, one);
  }
}

/** Whether a description has a word, in one of its spellings. */
const says = ({ words, more }: Known, word: number) => words.includes(word) || more.includes(word);

/** Share of their union that two ordered sets have in common; 0 if their sizes alone make it less than required. */
function shareOf(a: Uint32Array, b: Uint32Array): number {
  if (Math.min(a.length, b.length) < SIMILARITY * Math.max(a.length, b.length)) return 0;
  let common = 0;
  for (let left = 0, right = 0; left < a.length && right < b.length; ) {
    const x = a[left]!;
    const y = b[right]!;
    if (x === y) common += 1;
    if (x <= y) left += 1;
    if (y <= x) right += 1;
  }
  return common / (a.length + b.length - common);
}

/** Punctuation inside a word. */
const COMPOUND = /(?<=[\p{L}\p{N}])[.'’-](?=[\p{L}\p{N}])/u;
const COMPOUNDS = new RegExp(COMPOUND, 'gu');

/** Written words of a text that have one of the hashes, each once. */
export function wordsAmong(text: string, hashes: ReadonlySet<number>): string[] {
  const left = new Set(hashes);
  return (text.slice(0, MAX_LENGTH).match(/\p{Script=Han}+|[\p{L}\p{N}]+/gu) ?? []).filter((word) => {
    const own = tellingWords(word).filter((hash) => left.delete(hash));
    return own.length > 0;
  });
}

const tellingWords = (text: string): number[] =>
  readQueryWords(text).flatMap(({ hash, isCommon }) => (isCommon ? [] : [hash >>> 0]));
