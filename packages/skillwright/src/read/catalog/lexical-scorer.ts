// Scores skills by words: BM25 over the weighted words of their names, descriptions, tags, headings and bodies. Shared
// prefixes and adjacent word pairs count too.

import { createScanner, type RunScanner, type Word } from '../index/index.ts';
import { collectWords, type Postings } from './collect-words.ts';
import { commonTerms } from './common-words.ts';
import { hashBeginning, hashPair, hashText } from './hash-words.ts';
import type { SkillCatalog } from './skill-record.ts';
import type { SkillScorer } from './skill-scorer.ts';
import { WEIGHT_UNIT } from './skill-words.ts';

// Each number is in the middle of a wide plateau, for short descriptions and for skills with bodies alike.
const saturation = 1;
/** Weight of a common word, and of evidence other than the word itself. */
const commonFactor = 0.5;
const beginningFactor = 0.5;
const pairFactor = 0.5;

/** A longer request is scored by its rarest words, which say most about it. */
const MAX_WORDS = 64;

/** A scorer that counts words. Reads the words of the skills, or their cache, when created. */
export function createLexicalScorer(catalog: SkillCatalog, opened?: ReadonlySet<string>): SkillScorer {
  const scan = createScanner('porter');
  const words = collectWords(catalog, opened);
  const { length: skills } = words.documents;
  const common = readCommonWords();
  const sums = new Float32Array(words.size);
  const best = new Float32Array(words.size);

  const rarity = (frequency: number): number => Math.log(1 + (skills - frequency + 0.5) / (frequency + 0.5));

  /** Raises the best evidence for a word in each document of some postings. */
  const raise = ({ documents, weights }: Postings, factor: number, frequency: number): void => {
    const most = factor * rarity(frequency) * (saturation + 1);
    for (let at = 0; at < documents.length; at++) {
      const document = documents[at] as number;
      const weight = (weights[at] as number) / WEIGHT_UNIT;
      const evidence = (most * weight) / (weight + saturation);
      if (evidence > (best[document] as number)) best[document] = evidence;
    }
  };
  const settle = ({ documents }: Postings): void => {
    for (let at = 0; at < documents.length; at++) {
      const document = documents[at] as number;
      sums[document] = (sums[document] as number) + (best[document] as number);
      best[document] = 0;
    }
  };

  /** Evidence for one word in one document. */
  const evidenceOf = ({ word, hash }: QueryWord, document: number): number => {
    const factor = common.has(hash) ? commonFactor : 1;
    const own = words.find(hash);
    const kin = words.find(hashBeginning(word));
    const within = ({ documents, weights }: Postings, share: number, frequency: number): number => {
      const at = documents.indexOf(document);
      const weight = at === -1 ? 0 : (weights[at] as number) / WEIGHT_UNIT;
      return (share * rarity(frequency) * (saturation + 1) * weight) / (weight + saturation);
    };
    const kinFrequency = Math.max(own.frequency, kin.frequency);
    return Math.max(within(own, factor, own.frequency), within(kin, factor * beginningFactor, kinFrequency));
  };

  return {
    explain(query, skill) {
      const document = words.documents[skill] as number;
      const spelled = spellWords(query, scan);
      return chooseWords(readQueryWords(query, scan), (hash) => words.find(hash).frequency)
        .map((word) => ({ word: spelled.get(word.hash) ?? word.word, evidence: evidenceOf(word, document) }))
        .filter(({ evidence }) => evidence > 0);
    },
    knows: (query) =>
      readQueryWords(query, scan).some(({ hash }) => !common.has(hash) && words.find(hash).frequency > 0),
    score(query) {
      sums.fill(0);
      let ideal = 0;
      const wanted = chooseWords(readQueryWords(query, scan), (hash) => words.find(hash).frequency);
      for (const { word, hash } of wanted) {
        const factor = common.has(hash) ? commonFactor : 1;
        const own = words.find(hash);
        ideal += factor * rarity(own.frequency) * (saturation + 1);
        raise(own, factor, own.frequency);
        // Words with the same prefix count as at least as common as the word itself.
        const kin = words.find(hashBeginning(word));
        raise(kin, factor * beginningFactor, Math.max(own.frequency, kin.frequency));
        // A word counts once: where it occurs itself, words with its prefix add nothing.
        settle(own);
        settle(kin);
      }
      wanted.slice(1).forEach(({ hash }, before) => {
        const pair = words.find(hashPair(wanted[before]?.hash ?? 0, hash));
        raise(pair, pairFactor, pair.frequency);
        settle(pair);
      });
      const scores = new Float32Array(skills);
      if (ideal === 0) return scores;
      for (let skill = 0; skill < skills; skill++) {
        const sum = sums[words.documents[skill] as number] as number;
        if (sum > 0) scores[skill] = 1 - 2 ** ((-2 * sum) / ideal);
      }
      return scores;
    },
  };
}

interface QueryWord {
  readonly word: string;
  readonly hash: number;
}

/** Distinct words of a query without stop words, parts of compound words included. */
function readQueryWords(query: string, scan: RunScanner): QueryWord[] {
  const found = new Map<number, string>();
  scan(query, ({ words, grams }) => {
    for (const { term, stop } of words.flatMap((word): Word[] => [word, ...word.parts]))
      if (!stop) found.set(hashText(term), term);
    for (const gram of grams) found.set(hashText(gram), gram);
  });
  return Array.from(found, ([hash, word]) => ({ word, hash }));
}

/** Each word as the query spells it. */
function spellWords(query: string, scan: RunScanner): Map<number, string> {
  const spelled = new Map<number, string>();
  for (const token of query.split(/\s+/))
    for (const { hash } of readQueryWords(token, scan))
      if (!spelled.has(hash)) spelled.set(hash, token.replace(/^\p{P}+|\p{P}+$/gu, ''));
  return spelled;
}

/** The words in order; when there are too many, the rarest. Words that no skill contains come last. */
function chooseWords(words: QueryWord[], frequencyOf: (hash: number) => number): QueryWord[] {
  if (words.length <= MAX_WORDS) return words;
  const ranked = words.map((word, place) => ({ word, place, frequency: frequencyOf(word.hash) || Infinity }));
  return ranked
    .sort((a, b) => (a.frequency === b.frequency ? a.place - b.place : a.frequency - b.frequency))
    .slice(0, MAX_WORDS)
    .sort((a, b) => a.place - b.place)
    .map(({ word }) => word);
}

/** The common words by their hashes in the index. */
function readCommonWords(): ReadonlySet<number> {
  return new Set([...commonTerms()].map(hashText));
}
