// Lists the runnable scripts of a skill, in `scripts/`.

import { join, posix } from 'node:path';
import { catchCoded, SkillwrightError, suggest } from '../../base/diagnostics/index.ts';
import {
  decodeText,
  joinInside,
  locateFile,
  readInside,
  resolveInside,
  splitLines,
  walkTree,
  withSlashes,
} from '../../base/files/index.ts';
import { interpretersFor } from './find-interpreter.ts';

const SCRIPTS_DIRECTORY = 'scripts';
const MAX_SCRIPT_BYTES = 4 * 1024 * 1024;

/** One script. */
export interface Script {
  /** Its name: the path below `scripts/`. */
  readonly name: string;
  /** Relative to the skill. */
  readonly path: string;
  /** Programs that can run it, in order of preference. */
  readonly interpreters: readonly string[];
  /** The first line of its comment; empty when it has none. */
  readonly summary: string;
}

/** A located script. */
interface FoundScript {
  readonly name: string;
  readonly path: string;
  /** Absolute, links resolved. */
  readonly file: string;
}

/** The scripts of the skill in `dir`, in bytewise order, without links that lead out. */
export function listScripts(dir: string): Script[] {
  return scriptPaths(dir).map((path) => ({
    name: path.slice(SCRIPTS_DIRECTORY.length + 1),
    path,
    interpreters: interpretersFor(path)!,
    summary: firstLine(describeScript(dir, path)),
  }));
}

/** Description of a script from its own comment. */
interface ScriptHelp {
  readonly path: string;
  readonly source: 'comment' | 'none';
  readonly text: string;
}

/** The first comment of a script. Runs nothing. E012 or E070 when there is no such script. */
export function scriptHelp(dir: string, word: string): ScriptHelp {
  const { path } = openScript(dir, word);
  const text = describeScript(dir, path);
  return { path, source: text === '' ? 'none' : 'comment', text };
}

/** The first comment of a file. */
function describeScript(dir: string, path: string): string {
  // List it anyway; running it reports the error.
  const bytes = catchCoded(
    () => readInside(dir, path, { maxBytes: MAX_SCRIPT_BYTES }),
    () => undefined,
  );
  return bytes === undefined ? '' : commentBlock(decodeText(bytes).text);
}

/**
 * Finds a script by name: `fill.py`, `scripts/fill.py`, or `fill` when only one matches. E012 when it leads out of
 * the skill, E070 when there is none, E015 when it cannot be read.
 */
export function openScript(dir: string, word: string): FoundScript {
  joinInside(dir, word);
  const path = pathOf(dir, withSlashes(word).replace(/^(?:\.\/+)+/, ''));
  const file = resolveInside(dir, path);
  if (file === undefined || readInside(dir, path, { maxBytes: MAX_SCRIPT_BYTES }) === undefined)
    throw scriptNotFound(dir, word);
  return { name: path.slice(SCRIPTS_DIRECTORY.length + 1), path, file };
}

function pathOf(dir: string, word: string): string {
  const within = word.startsWith(`${SCRIPTS_DIRECTORY}/`) ? word.slice(SCRIPTS_DIRECTORY.length + 1) : word;
  const exact = posix.join(SCRIPTS_DIRECTORY, within);
  // A link that leads out must be refused with E012, not E070.
  if (interpretersFor(within) !== undefined && resolveInside(dir, exact) !== undefined) return exact;
  const candidates = scriptPaths(dir).filter((path) => path.replace(/\.\w+$/, '') === exact);
  if (candidates.length > 1) {
    const names = candidates.map((path) => path.slice(SCRIPTS_DIRECTORY.length + 1));
    throw SkillwrightError.of('E070', { script: word }, { help: `use one of: ${names.join(', ')}` });
  }
  if (candidates[0] !== undefined) return candidates[0];
  if (
    resolveInside(dir, exact) !== undefined &&
    interpretersFor(within) === undefined &&
    /\.\w+$/.test(within)
  )
    throw SkillwrightError.of(
      'E070',
      { script: word },
      { help: 'only .sh, .py, .js and .ts files are scripts' },
    );
  throw scriptNotFound(dir, word);
}

function scriptPaths(dir: string): string[] {
  const root = join(dir, SCRIPTS_DIRECTORY);
  if (resolveInside(dir, SCRIPTS_DIRECTORY) === undefined) return [];
  return walkTree(root).entries.flatMap(({ path: within, kind }) => {
    if (interpretersFor(within) === undefined || /(?:^|\/)__\w+__\.py$/.test(within)) return [];
    const path = `${SCRIPTS_DIRECTORY}/${within}`;
    // A link out of `scripts/` may lead to another file of the skill.
    return kind === 'file' || (kind === 'escape' && locateFile(dir, path) === 'file') ? [path] : [];
  });
}

function scriptNotFound(dir: string, word: string): SkillwrightError {
  const names = scriptPaths(dir).map((path) => path.slice(SCRIPTS_DIRECTORY.length + 1));
  const suggestions = suggest(word, names, 3);
  if (suggestions.length > 0)
    return SkillwrightError.of(
      'E070',
      { script: word },
      { help: `did you mean ${suggestions.join(', ')}?`, data: { suggestions } },
    );
  const help =
    names.length === 0 ? 'the skill has no scripts' : `available: ${names.slice(0, 10).join(', ')}`;
  return SkillwrightError.of('E070', { script: word }, { help });
}

const MAX_LINES = 200;

/** The first comment or documentation text of a script, without its marks; empty when it starts with code. */
export function commentBlock(text: string): string {
  const lines = splitLines(text.replace(/^\ufeff/, ''));
  const start = lines.findIndex((line, at) => !(at === 0 && line.startsWith('#!')) && !isPreamble(line));
  const found = start === -1 ? [] : lines.slice(start, start + MAX_LINES);
  const [, opening, quotes = '*/'] = /^\s*([rRuUbB]?("""|''')|\/\*+!?)/.exec(found[0] ?? '') ?? [];
  if (opening !== undefined) {
    const [block = ''] = found.join('\n').trimStart().slice(opening.length).split(quotes, 1);
    return tidy(quotes === '*/' ? block.replace(/^[^\S\n]*\*+ ?/gm, '') : block);
  }
  const mark = /^\s*(?:\/\/|#)[/#]*!? ?/;
  const end = found.findIndex((line) => !mark.test(line));
  const block = found.slice(0, end === -1 ? undefined : end);
  return tidy(block.map((line) => line.replace(mark, '')).join('\n'));
}

/** The first line of a block with text, for a list. */
export const firstLine = (block: string): string => /\S.*/.exec(block)?.[0].trim() ?? '';

/** Lines meant only for programs: encodings, strict modes, checkers. */
function isPreamble(line: string): boolean {
  return (
    line.trim() === '' ||
    /^\s*(?:#.*\bcoding[:=]|#\s*(?:shellcheck|pylint|ruff|mypy|type:|-\*-)|\/\/\s*(?:@ts-|eslint|biome)|['"]use strict['"];?|set -)/.test(
      line,
    )
  );
}

/** Removes surrounding blank lines and common indentation. */
function tidy(block: string): string {
  const [first = '', ...rest] = block.split('\n').map((line) => line.trimEnd());
  const indent = Math.min(...rest.filter((line) => line !== '').map((line) => line.search(/\S/)));
  return [first.trimStart(), ...rest.map((line) => line.slice(indent))].join('\n').trim();
}
