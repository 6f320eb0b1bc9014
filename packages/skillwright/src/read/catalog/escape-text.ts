// Escapes text of skills for a model: it must not pass for structure, and nothing in it may be invisible.

import { beginsLike } from '../../skill/format/index.ts';

/** Invisible characters that can hide or reorder text. The joiners of emoji and Persian are allowed. */
const invisible = /[\p{Bidi_Control}\u00ad\u180e\u200b\u2060-\u2064\ufeff\ufff9-\ufffb\u{e0000}-\u{e01ef}]/gu;
const control = /[\p{Cc}\u2028\u2029]/gu;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** One line without control, bidirectional and invisible characters: for names and descriptions. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(invisible, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** Text for an XML element or attribute. Invisible characters become references, so that paths stay exact. */
export function escapeXml(text: string): string {
  const reference = (character: string) => `&#x${character.codePointAt(0)!.toString(16).toUpperCase()};`;
  return text
    .toWellFormed()
    .replace(/[&<>"']/g, (character) => entities[character]!)
    .replace(invisible, reference)
    .replace(control, reference);
}

/** Text for a line of Markdown: no tags, links or code spans. */
export function escapeMarkdown(text: string): string {
  return oneLine(text)
    .replace(/[\\`*[\]]/g, '\\$&')
    .replaceAll('<', '&lt;');
}

/** A code span around a text with any backticks. */
export function codeSpan(text: string): string {
  const line = escapeInvisible(text);
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return line.includes('`') ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}

/** JSON in which everything is visible and no reserved tag begins; its values stay exact. */
export function visibleJson(value: unknown): string {
  const units = (character: string) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('');
  return escapeTags(JSON.stringify(value), units)
    .replace(invisible, units)
    .replace(/[\u007f-\u009f\u2028\u2029]/g, units);
}

function escapeInvisible(text: string): string {
  const visible = (character: string) => `\\u{${character.codePointAt(0)!.toString(16)}}`;
  return text.toWellFormed().replace(invisible, visible).replace(control, visible);
}

/** Tags that only this product, or its host, may write, a shortest one first. Letters only, as compared. */
const reservedTags = [
  'skillfiles',
  'skilltools',
  'skillcontext',
  'skillcontent',
  'skillscontext',
  'skillscatalog',
  'skillsusage',
  'skillsloaded',
  'availableskills',
  'systemreminder',
] as const;

const shortestTag = reservedTags[0].length;

/** Every character that can look like the start of a tag, with the possible rest of it. */
const tagStart =
  /[<＜﹤‹〈⟨〈❮˂ᐸ≺⧼][\s\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\p{L}\p{N}\p{Pd}\p{Pc}/\\⁄∕⧸／＼.:·]*/gu;

/** Lines this product writes after a body. */
const ownLine =
  /^[^\S\r\n]{0,99}(?:base[^\S\r\n]{1,9}directory[^\S\r\n]{0,9}[:：]|relative paths in this skill are resolved)/gimu;

/**
 * A body that cannot close its own tags or write reserved ones: `<` becomes `&lt;` where a reserved tag would begin,
 * and a line that imitates one of skc becomes a quotation. The rest stays unchanged.
 */
export function neutralise(body: string): string {
  return escapeTags(body, () => '&lt;').replace(ownLine, (line) =>
    line.replace(/^\s*/u, (space) => `${space}> `),
  );
}

/** Replaces the first character of each reserved tag. */
function escapeTags(text: string, replace: (character: string) => string): string {
  return text.replace(tagStart, (start) => {
    if (start.length < shortestTag) return start;
    const name = start.replace(/[^\p{L}\p{N}]+/gu, '');
    if (name.length < shortestTag || !/^[sa\P{ASCII}]/iu.test(name)) return start;
    return beginsLike(reservedTags, name) === undefined ? start : replace(start[0]!) + start.slice(1);
  });
}
