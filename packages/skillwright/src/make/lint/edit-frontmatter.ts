// Small corrections of the frontmatter of a SKILL.md text. Each changes only its own lines, and is read back: an edit
// that would change anything else or lose a comment is not made, and the text
// is returned unchanged.

import { isDeepStrictEqual } from 'node:util';
import { lineOfKey, readFrontmatter, repairYaml, writeFrontmatter } from '../../skill/format/index.ts';

/** Lines with their line ends. */
type Lines = readonly string[];

/** Sets a top-level field to a text; inserts a missing field first. */
export function setTextField(text: string, { field, value }: { field: string; value: string }): string {
  return edit(text, {
    change: (lines, lineOf) => {
      const at = lineOf([field]);
      const written = writeField(field, value);
      if (at === undefined) return lines.toSpliced(1, 0, written + lineEnd(lines[0]!));
      const [first, ...others] = lines.slice(at, at + countFieldLines(lines, at)) as [string, ...string[]];
      if (others.some((line) => /(?:^|\s)#/.test(line))) return undefined;
      const comment = /^[^'"]*?(\s+#.*)$/.exec(bare(first))?.[1] ?? '';
      return lines.toSpliced(at, 1 + others.length, written + comment + lineEnd(first));
    },
    expect: (data) => ({ ...data, [field]: value }),
  });
}

/** Renames a top-level field. */
export function renameField(text: string, { from, to }: { from: string; to: string }): string {
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
export function quoteScalar(
  text: string,
  { path, written }: { path: readonly string[]; written: string },
): string {
  return edit(text, {
    change: (lines, lineOf) => {
      const at = lineOf(path);
      if (at === undefined) return undefined;
      const entry = /^(\s*[^\s#'"{}[\]].*?:\s+)(\S.*?)(\s*|\s+#.*)$/s.exec(bare(lines[at]!));
      if (entry?.[2] !== written) return undefined;
      return lines.with(at, `${entry[1]}${JSON.stringify(written)}${entry[3]}${lineEnd(lines[at]!)}`);
    },
    expect: (data) => withEntry(data, path, written),
  });
}

/** Writes fields that could only be read after a repair in their repaired form. */
export function repairFields(text: string): string {
  const before = readFrontmatter(text);
  // The first line of the frontmatter is the second of the file; the text after its last line end does not count.
  const repair = repairYaml(before.yaml)?.text.split('\n').slice(0, -1);
  if (repair === undefined) return text;
  // Keep tabs that YAML allows, if the rest of the repair is enough.
  for (const keepsTabs of [true, false]) {
    const repaired = splitKeepingEnds(text).flatMap((line, index) => {
      const wanted = repair[index - 1];
      const written = bare(line);
      if (index === 0 || wanted === undefined || wanted === written) return [line];
      if (keepsTabs && wanted.trim() === written.trim()) return [line];
      return wanted === '' ? [] : [wanted + lineEnd(line)];
    });
    const after = readFrontmatter(repaired.join(''));
    const isSame = after.body === before.body && withoutTabs(after.data) === withoutTabs(before.data);
    if (isSame && after.problems.length < before.problems.length) return repaired.join('');
  }
  return text;
}

/** Whether line `line`, counted from 1, is a fence with white space after its dashes. */
export function isPaddedFence(text: string, line: number): boolean {
  return /^\ufeff?---[ \t]+$/.test(bare(splitKeepingEnds(text)[line - 1] ?? ''));
}

/** Removes the white space after the dashes of a fence at `line`, counted from 1. */
export function trimFence(text: string, line: number): string {
  const lines = splitKeepingEnds(text);
  const fence = lines[line - 1]!;
  return lines.with(line - 1, bare(fence).trimEnd() + lineEnd(fence)).join('');
}

function withoutTabs(data: Record<string, unknown> | undefined): string {
  return JSON.stringify(data ?? null).replaceAll('\\t', '  ');
}

function edit(
  text: string,
  {
    change,
    expect,
  }: {
    /** The lines after the change; undefined if it cannot be made. Lines are counted from 0. */
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
  const changed = change(splitKeepingEnds(text), lineOf)?.join('');
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

/** A field and its value on one line, quoted if YAML needs it. */
function writeField(field: string, value: string): string {
  return writeFrontmatter({ [field]: value }).split('\n')[1]!;
}

/** Number of lines of the top-level field at `at`: indented lines, list items and blank lines after it belong to it. */
function countFieldLines(lines: Lines, at: number): number {
  let end = at + 1;
  for (let next = end; next < lines.length && /^(?:[ \t]|- |$)/.test(bare(lines[next]!)); next++) {
    if (bare(lines[next]!).trim() !== '') end = next + 1;
  }
  return end - at;
}

function splitKeepingEnds(text: string): string[] {
  return text.split(/(?<=\r\n|\n|\r(?!\n))/);
}

function bare(line: string): string {
  return line.replace(/[\r\n]+$/, '');
}

function lineEnd(line: string): string {
  return line.slice(bare(line).length);
}
