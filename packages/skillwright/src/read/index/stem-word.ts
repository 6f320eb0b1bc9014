// English endings taken off, in the manner of the first step of Porter's algorithm. The later steps join words
// that mean different things ("organ", "organize"), and finding sections is not better with them.

const pluralInEs = /(?:ss|sh|ch|x|z)es$/;
const singularInS = /(?:ss|us|[sx]is)$/;
const vowel = /[aeiouy]/;
const doubled = /([bcdfghjkmnpqrtvwxy])\1$/;

/** The stem of a lower-case word of ASCII letters. It is a key for comparing, not always a word. */
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
