// The sections an operation served: each by its own lines, those that were asked for and those that came along.

import { join, posix } from 'node:path';
import { attempt, SkillwrightError } from '../../base/diagnostics/index.ts';
import { readTextInside, splitLines } from '../../base/files/index.ts';
import { buildRecord } from '../../skill/skill/index.ts';
import { OWN_DIRECTORY } from '../../skill/workspace/index.ts';
import { hasSections, type IndexCache, isSameStat, openIndex, statSkillFile } from '../index/index.ts';
import type { PresentSection, UsedSkill } from './read-usage.ts';

/** Text of one file that was served. The whole file without lines or bytes. */
export interface ServedPart {
  readonly file: string;
  /** The section that was asked for, and its anchor. */
  readonly section?: string;
  readonly anchor?: string;
  /** First and last line. */
  readonly lines?: readonly [from: number, to: number];
  /** First byte, and the one after the last; null for the end of the file. */
  readonly bytes?: readonly [from: number, to: number | null];
  /** Bytes count from the end of the frontmatter. */
  readonly ofBody?: true;
}

/** A section in the log. */
interface SectionServed {
  readonly file: string;
  readonly section: string;
  readonly anchor: string;
  /** Its own lines that were served: those before the next heading of any level. */
  readonly lines: number;
  /** 1 if it was asked for, 0 if it came along. */
  readonly asked: 0 | 1;
}

/** The sections of which the parts contain at least one own line. Total: a file that cannot be read has none. */
export async function servedSections(
  parts: readonly ServedPart[],
  skill: UsedSkill & { readonly indexes?: IndexCache | undefined },
): Promise<SectionServed[]> {
  const served = new Map<string, SectionServed>();
  for (const part of parts) {
    const file = posix.normalize(part.file);
    if (!hasSections(file)) {
      if (part.section === undefined) continue;
      const [from, to] = part.lines ?? [1, 1];
      addTo(served, {
        file,
        section: part.section,
        anchor: part.anchor ?? '',
        lines: to - from + 1,
        asked: 1,
      });
      continue;
    }
    const headings = indexedHeadings(part, file, skill) ?? (await writtenHeadings(file, skill.dir));
    const [from, to] = part.lines ?? (part.bytes && linesAt(part, skill.dir)) ?? [1, Number.MAX_SAFE_INTEGER];
    for (const [at, { text: section, anchor, start_line, end_line }] of headings.entries()) {
      const last = Math.min(end_line, (headings[at + 1]?.start_line ?? Number.MAX_SAFE_INTEGER) - 1);
      const lines = Math.min(last, to) - Math.max(start_line, from) + 1;
      if (lines <= 0) continue;
      const asked = part.section !== undefined && part.anchor === anchor ? 1 : 0;
      addTo(served, { file, section, anchor, lines, asked });
    }
    if (part.section !== undefined && part.anchor === '' && to >= from)
      addTo(served, { file, section: part.section, anchor: '', lines: to - from + 1, asked: 1 });
  }
  return [...served.values()];
}

/** One operation reads a section once, in however many parts. */
function addTo(served: Map<string, SectionServed>, one: SectionServed): void {
  const key = `${one.file}\0${one.anchor}`;
  const known = served.get(key);
  const lines = (known?.lines ?? 0) + one.lines;
  served.set(key, { ...one, lines, asked: known?.asked === 1 ? 1 : one.asked });
}

/** The headings of a file in the index; undefined without an index of the file as it is. */
function indexedHeadings(
  { section }: ServedPart,
  file: string,
  { dir, runtime, home, indexes }: Parameters<typeof servedSections>[1],
): readonly PresentSection[] | undefined {
  if (home === undefined) return undefined;
  const known = indexes?.opened(dir);
  let index = known;
  try {
    // A section was found in this very index, and its text was compared with it.
    if (known !== undefined && section !== undefined) return known.headings({ file });
    const indexDir = join(runtime, OWN_DIRECTORY);
    index ??= openIndex({ skill: dir, sourceDir: dir, indexDir, record: buildRecord(home) });
    const row = index.files().find(({ path }) => path === file);
    const now = row && statSkillFile(dir, file);
    if (now === undefined) return undefined;
    // Another runtime may report other times for the same file; then its hash decides.
    if (!isSameStat(now, row!)) index.readText(file);
    return index.headings({ file });
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    return undefined;
  } finally {
    if (known === undefined) index?.close();
  }
}

/** The headings of a file as it is. Loads the reader of Markdown. */
async function writtenHeadings(file: string, dir: string): Promise<readonly PresentSection[]> {
  const text = attempt(() => readTextInside(dir, file));
  if (text === undefined) return [];
  const { headingsIn } = await import('../gateway/outline-skill.ts');
  return headingsIn(text, file);
}

/** The lines of a part that is given in bytes. */
function linesAt({ file, bytes, ofBody }: ServedPart, dir: string): readonly [number, number] | undefined {
  const text = attempt(() => readTextInside(dir, file));
  if (text === undefined || bytes === undefined) return undefined;
  const [from, to] = bytes;
  // The frontmatter has no sections, so that its lines need not be told from those of the body.
  const before = ofBody ? /^\uFEFF?---\r?\n[\s\S]*?\n---(?:\r?\n|$)/.exec(text)?.[0] : undefined;
  const start = Buffer.byteLength(before ?? '');
  const whole = Buffer.from(text);
  const lineAt = (byte: number) => splitLines(whole.subarray(0, start + byte).toString('utf8')).length;
  if (to === from) return undefined;
  return [from === 0 ? 1 : lineAt(from + 1), to === null ? Number.MAX_SAFE_INTEGER : lineAt(to)];
}
