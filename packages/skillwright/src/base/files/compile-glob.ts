// Glob patterns of strangers, matched without backtracking: the work grows with the length of the pattern times the
// length of the path, whatever they are.

import { SkillwrightError } from '../diagnostics/index.ts';

/** Longer patterns are refused. */
const MAX_PATTERN = 256;

/** A step of the automaton: reads one character, or goes on in several places without reading. */
type Step =
  | { readonly reads: (character: string) => boolean; next: number }
  | { readonly reads: undefined; ways: number[] };

/** Part of an automaton: where it starts, and the steps that lead out of it. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/**
 * A test for paths with `/`. `*` and `?` stay within a name, `**` as a whole name stands for any number of directories;
 * `[a-z]`, `[!a]`, `{a,b}`, `@(a|b)`, `?(…)`, `*(…)`, `+(…)`, `\` and a `!` in front work as in a shell. A pattern without
 * `/` is about the last name of a path. E100 when the pattern is broken.
 */
export function compileGlob(pattern: string): (path: string) => boolean {
  const [, marks = '', body = ''] = /^((?:!(?!\())*)(.*)$/s.exec(pattern)!;
  const wanted = marks.length % 2 === 0;
  const match = new GlobCompiler(pattern, body).compile();
  const isName = !pattern.includes('/');
  return (path) => match(isName ? path.slice(path.lastIndexOf('/') + 1) : path) === wanted;
}

const inName = (character: string) => character !== '/';

class GlobCompiler {
  readonly pattern: string;
  readonly characters: readonly string[];
  readonly steps: Step[] = [];
  at = 0;

  constructor(pattern: string, body: string) {
    this.pattern = pattern;
    this.characters = [...body];
    if (this.characters.length > MAX_PATTERN) this.refuse(`more than ${MAX_PATTERN} characters`);
  }

  compile(): (text: string) => boolean {
    const { start, end } = this.sequence('');
    if (this.at < this.characters.length) this.refuse(`a ${this.peek()} that closes nothing`);
    return (text) => run(this.steps, { start, end }, text);
  }

  peek(offset = 0): string | undefined {
    return this.characters[this.at + offset];
  }

  refuse(why: string): never {
    throw SkillwrightError.of('E100', { why: `invalid pattern '${this.pattern}': ${why}` });
  }

  /** Everything up to one of the characters in `until`, which is left for the caller. */
  sequence(until: string): Part {
    const start = this.fork();
    let end = start;
    for (;;) {
      const character = this.peek();
      if (character === undefined || until.includes(character)) return { start, end };
      // A bracket that closes nothing is an ordinary character, as in a shell.
      const part = this.item(character);
      this.link(end, part.start);
      end = part.end;
    }
  }

  item(character: string): Part {
    if ('@?*+!'.includes(character) && this.peek(1) === '(') return this.extended(character);
    this.at += 1;
    if (character === '*') return this.stars();
    if (character === '?') return this.reading(inName);
    if (character === '[') return this.reading(this.characterClass());
    if (character === '{') return this.alternatives(',', '}');
    if (character !== '\\') return this.reading((read) => read === character);
    const escaped = this.peek() ?? this.refuse('a \\ at the end');
    this.at += 1;
    return this.reading((read) => read === escaped);
  }

  stars(): Part {
    const before = this.peek(-2);
    let count = 1;
    for (; this.peek() === '*'; this.at++) count += 1;
    const isWhole = (before === undefined || '/,{(|'.includes(before)) && isBoundary(this.peek());
    if (count === 1 || !isWhole) return this.repeated(this.reading(inName), { least: 0 });
    const anything = this.repeated(
      this.reading(() => true),
      { least: 0 },
    );
    if (this.peek() !== '/') return anything;
    // `**/` also stands for no directory at all.
    this.at += 1;
    const slash = this.reading((read) => read === '/');
    this.link(anything.end, slash.start);
    return this.repeated({ start: anything.start, end: slash.end }, { least: 0, most: 1 });
  }

  /** The rest of `[a-z]`. */
  characterClass(): (read: string) => boolean {
    const isNegated = this.peek() === '!' || this.peek() === '^';
    if (isNegated) this.at += 1;
    const ranges: [number, number][] = [];
    for (let isFirst = true; isFirst || this.peek() !== ']'; isFirst = false) {
      const from = this.classMember();
      const isRange = this.peek() === '-' && this.peek(1) !== ']' && this.peek(1) !== undefined;
      if (isRange) this.at += 1;
      const to = isRange ? this.classMember() : from;
      if (from > to) this.refuse('a range that goes down');
      ranges.push([from, to]);
    }
    this.at += 1;
    return (read) => {
      const code = read.codePointAt(0)!;
      return read !== '/' && ranges.some(([from, to]) => from <= code && code <= to) !== isNegated;
    };
  }

  classMember(): number {
    if (this.peek() === '\\') this.at += 1;
    const member = this.peek() ?? this.refuse('a [ without ]');
    this.at += 1;
    return member.codePointAt(0)!;
  }

  /** `@(a|b)` and its relatives. */
  extended(kind: string): Part {
    if (kind === '!') this.refuse('!(…) is not supported');
    this.at += 2;
    const part = this.alternatives('|', ')');
    if (kind === '@') return part;
    return this.repeated(part, {
      least: kind === '+' ? 1 : 0,
      ...(kind === '?' ? { most: 1 } : {}),
    });
  }

  alternatives(separator: string, close: string): Part {
    const start = this.fork();
    const end = this.fork();
    for (;;) {
      const part = this.sequence(separator + close);
      this.link(start, part.start);
      this.link(part.end, end);
      const character = this.peek() ?? this.refuse(`a ${close === '}' ? '{' : '('} without ${close}`);
      this.at += 1;
      if (character === close) return { start, end };
    }
  }

  repeated(part: Part, { least, most }: { readonly least: 0 | 1; readonly most?: 1 }): Part {
    const start = this.fork();
    const end = this.fork();
    this.link(start, part.start);
    this.link(part.end, end);
    if (least === 0) this.link(start, end);
    if (most === undefined) this.link(end, part.start);
    return { start, end };
  }

  reading(reads: (character: string) => boolean): Part {
    const end = this.fork();
    this.steps.push({ reads, next: end });
    return { start: this.steps.length - 1, end };
  }

  fork(): number {
    this.steps.push({ reads: undefined, ways: [] });
    return this.steps.length - 1;
  }

  link(from: number, to: number): void {
    const step = this.steps[from]!;
    if (step.reads === undefined) step.ways.push(to);
  }
}

const isBoundary = (character: string | undefined) => character === undefined || '/,})|'.includes(character);

/** Follows all ways through the automaton at once. */
function run(steps: readonly Step[], { start, end }: Part, text: string): boolean {
  let current = reach(steps, [start]);
  for (const character of text) {
    const next: number[] = [];
    for (const index of current) {
      const step = steps[index]!;
      if (step.reads?.(character)) next.push(step.next);
    }
    if (next.length === 0) return false;
    current = reach(steps, next);
  }
  return current.has(end);
}

/** The steps that can be gone to without reading. */
function reach(steps: readonly Step[], from: readonly number[]): Set<number> {
  const found = new Set(from);
  for (const index of found) {
    const step = steps[index]!;
    if (step.reads === undefined) for (const way of step.ways) found.add(way);
  }
  return found;
}
