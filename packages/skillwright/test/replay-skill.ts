// Replays what a stub and an outline list: every line has to lead to the section it names, and to no other.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTable } from 'micromark-extension-gfm-table';
import { decodeText } from '../src/base/files/read-text.ts';
import { isEvalFile, listFiles } from '../src/base/files/walk-tree.ts';
import { foldText } from '../src/base/markdown/fold-text.ts';
import type { ReadableIndex } from '../src/read/gateway/open-gateway.ts';
import { type OutlineHeading, outlineIndexed } from '../src/read/gateway/outline.ts';
import { outlineSkill } from '../src/read/gateway/outline-skill.ts';
import { showSection } from '../src/read/gateway/show-section.ts';
import { readFrontmatter } from '../src/skill/format/frontmatter.ts';

/** Problems, one line each; empty when stub, outline and show agree. */
export function replaySkill(opened: ReadableIndex, stub: string): string[] {
  const { headings } = outlineIndexed(opened, { maxLevel: 6 });
  const parsed = outlineSkill(opened.dir, { maxLevel: 6 }).headings;
  return [
    ...(JSON.stringify(headings) === JSON.stringify(parsed) ? [] : ['index and files have other headings']),
    ...replayOutline(opened, headings),
    ...replayStub(opened, stub, headings),
    ...compareWithParser(opened.dir, headings),
  ];
}

const show = (opened: ReadableIndex, section: string, file?: string) => {
  try {
    return showSection(opened, { section, file, maxLines: 1 });
  } catch (error) {
    return String(error);
  }
};

/** As a reader copies a line of the text: with its marks, and the file above it. */
function replayOutline(opened: ReadableIndex, headings: readonly OutlineHeading[]): string[] {
  const seen = new Set<string>();
  return headings.flatMap(({ file, level, text, anchor, start_line, end_line, from_line = start_line }) => {
    const key = `${file}\0${foldText(text)}`;
    const line = `${'#'.repeat(level)} ${text || '(untitled)'}${seen.has(key) ? ` — #${anchor}` : ''}`;
    seen.add(key);
    const shown = show(opened, line, file);
    if (typeof shown === 'string') return [`${file}: ${line}: ${shown}`];
    const place = `${shown.section.file}:${shown.section.start_line}-${shown.section.end_line}`;
    const expected = `${file}:${from_line}-${end_line}`;
    return place === expected ? [] : [`${file}: ${line}: ${place} instead of ${expected}`];
  });
}

function replayStub(opened: ReadableIndex, stub: string, headings: readonly OutlineHeading[]): string[] {
  const problems: string[] = [];
  const places = new Map<string, string>();
  let isReference = false;
  for (const line of stub.slice(stub.indexOf('## Top Sections')).split('\n').slice(1)) {
    const entry = /^\s*- (.*)$/.exec(line)?.[1];
    if (entry === undefined || /^\.\.\. \(\d+ more\)|^\(no headings;/.test(entry)) continue;
    if (entry === 'References (query by title only)') {
      isReference = true;
      continue;
    }
    const shown = show(opened, entry);
    if (typeof shown === 'string') {
      problems.push(`stub: ${entry}: ${shown}`);
      continue;
    }
    const { file, start_line } = shown.section;
    if (isReference === (file === 'SKILL.md')) problems.push(`stub: ${entry}: leads to ${file}`);
    // A reference stands there by its title, or by its path when it has none.
    const title = headings.find(
      (heading) => heading.file === file && heading.level === 1 && heading.text !== '',
    );
    const expected = shown.section.level === 0 ? undefined : title;
    if (isReference && (shown.section.level === 0) === (title !== undefined))
      problems.push(`stub: ${entry}: is ${title?.text ?? 'the path'} in ${file}`);
    if (isReference && expected !== undefined && (expected.from_line ?? expected.start_line) !== start_line)
      problems.push(`stub: ${entry}: leads to ${file}:${start_line}, which is not its title`);
    const place = `${file}:${start_line}`;
    if (places.has(place)) problems.push(`stub: ${entry}: leads to ${place}, as ${places.get(place)} does`);
    places.set(place, entry);
  }
  return problems;
}

/** The lines and levels of headings, as a parser finds them that has nothing to do with ours. */
function compareWithParser(dir: string, headings: readonly OutlineHeading[]): string[] {
  const byFile = Map.groupBy(headings, ({ file }) => file);
  return listFiles(dir).flatMap((file) => {
    if (!/\.md$/i.test(file) || isEvalFile(file)) return [];
    const { text, binary } = decodeText(readFileSync(join(dir, file)));
    if (binary) return byFile.has(file) ? [`${file}: headings of what is not text`] : [];
    const { body, bodyLine } = readFrontmatter(text);
    const expected = headingsIn(fromMarkdown(body, { extensions: [gfmTable()] }), bodyLine);
    const found = (byFile.get(file) ?? []).map(({ start_line, level }) => `${start_line}:${level}`);
    return found.join() === expected.join() ? [] : [`${file}: headings ${difference(found, expected)}`];
  });
}

interface ParsedNode {
  readonly type: string;
  readonly depth?: number;
  readonly children?: readonly ParsedNode[];
  readonly position?: { readonly start: { readonly line: number } } | undefined;
}

function headingsIn(node: ParsedNode, firstLine: number): string[] {
  if (node.type === 'heading') return [`${node.position!.start.line + firstLine - 1}:${node.depth}`];
  return (node.children ?? []).flatMap((child) => headingsIn(child, firstLine));
}

const difference = (found: readonly string[], expected: readonly string[]) =>
  `only ours ${found.filter((one) => !expected.includes(one)).join(' ')}; only theirs ${expected.filter((one) => !found.includes(one)).join(' ')}`;
