/** The fenced code blocks of a document. */

import { type Blocks, unescapeText } from './parse-blocks.ts';

/** A fenced code block, at any depth. Its lines are those of its fences. */
export interface CodeBlock {
  /** The first word after the fence, '' when there is none. */
  language: string;
  line: number;
  endLine: number;
}

/** Lists the fenced code blocks in order. */
export function listCodeBlocks(blocks: Blocks, firstLine: number): CodeBlock[] {
  const codeBlocks: CodeBlock[] = [];
  for (const token of blocks.fences) {
    if (token.map === null) continue;
    const [start, end] = token.map;
    const language = unescapeText(token.info).trim().split(/\s/, 1)[0] ?? '';
    codeBlocks.push({ language, line: firstLine + start, endLine: firstLine + end - 1 });
  }
  return codeBlocks;
}
