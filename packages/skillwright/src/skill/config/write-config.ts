// Changes one value of a configuration file and keeps every other byte, comments included.

import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'smol-toml';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { isMissing, readError, readRealPath, writeFileAtomic } from '../../base/files/index.ts';
import { lockFile } from '../../base/sqlite/index.ts';
import { outlineToml } from './locate-key.ts';
import { isTable, parseToml, readConfigFile } from './read-toml.ts';

/**
 * Sets `key` in the file to `value`, or removes it when `value` is undefined. Creates the file when needed, and writes
 * through a link. True when the file was changed; E110 when the file is broken or the key is written in a form that
 * cannot be changed safely.
 */
export function writeConfigValue(place: string, key: string, value: unknown): boolean {
  // Between reading and writing, another process must not write: its change would be lost.
  const unlock = lockFile(targetOf(place));
  try {
    return writeLocked(place, key, value);
  } finally {
    unlock();
  }
}

function writeLocked(place: string, key: string, value: unknown): boolean {
  const { text, mark } = readConfigFile(place) ?? { text: '', mark: '' };
  const wanted = withValue(parseToml(text, place), key.split('.'), value);
  const after = editToml(text, key, value);
  // The edit is textual; the parser checks the result before anything is written.
  // Cloned, because the parser's tables have their own prototypes.
  const [meant, found] = structuredClone([prune(wanted), prune(parseEdited(after, place))]);
  if (!isDeepStrictEqual(found, meant)) {
    const why = `${key} is written in a form that cannot be changed automatically; edit the file`;
    throw SkillwrightError.of('E110', { where: place, why });
  }
  if (after === text) return false;
  writeFileAtomic(targetOf(place), mark + after);
  return true;
}

function targetOf(place: string): string {
  try {
    return readRealPath(place);
  } catch (error) {
    if (isMissing(error)) return place;
    throw readError(place, error);
  }
}

function editToml(text: string, key: string, value: unknown): string {
  const { assignments, tables } = outlineToml(text);
  const existing = assignments.find((assignment) => assignment.key === key);
  if (existing !== undefined) {
    return value === undefined
      ? text.slice(0, text.lastIndexOf('\n', existing.start - 1) + 1) +
          text.slice(lineEnd(text, existing.valueEnd))
      : text.slice(0, existing.valueStart) + tomlLiteral(value) + text.slice(existing.valueEnd);
  }
  if (value === undefined) return text;
  const segments = key.split('.');
  const parent = segments.slice(0, -1).join('.');
  const assign = (depth: number) => `${segments.slice(depth).map(tomlKey).join('.')} = ${tomlLiteral(value)}`;
  const table = tables.findLast(({ name }) => name === parent);
  if (table !== undefined) return insertLines(text, table.end, [assign(segments.length - 1)]);
  // A header cannot open a table made by dotted keys: the new key goes next to them, dotted too.
  const sibling = assignments.findLast(
    (assignment) => isBelow(assignment.key, parent) && !isBelow(assignment.table, parent),
  );
  if (sibling !== undefined) {
    const depth = sibling.table === '' ? 0 : sibling.table.split('.').length;
    return insertLines(text, sibling.valueEnd, [assign(depth)]);
  }
  const header = `[${segments.slice(0, -1).map(tomlKey).join('.')}]`;
  return insertLines(text, text.length, [...(text === '' ? [] : ['']), header, assign(segments.length - 1)]);
}

const isBelow = (key: string, table: string) => key === table || key.startsWith(`${table}.`);

/** Whole lines after the line that holds `offset`. */
function insertLines(text: string, offset: number, lines: readonly string[]): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const at = lineEnd(text, offset);
  const before = text.slice(0, at);
  const gap = before === '' || before.endsWith('\n') ? '' : end;
  return `${before}${gap}${lines.map((line) => line + end).join('')}${text.slice(at)}`;
}

/** End of the line that holds `offset`, after its line break. */
function lineEnd(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset);
  return newline === -1 ? text.length : newline + 1;
}

const tomlKey = (segment: string) => (/^[A-Za-z0-9_-]+$/.test(segment) ? segment : JSON.stringify(segment));

/** A value on one line, as TOML. */
function tomlLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlLiteral).join(', ')}]`;
  if (isTable(value)) {
    const fields = Object.entries(value).map(([name, field]) => `${tomlKey(name)} = ${tomlLiteral(field)}`);
    return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
  }
  return stringify({ value }).slice('value = '.length).trimEnd();
}

function withValue(
  table: Record<string, unknown>,
  path: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const [name, ...rest] = path as [string, ...string[]];
  if (rest.length === 0) return { ...table, [name]: value };
  const inner = table[name];
  return { ...table, [name]: withValue(isTable(inner) ? inner : {}, rest, value) };
}

/** Drops empty tables and fields, which mean the same as absent ones. */
function prune(table: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.entries(table).map(
    ([name, value]) => [name, isTable(value) ? prune(value) : value] as const,
  );
  return Object.fromEntries(
    fields.filter(([, value]) => value !== undefined && !(isTable(value) && Object.keys(value).length === 0)),
  );
}

/** Parsed value of an edited text; a value that never matches when the edit broke the text. */
function parseEdited(text: string, place: string): Record<string, unknown> {
  try {
    return parseToml(text, place);
  } catch (error) {
    if (error instanceof SkillwrightError) return { broken: true };
    throw error;
  }
}
