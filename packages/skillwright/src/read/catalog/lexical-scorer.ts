// Scores the skills of a catalog by the words of their names, descriptions, tags, headings and bodies.

import { chooseWords, type QueryWord, readQueryWords } from '../../base/words/index.ts';
import { collectWords } from './collect-words.ts';
import { createWordScorer, evidenceOf, idealOf } from './score-words.ts';
import type { SkillCatalog } from './skill-record.ts';
import type { SkillScorer } from './skill-scorer.ts';

/** A longer request is scored by its rarest words, which say most about it. */
const MAX_WORDS = 64;

/** A scorer that counts words. Reads the words of the skills, or their cache, when created. */
export function createLexicalScorer(catalog: SkillCatalog, sealed: ReadonlySet<string>): SkillScorer {
  const { documents, size, find } = collectWords(catalog, sealed);
  const { length: skills } = documents;
  const scoreWords = createWordScorer({ skills, size, find });
  const frequencyOf = ({ hash }: { hash: number }) => find(hash).frequency;
  return {
    explain(query, skill) {
      const document = documents[skill] as number;
      const words = spellWords(query);
      const ideal = words.reduce((sum, { word }) => sum + idealOf(word, { skills, find }), 0);
      return words
        .map(({ word, spelled }) => {
          const evidence = evidenceOf(word, { words: { skills, find }, document });
          return { word: spelled, evidence, share: evidence / ideal };
        })
        .filter(({ evidence }) => evidence > 0);
    },
    knows: (query) =>
      readQueryWords(query).some(({ hash, isCommon }) => !isCommon && find(hash).frequency > 0),
    score(query) {
      const sums = scoreWords(chooseWords(readQueryWords(query), MAX_WORDS, frequencyOf));
      const scores = new Float32Array(skills);
      for (let skill = 0; skill < skills; skill++) scores[skill] = sums[documents[skill] as number] as number;
      return scores;
    },
  };
}

/** Words of a query, and how it spells them. */
function spellWords(query: string): { readonly word: QueryWord; readonly spelled: string }[] {
  const seen = new Set<number>();
  return query
    .split(/\s+/)
    .flatMap((token) =>
      readQueryWords(token).map((word) => ({ word, spelled: token.replace(/^\p{P}+|\p{P}+$/gu, '') })),
    )
    .filter(({ word: { hash } }) => !seen.has(hash) && seen.add(hash));
}
