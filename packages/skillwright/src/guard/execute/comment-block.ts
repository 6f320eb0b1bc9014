// The comment at the beginning of a script.

import { splitLines } from '../../base/files/index.ts';

const MAX_LINES = 200;

/** The first comment or documentation text of a script, without its marks; empty when it starts with code. */
export function commentBlock(text: string): string {
  const lines = splitLines(text.replace(/^\ufeff/, ''));
  let at = lines[0]?.startsWith('#!') ? 1 : 0;
  while (at < lines.length && isPreamble(lines[at]!)) at++;
  const first = lines[at]?.trim() ?? '';
  const quotes = /^[rRuUbB]?("""|''')/.exec(first)?.[1];
  if (quotes !== undefined)
    return between(lines.slice(at), { open: new RegExp(`^\\s*\\w?${quotes}`), close: quotes });
  if (first.startsWith('/*')) return between(lines.slice(at), { open: /^\s*\/\*+!?/, close: '*/' });
  const mark = first.startsWith('//') ? /^\s*\/\/+!? ?/ : first.startsWith('#') ? /^\s*#+!? ?/ : undefined;
  if (mark === undefined) return '';
  const block: string[] = [];
  for (const line of lines.slice(at, at + MAX_LINES)) {
    if (!mark.test(line)) break;
    block.push(line.replace(mark, '').trimEnd());
  }
  return tidy(block);
}

/** The first sentence or line of a block, for a list. */
export function firstLine(block: string): string {
  return (
    block
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? ''
  );
}

/** Lines meant only for programs: encodings, strict modes, checkers. */
function isPreamble(line: string): boolean {
  return (
    line.trim() === '' ||
    /^\s*(?:#.*\bcoding[:=]|#\s*(?:shellcheck|pylint|ruff|mypy|type:|-\*-)|\/\/\s*(?:@ts-|eslint|biome)|['"]use strict['"];?|set -)/.test(
      line,
    )
  );
}

function between(lines: readonly string[], { open, close }: { open: RegExp; close: string }): string {
  const block: string[] = [];
  for (const [index, line] of lines.slice(0, MAX_LINES).entries()) {
    const rest = index === 0 ? line.replace(open, '') : line;
    const end = rest.indexOf(close);
    const inner = end === -1 ? rest : rest.slice(0, end);
    block.push((close === '*/' ? inner.replace(/^\s*\*+ ?/, '') : inner).trimEnd());
    if (end !== -1) break;
  }
  return tidy(block);
}

/** Removes surrounding blank lines and common indentation. */
function tidy(lines: readonly string[]): string {
  const rest = lines.slice(1).filter((line) => line.trim() !== '');
  const indent = Math.min(...rest.map((line) => /^\s*/.exec(line)![0].length));
  const first = lines[0]?.trimStart() ?? '';
  const shifted = lines.slice(1).map((line) => line.slice(Number.isFinite(indent) ? indent : 0));
  return [first, ...shifted].join('\n').trim();
}
