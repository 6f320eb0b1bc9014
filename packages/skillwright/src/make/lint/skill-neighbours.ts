// Compares the skills of one run with each other: equal names, and nearly equal descriptions.
//
// A description is a set of pairs of neighbouring words. Two sets that share four fifths of their union have
// one of their few smallest hashes in common, so each skill is looked up by those alone, and a run over thousands of
// skills compares each with a handful. Each takes a few hundred bytes of memory.

import { copyText } from '../../base/files/index.ts';
import { foldText } from '../../base/markdown/index.ts';

/** A skill to compare. */
export interface Neighbour {
  /** Its canonical directory: a skill found by two paths is not its own neighbour. */
  readonly identity: string;
  /** Its directory as shown in messages. */
  readonly path: string;
  readonly name: string;
  readonly description: string;
}

/** Overlap of a skill with one linted before. */
export interface Likeness {
  readonly kind: 'name' | 'description';
  readonly other: Pick<Neighbour, 'path' | 'name'>;
}

/** Compares a skill by its frontmatter. */
export type CompareSkill = (facts: Pick<Neighbour, 'name' | 'description'>) => Likeness | undefined;

/** A linted skill. Its hashes are in the pool from `at` on: pairs, words, subject. */
interface Known {
  readonly path: string;
  readonly name: string;
  readonly at: number;
  readonly pairs: number;
  readonly words: number;
  readonly subject: number;
}

/** Shorter descriptions are similar by chance. */
const MIN_PAIRS = 5;
/** Descriptions are compared by this many words. */
const MAX_WORDS = 300;
/** Share of their union that two descriptions must have in common. */
const SIMILARITY = 0.8;
/** A pair of words that this many skills share does not distinguish them. */
const MAX_ALIKE = 24;
/** Beyond this many skills, only names are compared. */
const MAX_DESCRIPTIONS = 50_000;

/** The skills of one run so far. */
export class SkillNeighbours {
  readonly #known: Known[] = [];
  readonly #likeness = new Map<string, Likeness | undefined>();
  readonly #byName = new Map<string, Likeness['other']>();
  /** Positions in the list of known skills. */
  readonly #byPair = new Map<number, number | number[]>();
  #pool = new Uint32Array(1024);
  #used = 0;

  /** Compares a skill with earlier ones, and keeps it for later ones. A repeated call returns the same result. */
  meet(skill: Neighbour): Likeness | undefined {
    const { identity } = skill;
    if (!this.#likeness.has(identity)) this.#likeness.set(copyText(identity), this.#compare(skill));
    return this.#likeness.get(identity);
  }

  #compare(skill: Neighbour): Likeness | undefined {
    const folded = foldText(skill.name);
    const other = this.#byName.get(folded);
    // A copy of a skill has the same description too; one finding is enough.
    if (other !== undefined) return { kind: 'name', other };
    this.#byName.set(copyText(folded), { path: copyText(skill.path), name: copyText(skill.name) });
    if (this.#known.length >= MAX_DESCRIPTIONS) return undefined;
    const known = this.#remember(skill);
    if (known === undefined) return undefined;
    let twin: Known | undefined;
    const position = this.#known.push(known) - 1;
    for (const pair of this.#pool.slice(known.at, known.at + prefixLength(known.pairs))) {
      const entry = this.#byPair.get(pair);
      const alike = entry === undefined ? [] : typeof entry === 'number' ? [entry] : entry;
      twin ??= alike.map((at) => this.#known[at]!).find((one) => this.#isAlike(known, one));
      if (alike.length < MAX_ALIKE)
        this.#byPair.set(pair, alike.length === 0 ? position : [...alike, position]);
    }
    return twin === undefined
      ? undefined
      : { kind: 'description', other: { path: twin.path, name: twin.name } };
  }

  #remember({ path, name, description }: Neighbour): Known | undefined {
    const hashes = wordsOf(description).map(hashWord);
    const pairs = new Set<number>();
    for (let at = 1; at < hashes.length; at++)
      pairs.add((Math.imul(hashes[at - 1]!, 31) + hashes[at]!) >>> 0);
    if (pairs.size < MIN_PAIRS) return undefined;
    const words = new Set(hashes);
    const subject = wordsOf(name)
      .map(hashWord)
      .filter((hash) => words.has(hash));
    const at = this.#used;
    for (const hash of [...[...pairs].sort((a, b) => a - b), ...words, ...subject]) this.#add(hash);
    return {
      path: copyText(path),
      name: copyText(name),
      at,
      pairs: pairs.size,
      words: words.size,
      subject: subject.length,
    };
  }

  #add(hash: number): void {
    if (this.#used === this.#pool.length) {
      const larger = new Uint32Array(this.#pool.length * 2);
      larger.set(this.#pool);
      this.#pool = larger;
    }
    this.#pool[this.#used++] = hash;
  }

  #isAlike(a: Known, b: Known): boolean {
    // One text for several products, each with its own name in it, is not a duplicate.
    if (this.#isAboutOther(a, b) && this.#isAboutOther(b, a)) return false;
    const pool = this.#pool;
    let common = 0;
    for (let left = 0, right = 0; left < a.pairs && right < b.pairs; ) {
      const [x, y] = [pool[a.at + left]!, pool[b.at + right]!];
      if (x === y) common += 1;
      if (x <= y) left += 1;
      if (y <= x) right += 1;
    }
    return common / (a.pairs + b.pairs - common) >= SIMILARITY;
  }

  /** Whether a description has a word of its skill's name that the other lacks. */
  #isAboutOther(one: Known, other: Known): boolean {
    const subject = this.#pool.subarray(one.at + one.pairs + one.words).subarray(0, one.subject);
    const words = this.#pool.subarray(other.at + other.pairs).subarray(0, other.words);
    return subject.some((hash) => !words.includes(hash));
  }
}

function wordsOf(text: string): string[] {
  return (foldText(text).match(/\p{Script=Han}|[\p{L}\p{N}]+/gu) ?? []).slice(0, MAX_WORDS);
}

/** FNV-1a. */
function hashWord(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Two similar sorted sets share one of this many first elements. */
function prefixLength(size: number): number {
  return size - Math.ceil(SIMILARITY * size) + 1;
}
