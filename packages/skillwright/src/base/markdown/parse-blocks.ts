/** The block structure of a Markdown text: what is a heading, a paragraph, code, HTML, and on which lines. */

import MarkdownIt, {
  type Env,
  type MarkdownIt as MarkdownItParser,
  type StateBlock,
  type Token,
} from 'markdown-it';

/** The block tokens of one text. `env` holds the link reference definitions that reading inline content needs. */
export interface Blocks {
  readonly tokens: readonly Token[];
  readonly lineCount: number;
  readonly env: Env;
}

/** Containers (quotes, lists, list items) inside one another; the content of deeper ones is passed over. */
const maxDepth = 20;

const labelPattern = /\[((?:[^\\[\]]|\\.)*)\]:/sy;

/**
 * The library's state, made cheaper where most of the time went: it finds lines by looking for line feeds, not
 * at every character, and makes tokens as plain objects. The result is the same, except that a definition
 * keeps its label as written, which the library only gives normalised. The source must end with a line feed.
 */
class LeanBlockState extends MarkdownIt.StateBlock {
  constructor(source: string, md: MarkdownItParser, env: Env, tokens: Token[]) {
    super('', md, env, tokens);
    this.src = source;
    this.lineMax = 0;
    for (let start = 0; start < source.length; ) {
      const end = source.indexOf('\n', start);
      let text = start;
      let column = 0;
      for (; text < end; text++) {
        const code = source.charCodeAt(text);
        if (code === 0x20) column++;
        else if (code === 0x09) column += 4 - (column % 4);
        else break;
      }
      this.markLine(this.lineMax++, { start, end, indent: text - start, column });
      start = end + 1;
    }
    this.markLine(this.lineMax, { start: source.length, end: source.length, indent: 0, column: 0 });
  }

  override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
    if (nesting < 0) this.level--;
    const token = {
      type,
      tag,
      attrs: null,
      map: null,
      nesting,
      level: this.level,
      children: null,
      content: type === 'reference_definition' ? this.labelOnLine(this.line) : '',
      markup: '',
      info: '',
      meta: null,
      block: true,
      hidden: false,
    } as unknown as Token;
    if (nesting > 0) this.level++;
    this.tokens.push(token);
    return token;
  }

  private markLine(line: number, at: { start: number; end: number; indent: number; column: number }): void {
    this.bMarks[line] = at.start;
    this.eMarks[line] = at.end;
    this.tShift[line] = at.indent;
    this.sCount[line] = at.column;
    this.bsCount[line] = 0;
  }

  private labelOnLine(line: number): string {
    labelPattern.lastIndex = (this.bMarks[line] ?? 0) + (this.tShift[line] ?? 0);
    return (labelPattern.exec(this.src)?.[1] ?? '').replace(/\n[\s>]*/g, ' ').trim();
  }
}

/**
 * Passes over single lines below the deepest level. The library's own limit would instead pass over
 * everything up to the end of the text when the container is a list.
 */
function skipTooDeep(state: StateBlock, startLine: number): boolean {
  if (state.level < maxDepth) return false;
  state.line = startLine + 1;
  return true;
}

/** GitHub's footnotes are unknown to CommonMark, which takes `[^1]: word` for a link definition. Here they are text. */
function isFootnote(state: StateBlock, line: number): boolean {
  return state.src.startsWith('[^', (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0));
}

const parser = new MarkdownIt('commonmark', { maxNesting: maxDepth + 2 });
parser.normalizeLink = (target) => target;
parser.validateLink = () => true;
parser.block.ruler.before('table', 'skip_too_deep', skipTooDeep);
const readDefinition = takeRule('reference');
parser.block.ruler.at('reference', (state, startLine, endLine, silent) => {
  return !isFootnote(state, startLine) && readDefinition(state, startLine, endLine, silent);
});

function takeRule(name: string): (...position: [StateBlock, number, number, boolean]) => boolean {
  const { ruler } = new MarkdownIt('commonmark').block;
  ruler.enableOnly(name);
  return ruler.getRules('')[0] ?? (() => false);
}

/** Resolves backslash escapes and entities. */
export const unescapeText: (text: string) => string = parser.utils.unescapeAll;

/** Parses the blocks of `text`. Line endings may be LF, CRLF or CR; a byte order mark is not text. */
export function parseBlocks(text: string): Blocks {
  const tokens: Token[] = [];
  const env: Env = {};
  const state = new LeanBlockState(normalizeText(text), parser, env, tokens);
  parser.block.tokenize(state, 0, state.lineMax);
  return { tokens, lineCount: state.lineMax, env };
}

/** A last line without a line ending gets one, for the library does not count it when it is blank. */
function normalizeText(text: string): string {
  let normalized = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (normalized.includes('\r')) normalized = normalized.replace(/\r\n?/g, '\n');
  if (normalized.includes('\0')) normalized = normalized.replaceAll('\0', '\ufffd');
  return normalized === '' || normalized.endsWith('\n') ? normalized : `${normalized}\n`;
}
