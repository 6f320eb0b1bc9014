// Compares skills with each other: equal names, and descriptions that say the same.
//
// A description is a set of telling words: word stems without words that occur everywhere. Words are ordered by how rare they
// are. Two sets that share half of their union then have one of their first, rarest words in common, so each skill is
// looked up by those alone, and a run over thousands of skills compares each with a handful.

import { copyText } from '../../base/files/index.ts';
import { foldText } from '../../base/markdown/index.ts';
import { readQueryWords } from '../../base/words/index.ts';

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

/** A skill whose words are in the pool from `at` on, in order, followed by `more` other spellings. */
interface Known {
  readonly identity: string;
  readonly path: string;
  readonly name: string;
  /** The name, for comparison. */
  readonly key: string;
  readonly isLinted: boolean;
  at: number;
  words: number;
  more: number;
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

/** The skills of one run. */
export class SkillNeighbours {
  readonly #known: Known[] = [];
  readonly #identities = new Set<string>();
  readonly #likeness = new Map<string, Likeness>();
  readonly #byName = new Map<string, Likeness['other']>();
  readonly #subjects = new Map<Known, readonly number[]>();
  #pool = new Uint32Array(1024);
  #used = 0;
  /** Words are numbered, so that facts about them are in arrays: lookups would take longer than all the rest. */
  readonly #numbers = new Map<number, number>();
  readonly #hashes: number[] = [];
  readonly #frequency: number[] = [];
  /** One skill alone is not compared: its words are read when there is another. */
  readonly #unread: { readonly known: Known; readonly description: string }[] = [];

  /** Adds a linted skill. One of an earlier name is like that one. */
  add(skill: Neighbour): void {
    if (this.#identities.has(skill.identity)) return;
    const known = this.#remember(skill, true);
    const other = this.#byName.get(known.key);
    // A copy of a skill has the same description too; one finding is enough.
    if (other !== undefined) this.#likeness.set(known.identity, { kind: 'name', other, shared: new Set() });
    else this.#byName.set(known.key, { path: known.path, name: known.name });
  }

  /** Adds a skill that is not linted; a linted one that was added before stays. */
  addVisible(skill: Neighbour): void {
    if (!this.#identities.has(skill.identity)) this.#remember(skill, false);
  }

  /**
   * The likeness of each linted skill, by identity. Two linted skills of one kind are reported once, for the later one. One that is not
   * linted and has the same name counts as a copy or another version.
   */
  compare(): ReadonlyMap<string, Likeness> {
    const found = new Map(this.#likeness);
    const skills = this.#known.filter(({ words }) => words >= MIN_WORDS).slice(0, MAX_DESCRIPTIONS);
    const byWord: Known[][] = [];
    const candidates = new Set<Known>();
    // Skills that are not linted come first: every linted one is compared with them.
    for (const skill of skills.toSorted((a, b) => Number(a.isLinted) - Number(b.isLinted))) {
      const isOpen = skill.isLinted && !found.has(skill.identity);
      candidates.clear();
      for (const word of this.#rarestOf(skill)) {
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
      // Sets of very different sizes cannot have enough in common.
      const most = Math.min(skill.words, other.words) / Math.max(skill.words, other.words);
      if (most < SIMILARITY || most <= (best?.share ?? 0)) continue;
      const share = this.#shareOf(skill, other);
      if (share < SIMILARITY || share <= (best?.share ?? 0)) continue;
      if (other.key !== skill.key && !this.#areApart(skill, other)) best = { other, share };
    }
    if (best === undefined) return undefined;
    const { path, name } = best.other;
    const words = new Set(this.#wordsOf(skill));
    const shared = [...this.#wordsOf(best.other)].filter((word) => words.has(word));
    const hashes = new Set(shared.map((word) => this.#hashes[word]!));
    return { kind: 'description', other: { path, name }, shared: hashes };
  }

  /** The first words of a skill, the rarest first. */
  *#rarestOf(skill: Known): Generator<number> {
    // Numbers sort without a comparison function: the frequency, then the word.
    const keys = Float64Array.from(this.#wordsOf(skill), (word) => this.#frequency[word]! * NUMBERS + word);
    for (const key of keys.sort().subarray(0, prefixLength(skill.words))) yield key % NUMBERS;
  }

  #remember({ identity, path, name, description }: Neighbour, isLinted: boolean): Known {
    const known: Known = {
      identity: copyText(identity),
      path: copyText(path),
      name: copyText(name),
      key: copyText(foldText(name)),
      isLinted,
      at: 0,
      words: 0,
      more: 0,
    };
    if (this.#known.length < MAX_DESCRIPTIONS) this.#unread.push({ known, description });
    this.#identities.add(known.identity);
    this.#known.push(known);
    if (this.#known.length > 1) for (const one of this.#unread.splice(0)) this.#readWords(one);
    return known;
  }

  #readWords({ known, description }: { readonly known: Known; readonly description: string }): void {
    const words = Uint32Array.from(tellingWords(description), (hash) => this.#numberOf(hash)).sort();
    // `nodejs` is also written Node.js.
    const more = description.search(COMPOUND) === -1 ? [] : tellingWords(description.replace(COMPOUND, ''));
    known.at = this.#used;
    known.words = words.length;
    known.more = more.length;
    for (const word of words) {
      this.#push(word);
      this.#frequency[word]! += 1;
    }
    for (const hash of more) this.#push(this.#numberOf(hash));
  }

  #numberOf(hash: number): number {
    const known = this.#numbers.get(hash);
    if (known !== undefined) return known;
    this.#numbers.set(hash, this.#hashes.length);
    this.#frequency.push(0);
    return this.#hashes.push(hash) - 1;
  }

  #push(word: number): void {
    if (this.#used === this.#pool.length) {
      const larger = new Uint32Array(this.#pool.length * 2);
      larger.set(this.#pool);
      this.#pool = larger;
    }
    this.#pool[this.#used++] = word;
  }

  #wordsOf({ at, words }: Known): Uint32Array {
    return this.#pool.subarray(at, at + words);
  }

  /** Share of their union that two descriptions have in common. */
  #shareOf(a: Known, b: Known): number {
    const pool = this.#pool;
    let common = 0;
    for (let left = 0, right = 0; left < a.words && right < b.words; ) {
      const x = pool[a.at + left]!;
      const y = pool[b.at + right]!;
      if (x === y) common += 1;
      if (x <= y) left += 1;
      if (y <= x) right += 1;
    }
    return common / (a.words + b.words - common);
  }

  /** Whether it is one text for two products: each description has a word of its skill's name that the other lacks. */
  #areApart(one: Known, other: Known): boolean {
    return this.#isAbout(one, other) && this.#isAbout(other, one);
  }

  #isAbout(skill: Known, other: Known): boolean {
    return this.#subjectOf(skill).some((word) => !this.#says(other, word));
  }

  /** Words of a skill's name that its description has. */
  #subjectOf(skill: Known): readonly number[] {
    let subject = this.#subjects.get(skill);
    if (subject === undefined) {
      subject = tellingWords(skill.name)
        .map((hash) => this.#numberOf(hash))
        .filter((word) => this.#says(skill, word));
      this.#subjects.set(skill, subject);
    }
    return subject;
  }

  /** Whether a description has a word, in one of its spellings. */
  #says({ at, words, more }: Known, word: number): boolean {
    for (let place = at; place < at + words + more; place++) if (this.#pool[place] === word) return true;
    return false;
  }
}

/** Punctuation inside a word. */
const COMPOUND = /(?<=[\p{L}\p{N}])[.'’-](?=[\p{L}\p{N}])/gu;

/** Written words of a text that have one of the hashes, each once. */
export function wordsAmong(text: string, hashes: ReadonlySet<number>): string[] {
  const left = new Set(hashes);
  return (text.slice(0, MAX_LENGTH).match(/\p{Script=Han}+|[\p{L}\p{N}]+/gu) ?? []).filter((word) => {
    const own = tellingWords(word).filter((hash) => left.delete(hash));
    return own.length > 0;
  });
}

function tellingWords(text: string): number[] {
  return readQueryWords(text.slice(0, MAX_LENGTH)).flatMap(({ hash, isCommon }) =>
    isCommon ? [] : [hash >>> 0],
  );
}

/** Two similar sets, ordered alike, share one of this many first elements. */
function prefixLength(size: number): number {
  return size - Math.ceil(SIMILARITY * size) + 1;
}
