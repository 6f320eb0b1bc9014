// Words of texts and queries: splitting, stems, and how much a word says. Every search uses these.

export {
  hashText,
  questionWords,
  segmentWords,
  splitByScript,
  stopWords,
  type Tokenizer,
  type Word,
  wordPattern,
} from './analyze-text.ts';
export { isCommonTerm } from './common-words.ts';
export {
  BEGINNING,
  beginningFactor,
  chooseWords,
  commonFactor,
  hashBeginning,
  hashPair,
  pairsOf,
  type QueryWord,
  rarity,
  readQueryWords,
  saturate,
} from './query-words.ts';
export { type RunScanner, runPattern, scannerFor } from './scan-runs.ts';
