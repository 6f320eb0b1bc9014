// Tools that measure a text. Plain objects and functions: nothing to install.

const WORDS_A_MINUTE = 230;
const MAX_TEXT = 200_000;

const text = { type: 'string', minLength: 1, maxLength: MAX_TEXT, description: 'The text to measure' };

const wordsOf = (value) => value.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];

function sentencesOf(value) {
  return value.split(/[.!?…]+(?:\s+|$)/u).filter((part) => wordsOf(part).length > 0);
}

function paragraphsOf(value) {
  return value.split(/\n\s*\n/).filter((part) => part.trim() !== '');
}

/** Groups of vowels, without a silent e at the end. */
function syllablesIn(word) {
  const plain = word.toLowerCase().replace(/e$/, '');
  return Math.max(1, (plain.match(/[aeiouyäöüáéíóúàèìòùâêîôû]+/g) ?? []).length);
}

const levels = [
  [90, 'very easy'],
  [70, 'easy'],
  [60, 'plain'],
  [50, 'fairly hard'],
  [30, 'hard'],
  [0, 'very hard'],
];

const common = new Set(
  'a an and are as at be but by for from had has have he her his i if in is it its not of on or our she so that the their them then there they this to was we were what when which who will with you your'.split(
    ' ',
  ),
);

/** @type {import('skillwright/guard').Toolset} */
export const Statistics = {
  description: 'Measures texts.',
  tools: {
    count: {
      description: 'Counts characters, words, sentences and paragraphs of a text.',
      input: { type: 'object', properties: { text }, required: ['text'], additionalProperties: false },
      run({ text: value }) {
        const words = wordsOf(value).length;
        return {
          characters: [...value].length,
          words,
          sentences: sentencesOf(value).length,
          paragraphs: paragraphsOf(value).length,
          reading_minutes: Math.round((words / WORDS_A_MINUTE) * 10) / 10,
        };
      },
    },
    readability: {
      description: 'Rates how easy an English text is to read, by the Flesch formula.',
      input: { type: 'object', properties: { text }, required: ['text'], additionalProperties: false },
      run({ text: value }) {
        const words = wordsOf(value);
        const sentences = sentencesOf(value).length;
        if (words.length === 0) throw new Error('the text has no words');
        const syllables = words.reduce((sum, word) => sum + syllablesIn(word), 0);
        const raw = 206.835 - 1.015 * (words.length / sentences) - 84.6 * (syllables / words.length);
        const ease = Math.round(Math.min(100, Math.max(0, raw)));
        const level = levels.find(([least]) => ease >= least)[1];
        return { ease, level, words_a_sentence: Math.round((words.length / sentences) * 10) / 10 };
      },
    },
    frequent: {
      description: 'Lists the most frequent words of a text, without very common ones.',
      input: {
        type: 'object',
        properties: {
          text,
          limit: {
            type: 'integer',
            minimum: 1,
            maximum: 100,
            default: 10,
            description: 'Maximum number of words',
          },
        },
        required: ['text'],
        additionalProperties: false,
      },
      run({ text: value, limit }) {
        const counts = new Map();
        for (const word of wordsOf(value.toLowerCase()))
          if (!common.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
        const ordered = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
        return ordered.slice(0, limit).map(([word, count]) => ({ word, count }));
      },
    },
  },
};
