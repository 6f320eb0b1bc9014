/** The block structure of a Markdown text: what is a heading, a paragraph, code, HTML, and on which lines. */

import MarkdownIt, { type Env, type StateBlock, type Token } from 'markdown-it';

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
 * Makes the same tokens as the library's state, as plain objects: its token constructor takes nearly half of
 * the time of a parse. A definition also keeps its label as written, which the library only gives normalised.
 */
class LeanBlockState extends MarkdownIt.StateBlock {
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

const parser = new MarkdownIt('commonmark', { maxNesting: maxDepth + 2 });
parser.normalizeLink = (target) => target;
parser.validateLink = () => true;
parser.block.ruler.before('table', 'skip_too_deep', skipTooDeep);

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
