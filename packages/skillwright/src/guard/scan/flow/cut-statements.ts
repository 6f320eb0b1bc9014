// Splits code in any language into statements: enough to follow data from one to the next.

import type { ScanFile } from '../scan-file.ts';

/** One statement: a line, several lines that belong together, or part of a line. */
export interface Statement {
  readonly text: string;
  /** Offset in the original text. */
  readonly index: number;
  /** Whether it is a shell command inside a program in another language. */
  readonly isCommand?: boolean;
  /** Indentation: names defined in a function are forgotten after it. */
  readonly indent: number;
}

/** Maximum lines of a statement, and maximum characters. */
const MAX_LINES = 12;
const MAX_LETTERS = 2000;

/** The statements of a piece of code that starts at `offset` of its text. */
function cutStatements(code: string, offset = 0): Statement[] {
  const statements: Statement[] = [];
  let index = 0;
  let held = '';
  let heldAt = 0;
  let heldLines = 0;
  const flush = (): void => {
    if (held.trim() !== '') {
      const indent = /^[ \t]{0,80}/.exec(held)![0].length;
      for (const part of splitParts(held))
        statements.push({ text: part.text, index: offset + heldAt + part.index, indent });
    }
    held = '';
    heldLines = 0;
  };
  for (const line of code.split('\n')) {
    if (held === '') heldAt = index;
    held += held === '' ? line : `\n${line}`;
    heldLines++;
    index += line.length + 1;
    if (heldLines >= MAX_LINES || held.length > MAX_LETTERS || !goesOn(held, line)) flush();
  }
  flush();
  return statements;
}

/** Whether the next line belongs to the same statement: a backslash, a pipe, or brackets that are still open. */
function goesOn(held: string, line: string): boolean {
  const end = line.trimEnd();
  if (/(?:\\|\|\|?|&&|,)$/.test(end)) return true;
  // A block is not a statement, even inside brackets.
  if (/(?:=>|\)|\belse|\btry|\bdo)\s{0,4}\{$|:$/.test(end)) return false;
  let depth = 0;
  for (let at = 0; at < held.length; at++) {
    const letter = held[at]!;
    if (letter === '(' || letter === '[' || letter === '{') depth++;
    else if (letter === ')' || letter === ']' || letter === '}') depth--;
  }
  return depth > 0;
}

/** Consecutive parts of a statement: split at `;`, `&&` and `||` outside quotes and brackets. */
function splitParts(text: string): { text: string; index: number }[] {
  if (!/;|&&|\|\|/.test(text)) return [{ text, index: 0 }];
  const parts: { text: string; index: number }[] = [];
  let start = 0;
  let depth = 0;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!;
    if (quote !== '') {
      if (letter === '\\') at++;
      else if (letter === quote || letter === '\n') quote = '';
      continue;
    }
    if (letter === '"' || letter === "'" || letter === '`') quote = letter;
    else if (letter === '(' || letter === '[') depth++;
    else if (letter === ')' || letter === ']') depth--;
    else if (
      (depth <= 0 || text.length > MAX_LETTERS) &&
      (letter === ';' || text.startsWith('&&', at) || text.startsWith('||', at))
    ) {
      parts.push({ text: text.slice(start, at), index: start });
      if (letter !== ';') at++;
      start = at + 1;
    }
  }
  parts.push({ text: text.slice(start), index: start });
  return parts.filter((part) => part.text.trim() !== '');
}

/** Commands that a program passes to a shell. */
const commandStrings =
  /\b(?:exec(?:Sync)?|system|popen|run|call|Popen|check_output|getoutput|shell_exec|spawnSync)\(\s{0,2}f?(["'`])((?:(?!\1)[^\\\n]|\\.){6,600})\1/g;

/** The statements of a file: all of a script; of instructions, the code in blocks and between backticks. */
export function statementsOf(file: ScanFile): Statement[] {
  if (file.kind !== 'instructions') {
    const statements = cutStatements(file.text);
    const commands = [...file.text.matchAll(commandStrings)].flatMap((match) =>
      cutStatements(match[2]!, match.index + match[0].indexOf(match[2]!)).map((each) => ({
        ...each,
        isCommand: true,
      })),
    );
    return commands.length === 0
      ? statements
      : [...statements, ...commands].sort((a, b) => a.index - b.index);
  }
  const statements: Statement[] = [];
  const starts = [0];
  for (const line of file.lines) starts.push(starts.at(-1)! + line.length + 1);
  const { codeBlocks } = file.document;
  let done = 1;
  const spans = (until: number): void => {
    for (; done < until; done++) {
      const line = file.lines[done - 1] ?? '';
      for (const span of line.matchAll(/`([^`\n]{4,800})`/g))
        statements.push(...cutStatements(span[1]!, starts[done - 1]! + span.index + 1));
    }
  };
  for (const { line, endLine } of codeBlocks) {
    spans(line);
    const inner = file.lines.slice(line, Math.max(line, endLine - 1)).join('\n');
    statements.push(...cutStatements(inner, starts[line] ?? 0));
    done = endLine + 1;
  }
  spans(file.lines.length + 1);
  return statements;
}
