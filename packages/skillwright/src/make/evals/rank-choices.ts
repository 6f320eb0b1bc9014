// Which skill would a model choose? Ranks skills for a request by what a choosing model sees of them: the name and the
// description. A model is not asked; words stand in for it.

import { commonFactor, isCommonTerm, readQueryWords, scannerFor, type Word } from '../../base/words/index.ts';

/** The part of a skill that a choosing model sees. */
interface Choosable {
  readonly name: string;
  readonly description: string;
}

/** A word of a request that speaks for a skill. */
interface ChoiceWord {
  /** As the request spells it. */
  readonly word: string;
  readonly field: 'name' | 'description';
  readonly evidence: number;
}

/** A skill with some evidence for it. */
interface RankedChoice<Skill> {
  readonly skill: Skill;
  /** From 0 to 1. */
  readonly score: number;
  /** Strongest first. */
  readonly words: readonly ChoiceWord[];
}

/** From this score on, the first skill counts as chosen: the same for requests that should choose it and others. */
export const CHOSEN = 0.25;

/** Words of every description and most requests: "Use when the user asks to …". */
const boilerplate = new Set(
  readQueryWords('use user ask request mention trigger skill task agent claude whenever please').map(
    ({ term }) => term,
  ),
);
const boilerplateFactor = 0.05;
/** One Chinese character, or Japanese grammar, says little. */
const grammarFactor = 0.2;
/** A word with the same beginning, such as "translator" for "translate". */
const kinFactor = 0.5;
/** In Korean, particles make most of the difference. */
const particleFactor = 0.9;
/** One part of "half-baked" says little about baking. */
const brokenFactor = 0.4;
/** A word in the name says more. */
const nameFactor = 1.5;
/** The weight of a word of the request that the skill lacks, relative to one that it has. */
const unknownFactor = 0.3;
/** Catalogs smaller than this say nothing about how rare a word is. */
const MIN_CATALOG = 30;

/** Ranks the skills of a catalog. */
export interface ChoiceRanker<Skill> {
  /** The skills for a request, best first; those without evidence are left out. */
  rank(request: string): RankedChoice<Skill>[];
  /** The same, if a skill had this description. */
  describedAs(skill: Skill, description: string): ChoiceRanker<Skill>;
}

/** Reads each skill once. */
export function createChoiceRanker<Skill extends Choosable>(skills: readonly Skill[]): ChoiceRanker<Skill> {
  return rankerOf(skills, skills.map(readSkill));
}

function rankerOf<Skill extends Choosable>(
  skills: readonly Skill[],
  texts: readonly ReturnType<typeof readSkill>[],
): ChoiceRanker<Skill> {
  const frequencies = new Map<string, number>();
  for (const { fields } of texts)
    for (const key of fields.keys()) frequencies.set(key, (frequencies.get(key) ?? 0) + 1);
  const size = Math.max(skills.length, MIN_CATALOG);
  /** 1 for a word of one skill, 0 for a word of all. */
  const rarity = (key: string) => {
    const count = Math.max(1, frequencies.get(key) ?? 1);
    return Math.log((size + 1) / count) / Math.log(size + 1);
  };
  const rank = (request: string) => {
    const wanted = readRequest(request);
    const ranked = skills.map((skill, place) => {
      const { fields, excluded } = texts[place]!;
      const found: ChoiceWord[] = [];
      let against = 0;
      let unknown = 0;
      const evidenceOf = (
        word: RequestWord,
      ): { evidence: number; field: ChoiceWord['field'] } | undefined => {
        const own = fields.get(word.term);
        if (own !== undefined) return { evidence: word.weight * rarity(word.term), field: own };
        const kin = word.kin === undefined ? undefined : fields.get(word.kin);
        return kin && { evidence: word.weight * kinFactorOf(word) * rarity(word.kin!), field: kin };
      };
      for (const group of wanted) {
        const parts = group.map((word) => ({ word, match: evidenceOf(word) }));
        const isBroken = group.length > 1 && parts.some(({ match }) => match === undefined);
        for (const { word, match } of parts) {
          if (excluded.has(word.term)) against += word.weight;
          if (match === undefined) unknown += word.weight;
          if (match === undefined) continue;
          const factor = (isBroken ? brokenFactor : 1) * (match.field === 'name' ? nameFactor : 1);
          found.push({ word: word.spelled, field: match.field, evidence: match.evidence * factor });
        }
      }
      const sum = found.reduce((total, { evidence }) => total + evidence, 0) - against;
      return {
        skill,
        score: sum <= 0 ? 0 : sum / (sum + 1 + unknownFactor * unknown),
        words: found.sort((a, b) => b.evidence - a.evidence),
      };
    });
    return ranked.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  };
  return {
    rank,
    describedAs: (skill, description) =>
      rankerOf(skills, texts.with(skills.indexOf(skill), readSkill({ name: skill.name, description }))),
  };
}

const kinFactorOf = ({ term }: RequestWord) =>
  /^\p{Script=Hangul}/u.test(term) ? particleFactor : kinFactor;

interface RequestWord {
  readonly term: string;
  /** Shared with words that begin alike; undefined for a short word. */
  readonly kin: string | undefined;
  readonly weight: number;
  readonly spelled: string;
}

/** The words of a request; those joined by a hyphen are one group. */
function readRequest(request: string): RequestWord[][] {
  const seen = new Set<string>();
  const groups: RequestWord[][] = [];
  let end = -2;
  scannerFor('porter')(request, ({ words }, start, to) => {
    const own = words
      .filter(({ term, stop }) => !stop && !seen.has(term) && seen.add(term))
      .map((word) => ({
        term: word.term,
        kin: kinOf(word),
        weight: weightOf(word),
        spelled: words.some(({ grams }) => grams.length > 0) ? word.term : request.slice(start, to),
      }))
      .filter(({ weight }) => weight > 0);
    const isJoined = start === end + 1 && request[end] === '-';
    end = to;
    if (isJoined && groups.length > 0) groups.at(-1)!.push(...own);
    else for (const word of own) groups.push([word]);
  });
  return groups;
}

/** The highest weight a word can have. */
function weightOf({ term, grams }: Word): number {
  if (grams.length > 0) return unspacedWeight(term);
  if (boilerplate.has(term)) return boilerplateFactor;
  if (/^\d+$/.test(term)) return commonFactor;
  return isCommonTerm(term) ? commonFactor : 1;
}

/** Words of Chinese, Japanese and Korean requests that name no subject. */
const functionWords = new Set(
  '帮我 帮忙 一下 一个 这个 那个 这些 那些 我们 你们 他们 什么 怎么 怎样 如何 可以 需要 请问 现在 然后 以及 还是 因为 所以 如果 就是 没有 进行 使用 用户 ください ほしい 해줘 주세요 만들어줘 이거 그거'.split(
    ' ',
  ),
);

/** One character, or hiragana alone, is grammar more often than a subject. */
function unspacedWeight(term: string): number {
  if (functionWords.has(term)) return 0;
  if (/^\p{Script=Hiragana}+$/u.test(term)) return term.length > 2 ? grammarFactor : 0;
  return [...term].length > 1 ? 1 : grammarFactor;
}

const BEGINNING = 6;

/** Korean joins a word and its particle, so two syllables are enough of a beginning. */
function kinOf({ term, grams }: Word): string | undefined {
  const length = grams.length === 0 ? BEGINNING : 2;
  const isLong = grams.length === 0 ? term.length > length : /^\p{Script=Hangul}{2,}$/u.test(term);
  return isLong ? `${term.slice(0, length)}…` : undefined;
}

/** A part of a description that says when not to use the skill, to the end of its sentence. */
const exclusion =
  /(?:\b(?:(?:do not|don't|never) (?:use|trigger|activate|invoke|load)|not (?:for|intended for|meant for|needed for|suitable for))\b|不用于|不适用|不要用|不要使用|対象外|使用しない|사용하지)[^.;。；\n]*/giu;

function readSkill({ name, description }: Choosable) {
  const fields = new Map<string, ChoiceWord['field']>();
  const excluded = new Set<string>();
  const visit = (text: string, see: (key: string) => void) =>
    scannerFor('porter')(text, ({ words }) => {
      for (const word of words.flatMap((one) => [one, ...one.parts])) {
        if (word.stop) continue;
        see(word.term);
        const kin = kinOf(word);
        if (kin !== undefined) see(kin);
      }
    });
  const add = (field: ChoiceWord['field']) => (key: string) => {
    if (!fields.has(key)) fields.set(key, field);
  };
  visit(name, add('name'));
  visit(description.replace(exclusion, ' '), add('description'));
  for (const [text] of description.matchAll(exclusion))
    visit(text, (key) => {
      if (!fields.has(key)) excluded.add(key);
    });
  return { fields, excluded };
}
