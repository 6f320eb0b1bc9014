// Finds the quoting in a shell command. Safety does not depend on it: values reach a command as variables, and at worst
// a misjudged position is expanded with different whitespace, or not at all.

/** How a shell treats a variable at a position: as a word, in a quoted text, literally, or not at all. */
export type Quoting = 'plain' | 'double' | 'literal' | 'comment';

interface Frame {
  readonly quoting: 'plain' | 'double';
  /** Text that ends it. */
  readonly close: string;
}

interface HereDocument {
  readonly word: string;
  readonly isLiteral: boolean;
  readonly stripsTabs: boolean;
}

/** Returns the quoting at an offset of a command. Ask for offsets in ascending order. */
export function readQuoting(source: string): (offset: number) => Quoting {
  const spans = spansOf(source);
  let at = 0;
  return (offset) => {
    while (at < spans.length - 1 && spans[at + 1]!.start <= offset) at++;
    return spans[at]?.quoting ?? 'plain';
  };
}

function spansOf(source: string): { start: number; quoting: Quoting }[] {
  const spans: { start: number; quoting: Quoting }[] = [{ start: 0, quoting: 'plain' }];
  const frames: Frame[] = [{ quoting: 'plain', close: '' }];
  let waiting: HereDocument[] = [];
  const top = () => frames.at(-1)!;
  const mark = (start: number, quoting: Quoting) => spans.push({ start, quoting });
  const push = (start: number, frame: Frame) => mark(start, frames[frames.push(frame) - 1]!.quoting);
  const pop = (start: number) => {
    if (frames.length > 1) frames.pop();
    mark(start, top().quoting);
  };
  /** Literal text up to `end`. */
  const skip = (start: number, end: number, quoting: Quoting) => {
    mark(start, quoting);
    mark(end, top().quoting);
    return end;
  };

  let i = 0;
  while (i < source.length) {
    const character = source[i]!;
    if (character === '\\') i += 2;
    else if (character === '`') {
      if (frames.some(({ close }) => close === '`')) {
        while (top().close !== '`') frames.pop();
        pop(++i);
      } else push(++i, { quoting: 'plain', close: '`' });
    } else if (top().quoting === 'double') {
      if (character === '"') pop(++i);
      else if (source.startsWith('$(', i)) {
        i += 2;
        push(i, { quoting: 'plain', close: ')' });
      } else i++;
    } else if (character === '"') push(++i, { quoting: 'double', close: '"' });
    else if (character === '(') push(++i, { quoting: 'plain', close: ')' });
    else if (character === ')') {
      i++;
      if (top().close === ')') pop(i);
    } else if (character === "'") i = skip(i, endOfQuote(source, i), 'literal');
    else if (character === '#' && /(?:^|[\s;&|(])$/.test(source.slice(Math.max(0, i - 1), i)))
      i = skip(i, lineEnd(source, i), 'comment');
    else if (character === '\n' && waiting.length > 0) {
      i++;
      for (const document of waiting) {
        const end = endOfDocument(source, i, document);
        i = skip(i, end, document.isLiteral ? 'literal' : 'double');
      }
      waiting = [];
    } else {
      const found = /^<<(-?)[^\S\n]*(?:'([^'\n]*)'|"([^"\n]*)"|(\\?[\w.-]+))/.exec(source.slice(i, i + 200));
      if (found === null || source[i - 1] === '<') i++;
      else {
        const [whole, dash, single, double, bare] = found;
        const word = single ?? double ?? bare!.replace(/^\\/, '');
        waiting.push({
          word,
          isLiteral: bare === undefined || bare.startsWith('\\'),
          stripsTabs: dash === '-',
        });
        i = skip(i, i + whole!.length, 'comment');
      }
    }
  }
  return spans;
}

/** Offset after the quote that closes the one at `start`; in `$'…'` a backslash escapes the next character. */
function endOfQuote(source: string, start: number): number {
  const escapes = source[start - 1] === '$';
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === '\\' && escapes) at++;
    else if (source[at] === "'") return at + 1;
  }
  return source.length;
}

function lineEnd(source: string, start: number): number {
  const end = source.indexOf('\n', start);
  return end === -1 ? source.length : end;
}

function endOfDocument(source: string, start: number, { word, stripsTabs }: HereDocument): number {
  for (let at = start; at < source.length; at = lineEnd(source, at) + 1) {
    const line = source.slice(at, lineEnd(source, at));
    if ((stripsTabs ? line.replace(/^\t+/, '') : line) === word) return at;
  }
  return source.length;
}

/** Constructs that evaluate a value again: as a command, a program, or an expression with subscripts. */
const commands =
  /\b(?:eval|source|trap|watch|parallel|ssh|iex|Invoke-Expression)\b|(?:^|[\s;&|(])\.\s|\b(?:ba|da|z|k)?sh\b[^\n|;]*\s-\w*c\b|\b(?:python[\d.]*|node|bun|deno|perl|ruby|php|pwsh|osascript)\b[^\n|;]*\s-\w*[cepr]\b|\$\{!|@[A-Za-z]\}/i;
const programs = /\b(?:[gmn]?awk|sed|perl|jq)\b/;
const expressions =
  /\(\(|\$\[|\[\[|\$\{[^}]*[[:]|\b(?:let|declare|typeset|local|readonly|unset|read|mapfile|readarray|getopts)\b|(?:\btest|\bprintf|\[)\s+-v\b/;

/** A word with the same meaning in every program. */
const isTame = (value: string) => /^[\p{L}\p{M}\p{N}_@%+=:,./ -]*$/u.test(value);
const hasSubscript = (value: string) => value.includes('[');

/** Whether a command would evaluate placeholder values as code, so that they must not reach it. */
export function readsAsCode(
  source: string,
  { placeholders, values }: { readonly placeholders: RegExp; readonly values: readonly string[] },
): boolean {
  const parts = source.split(/[|;&\n]/).filter((part) => part.search(placeholders) !== -1);
  const mayRun = commands.test(source) || parts.some((part) => programs.test(part));
  return (mayRun && !values.every(isTame)) || (expressions.test(source) && values.some(hasSubscript));
}
