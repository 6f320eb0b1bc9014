/** Text folded for comparison, so that two spellings a reader takes for the same are the same string. */

/**
 * Folds case, compatibility and composition, and white space: "ÜBERSICHT", "Übersicht" and its decomposed form
 * fold alike, as do "Straße" and "STRASSE", final and other sigma, and the dotted, dotless and plain "i".
 */
export function foldText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return collapseSpace(text.toLowerCase());
  // Lower case first, for only the small sharp s has an upper case of two letters.
  const folded = text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
  return collapseSpace(folded.replaceAll('ς', 'σ').replaceAll('i\u0307', 'i').normalize('NFKC'));
}

/** Trims, and makes every run of white space one space. */
export function collapseSpace(text: string): string {
  // Most texts need nothing, and finding that out is cheaper than replacing.
  return /[^\S ]|^ | $| {2}/.test(text) ? text.replace(/\s+/g, ' ').trim() : text;
}
