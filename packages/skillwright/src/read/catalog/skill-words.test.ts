import { expect, test } from 'vitest';
import { createWordWeigher, WORDS_VERSION } from './skill-words.ts';

/** A skill with many kinds of words. */
const sample = {
  name: 'sampleSkill-2Words',
  description: 'Converting queries into organized tables, classes and studies; stopped, Naïve, 处理电子表格.',
  tags: ['testing', 'releases'],
  body: '# Running the tests\n\nThe quick foxes are jumping over lazier dogs.\n\n```\n# code\n```\n',
};

test('words that are split, stemmed or weighed differently have another version', () => {
  const words = createWordWeigher()(sample);
  const sum = words.reduce((total, { hash, weight }) => (Math.imul(total, 31) + hash * 3 + weight) | 0, 0);
  // When this fails, raise the version too: registries renew the words they store by it.
  expect([WORDS_VERSION, words.length, sum]).toEqual([2, 51, 796934611]);
});
