// Changing one value of a configuration file and leaving every other byte, comments included, as it is.

import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'smol-toml';
import { SkillwrightError } from '../diagnostics/skillwright-error.ts';
import { isMissing, readError } from '../files/system-error.ts';
import { writeFileAtomic } from '../files/write-atomic.ts';
import { parseToml } from './load-config.ts';
import { outlineToml } from './locate-key.ts';

/** Sets `key` in the file to `value`, or removes it when `value` is undefined. Creates the file when needed. */
export function writeConfigValue(place: string, key: string, value: unknown): void {
  const before = readExisting(place);
  const wanted = withValue(parseToml(before, place), key.split('.'), value);
  const after = editToml(before, key, value);
  // The edit is textual; what it means is checked by the parser before anything is written.
  if (!isDeepStrictEqual(parseToml(after, place), wanted)) {
    const why = `${key} is written in a form that cannot be changed automatically; edit the file`;
    throw SkillwrightError.of('E110', { where: place, why });
  }
  if (after !== before) writeFileAtomic(place, after);
}

function readExisting(place: string): string {
  try {
    return readFileSync(place, 'utf8');
  } catch (error) {
    if (isMissing(error)) return '';
    throw readError(place, error);
  }
}

function editToml(text: string, key: string, value: unknown): string {
  const { keys, tables } = outlineToml(text);
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text === '' ? [] : text.split(/\r?\n/);
  const table = key.slice(0, key.lastIndexOf('.'));
  const assignment = value === undefined ? [] : [`${key.slice(table.length + 1)} = ${tomlLiteral(value)}`];
  const existing = keys.find((place) => place.key === key);
  const home = tables.findLast((place) => place.name === table);
  if (existing !== undefined) {
    const prefix =
      existing.key === key ? lines[existing.line - 1]!.slice(0, lines[existing.line - 1]!.indexOf('=')) : '';
    const line = value === undefined ? [] : [`${prefix}= ${tomlLiteral(value)}`];
    lines.splice(existing.line - 1, existing.endLine - existing.line + 1, ...line);
  } else if (home !== undefined && home.line > 0) lines.splice(home.lastLine, 0, ...assignment);
  else if (value !== undefined) {
    while (lines.at(-1) === '') lines.pop();
    lines.push(...(lines.length > 0 ? [''] : []), `[${table}]`, ...assignment, '');
  }
  return lines.join(end);
}

/** A value on one line, as TOML. */
function tomlLiteral(value: unknown): string {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const fields = Object.entries(value).map(([name, field]) => `${name} = ${tomlLiteral(field)}`);
    return `{ ${fields.join(', ')} }`;
  }
  if (Array.isArray(value)) return `[${value.map(tomlLiteral).join(', ')}]`;
  return stringify({ value }).slice('value = '.length).trimEnd();
}

function withValue(
  table: Record<string, unknown>,
  path: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const [name, ...rest] = path as [string, ...string[]];
  const copy: Record<string, unknown> = { ...table };
  if (rest.length > 0) {
    const inner = (copy[name] ?? {}) as Record<string, unknown>;
    if (value === undefined && copy[name] === undefined) return copy;
    copy[name] = withValue(inner, rest, value);
  } else if (value === undefined) delete copy[name];
  else copy[name] = value;
  return copy;
}
