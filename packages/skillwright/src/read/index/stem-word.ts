// Strips English endings like the first step of Porter's algorithm. The later steps merge words
// with different meanings ("organ", "organize"), and do not improve search.

const pluralInEs = /(?:ss|sh|ch|x|z)es$/;
const singularInS = /(?:ss|us|[sx]is)$/;
const vowel = /[aeiouy]/;
const doubled = /([bcdfghjkmnpqrtvwxy])\1$/;

/** Stem of a lower-case ASCII word. A key for comparison, not always a word. */
export function stemWord(word: string): string {
  if (word.length < 4) return word;
  let stem = word;
  if (stem.endsWith('ies') && stem.length > 4) stem = `${stem.slice(0, -3)}y`;
  else if (pluralInEs.test(stem)) stem = stem.slice(0, -2);
  else if (stem.endsWith('s') && !singularInS.test(stem)) stem = stem.slice(0, -1);

  const ending = stem.endsWith('ing') ? 3 : stem.endsWith('ed') ? 2 : 0;
  const base = stem.slice(0, stem.length - ending);
  if (ending > 0 && base.length >= 3 && vowel.test(base))
    stem = doubled.test(base) ? base.slice(0, -1) : base;

  return stem.endsWith('e') && stem.length > 3 ? stem.slice(0, -1) : stem;
}
