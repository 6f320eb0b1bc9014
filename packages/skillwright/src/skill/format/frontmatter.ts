// The only reader of SKILL.md frontmatter. Never throws: every text has a result, with a list of its faults.
// This module and its imports stay free of zod to keep reading a skill cheap.

import { countFact } from '../../base/diagnostics/index.ts';
import { countLineEnds, parseYaml, type YamlReading } from './parse-yaml.ts';
import { isGatedFrontmatter, mayHaveQuiz } from './quiz-gate.ts';
import { repairYaml } from './repair-yaml.ts';
import { shorten } from './text-length.ts';
import { writtenText } from './written-text.ts';

/** Longer frontmatter, in characters, is rejected unread. */
export const FRONTMATTER_LIMIT = 256 * 1024;

/**
 * Kinds of frontmatter faults. `repaired`, `duplicate-key` and `dropped-key` leave `data` usable; the rest leave it
 * undefined.
 */
export interface FrontmatterProblem {
  kind:
    | 'missing'
    | 'unterminated'
    | 'too-large'
    | 'yaml'
    | 'not-a-mapping'
    | 'repaired'
    | 'duplicate-key'
    | 'dropped-key';
  message: string;
  /** 1-based line of the file. */
  line: number;
}

/** The parts of a SKILL.md text. */
export interface Frontmatter {
  /** The fields; undefined when the frontmatter is absent or unreadable. */
  readonly data: Readonly<Record<string, unknown>> | undefined;
  /** The text between the fences, as written. */
  yaml: string;
  /** The text after the closing fence; without frontmatter the whole text. */
  body: string;
  /** 1-based line of the file where the body starts. */
  bodyLine: number;
  problems: readonly FrontmatterProblem[];
}

/** Fields that are always text: an unquoted number or boolean keeps its written form. */
const TEXT_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'description',
  'license',
  'compatibility',
  'when_to_use',
  'argument-hint',
  'agent',
  'model',
  'version',
  'author',
  'min-skillli-version',
  'checksum',
]);

/**
 * Splits a SKILL.md text into frontmatter and body and reads the fields. Never throws. `counted` names a reading that is
 * made on purpose beside the skill's own, and its subject.
 */
export function readFrontmatter(
  source: string,
  counted?: { readonly as: string; readonly about: string },
): Frontmatter {
  const { yaml, body, bodyLine, padded, missing } = splitFrontmatter(source);
  if (missing !== undefined) return { data: undefined, yaml, body, bodyLine, problems: [missing] };
  const problems = padded.map(paddedFence);
  countFact(counted?.as ?? 'frontmatter', counted?.about ?? yaml);
  const data = readFields(yaml, problems);
  return { data, yaml, body, bodyLine, problems };
}

interface SplitText {
  readonly yaml: string;
  readonly body: string;
  /** The line of the file that the body begins on. */
  readonly bodyLine: number;
  /** Lines of fences with white space behind them. */
  readonly padded: readonly number[];
  /** Why there is no frontmatter; the body is the whole text then. */
  readonly missing?: FrontmatterProblem;
}

/** Splits a text into frontmatter and body without reading the fields. */
export function splitFrontmatter(source: string): SplitText {
  const text = source.charCodeAt(0) === 0xfeff ? source.slice(1) : source;
  const without = (missing: FrontmatterProblem): SplitText => ({
    yaml: '',
    body: text,
    bodyLine: 1,
    padded: [],
    missing,
  });
  const opening = fenceAt(text, 0);
  if (opening === undefined) return without({ kind: 'missing', message: explainMissing(text), line: 1 });
  const closing = findClosingFence(text, opening.next);
  if (closing === undefined) {
    const message = "the frontmatter is never closed: no later line is exactly '---'";
    return without({ kind: 'unterminated', message, line: 1 });
  }
  const yaml = text.slice(opening.next, closing.start);
  const closingLine = 2 + countLineEnds(yaml);
  const padded = [...(opening.padded ? [1] : []), ...(closing.padded ? [closingLine] : [])];
  return { yaml, body: text.slice(closing.next), bodyLine: closingLine + 1, padded };
}

function readFields(yaml: string, problems: FrontmatterProblem[]): Record<string, unknown> | undefined {
  if (yaml.length > FRONTMATTER_LIMIT) {
    const message = `the frontmatter has ${yaml.length} characters; at most ${FRONTMATTER_LIMIT} are read`;
    problems.push({ kind: 'too-large', message, line: 1 });
    return undefined;
  }
  const reading = readOrRepair(yaml, problems);
  if (!reading.ok) return undefined;
  for (const notice of reading.notices) {
    const line = notice.line + 2;
    const key = shorten(notice.key, 60);
    problems.push(
      notice.kind === 'duplicate'
        ? {
            kind: 'duplicate-key',
            message: `the key '${key}' appears twice; the last one counts`,
            line,
          }
        : { kind: 'dropped-key', message: `the key '${key}' is not allowed and was dropped`, line },
    );
  }
  if (reading.value === null) return {};
  if (typeof reading.value !== 'object' || Array.isArray(reading.value)) {
    const found = Array.isArray(reading.value) ? 'a list' : 'plain text';
    const message = `the frontmatter must be a mapping of fields ('name: …'), not ${found}`;
    problems.push({ kind: 'not-a-mapping', message, line: 2 });
    return undefined;
  }
  const data = reading.value as Record<string, unknown>;
  for (const field in data) {
    const value = data[field];
    if ((typeof value === 'number' || typeof value === 'boolean') && TEXT_FIELDS.has(field)) {
      data[field] = writtenText(data, field);
    }
  }
  return data;
}

function readOrRepair(yaml: string, problems: FrontmatterProblem[]): YamlReading {
  const reading = parseYaml(yaml);
  if (reading.ok) return reading;
  const line = reading.line + 2;
  const reason = shorten(reading.reason, 200);
  const repair = reading.refused ? undefined : repairYaml(yaml);
  if (repair !== undefined) {
    const repaired = parseYaml(repair.text);
    if (repaired.ok) {
      problems.push({
        kind: 'repaired',
        message: `not valid YAML (${reason}) but read anyway; ${repair.advice}`,
        line,
      });
      return repaired;
    }
  }
  problems.push({ kind: 'yaml', message: reason, line });
  return reading;
}

/** True when the text of a SKILL.md has a gate. */
export function isGatedText(text: string): boolean {
  return mayHaveQuiz(text) && isGatedFrontmatter(readFrontmatter(text));
}

interface Fence {
  start: number;
  /** Start of the next line. */
  next: number;
  /** Whether white space follows the dashes. */
  padded: boolean;
}

/** The fence that starts at `start`, the first column of a line. */
function fenceAt(text: string, start: number): Fence | undefined {
  if (!text.startsWith('---', start)) return undefined;
  let end = start + 3;
  while (text[end] === ' ' || text[end] === '\t') end++;
  const padded = end > start + 3;
  if (end >= text.length) return { start, next: text.length, padded };
  if (text[end] === '\n') return { start, next: end + 1, padded };
  if (text[end] === '\r') return { start, next: text[end + 1] === '\n' ? end + 2 : end + 1, padded };
  return undefined;
}

function findClosingFence(text: string, from: number): Fence | undefined {
  for (let at = text.indexOf('---', from); at !== -1; at = text.indexOf('---', at + 1)) {
    if (at !== from && text[at - 1] !== '\n' && text[at - 1] !== '\r') continue;
    const fence = fenceAt(text, at);
    if (fence !== undefined) return fence;
  }
  return undefined;
}

function paddedFence(line: number): FrontmatterProblem {
  return {
    kind: 'repaired',
    message: "white space after '---'; other readers may not see the frontmatter",
    line,
  };
}

function explainMissing(text: string): string {
  if (text.trim() === '') return 'the file is empty';
  if (text.slice(0, 1024).includes('\0')) return 'the file is not UTF-8 text';
  if (/^\s+---[ \t]*[\r\n]/.test(text.slice(0, 1024))) {
    return "no frontmatter: '---' must be the very first line, with nothing before it";
  }
  const first = /^---([^\r\n]{0,40})/.exec(text)?.[1];
  if (first === undefined) return "no frontmatter: the first line must be exactly '---'";
  if (/^[a-z]/i.test(first)) {
    return `no frontmatter: '---${first}' names another language; use YAML after a plain '---'`;
  }
  return `no frontmatter: the first line must be exactly '---', not '---${first}'`;
}
