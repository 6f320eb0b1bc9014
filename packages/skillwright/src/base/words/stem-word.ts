// The stem of an English word: "extract", "extracting" and "extraction" have one. A stem is a key for comparison, not always
// a word. Only plurals, verb forms and the nouns of verbs lose their endings: stripping more merges words with different
// meanings ("organ" and "organize", "general" and "generate") and finds less.

const pluralInEs = /(?:ss|sh|ch|x|z)es$/;
const singularInS = /(?:ss|us|[sx]is)$/;
const vowel = /[aeiouy]/;
const doubled = /([bcdfghjkmnpqrtvwxy])\1$/;
/** Nouns of verbs. Shorter ones are words of their own: "session", "question". */
const noun = /^.{5,}(?:[st]ion|ator)$/;
/** Stems of "configuration", "installation" and "organization": unlike "migrate", their verbs have no "ate". */
const nounInAtion = /(?:ur|ll|iz)at$/;

/** The stem of a lower-case word of letters from a to z. */
export function stemWord(word: string): string {
  if (word.length < 4) return word;
  let stem = stripInflection(stripPlural(word));
  if (stem.endsWith('e') && stem.length > 3) stem = stem.slice(0, -1);
  if (noun.test(stem)) stem = stem.slice(0, stem.endsWith('ion') ? -3 : -2);
  return nounInAtion.test(stem) ? stem.slice(0, -2) : stem;
}

function stripPlural(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (pluralInEs.test(word)) return word.slice(0, -2);
  return word.endsWith('s') && !singularInS.test(word) ? word.slice(0, -1) : word;
}

function stripInflection(word: string): string {
  const ending = word.endsWith('ing') ? 3 : word.endsWith('ed') ? 2 : 0;
  const base = word.slice(0, word.length - ending);
  if (ending === 0 || base.length < 3 || !vowel.test(base)) return word;
  return doubled.test(base) ? base.slice(0, -1) : base;
}
