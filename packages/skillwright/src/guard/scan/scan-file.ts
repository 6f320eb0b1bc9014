// One file of a skill as rules see it: the visible text, and what is hidden in it.

import { type MarkdownDocument, readMarkdown } from '../../base/markdown/index.ts';
import { splitFrontmatter, unmaskLetters } from '../../skill/format/index.ts';
import { decodeBlobs } from './decode-blobs.ts';
import { type FileKind, fileKind, isExampleFile } from './file-kind.ts';
import { type HiddenRun, revealHidden } from './hidden-characters.ts';
import { lineAround } from './line-around.ts';

/** A text to check: the file itself, or something derived from a part of it. */
export interface Layer {
  readonly text: string;
  /** How it was hidden, such as `base64`; undefined for the file itself. */
  readonly via?: string;
  /** The line of the file for an offset in `text`. */
  lineAt(index: number): number;
}

/** Part of a file that a place belongs to. */
export type Zone =
  /** Sentences. */
  | 'prose'
  /** Code between backticks within a sentence. */
  | 'inline'
  /** A fenced block of shell commands, or without a language. */
  | 'shell'
  /** Code in a program, or in a fenced block of another language. */
  | 'code'
  /** A comment: in Markdown, invisible to readers of the page. */
  | 'comment'
  | 'frontmatter'
  | 'config';

/** A file that could be read as text. */
export class ScanFile {
  readonly path: string;
  /** The archive in the skill that contains it; its path is relative to that. */
  readonly archive: string | undefined;
  readonly kind: FileKind;
  /** Whether the instructions have it run by name. */
  readonly isRun: boolean;
  /** Whether it shows or tests something, and nothing runs it. */
  readonly isExample: boolean;
  readonly layers: readonly Layer[];
  readonly hidden: readonly HiddenRun[];
  /** The original text. */
  readonly original: string;
  #document: MarkdownDocument | undefined;
  #bodyLine = 1;
  #comments: { starts: number[]; ends: number[] } | undefined;
  #lines: readonly string[] | undefined;

  constructor(
    path: string,
    original: string,
    where: { archive?: string | undefined; isRun?: boolean; isDocument?: boolean } = {},
  ) {
    this.path = path;
    this.archive = where.archive;
    this.original = original;
    this.isRun = where.isRun === true;
    this.isExample = !this.isRun && isExampleFile(path);
    const isProgram = this.isRun && !/\.mdx?$/i.test(path);
    this.kind = where.isDocument ? 'instructions' : isProgram ? 'script' : fileKind(path, original);
    const isPlain = /^[\x00-\x7f]*$/.test(original);
    const visible = isPlain ? { text: original, hidden: [] } : revealHidden(original);
    this.hidden = visible.hidden;
    const text = isPlain ? original : unmaskLetters(visible.text.normalize('NFKC'));
    const base: Layer = { text, lineAt: lineCounter(text) };
    this.layers = [base, ...this.#derive(base)];
  }

  /** The text of the file itself, without invisible characters. */
  get text(): string {
    return this.layers[0]!.text;
  }

  /** The lines of that text. */
  get lines(): readonly string[] {
    this.#lines ??= this.text.split('\n');
    return this.#lines;
  }

  /** The file parsed as Markdown, with the same line numbers. */
  get document(): MarkdownDocument {
    if (this.#document === undefined) {
      const { body, bodyLine } = splitFrontmatter(this.text);
      this.#bodyLine = bodyLine;
      this.#document = readMarkdown(body, { firstLine: bodyLine });
    }
    return this.#document;
  }

  /** Part of the file that an offset in its own text belongs to. */
  zoneAt(index: number): Zone {
    const line = this.layers[0]!.lineAt(index);
    const before = lineAround(this.text, index, { before: 500, after: 0 });
    if (this.kind === 'config') return 'config';
    if (this.kind !== 'instructions')
      return isComment(before, this.lines[line - 1] ?? '') ? 'comment' : 'code';
    const { codeBlocks } = this.document;
    if (line < this.#bodyLine) return 'frontmatter';
    const block = codeBlocks.find((candidate) => candidate.line <= line && line <= candidate.endLine);
    if (block !== undefined)
      return /^(?:|ba|z|fi|k)sh$|^(?:shell|console|terminal|cmd|powershell|ps1|bat|text|txt)?$/i.test(
        block.language,
      )
        ? 'shell'
        : 'code';
    if (this.#inComment(index)) return 'comment';
    const ticks = before.split('`').length - 1;
    return ticks % 2 === 1 ? 'inline' : 'prose';
  }

  /** The headings above a line, nearest first. */
  headingsAbove(line: number): string[] {
    if (this.kind !== 'instructions') return [];
    const above = this.document.headings.filter((heading) => heading.line <= line && line <= heading.endLine);
    return above.reverse().map((heading) => heading.text);
  }

  #inComment(index: number): boolean {
    this.#comments ??= commentsOf(this.text);
    const at = lastBefore(this.#comments.starts, index);
    return at >= 0 && index <= this.#comments.ends[at]!;
  }

  *#derive(base: Layer): Generator<Layer> {
    for (const run of this.hidden) {
      if (run.decoded === undefined || run.decoded.length < 4) continue;
      const line = lineCounter(this.original)(run.index);
      yield { text: run.decoded, via: `invisible characters`, lineAt: () => line };
    }
    for (const blob of decodeBlobs(base.text, { isCode: this.kind !== 'instructions' })) {
      const line = base.lineAt(blob.index);
      yield { text: blob.text, via: blob.encoding, lineAt: () => line };
    }
    const source = this.path.toLowerCase().endsWith('.ipynb') ? notebookSource(base.text) : undefined;
    if (source !== undefined) yield { text: source, via: 'notebook cells', lineAt: () => 1 };
  }
}

/** Counts lines forward from the last lookup, because lookups mostly come in order. */
function lineCounter(text: string): (index: number) => number {
  let starts: number[] | undefined;
  return (index) => {
    if (starts === undefined) {
      starts = [0];
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    }
    return lastBefore(starts, index) + 1;
  };
}

/** Index of the last number in a rising list that is not above `index`; -1 when there is none. */
export function lastBefore(list: readonly number[], index: number): number {
  let low = -1;
  let high = list.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (list[middle]! <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The comments of a Markdown text; an unclosed one extends to the end. */
function commentsOf(text: string): { starts: number[]; ends: number[] } {
  const starts: number[] = [];
  const ends: number[] = [];
  for (let open = text.indexOf('<!--'); open >= 0; ) {
    const close = text.indexOf('-->', open);
    starts.push(open);
    ends.push(close < 0 ? text.length : close);
    open = close < 0 ? -1 : text.indexOf('<!--', close);
  }
  return { starts, ends };
}

function isComment(before: string, line: string): boolean {
  return (
    /^\s*(?:#(?!!)|\/\/|\*|--\s|;|rem\s|<!--)/i.test(line) || /(?:^|\s)(?:#|\/\/)\s[^"'`]*$/.test(before)
  );
}

/** The source of the code cells of a notebook, one after another. */
function notebookSource(text: string): string | undefined {
  try {
    const { cells } = JSON.parse(text) as { cells?: { source?: string | string[] }[] };
    if (!Array.isArray(cells)) return undefined;
    return cells
      .map(({ source }) => (Array.isArray(source) ? source.join('') : String(source ?? '')))
      .join('\n\n');
  } catch {
    // Scan it as plain text.
    return undefined;
  }
}
