// Titles and file names that say nothing about the subject.

const TITLES: ReadonlySet<string> = new Set(
  (
    'overview|introduction|intro|about|background|purpose|summary|conclusion|notes|note|contents|table of contents|toc|' +
    'index|readme|changelog|change log|history|license|licence|credits|contributing|acknowledgements|see also|links|' +
    'references|reference|resources|further reading|related|related skills|related resources|getting started|' +
    'quick start|quickstart|guide|documentation|docs|examples|example|usage|faq|' +
    'when to use|when to use this skill|when not to use'
  ).split('|'),
);

const FILES =
  /(?:^|\/)(?:readme|changelog|license|licence|contributing|index|overview|introduction|toc|credits|history)(?:[._-][^/]*)?\.md$/i;

/** True for a title that many texts have. */
export function isGenericTitle(title: string): boolean {
  return TITLES.has(title.toLowerCase().replace(/^[^\p{L}]+|[^\p{L}]+$/gu, ''));
}

/** The same for the path of a file. */
export function isGenericFile(path: string): boolean {
  return FILES.test(path);
}
