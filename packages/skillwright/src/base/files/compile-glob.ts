// Third-party glob patterns, as expressions of an engine that matches in linear time, whatever they are.

import { SkillwrightError } from '../diagnostics/index.ts';

/** Longer patterns are refused. */
const MAX_PATTERN = 256;

/**
 * A test for paths with `/`. `*` and `?` stay within a name, `**` as a whole name stands for any number of directories;
 * `[a-z]`, `[!a]`, `{a,b}`, `@(a|b)`, `?(…)`, `*(…)`, `+(…)`, `\` and a `!` in front work as in a shell. A pattern without
 * `/` is about the last name of a path. E100 when the pattern is broken.
 */
export async function compileGlob(pattern: string): Promise<(path: string) => boolean> {
  const refuse = (why: string): never => {
    throw SkillwrightError.of('E100', { why: `invalid pattern '${pattern}': ${why}` });
  };
  const [, marks = '', body = ''] = /^((?:!(?!\())*)(.*)$/s.exec(pattern)!;
  const characters = [...body];
  if (characters.length > MAX_PATTERN) refuse(`more than ${MAX_PATTERN} characters`);
  const expression = translate(characters, refuse);
  const { RE2JS } = await import('re2js');
  const compiled = RE2JS.compile(expression, RE2JS.DOTALL);
  const isWanted = marks.length % 2 === 0;
  const isName = !pattern.includes('/');
  return (path) => compiled.matches(isName ? path.slice(path.lastIndexOf('/') + 1) : path) === isWanted;
}

const SLASH = '/'.codePointAt(0)!;
const spell = (code: number) => `\\x{${code.toString(16)}}`;
const quote = (character: string) => spell(character.codePointAt(0)!);
const isBoundary = (character: string | undefined) => character === undefined || '/,})|'.includes(character);

/** The regular expression for a glob without the `!` in front. */
function translate(characters: readonly string[], refuse: (why: string) => never): string {
  let at = 0;
  /** Everything up to one of the characters in `until`. One that closes nothing is an ordinary character, as in a shell. */
  const sequence = (until: string): string => {
    let text = '';
    for (let next = characters[at]; next !== undefined && !until.includes(next); next = characters[at])
      text += item(next);
    return text;
  };
  const alternatives = (separator: string, close: string): string => {
    const parts: string[] = [];
    for (;;) {
      parts.push(sequence(separator + close));
      const next = characters[at++] ?? refuse(`a ${close === '}' ? '{' : '('} without ${close}`);
      if (next === close) return `(?:${parts.join('|')})`;
    }
  };
  const item = (character: string): string => {
    if ('@?*+!'.includes(character) && characters[at + 1] === '(') {
      if (character === '!') refuse('!(…) is not supported');
      at += 2;
      return alternatives('|', ')') + (character === '@' ? '' : character);
    }
    at += 1;
    if (character === '*') return stars();
    if (character === '?') return '[^/]';
    if (character === '[') return characterClass();
    if (character === '{') return alternatives(',', '}');
    return quote(character === '\\' ? (characters[at++] ?? refuse('a \\ at the end')) : character);
  };
  const stars = (): string => {
    const before = characters[at - 2];
    const first = at;
    while (characters[at] === '*') at += 1;
    const isWhole = (before === undefined || '/,{(|'.includes(before)) && isBoundary(characters[at]);
    if (at === first || !isWhole) return '[^/]*';
    if (characters[at] !== '/') return '.*';
    // `**/` also stands for no directory at all.
    at += 1;
    return '(?:.*/)?';
  };
  const member = (): number => {
    if (characters[at] === '\\') at += 1;
    return (characters[at++] ?? refuse('a [ without ]')).codePointAt(0)!;
  };
  const characterClass = (): string => {
    const isNegated = characters[at] === '!' || characters[at] === '^';
    if (isNegated) at += 1;
    let ranges = isNegated ? spell(SLASH) : '';
    for (let isFirst = true; isFirst || characters[at] !== ']'; isFirst = false) {
      const from = member();
      const isRange =
        characters[at] === '-' && characters[at + 1] !== ']' && characters[at + 1] !== undefined;
      if (isRange) at += 1;
      const to = isRange ? member() : from;
      if (from > to) refuse('a range that goes down');
      // No class matches a slash.
      const parts: readonly [number, number][] = isNegated
        ? [[from, to]]
        : [
            [from, Math.min(to, SLASH - 1)],
            [Math.max(from, SLASH + 1), to],
          ];
      for (const [low, high] of parts) if (low <= high) ranges += `${spell(low)}-${spell(high)}`;
    }
    at += 1;
    return ranges === '' ? '[^\\x{0}-\\x{10ffff}]' : `[${isNegated ? '^' : ''}${ranges}]`;
  };
  return sequence('');
}
