// Reads shell and PowerShell into lists of pipelines. Total: anything that fits nowhere is a word.

/** Part of a word. */
type WordPart =
  | { readonly kind: 'text'; readonly text: string; readonly isQuoted?: boolean }
  | { readonly kind: 'variable'; readonly name: string }
  /** `$(…)`, backticks, `<(…)`; in PowerShell also brackets and blocks. */
  | { readonly kind: 'list'; readonly list: ShellList };

/** One word. */
export type Word = readonly WordPart[];

/** One command. */
export interface ShellStep {
  readonly words: readonly Word[];
  /** A group or a subshell instead of words. */
  readonly group?: ShellList | undefined;
  readonly sets: readonly { readonly name: string; readonly value: Word; readonly adds: boolean }[];
  readonly redirects: readonly { readonly kind: '<' | '>' | '>>' | '<<<'; readonly target: Word }[];
  /** The name of the function that `group` defines. */
  readonly defines?: string | undefined;
  readonly from: number;
  readonly to: number;
}

/** Commands that pass data on. */
export type Pipeline = readonly ShellStep[];
/** Pipelines one after another. */
export type ShellList = readonly Pipeline[];

const MAX_NESTING = 12;
const keywords =
  /^(?:if|then|else|elif|fi|do|while|until|esac|!|time|\{|\}|begin|end|try|catch|finally|process)$/;

/** Parses a text. */
export function parseShell(text: string, isPowerShell: boolean): ShellList {
  return new ShellReader(text, isPowerShell).list(undefined, 0);
}

class ShellReader {
  readonly #text: string;
  readonly #isPower: boolean;
  #at = 0;
  #waiting: { mark: string; isQuoted: boolean; fill(word: Word): void }[] = [];

  constructor(text: string, isPowerShell: boolean) {
    this.#text = text;
    this.#isPower = isPowerShell;
  }

  list(end: string | undefined, nesting: number): ShellList {
    const pipelines: Pipeline[] = [];
    while (this.#at < this.#text.length) {
      this.#space(true);
      const letter = this.#text[this.#at];
      if (letter === undefined) break;
      if (letter === end) {
        this.#at++;
        break;
      }
      if (
        letter === ';' ||
        (letter === '&' && !this.#isPower) ||
        letter === '|' ||
        (letter === ')' && end !== ')') ||
        (letter === '}' && end !== '}') ||
        (this.#isPower && letter === ',')
      ) {
        this.#at++;
        continue;
      }
      const start = this.#at;
      pipelines.push(this.#pipeline(end, nesting));
      if (this.#at === start) this.#at++;
    }
    return pipelines;
  }

  #pipeline(end: string | undefined, nesting: number): Pipeline {
    const steps: ShellStep[] = [];
    for (;;) {
      this.#space(steps.length > 0);
      steps.push(this.#step(end, nesting));
      this.#space(false);
      if (this.#text[this.#at] !== '|' || this.#text[this.#at + 1] === '|') return steps;
      this.#at += this.#text[this.#at + 1] === '&' ? 2 : 1;
    }
  }

  #step(end: string | undefined, nesting: number): ShellStep {
    const from = this.#at;
    const words: Word[] = [];
    const sets: { name: string; value: Word; adds: boolean }[] = [];
    const redirects: { kind: '<' | '>' | '>>' | '<<<'; target: Word }[] = [];
    let group: ShellList | undefined;
    let defines: string | undefined;
    for (;;) {
      this.#space(false);
      const letter = this.#text[this.#at];
      if (letter === undefined || letter === '\n' || letter === ';' || letter === '|' || letter === end)
        break;
      if (letter === '&' && this.#text[this.#at + 1] !== '>') {
        // `& program` in PowerShell starts it.
        if (!this.#isPower || words.length > 0) break;
        this.#at++;
        words.push([{ kind: 'text', text: '&' }]);
        continue;
      }
      const isFirst = words.length === 0 && group === undefined;
      if (isFirst) {
        const set = this.#assignment(end, nesting);
        if (set !== undefined) {
          sets.push(set);
          continue;
        }
        const named = /(?:function\s+)?([\w:-]{1,60})\s*(?:\(\s*\))?\s*\{/y;
        named.lastIndex = this.#at;
        const head = named.exec(this.#text);
        if (
          head !== null &&
          (/\(\s*\)/.test(head[0]) || head[0].startsWith('function')) &&
          nesting < MAX_NESTING
        ) {
          this.#at += head[0].length;
          defines = head[1];
          group = this.list('}', nesting + 1);
          continue;
        }
        if ((letter === '(' || letter === '{') && nesting < MAX_NESTING && !this.#isPower) {
          this.#at++;
          group = this.list(letter === '(' ? ')' : '}', nesting + 1);
          continue;
        }
      }
      if (letter === '<' || letter === '>' || /^[&\d]?>/.test(this.#text.slice(this.#at, this.#at + 2))) {
        const made = this.#redirect(end, nesting);
        if (made !== undefined) redirects.push(made);
        else if (this.#text[this.#at] === '<' || this.#text[this.#at] === '>')
          words.push(this.#word(end, nesting));
        continue;
      }
      if (letter === ')' || letter === '}') {
        if (end === undefined || nesting === 0) this.#at++;
        break;
      }
      const start = this.#at;
      const word = this.#word(end, nesting);
      if (this.#at === start) {
        this.#at++;
        continue;
      }
      const [only] = word;
      if (isFirst && word.length === 1 && only?.kind === 'text' && !only.isQuoted && keywords.test(only.text))
        continue;
      words.push(word);
    }
    return { words, group, sets, redirects, defines, from, to: this.#at };
  }

  #assignment(
    end: string | undefined,
    nesting: number,
  ): { name: string; value: Word; adds: boolean } | undefined {
    const pattern = this.#isPower
      ? /\$((?:env:|script:|global:)?\w{1,60})(?:\[[^\]\n]{0,60}\])?\s*(\+?)=(?!=)\s*/iy
      : /(?:(?:export|local|readonly|declare|typeset)\s+(?:-\w+\s+)*)?([A-Za-z_]\w{0,60})(?:\[[^\]\n]{0,40}\])?(\+?)=(?!=)/y;
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#at += match[0].length;
    if (!this.#isPower) {
      if (this.#text[this.#at] === '(' && nesting < MAX_NESTING) {
        this.#at++;
        return {
          name: match[1]!,
          value: [{ kind: 'list', list: this.list(')', nesting + 1) }],
          adds: match[2] === '+',
        };
      }
      return { name: match[1]!, value: this.#word(end, nesting), adds: match[2] === '+' };
    }
    const list = nesting < MAX_NESTING ? [this.#pipeline(end, nesting + 1)] : [];
    return {
      name: match[1]!.replace(/^(?:script|global):/i, ''),
      value: [{ kind: 'list', list }],
      adds: match[2] === '+',
    };
  }

  #redirect(
    end: string | undefined,
    nesting: number,
  ): { kind: '<' | '>' | '>>' | '<<<'; target: Word } | undefined {
    const pattern = /(?:\d|&)?(<<<|<<-?|>>|>&|>\||<>|&>|<|>)/y;
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    const operator = match[1]!;
    if ((operator === '<' || operator === '>') && this.#text[this.#at + match[0].length] === '(')
      return undefined;
    this.#at += match[0].length;
    if (operator === '>&' && /^[\d-]/.test(this.#text[this.#at] ?? '')) {
      this.#at++;
      return undefined;
    }
    this.#space(false);
    if (operator.startsWith('<<') && operator !== '<<<') {
      const mark = /(["']?)([\w.-]{1,40})\1/y;
      mark.lastIndex = this.#at;
      const found = mark.exec(this.#text);
      if (found === null) return undefined;
      this.#at += found[0].length;
      const made: { kind: '<<<'; target: Word } = { kind: '<<<', target: [] };
      this.#waiting.push({
        mark: found[2]!,
        isQuoted: found[1] !== '',
        fill: (word) => {
          made.target = word;
        },
      });
      return made;
    }
    const target = this.#word(end, nesting);
    return {
      kind: operator === '<<<' ? '<<<' : operator === '<' ? '<' : operator === '>>' ? '>>' : '>',
      target,
    };
  }

  #word(end: string | undefined, nesting: number): Word {
    const parts: WordPart[] = [];
    let text = '';
    const flush = (): void => {
      if (text !== '') parts.push({ kind: 'text', text });
      text = '';
    };
    const enter = (length: number, close: string): void => {
      flush();
      this.#at += length;
      if (nesting < MAX_NESTING) parts.push({ kind: 'list', list: this.list(close, nesting + 1) });
    };
    for (;;) {
      const letter = this.#text[this.#at];
      if (letter === undefined || letter === end || /[\s;|]/.test(letter)) break;
      const next = this.#text[this.#at + 1];
      if (letter === '\\' && !this.#isPower) {
        if (next !== '\n') text += next ?? '';
        this.#at += 2;
      } else if (letter === "'") {
        flush();
        const close = this.#text.indexOf("'", this.#at + 1);
        const stop = close < 0 ? this.#text.length : close;
        parts.push({ kind: 'text', text: this.#text.slice(this.#at + 1, stop), isQuoted: true });
        this.#at = stop + 1;
      } else if (letter === '"') {
        flush();
        this.#at++;
        this.#quoted(parts, '"', nesting);
      } else if (letter === '`' && !this.#isPower) {
        flush();
        const close = this.#text.indexOf('`', this.#at + 1);
        const stop = close < 0 ? this.#text.length : close;
        const inner = new ShellReader(this.#text.slice(this.#at + 1, stop), false);
        if (nesting < MAX_NESTING) parts.push({ kind: 'list', list: inner.list(undefined, nesting + 1) });
        this.#at = stop + 1;
      } else if (letter === '`') {
        text += next === '\n' ? '' : (next ?? '');
        this.#at += 2;
      } else if (letter === '$' && next === '(') enter(2, ')');
      else if ((letter === '<' || letter === '>') && next === '(') enter(2, ')');
      else if (this.#isPower && letter === '@' && (next === '(' || next === '{'))
        enter(2, next === '(' ? ')' : '}');
      else if (this.#isPower && (letter === '(' || letter === '{')) enter(1, letter === '(' ? ')' : '}');
      else if (letter === '$' && this.#variable(parts, flush)) continue;
      else if (
        /[<>]/.test(letter) ||
        (!this.#isPower && /[()]/.test(letter)) ||
        (letter === '&' && parts.length + text.length > 0)
      )
        break;
      else if (letter === ')' || letter === '}') {
        if (this.#isPower || letter === ')') break;
        text += letter;
        this.#at++;
      } else {
        text += letter;
        this.#at++;
      }
    }
    flush();
    return parts;
  }

  #variable(parts: WordPart[], flush: () => void): boolean {
    const pattern =
      /\$(?:\{(?:env:)?[#!]?([\w@*:?]{1,60})[^}\n]{0,200}\}|((?:env:)?[A-Za-z_]\w{0,60}|[@*#?\d!_$]))/iy;
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return false;
    flush();
    parts.push({ kind: 'variable', name: (match[1] ?? match[2]!).replace(/^env:/i, '') });
    this.#at += match[0].length;
    return true;
  }

  #quoted(parts: WordPart[], close: string, nesting: number): void {
    let text = '';
    const flush = (): void => {
      if (text !== '') parts.push({ kind: 'text', text, isQuoted: true });
      text = '';
    };
    while (this.#at < this.#text.length) {
      const letter = this.#text[this.#at]!;
      if (letter === close) {
        this.#at++;
        break;
      }
      if (letter === '\\' && !this.#isPower) {
        const next = this.#text[this.#at + 1] ?? '';
        text += next === '\n' ? '' : /["\\$`]/.test(next) ? next : letter + next;
        this.#at += 2;
      } else if (letter === '$' && this.#text[this.#at + 1] === '(') {
        flush();
        this.#at += 2;
        if (nesting < MAX_NESTING) parts.push({ kind: 'list', list: this.list(')', nesting + 1) });
      } else if (letter === '`' && !this.#isPower) {
        flush();
        const end = this.#text.indexOf('`', this.#at + 1);
        const stop = end < 0 ? this.#text.length : end;
        const inner = new ShellReader(this.#text.slice(this.#at + 1, stop), false);
        if (nesting < MAX_NESTING) parts.push({ kind: 'list', list: inner.list(undefined, nesting + 1) });
        this.#at = stop + 1;
      } else if (letter === '$' && this.#variable(parts, flush)) continue;
      else {
        text += letter;
        this.#at++;
      }
    }
    flush();
    if (parts.length === 0) parts.push({ kind: 'text', text: '', isQuoted: true });
  }

  /** Skips space, comments and continued lines; with `lines`, line breaks too. */
  #space(lines: boolean): void {
    for (;;) {
      const letter = this.#text[this.#at];
      if (letter === ' ' || letter === '\t' || letter === '\r') this.#at++;
      else if ((letter === '\\' || (this.#isPower && letter === '`')) && this.#text[this.#at + 1] === '\n')
        this.#at += 2;
      else if (letter === '#' && (this.#at === 0 || /[\s;(]/.test(this.#text[this.#at - 1]!))) {
        const end = this.#text.indexOf('\n', this.#at);
        this.#at = end < 0 ? this.#text.length : end;
      } else if (letter === '\n' && (lines || this.#waiting.length > 0)) {
        if (this.#waiting.length > 0) {
          this.#documents();
          if (!lines) return;
        } else this.#at++;
      } else return;
    }
  }

  /** Reads the here-documents that begin on the next line, and stops before the line break after them. */
  #documents(): void {
    for (const { mark, isQuoted, fill } of this.#waiting.splice(0)) {
      const start = this.#at + 1;
      let end = start;
      for (;;) {
        const stop = this.#text.indexOf('\n', end);
        const line = this.#text.slice(end, stop < 0 ? this.#text.length : stop);
        if (line.trim() === mark || stop < 0) {
          const body = this.#text.slice(start, line.trim() === mark ? end : this.#text.length);
          if (isQuoted) fill([{ kind: 'text', text: body, isQuoted: true }]);
          else {
            const parts: WordPart[] = [];
            new ShellReader(body, false).#quoted(parts, '', 1);
            fill(parts);
          }
          this.#at = stop < 0 ? this.#text.length : end + line.length;
          break;
        }
        end = stop + 1;
      }
    }
  }
}
