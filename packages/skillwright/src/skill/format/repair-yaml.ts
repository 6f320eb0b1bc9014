// One repair attempt for YAML that does not parse. The usual damage is prose without quotes (`description: Use when:
// …`, `@name`, `"a" and "b"`), text that was not indented, and tabs. Rewrites each field that cannot be parsed alone
// as a quoted text. Lines keep their numbers.

import { parseYaml } from './parse-yaml.ts';
import { shorten } from './text-length.ts';

/** Repaired text, and the permanent fix for the author. */
interface YamlRepair {
  text: string;
  advice: string;
}

/** A field in the first column: its key and the rest of the line. */
const FIELD = /^(?<key>[^\s:#'"[\]{}&*!|>%@`-][^\s:]*|"[^"]+"|'[^']+')[ \t]*:(?:[ \t]+(?<value>.*))?$/s;
const NESTED = /^(?<lead>[ \t]*(?:- +)*)(?:(?<key>[^\s:#'"[\]{}-][^\s:]*):[ \t]+)?(?<value>\S.*)$/s;
const BLOCK_HEADER = /^(?<style>[|>])[-+\d]*[ \t]*(?:#.*)?$/;

/** Longer texts are not repaired. */
const LINE_LIMIT = 2000;

/** The text with its unreadable fields quoted; undefined when no repair applies. */
export function repairYaml(yaml: string): YamlRepair | undefined {
  if (yaml.includes('\0')) return undefined;
  const original = yaml.split(/\r\n|\r|\n/);
  if (original.length > LINE_LIMIT) return undefined;
  const lines = original.map((line) => line.replace(/^[ \t]+/, (indent) => indent.replaceAll('\t', '  ')));
  const untabbed = lines.some((line, index) => line !== original[index]);
  const quoted: string[] = [];
  const repaired = groupByField(lines).flatMap((entry) => {
    const field = FIELD.exec(entry[0]!)?.groups;
    if (field === undefined || readsAlone(entry) || usesAnchor(entry, yaml)) return entry;
    quoted.push(field.key!);
    return repairField(entry, { key: field.key!, value: field.value?.trim() ?? '' });
  });
  if (quoted.length === 0 && !untabbed) return undefined;
  return {
    text: repaired.join('\n'),
    advice: quoted.length === 0 ? 'indent with spaces, not tabs' : adviseQuotes(quoted),
  };
}

function adviseQuotes(quoted: readonly string[]): string {
  const named = quoted.slice(0, 3).map((key) => `'${shorten(key, 60)}'`);
  const others = quoted.length > 3 ? ` and ${quoted.length - 3} more` : '';
  return `put quotes around the value of ${named.join(', ')}${others}`;
}

/** Each field with its lines; lines before the first field form a separate group. */
function groupByField(lines: readonly string[]): string[][] {
  const groups: string[][] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (last === undefined || FIELD.test(line)) groups.push([line]);
    else last.push(line);
  }
  return groups;
}

function readsAlone(lines: readonly string[]): boolean {
  const reading = parseYaml(lines.join('\n'));
  // Text that is refused on purpose must not be quoted as prose.
  if (!reading.ok) return reading.refused;
  return (
    reading.value !== null && typeof reading.value === 'object' && Object.keys(reading.value).length === 1
  );
}

/** Whether the lines fail to parse alone only because an anchor is elsewhere in the text. */
function usesAnchor(lines: readonly string[], yaml: string): boolean {
  const reading = parseYaml(lines.join('\n'));
  const alias = reading.ok ? undefined : /^unknown alias \*(?<name>.+)$/.exec(reading.reason)?.groups?.name;
  return alias !== undefined && yaml.includes(`&${alias}`);
}

function repairField(lines: readonly string[], field: { key: string; value: string }): string[] {
  const following = lines.slice(1);
  if (swallowsBody(following)) return [...lines];
  if (field.value === '' || field.value.startsWith('#')) return [lines[0]!, ...repairNested(following)];
  const block = BLOCK_HEADER.exec(field.value)?.groups;
  const texts = following.filter((line) => !/^(?:\s*$|#)/.test(line)).map((line) => line.trim());
  const text =
    block === undefined
      ? unquote([field.value, ...texts].join(' '))
      : texts.join(block.style === '|' ? '\n' : ' ');
  return [`${field.key}: ${yamlText(text)}`, ...following.map(() => '')];
}

/** Whether unindented text follows after a gap: then a fence is missing, and the text is not part of the field. */
function swallowsBody(lines: readonly string[]): boolean {
  return lines.some((line, index) => /^[^\s#-]/.test(line) && /^(?:\s*$|#)/.test(lines[index - 1] ?? 'text'));
}

/** Quotes the values below a field line by line, leaving block scalars alone. */
function repairNested(lines: readonly string[]): string[] {
  let blockIndent: number | undefined;
  return lines.map((line) => {
    const indent = line.length - line.trimStart().length;
    if (blockIndent !== undefined && (line.trim() === '' || indent > blockIndent)) return line;
    blockIndent = undefined;
    const entry = NESTED.exec(line)?.groups;
    if (entry === undefined || entry.value!.startsWith('#') || /^[^\s:]+:$/.test(entry.value!)) return line;
    if (BLOCK_HEADER.test(entry.value!)) {
      blockIndent = indent;
      return line;
    }
    if (readsAlone([`value: ${entry.value}`])) return line;
    return `${entry.lead}${entry.key === undefined ? '' : `${entry.key}: `}${yamlText(unquote(entry.value!.trim()))}`;
  });
}

/** Drops quotes around a text that is not a quoted scalar after all. */
function unquote(text: string): string {
  const first = text[0];
  return text.length > 1 && (first === '"' || first === "'") && text.endsWith(first)
    ? text.slice(1, -1)
    : text;
}

/** A double-quoted YAML scalar: JSON's, with the additional characters escaped that YAML does not allow. */
function yamlText(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
