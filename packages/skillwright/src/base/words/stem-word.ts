// The stem of an English word: "extract", "extracting" and "extraction" have one. A stem is a key for comparison, not always
// a word. Endings that make another word of it stay: "organ" and "organize", "general" and "generate".

const vowel = /[aeiouy]/;
const doubled = /([bcdfghjkmnpqrtvwxy])\1$/;

/** Endings of plurals, and what replaces them; the first that fits counts. */
const plurals: Endings = [
  [/(?<=..)ies$/, 'y'],
  [/(?<=ss|sh|ch|x|z)es$/, ''],
  [/(?<=ss|us|[sx]is|lysis)$/, ''],
  [/(?<=...)s$/, ''],
];

/** Endings of adverbs, and of nouns made of verbs: to deploy and deployment, to remove and removal. */
const derived: Endings = [
  [/(?<=...ic)ally$|(?<=....)ly$/, ''],
  [/(?<=al)y[sz](?:is|e)?$/, 'ys'],
  [/(?<=.if)(?:y|ic(?:at(?:e|ion))?)$/, ''],
  [/(?<=....)is(?:e|ation)?$/, 'iz'],
  [/(?<=...[^e])at(?:e|ion|or)$/, ''],
  [/(?<=.)scription$/, 'scrib'],
  [/(?<=.)duction$/, 'duc'],
  [/(?<=.)olution$/, 'olv'],
  [/(?<=.)finition$/, 'fin'],
  [/(?<=..)mission$/, 'mit'],
  [/(?<=...n)sion$/, 'd'],
  [/(?<=..er)sion$/, 't'],
  [/(?<=....[^s]t|.....[st])ion$/, ''],
  [/(?<=....)ment$/, ''],
  [/(?<=.(?:[oi]v|iev|ew|pos))al$/, ''],
  [/(?<=...)e$/, ''],
];

type Endings = readonly (readonly [ending: RegExp, instead: string])[];

/** The stem of a lower-case word of letters from a to z. */
export function stemWord(word: string): string {
  if (word.length < 4) return word;
  let stem = stripInflection(replaceEnding(word, plurals));
  for (let before = ''; before !== stem; ) [before, stem] = [stem, replaceEnding(stem, derived)];
  return stem;
}

function replaceEnding(word: string, endings: Endings): string {
  const [ending, instead] = endings.find(([pattern]) => pattern.test(word)) ?? ['', ''];
  return word.replace(ending, instead);
}

function stripInflection(word: string): string {
  const ending = word.endsWith('ing') ? 3 : word.endsWith('ed') ? 2 : 0;
  const base = word.slice(0, word.length - ending);
  if (ending === 0 || base.length < 3 || !vowel.test(base)) return word;
  return doubled.test(base)
    ? base.slice(0, -1)
    : base.replace(/(?<=..)i$/, 'y').replace(/(?<=[^e])at$/, 'ate');
}
