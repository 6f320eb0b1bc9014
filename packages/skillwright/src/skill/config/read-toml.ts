// Reads a configuration file as text and as a table.

import { parse, TomlError } from 'smol-toml';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { readRegularFile } from '../../base/files/index.ts';
import { isShallow } from '../format/index.ts';

/** Size limit. No real configuration comes near it. */
const MAX_CONFIG_BYTES = 1024 * 1024;

/** Text of a configuration file and its byte order mark; undefined when there is no file. */
export function readConfigFile(place: string): { text: string; mark: string } | undefined {
  const written = readRegularFile(place, { maxBytes: MAX_CONFIG_BYTES })?.toString('utf8');
  if (written === undefined) return undefined;
  return written.startsWith('\ufeff')
    ? { text: written.slice(1), mark: '\ufeff' }
    : { text: written, mark: '' };
}

/** Parses TOML; E110 names the file and line. */
export function parseToml(text: string, place: string): Record<string, unknown> {
  const tooDeep = () =>
    SkillwrightError.of('E110', { where: place, why: 'its tables are nested too deeply' });
  try {
    const table = parse(text);
    if (!isShallow(table)) throw tooDeep();
    return table;
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep();
    if (!(error instanceof TomlError)) throw error;
    const why = error.message.split('\n')[0]!.replace(/^Invalid TOML document:\s*/, '');
    throw SkillwrightError.of('E110', { where: `${place}:${error.line}`, why });
  }
}

/** True for a TOML table, as opposed to a value, a list or a date. */
export function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
