// SKL115: the requests of a skill's evals find it.

import { readQueryWords } from '../../../read/catalog/index.ts';
import { readEvals } from '../../evals/index.ts';
import { quoteText } from '../quote-text.ts';
import { defineRule } from '../rule.ts';

const MAX_FINDINGS = 5;

/** Reports requests that share no word with the name, description and tags, by which agents choose. */
export const descriptionFound = defineRule({
  id: 'SKL115',
  name: 'description-found',
  severity: 'warning',
  summary: 'Every request of the evals that should trigger shares a word with the name, description or tags.',
  *check(skill) {
    if (!skill.listing.some(({ name }) => name === 'evals' || name === 'eval_queries.json')) return;
    const isShared = createWordTest(textsOf(skill.data).join(' '));
    const lost = readEvals(skill.dir).queries.filter(
      ({ query, should_trigger, proposed }) => should_trigger && proposed !== true && !isShared(query),
    );
    for (const { query, source } of lost.slice(0, MAX_FINDINGS))
      yield {
        message: `the description has no word of the request ${quoteText(query)} in ${source}`,
        line: skill.lineOf('description'),
        help: 'use the words of your users in the description',
      };
    const left = lost.length - MAX_FINDINGS;
    if (left > 0)
      yield { message: `${left} more requests share no word with it`, line: skill.lineOf('description') };
  },
});

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
  const words = readQueryWords(text);
  const known = new Set(
    words.flatMap(({ hash, beginning }) => [hash, ...(beginning === 0 ? [] : [beginning])]),
  );
  return (request) => {
    const asked = readQueryWords(request);
    const telling = asked.filter(({ isCommon }) => !isCommon);
    return (telling.length > 0 ? telling : asked).some(
      ({ hash, beginning }) => known.has(hash) || (beginning !== 0 && known.has(beginning)),
    );
  };
}
