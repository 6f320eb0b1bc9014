/** The block structure of a Markdown text: what is a heading, a paragraph, code, HTML, and on which lines. */

import MarkdownIt, {
  type Env,
  type MarkdownIt as MarkdownItParser,
  type StateBlock,
  type Token,
} from 'markdown-it';
import { MAX_HEADINGS } from '../files/index.ts';
import { countLineBreaks } from './comment.ts';

/** The blocks of one text. Lines count from 0. `env` holds the link reference definitions that reading inline content needs. */
export interface Blocks {
  readonly headings: readonly BlockHeading[];
  /** Headings beyond the most that are kept. */
  readonly moreHeadings: number;
  /** By level: the line of the first heading beyond them that ends a section of that level. */
  readonly endings: readonly number[];
  /** Tokens of fenced code. */
  readonly fences: readonly Token[];
  /** Content that may hold links or comments. */
  readonly findings: readonly Finding[];
  readonly lineCount: number;
  readonly env: Env;
}

/** A heading as the text has it. */
export interface BlockHeading {
  readonly level: number;
  readonly line: number;
  /** Its inline content, as written. */
  content: string;
  /** The block quote or list item around it; undefined at the top level. */
  readonly container: Token | undefined;
}

/** Inline content, raw HTML, or a link reference definition. */
export interface Finding {
  readonly kind: 'inline' | 'html' | 'definition';
  readonly content: string;
  readonly line: number;
  /** The normalised label of a definition. */
  readonly label?: string;
}

/** Containers (quotes, lists, list items) inside one another; the content of deeper ones is passed over. */
const maxDepth = 20;

/** A text of more characters than people write. */
const LARGE = 2 ** 20;

const labelPattern = /\[((?:[^\\[\]]|\\.)*)\]:/sy;

/**
 * The library's state, made cheaper where most of the time and memory went: it finds lines by looking for line feeds,
 * not at every character, makes tokens as plain objects, and keeps of them only what somebody asks for. A definition
 * keeps its label as written, which the library only gives normalised. The source must end with a line feed.
 */
class LeanBlockState extends MarkdownIt.StateBlock {
  readonly headings: BlockHeading[] = [];
  readonly fences: Token[] = [];
  readonly findings: Finding[] = [];
  moreHeadings = 0;
  readonly endings = new Array<number>(7).fill(Number.POSITIVE_INFINITY);
  readonly #containers: Token[] = [];
  /** The last token: the library fills its content in after it was made. */
  #last: Token | undefined;
  #heading: Token | undefined;

  constructor(source: string, md: MarkdownItParser, env: Env) {
    super('', md, env, []);
    this.src = source;
    this.lineMax = 0;
    if (source.length > LARGE) this.#packLines(countLineBreaks(source, 0, source.length) + 1);
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
    this.settle();
    this.#last = token;
    if (type === 'fence') this.fences.push(token);
    else if (type === 'heading_open') this.#heading = token;
    else if (type === 'heading_close') this.#heading = undefined;
    else if (type === 'blockquote_open' || type === 'list_item_open') this.#containers.push(token);
    else if (type === 'blockquote_close' || type === 'list_item_close') this.#containers.pop();
    return token;
  }

  /** Takes what is wanted from the last token, which is whole by now. */
  settle(): void {
    const token = this.#last;
    this.#last = undefined;
    if (token === undefined) return;
    const { type, content, map } = token;
    const line = map?.[0] ?? 0;
    if (type === 'inline') {
      if (this.#heading !== undefined) this.#keepHeading(this.#heading, content);
      // Most paragraphs have neither links nor raw HTML.
      if (content.includes('[') || content.includes('<'))
        this.findings.push({ kind: 'inline', content, line });
    } else if (type === 'html_block') this.findings.push({ kind: 'html', content, line });
    else if (type === 'reference_definition')
      this.findings.push({ kind: 'definition', content, line, label: String(token.meta?.label) });
  }

  #keepHeading(token: Token, content: string): void {
    const level = Number(token.tag.slice(1));
    const line = token.map?.[0] ?? 0;
    const container = this.#containers.at(-1);
    if (this.headings.length < MAX_HEADINGS) {
      this.headings.push({ level, line, content, container });
      return;
    }
    this.moreHeadings++;
    if (container !== undefined) return;
    for (let ended = level; ended <= 6; ended++)
      this.endings[ended] = Math.min(this.endings[ended] as number, line);
  }

  /** Arrays that take half the memory, and none while they grow. */
  #packLines(count: number): void {
    const numbers = () => new Int32Array(count) as unknown as number[];
    this.bMarks = numbers();
    this.eMarks = numbers();
    this.tShift = numbers();
    this.sCount = numbers();
    this.bsCount = numbers();
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
parser.block.ruler.at('table', readTable, { alt: ['paragraph', 'reference'] });
parser.block.ruler.enable('table');
const readDefinition = takeRule('reference');
const beginsTable = takeRule('table');
parser.block.ruler.at('reference', (state, startLine, endLine, silent) => {
  return !isFootnote(state, startLine) && readDefinition(state, startLine, endLine, silent);
});

/** GitHub's tables are unknown to CommonMark, which takes one with a line `---` below it for a heading. Here one is a paragraph. */
function readTable(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (!beginsTable(state, startLine, endLine, true)) return false;
  if (silent) return true;
  const endsTable = state.md.block.ruler.getRules('blockquote');
  let line = startLine + 2;
  for (; line < endLine; line++) {
    const indent = (state.sCount[line] ?? 0) - state.blkIndent;
    if (indent < 0 || indent >= 4 || state.isEmpty(line)) break;
    if (endsTable.some((rule) => rule(state, line, endLine, true))) break;
  }
  state.push('paragraph_open', 'p', 1).map = [startLine, line];
  const inline = state.push('inline', '', 0);
  inline.content = state.getLines(startLine, line, state.blkIndent, false).trim();
  inline.map = [startLine, line];
  state.push('paragraph_close', 'p', -1);
  state.line = line;
  return true;
}

function takeRule(name: string): (...position: [StateBlock, number, number, boolean]) => boolean {
  const { ruler } = new MarkdownIt('commonmark').block;
  ruler.enableOnly(name);
  return ruler.getRules('')[0] ?? (() => false);
}

/** Resolves backslash escapes and entities. */
export const unescapeText: (text: string) => string = parser.utils.unescapeAll;

/** Parses the blocks of `text`. Line endings may be LF, CRLF or CR; a byte order mark is not text. */
export function parseBlocks(text: string): Blocks {
  const env: Env = {};
  const state = new LeanBlockState(normalizeText(text), parser, env);
  parser.block.tokenize(state, 0, state.lineMax);
  state.settle();
  const { headings, moreHeadings, endings, fences, findings, lineMax } = state;
  return { headings, moreHeadings, endings, fences, findings, lineCount: lineMax, env };
}

/** A last line without a line ending gets one, for the library does not count it when it is blank. */
function normalizeText(text: string): string {
  let normalized = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (normalized.includes('\r')) normalized = normalized.replace(/\r\n?/g, '\n');
  if (normalized.includes('\0')) normalized = normalized.replaceAll('\0', '\ufffd');
  return normalized === '' || normalized.endsWith('\n') ? normalized : `${normalized}\n`;
}
