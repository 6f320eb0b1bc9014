// Small corrections of the frontmatter of a SKILL.md text. Each changes the lines it is about and no others, and is
// read back: an edit that would change anything else is not made, and the text comes back as it was.

import { isDeepStrictEqual } from 'node:util';
import { lineOfKey, readFrontmatter, writeFrontmatter } from '../format/frontmatter.ts';

/** Lines with their ends. */
type Lines = readonly string[];

/** Gives a top-level field a text as its value; a field that is missing becomes the first. */
export function setTextField(text: string, field: string, value: string): string {
  return edit(text, {
    change: (lines, lineOf) => {
      const at = lineOf([field]);
      const written = writeField(field, value);
      if (at === undefined) return lines.toSpliced(1, 0, written + endOf(lines[0]!));
      const comment = /\s+#.*$/.exec(bare(lines[at]!))?.[0] ?? '';
      return lines.toSpliced(at, countFieldLines(lines, at), written + comment + endOf(lines[at]!));
    },
    expect: (data) => ({ ...data, [field]: value }),
  });
}

/** Gives a top-level field another key. */
export function renameField(text: string, from: string, to: string): string {
  return edit(text, {
    change: (lines, lineOf) => {
      const at = lineOf([from]);
      if (at === undefined || !lines[at]!.startsWith(`${from}:`)) return undefined;
      return lines.with(at, to + lines[at]!.slice(from.length));
    },
    expect: (data) =>
      Object.fromEntries(Object.entries(data).map(([key, value]) => [key === from ? to : key, value])),
  });
}

/** Puts quotes around the plain scalar `written` at `path`, an entry of a block mapping. */
export function quoteScalar(text: string, path: readonly string[], written: string): string {
  return edit(text, {
    change: (lines, lineOf) => {
      const at = lineOf(path);
      if (at === undefined) return undefined;
      const entry = /^(\s*[^\s#'"{}[\]].*?:\s+)(\S.*?)(\s*|\s+#.*)$/s.exec(bare(lines[at]!));
      if (entry?.[2] !== written) return undefined;
      return lines.with(at, `${entry[1]}${JSON.stringify(written)}${entry[3]}${endOf(lines[at]!)}`);
    },
    expect: (data) => withEntry(data, path, written),
  });
}

/** Removes the white space after the dashes of a fence at `line`, counted from 1. */
export function trimFence(text: string, line: number): string {
  const lines = splitLines(text);
  const fence = lines[line - 1] ?? '';
  return lines.with(line - 1, bare(fence).trimEnd() + endOf(fence)).join('');
}

function edit(
  text: string,
  {
    change,
    expect,
  }: {
    /** The lines after the change; undefined when it cannot be made. Lines are counted from 0. */
    change: (lines: Lines, lineOf: (path: readonly string[]) => number | undefined) => Lines | undefined;
    expect: (data: Record<string, unknown>) => unknown;
  },
): string {
  const before = readFrontmatter(text);
  if (before.data === undefined) return text;
  const lineOf = (path: readonly string[]): number | undefined => {
    const line = lineOfKey(before, path);
    return line === undefined ? undefined : line - 1;
  };
  const changed = change(splitLines(text), lineOf)?.join('');
  if (changed === undefined) return text;
  const after = readFrontmatter(changed);
  const isExpected =
    after.body === before.body &&
    after.problems.length <= before.problems.length &&
    isDeepStrictEqual(after.data, expect(before.data));
  return isExpected ? changed : text;
}

function withEntry(
  data: Record<string, unknown>,
  path: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const [first, ...rest] = path as [string, ...string[]];
  return {
    ...data,
    [first]: rest.length === 0 ? value : withEntry(data[first] as Record<string, unknown>, rest, value),
  };
}

/** A field and its value on one line, quoted where YAML needs it. */
function writeField(field: string, value: string): string {
  return writeFrontmatter({ [field]: value }).split('\n')[1]!;
}

/** How many lines the top-level field at `at` takes: what follows indented, as list items or blank belongs to it. */
function countFieldLines(lines: Lines, at: number): number {
  let end = at + 1;
  for (let next = end; next < lines.length && /^(?:[ \t]|- |$)/.test(bare(lines[next]!)); next++) {
    if (bare(lines[next]!).trim() !== '') end = next + 1;
  }
  return end - at;
}

function splitLines(text: string): string[] {
  return text.split(/(?<=\r\n|\n|\r(?!\n))/);
}

function bare(line: string): string {
  return line.replace(/[\r\n]+$/, '');
}

function endOf(line: string): string {
  return line.slice(bare(line).length);
}
