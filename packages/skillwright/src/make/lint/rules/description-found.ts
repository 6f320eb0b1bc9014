// SKL115: the requests of a skill's evals find it.

import { readQueryWords } from '../../../read/catalog/index.ts';
import { type JudgedQuery, readEvals } from '../../evals/index.ts';
import type { LintSkill } from '../lint-skill.ts';
import { quoteText } from '../quote-text.ts';
import { defineRule, type RuleFinding } from '../rule.ts';

const MAX_FINDINGS = 5;

/** Reports requests without a word of the name, description and tags, by which agents choose, and that another skill wins them all. */
export const descriptionFound = defineRule({
  id: 'SKL115',
  name: 'description-found',
  severity: 'warning',
  summary: 'The requests of the evals that should trigger find the skill.',
  *check(skill) {
    if (skill.company !== undefined) {
      yield* findOutranked(skill, skill.company.judged ?? []);
      return;
    }
    if (!skill.hasEvals) return;
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

/** Reports that no request of the evals has the skill first. Requests without a word of it are reported on their own. */
function* findOutranked(skill: LintSkill, judged: readonly JudgedQuery[]): Generator<RuleFinding> {
  const lost = judged.find(({ rivals }) => rivals.length > 0);
  if (lost === undefined || judged.some(({ rank }) => rank === 1)) return;
  const requests =
    judged.length === 1
      ? 'the request of its evals does not find'
      : `none of the ${judged.length} requests of its evals finds`;
  yield {
    message: `${requests} the skill: for ${quoteText(lost.query)}, ${lost.why}`,
    line: skill.lineOf('description'),
    help: 'use the words of your users in the description; skc test shows every request',
  };
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
