// Text from skills inside text for a model: nothing in it may pass for structure, and nothing in it may be invisible.

import { beginsLike } from '../../skill/format/index.ts';

/** Invisible characters that can carry or reorder text. The joiners of emoji and of Persian stay. */
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

/** Text for an XML element or attribute. What cannot be seen is written as a reference, so that paths stay exact. */
export function escapeXml(text: string): string {
  const reference = (character: string) => `&#x${character.codePointAt(0)!.toString(16).toUpperCase()};`;
  return text
    .toWellFormed()
    .replace(/[&<>"']/g, (character) => entities[character]!)
    .replace(invisible, reference)
    .replace(control, reference);
}

/** Text for a line of Markdown: no tags, links or code spans of its own. */
export function escapeMarkdown(text: string): string {
  return oneLine(text)
    .replace(/[\\`*[\]]/g, '\\$&')
    .replaceAll('<', '&lt;');
}

/** A code span that holds the text whatever backticks it has. */
export function codeSpan(text: string): string {
  const line = escapeInvisible(text);
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return line.includes('`') ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}

/** JSON in which everything can be seen and no tag of ours begins; its values stay exact. */
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

/** Tags that only this product, or the host around it, may write. Letters alone, as they are compared. */
const reservedTags = [
  'skillcontext',
  'skillcontent',
  'skillfiles',
  'skilltools',
  'skillscontext',
  'skillscatalog',
  'skillsusage',
  'skillsloaded',
  'availableskills',
  'systemreminder',
];

const shortestTag = Math.min(...reservedTags.map((tag) => tag.length));

/** Every character that passes for the beginning of a tag, with what could be the rest of it. */
const tagStart =
  /[<＜﹤‹〈⟨〈❮˂ᐸ≺⧼][\s\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\p{L}\p{N}\p{Pd}\p{Pc}/\\⁄∕⧸／＼.:·]*/gu;

/** Lines with which this product ends a body. */
const ownLine =
  /^[^\S\r\n]{0,99}(?:base[^\S\r\n]{1,9}directory[^\S\r\n]{0,9}[:：]|relative paths in this skill are resolved)/gimu;

/**
 * A body that cannot close its own tags or write others of ours: `<` becomes `&lt;` where such a tag would begin, and
 * a line that repeats one of ours becomes a quotation. Everything else stays as it is.
 */
export function neutralise(body: string): string {
  return escapeTags(body, () => '&lt;').replace(ownLine, (line) =>
    line.replace(/^\s*/u, (space) => `${space}> `),
  );
}

/** Replaces the character with which a reserved tag begins, wherever one does. */
function escapeTags(text: string, replace: (character: string) => string): string {
  return text.replace(tagStart, (start) => {
    if (start.length < shortestTag) return start;
    const name = start.replace(/[^\p{L}\p{N}]+/gu, '');
    if (name.length < shortestTag || !/^[sa\P{ASCII}]/iu.test(name)) return start;
    return beginsLike(reservedTags, name) === undefined ? start : replace(start[0]!) + start.slice(1);
  });
}
