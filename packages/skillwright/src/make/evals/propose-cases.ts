// Proposes cases for the evals of a skill: from its description, its headings, and the searches of agents.

import type { LoggedSearch } from '../../read/usage/index.ts';
import type { SectionQuestion, SkillEvals, TriggerQuery } from './eval-case.ts';
import { significantWords } from './read-from-stub.ts';

/** Facts that cases are made from. */
interface ProposalFacts {
  readonly name: string;
  readonly description: string;
  readonly headings: readonly { readonly text: string; readonly file: string; readonly level: number }[];
  readonly searches: readonly LoggedSearch[];
}

/** New cases; each has `proposed: true`. */
export interface ProposedCases {
  readonly queries: readonly TriggerQuery[];
  readonly questions: readonly SectionQuestion[];
}

const MAX_QUERIES = 10;
const MAX_QUESTIONS = 20;
const MAX_FROM_HEADINGS = 8;
const MAX_CASE = 400;

/** Cases that the skill does not have yet. */
export function proposeCases(
  facts: ProposalFacts,
  known: Pick<SkillEvals, 'queries' | 'questions'>,
): ProposedCases {
  const isNewQuery = createFilter(known.queries.map(({ query }) => query));
  const isNewQuestion = createFilter(known.questions.map(({ question }) => question));
  const sections = new Set(facts.headings.map(({ text, file }) => `${file}\0${text}`));
  // A search that found nothing and led to no section tells what agents ask this skill for.
  const failed = facts.searches.filter(({ results, read }) => results === 0 && read.length === 0);
  const asked = [...occasionsIn(facts.description), ...failed.map(({ query }) => query)];
  const answered = facts.searches.flatMap(({ query, read }) =>
    read
      .filter(({ file, section }) => sections.has(`${file}\0${section}`))
      .map(({ file, section }) => ({ question: query, section, file })),
  );
  return {
    queries: asked
      .filter((query) => query.length <= MAX_CASE && isNewQuery(query))
      .slice(0, MAX_QUERIES)
      .map((query) => ({ query, should_trigger: true, proposed: true })),
    questions: [...answered, ...fromHeadings(facts)]
      .filter(({ question }) => question.length <= MAX_CASE && isNewQuestion(question))
      .slice(0, MAX_QUESTIONS)
      .map((question) => ({ ...question, proposed: true })),
  };
}

/** Lets each text through once, whatever its case and spaces. */
function createFilter(known: readonly string[]): (text: string) => boolean {
  const fold = (text: string) => text.toLowerCase().replace(/\s+/g, ' ').trim();
  const seen = new Set(known.map(fold));
  return (text) => !seen.has(fold(text)) && seen.add(fold(text)) !== undefined;
}

/** The occasions a description names: the parts of "Use when a, b, or c". */
function occasionsIn(description: string): string[] {
  const [, occasions] =
    /\b(?:use|triggers?|activate)\b[^.]*?\b(?:when|for|on|if)\b:?\s+(.*)/is.exec(description) ?? [];
  return (occasions ?? '')
    .split(/[.;]\s+|,\s*(?:or\s+|and\s+)?(?:when\s+)?|\s+or\s+when\s+/i)
    .map((part) => part.trim().replace(/[.!?]+$/, ''))
    .filter((part) => significantWords(part).size >= 2);
}

/** Headings of at least two significant words, from every file in turn. */
function fromHeadings({ headings }: ProposalFacts): SectionQuestion[] {
  const files = [...Map.groupBy(headings, ({ file }) => file).values()].map((own) =>
    own.filter(({ text, level }) => level > 1 && significantWords(text).size >= 2),
  );
  const longest = Math.max(0, ...files.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => files.flatMap((own) => own[turn] ?? []))
    .flat()
    .slice(0, MAX_FROM_HEADINGS)
    .map(({ text, file }) => ({ question: text, section: text, file }));
}
