// The rules about a skill among others: it can be told apart, and the requests of its evals find it.

import { readQueryWords } from '../../../base/words/index.ts';
import { readEvals } from '../../evals/index.ts';
import type { LintSubject } from '../lint-subject.ts';
import { quoteText } from '../quote-text.ts';
import { defineRule, firstFindings, type Rule, type RuleFinding } from '../rule.ts';
import { wordsAmong } from '../skill-neighbours.ts';

const MAX_WORDS = 6;
const MAX_REQUESTS = 5;

/** A name that another skill in the run has, and a description like that of another. */
export const distinctSkills = defineRule({
  id: 'SKL114',
  name: 'distinct-skills',
  severity: 'warning',
  summary: 'No other skill in sight has the same name or a description that says the same.',
  check(skill) {
    if (skill.company?.likeness === undefined) return [];
    const { kind, other, shared } = skill.company.likeness;
    const where = quoteText(other.path);
    if (kind === 'name') {
      const { name = skill.directoryName } = skill.frontmatter;
      const message = `the skill in ${where} is also called ${quoteText(String(name))}`;
      const help =
        'rename one of the two, or remove the copy: agents that have both ask which one you mean, or pick one';
      return [{ message, line: skill.lineOf('name'), help }];
    }
    const { description } = skill.frontmatter;
    const words = typeof description === 'string' ? wordsAmong(description, shared) : [];
    const named = words.slice(0, MAX_WORDS).map(quoteText).join(', ');
    const more = words.length > MAX_WORDS ? ` and ${words.length - MAX_WORDS} more` : '';
    const message = `the description is like that of ${quoteText(other.name)} in ${where}: both say ${named}${more}`;
    const help = 'say when to use this one and when to use the other';
    return [{ message, line: skill.lineOf('description'), help }];
  },
});

/** Requests without a word of the name, description and tags, by which agents choose, and that another skill wins them all. */
export const descriptionFound = defineRule({
  id: 'SKL115',
  name: 'description-found',
  severity: 'warning',
  summary: 'The requests of the evals that should trigger find the skill.',
  check(skill) {
    const findings = skill.company === undefined ? requestsInVain(skill) : outranked(skill);
    return findings.map((finding) => ({ ...finding, line: skill.lineOf('description') }));
  },
});

/** The rules about company. */
export const companyRules: readonly Rule[] = [distinctSkills, descriptionFound];

/** Requests of which the description has no word. */
function requestsInVain(skill: LintSubject): RuleFinding[] {
  if (!skill.hasEvals()) return [];
  const isShared = createWordTest(textsOf(skill.frontmatter).join(' '));
  const lost = readEvals(skill).queries.filter(
    ({ query, should_trigger, proposed }) => should_trigger && proposed !== true && !isShared(query),
  );
  const findings = lost.map(({ query, source }) => ({
    message: `the description has no word of the request ${quoteText(query)} in ${source}`,
    help: 'use the words of your users in the description',
  }));
  return firstFindings(findings, (left) => `${left} more requests share no word with it`, MAX_REQUESTS);
}

/** That no request of the evals has the skill first. Requests without a word of it are reported on their own. */
function outranked({ company }: LintSubject): RuleFinding[] {
  const judged = company?.judged ?? [];
  const lost = judged.find(({ rivals }) => rivals.length > 0);
  if (lost === undefined || judged.some(({ rank }) => rank === 1)) return [];
  const requests =
    judged.length === 1
      ? 'the request of its evals does not find'
      : `none of the ${judged.length} requests of its evals finds`;
  const message = `${requests} the skill: for ${quoteText(lost.query)}, ${lost.why}`;
  return [{ message, help: 'use the words of your users in the description; skc test shows every request' }];
}

/** Everything an agent sees of a skill before it chooses. */
function textsOf(data: Readonly<Record<string, unknown>>): string[] {
  const { name, description, when_to_use: occasion, tags, triggers, metadata } = data;
  const texts = (value: unknown): string[] => {
    if (typeof value === 'string') return [value];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
  };
  return [name, description, occasion, tags, triggers, metadata].flatMap(texts);
}

/** Whether a request has a word of the text, or one with the same beginning, as `skc find` compares words. */
function createWordTest(text: string): (request: string) => boolean {
  const known = new Set(readQueryWords(text).flatMap(({ hash, beginning }) => [hash, beginning]));
  known.delete(0);
  return (request) => {
    const asked = readQueryWords(request);
    const telling = asked.filter(({ isCommon }) => !isCommon);
    return (telling.length > 0 ? telling : asked).some(
      ({ hash, beginning }) => known.has(hash) || known.has(beginning),
    );
  };
}
