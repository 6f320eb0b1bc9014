// Third-party Markdown as HTML that cannot run, load or imitate anything.

import MarkdownIt, { type Env, type StateBlock, type StateCore, type Token } from 'markdown-it';
import { startOf } from '../../base/diagnostics/index.ts';
import { readMarkdown } from '../../base/markdown/index.ts';
import { notice } from './blocks.ts';
import { codeBlock } from './code.ts';
import { escapeHtml, type Html, html, raw, safeLink } from './html.ts';
import { formatCount } from './numbers.ts';

/** Where links and images of a text lead. */
export interface MarkdownLinks {
  /** The address of a relative link; undefined when it leads nowhere. */
  readonly link?: (target: string) => string | undefined;
  /** The address of a relative image, if it is one we show. Other images become their text. */
  readonly image?: (target: string) => string | undefined;
  /** Our own words behind a heading, by its anchor: how often the section was read. */
  readonly mark?: (anchor: string) => Html | undefined;
}

/** Rendered text. `notes` say what was left out; the HTML says so too. */
interface RenderedMarkdown {
  readonly html: Html;
  readonly notes: readonly string[];
}

/** Characters rendered of one text. */
export const MAX_MARKDOWN = 262_144;
/** Lines rendered of one text. */
const MAX_MARKDOWN_LINES = 10_000;
/** Quotes and lists inside one another; deeper lines are shown as they are written. */
const MAX_DEPTH = 20;
/** A longer paragraph is shown as it is written. */
const MAX_PARAGRAPH = 65_536;
/** Before the anchors of headings in a text, so that they never collide with those of the page. */
export const SECTION_PREFIX = 'section-';

interface Rendering {
  readonly links: MarkdownLinks;
  readonly anchors: ReadonlyMap<number, string>;
  deepLines: number;
  longParagraphs: number;
}

const renderingOf = (env: Env) => (env as unknown as { rendering: Rendering }).rendering;

const parser = new MarkdownIt({
  html: false,
  linkify: false,
  typographer: false,
  maxNesting: MAX_DEPTH + 10,
});
// Every target is parsed as a link and decided about below, where a refused one can be shown as text.
parser.validateLink = () => true;
parser.block.ruler.before('table', 'too_deep', readTooDeep);
parser.core.ruler.before('inline', 'long_paragraphs', skipLongParagraphs);
parser.core.ruler.push('strangers', restrain);
parser.renderer.rules.too_deep = (tokens, at) => `<p dir="auto">${escapeHtml(tokens[at]!.content)}</p>\n`;
parser.renderer.rules.fence = (tokens, at) => renderCode(tokens[at]!);
parser.renderer.rules.code_block = (tokens, at) => renderCode(tokens[at]!);
parser.renderer.rules.image = (tokens, at, options, env, renderer) => {
  const token = tokens[at]!;
  const text = renderer.renderInlineAsText(token.children ?? [], options, env);
  const address = token.meta?.address;
  if (typeof address !== 'string')
    return html`<span class="no-image">${text === '' ? 'image' : text}</span>`.toString();
  return html`<img src="${address}" alt="${text}" loading="lazy" decoding="async">`.toString();
};
parser.renderer.rules.table_open = () =>
  '<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>\n';
parser.renderer.rules.table_close = () => '</table></div>\n';

/** Renders a text without frontmatter. Headings get the anchors of the outline, with our prefix. */
export function renderMarkdown(text: string, links: MarkdownLinks = {}): RenderedMarkdown {
  const shown = cutMarkdown(text);
  const anchors = new Map(readMarkdown(shown).headings.map(({ line, anchor }) => [line - 1, anchor]));
  const rendering: Rendering = { links, anchors, deepLines: 0, longParagraphs: 0 };
  const body = parser.render(shown, { rendering } as unknown as Env);
  const notes = notesOn(text, shown, rendering);
  const said =
    notes.length === 0
      ? ''
      : notice('warn', {
          title: 'Not everything is rendered',
          body: html`<ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>`,
        });
  return { html: html`${said}<div class="prose" dir="auto">${raw(body)}</div>`, notes };
}

function cutMarkdown(text: string): string {
  const end = endOfLine(text, MAX_MARKDOWN_LINES);
  if (end <= MAX_MARKDOWN) return text.slice(0, end);
  const lineEnd = text.lastIndexOf('\n', MAX_MARKDOWN);
  return startOf(text, lineEnd > MAX_MARKDOWN / 2 ? lineEnd : MAX_MARKDOWN);
}

function endOfLine(text: string, count: number): number {
  let at = -1;
  for (let line = 0; line < count; line++) {
    at = text.indexOf('\n', at + 1);
    if (at === -1) return text.length;
  }
  return at;
}

function notesOn(text: string, shown: string, { deepLines, longParagraphs }: Rendering): string[] {
  const notes: string[] = [];
  if (shown.length < text.length)
    notes.push(
      `The first ${formatCount(shown.length)} of ${formatCount(text.length)} characters are shown. Open the file for the rest.`,
    );
  if (deepLines > 0)
    notes.push(
      `Lines nested more than ${MAX_DEPTH} levels deep are shown as written: ${formatCount(deepLines)}.`,
    );
  if (longParagraphs > 0)
    notes.push(
      `Paragraphs longer than ${formatCount(MAX_PARAGRAPH)} characters are shown as written: ${formatCount(longParagraphs)}.`,
    );
  return notes;
}

function readTooDeep(state: StateBlock, line: number, _end: number, silent: boolean): boolean {
  if (state.level < MAX_DEPTH) return false;
  if (silent) return true;
  const token = state.push('too_deep', 'p', 0);
  token.content = state.getLines(line, line + 1, 0, false);
  token.map = [line, line + 1];
  state.line = line + 1;
  renderingOf(state.env).deepLines++;
  return true;
}

function skipLongParagraphs({ tokens, env }: StateCore): void {
  for (const token of tokens) {
    if (token.type !== 'inline' || token.content.length <= MAX_PARAGRAPH) continue;
    token.meta = { written: token.content };
    token.content = '';
    renderingOf(env).longParagraphs++;
  }
}

const directed = new Set([
  'paragraph_open',
  'heading_open',
  'list_item_open',
  'blockquote_open',
  'td_open',
  'th_open',
]);

/** Gives headings their anchors, blocks their direction, and decides about every link and image. */
function restrain({ tokens, env, Token: Piece }: StateCore): void {
  const rendering = renderingOf(env);
  const marks = new Map<number, Html>();
  for (const [at, token] of tokens.entries()) {
    if (directed.has(token.type)) token.attrSet('dir', 'auto');
    if (token.type === 'th_open' || token.type === 'td_open') token.attrs = alignment(token);
    if (token.type === 'heading_open') {
      const anchor = rendering.anchors.get(token.map?.[0] ?? -1);
      if (anchor !== undefined) token.attrSet('id', `${SECTION_PREFIX}${anchor}`);
      const said = anchor === undefined ? undefined : rendering.links.mark?.(anchor);
      if (said !== undefined) marks.set(at + 1, said);
      lower(token, tokens[at + 2]);
    }
    if (token.type !== 'inline') continue;
    if (typeof token.meta?.written === 'string') {
      const text = new Piece('text', '', 0);
      text.content = token.meta.written;
      token.children = [text];
    }
    settleLinks(token.children ?? [], rendering.links);
    const said = marks.get(at);
    if (said !== undefined) {
      const mark = new Piece('html_inline', '', 0);
      mark.content = said.toString();
      token.children = [...(token.children ?? []), mark];
    }
  }
}

/** The page has the first heading; those of the text come below it. */
function lower(open: Token, close: Token | undefined): void {
  const tag = `h${Math.min(6, Number(open.tag.slice(1)) + 1)}`;
  open.tag = tag;
  if (close !== undefined) close.tag = tag;
}

/** Style attributes are forbidden; a class aligns a cell. */
function alignment(token: Token): [string, string][] {
  const side = /text-align:(\w+)/.exec(String(token.attrGet('style') ?? ''))?.[1];
  return [['dir', 'auto'], ...(side === undefined ? [] : [['class', `align-${side}`] as [string, string]])];
}

function settleLinks(tokens: readonly Token[], links: MarkdownLinks): void {
  const open: Token[] = [];
  for (const token of tokens) {
    if (token.type === 'link_open') {
      leadLink(token, links);
      open.push(token);
    } else if (token.type === 'link_close') token.tag = open.pop()?.tag ?? token.tag;
    else if (token.type === 'image') {
      const target = String(token.attrGet('src') ?? '');
      const address = isOutside(target) || target.startsWith('#') ? undefined : links.image?.(target);
      token.meta = { address };
    }
  }
}

function leadLink(token: Token, links: MarkdownLinks): void {
  const target = String(token.attrGet('href') ?? '');
  const title = token.attrGet('title');
  const address = resolveLink(target, links);
  token.attrs =
    address === undefined
      ? [
          ['class', 'dead-link'],
          ['title', 'This link leads nowhere'],
        ]
      : [['href', address]];
  if (address === undefined) token.tag = 'span';
  else if (isOutside(target)) token.attrSet('rel', 'nofollow ugc noopener noreferrer');
  if (title !== null && address !== undefined) token.attrSet('title', String(title));
}

function resolveLink(target: string, links: MarkdownLinks): string | undefined {
  if (target.startsWith('#')) return target === '#' ? undefined : `#${SECTION_PREFIX}${target.slice(1)}`;
  if (!isOutside(target)) return links.link?.(target);
  // Addresses without a scheme but with a host would borrow ours.
  return target.startsWith('//') || safeLink(target) === '#' ? undefined : target;
}

/** True for a target with a scheme or a host of its own. */
function isOutside(target: string): boolean {
  const read = target.replace(/[\x00-\x20\x7f\\]+/g, '');
  return /^[^/?#]*:/.test(read) || read.startsWith('//') || target.includes('\\');
}

function renderCode(token: Token): string {
  const language = /^[\w+#.-]{1,30}/.exec(token.info.trim())?.[0];
  return `${codeBlock(token.content, language === undefined ? {} : { language })}\n`;
}
