// Judging skills by words: BM25 over the weighted words of their names, descriptions, tags, headings and bodies. A word
// also counts where a related one stands, where one stands that begins like it, and together with its neighbour.

import { analyzeRun, createScanner, type RunScanner, type Word } from '../index/index.ts';
import { collectWords } from './collect-words.ts';
import { commonWords } from './common-words.ts';
import { hashBeginning, hashPair, hashText } from './hash-words.ts';
import { relatedWords } from './related-words.ts';
import type { SkillCatalog } from './skill-record.ts';
import type { SkillScorer } from './skill-scorer.ts';
import { WEIGHT_UNIT } from './skill-words.ts';
import { buildWordIndex, type Postings } from './word-index.ts';

// Each number lies in the middle of a wide plateau, seen on short descriptions and on skills with bodies alike.
const saturation = 1;
/** What a common word is worth, and evidence other than the word itself. */
const commonFactor = 0.5;
const relatedFactor = 0.5;
const beginningFactor = 0.5;
const pairFactor = 0.5;

const MAX_WORDS = 64;
const MAX_QUERY = 10_000;

/** A scorer that counts words. The words of the skills are read when it is made, or remembered from an earlier time. */
export function createLexicalScorer(catalog: SkillCatalog, opened?: ReadonlySet<string>): SkillScorer {
  const scan = createScanner('porter');
  const index = buildWordIndex(collectWords(catalog, scan, opened));
  const vocabulary = readVocabulary();
  const sums = new Float32Array(index.size);
  const best = new Float32Array(index.size);

  const rarity = (frequency: number): number =>
    Math.log(1 + (index.size - frequency + 0.5) / (frequency + 0.5));

  /** Raises the best evidence for a word in each skill of some postings. */
  const raise = ({ skills, weights }: Postings, factor: number, frequency = skills.length): void => {
    const most = factor * rarity(frequency) * (saturation + 1);
    for (let at = 0; at < skills.length; at++) {
      const skill = skills[at] as number;
      const weight = (weights[at] as number) / WEIGHT_UNIT;
      const evidence = (most * weight) / (weight + saturation);
      if (evidence > (best[skill] as number)) best[skill] = evidence;
    }
  };
  const settle = (lists: readonly Postings[]): void => {
    for (const { skills } of lists)
      for (let at = 0; at < skills.length; at++) {
        const skill = skills[at] as number;
        sums[skill] = (sums[skill] as number) + (best[skill] as number);
        best[skill] = 0;
      }
  };

  return {
    score(query) {
      sums.fill(0);
      let ideal = 0;
      const words = readQueryWords(query, scan);
      for (const { word, hash } of words) {
        const factor = vocabulary.common.has(hash) ? commonFactor : 1;
        const own = index.find(hash);
        ideal += factor * rarity(own.skills.length) * (saturation + 1);
        raise(own, factor);
        const beginning = hashBeginning(word);
        const kin = beginning === undefined ? [] : [index.find(beginning)];
        // Words of one family are no rarer than the word itself.
        for (const postings of kin)
          raise(postings, factor * beginningFactor, Math.max(own.skills.length, postings.skills.length));
        const related = (vocabulary.related.get(hash) ?? []).map((other) => index.find(other));
        for (const postings of related) raise(postings, factor * relatedFactor);
        // One word counts once: where it stands itself, its relatives add nothing.
        settle([own, ...kin, ...related]);
      }
      words.slice(1).forEach(({ hash }, before) => {
        const pair = index.find(hashPair(words[before]?.hash ?? 0, hash));
        raise(pair, pairFactor);
        settle([pair]);
      });
      const scores = new Float32Array(index.size);
      if (ideal === 0) return scores;
      for (let skill = 0; skill < scores.length; skill++) {
        const sum = sums[skill] as number;
        if (sum > 0) scores[skill] = 1 - 2 ** ((-2 * sum) / ideal);
      }
      return scores;
    },
  };
}

/** The distinct words of a query that are no stop words, parts of compound words included. */
function readQueryWords(query: string, scan: RunScanner): { word: string; hash: number }[] {
  const found = new Map<number, string>();
  scan(query.slice(0, MAX_QUERY), ({ words, grams }) => {
    for (const { term, stop } of words.flatMap((word): Word[] => [word, ...word.parts]))
      if (!stop && found.size < MAX_WORDS) found.set(hashText(term), term);
    for (const gram of grams) if (found.size < MAX_WORDS) found.set(hashText(gram), gram);
  });
  return Array.from(found, ([hash, word]) => ({ word, hash }));
}

/** The word lists by the hashes that words have in the index. */
function readVocabulary(): { common: ReadonlySet<number>; related: ReadonlyMap<number, readonly number[]> } {
  const hashOf = (text: string): number => hashText(analyzeRun(text, 'porter').words[0]?.term ?? text);
  const related = new Map<number, Set<number>>();
  for (const group of relatedWords) {
    const hashes = group.map(hashOf);
    for (const hash of hashes) {
      const others = related.get(hash) ?? new Set();
      for (const other of hashes) if (other !== hash) others.add(other);
      related.set(hash, others);
    }
  }
  return {
    common: new Set(commonWords.map(hashOf)),
    related: new Map(Array.from(related, ([hash, others]) => [hash, [...others]])),
  };
}
