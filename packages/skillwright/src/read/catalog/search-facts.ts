// Facts about a whole catalog that searches need, each found on first use.

import { foldText } from '../../base/markdown/index.ts';
import type { SkillCatalog } from './skill-record.ts';
import type { CreateScorer, SkillScorer } from './skill-scorer.ts';

/** Facts about the skills of a catalog, in its order. */
class SearchFacts {
  readonly #catalog: SkillCatalog;
  #names: readonly string[] | undefined;
  #descriptions: readonly string[] | undefined;
  #words: ReadonlyMap<string, readonly number[]> | undefined;
  readonly #scorers = new Map<CreateScorer, Map<string, SkillScorer>>();

  constructor(catalog: SkillCatalog) {
    this.#catalog = catalog;
  }

  /** Folded names. */
  get names(): readonly string[] {
    // Names are short and almost always lower case already.
    this.#names ??= this.#catalog.skills.map(({ name }) =>
      /^[a-z0-9-]*$/.test(name) ? name : foldText(name),
    );
    return this.#names;
  }

  /** Folded descriptions. */
  get descriptions(): readonly string[] {
    this.#descriptions ??= this.#catalog.skills.map(({ description }) => foldText(description));
    return this.#descriptions;
  }

  /** Words of names and descriptions, with the positions of the skills that contain them. */
  get words(): ReadonlyMap<string, readonly number[]> {
    this.#words ??= this.#collectWords();
    return this.#words;
  }

  #collectWords(): ReadonlyMap<string, readonly number[]> {
    const words = new Map<string, number[]>();
    this.names.forEach((name, place) => {
      const text = `${name} ${this.descriptions[place]}`;
      for (const word of new Set(text.match(/[\p{Script=Latin}\p{M}]+/gu))) {
        const places = words.get(word);
        if (places === undefined) words.set(word, [place]);
        else places.push(place);
      }
    });
    return words;
  }

  /** The scorer that does not read the text of these skills. */
  scorer(create: CreateScorer, sealed: ReadonlySet<string>): SkillScorer {
    const known = this.#scorers.get(create) ?? new Map<string, SkillScorer>();
    this.#scorers.set(create, known);
    const key = [...sealed].sort().join('\0');
    const scorer = known.get(key) ?? create(this.#catalog, sealed);
    // Callers differ in what they may read: keep the latest scorer, and the one that reads everything.
    if (key !== '') for (const other of known.keys()) if (other !== '' && other !== key) known.delete(other);
    known.set(key, scorer);
    return scorer;
  }
}

/** A view of a catalog is another catalog with other skills, so the facts are kept beside it and not in it. */
const kept = new WeakMap<SkillCatalog, SearchFacts>();

/** The facts about a catalog. */
export function searchFactsOf(catalog: SkillCatalog): SearchFacts {
  const facts = kept.get(catalog) ?? new SearchFacts(catalog);
  kept.set(catalog, facts);
  return facts;
}
