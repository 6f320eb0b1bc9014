// One skill: its text beside its outline, and how it is used.

import { join } from 'node:path';
import { attempt, SkillwrightError } from '../../../base/diagnostics/index.ts';
import { isEvalFile, isIgnoredName, splitLines, statusAt, walkTree } from '../../../base/files/index.ts';
import { estimateTokens } from '../../../base/tokens/index.ts';
import type { OpenedSkill } from '../../../read/access/index.ts';
import type { SkillRecord } from '../../../read/catalog/index.ts';
import { type OutlineHeading, outlineSkill, readTextFile } from '../../../read/gateway/index.ts';
import { hasSections } from '../../../read/index/index.ts';
import { splitFrontmatter } from '../../../skill/format/index.ts';
import type { Reach } from '../../../skill/judge/index.ts';
import { SKILL_FILE } from '../../../skill/skill/index.ts';
import { buildReport, type ReportedSkill } from '../../report/index.ts';
import { showPlace, withoutHome } from './show-place.ts';
import { skillRow } from './skill-facts.ts';
import { readSkillStats, type SkillStats } from './skill-stats.ts';
import type { StudioState } from './studio-state.ts';
import type { Look } from './take-look.ts';
import type { TimeRange } from './usage-counts.ts';

/** One file of the skill. */
interface StudioFile {
  readonly path: string;
  readonly size: number;
  readonly tokens: number;
  readonly reads: number;
}

/**
 * A section of the outline: its cost with the sections below it and without them, how often its own lines were served, and
 * how often it was asked for.
 */
export type HeatedSection = OutlineHeading & {
  readonly tokens: number;
  readonly ownTokens: number;
  readonly reads: number;
  readonly asked: number;
};

/** The page of a skill. */
export type SkillView = Awaited<ReturnType<typeof readSkill>>['view'];

/** The page of a skill, and what it leaves out; E021 when it has no such file. */
export async function readSkill(
  record: SkillRecord,
  { file, look, range }: { file: string; look: Look; range: TimeRange },
  state: StudioState,
) {
  const { access, workspace } = look.context;
  const { dir } = record;
  const inspected = await access.openAt(dir, { operation: 'inspect' }, { real: dir });
  const { files, headings, report } = await readContent(record, look, state);
  // Asked after reading: an edit in between closes a gate again.
  const names = await inspected.reach(files.map(({ path }) => path));
  const listed = files.filter(({ path }) => names.allowsName(path));
  if (!listed.some(({ path }) => path === file)) throw SkillwrightError.of('E021', { file });
  const reading = await openToRead(record, look);
  const reach = reading.skill && (await reading.skill.reach(listed.map(({ path }) => path)));
  const {
    sections,
    files: readFiles,
    problem,
    ...stats
  } = await readSkillStats(record, { range, headings, look }, state);
  const reads = new Map(readFiles.map((row) => [row.file, row.count]));
  const show = (text: string) => withoutHome(text, workspace.home);
  return {
    view: {
      skill: await skillRow(record, { look, range }, state),
      /** The range of the numbers, and those of each of its parts. */
      range: range.name,
      chart: state.usage.chart(range, dir),
      /** File whose text is shown: SKILL.md, or the one that was chosen. */
      file,
      ...shownText(record, { file, reach, why: reading.why, show }),
      frontmatter: record.frontmatter,
      /** Sections of all files, in reading order. */
      outline: reach === undefined ? [] : outlineOf(headings, { reach, sections }),
      files: listed.map((one) => ({ ...one, reads: reads.get(one.path) ?? 0 })),
      stats: names.isWhole ? stats : withoutNames(stats),
      /** As `skc report` has it: without what a locked skill keeps to itself. */
      scan: {
        ...{ skipped: report.skipped, complete: report.complete },
        findings: report.findings.filter((finding) => names.allowsName(finding.file)),
      },
      ...{ lint: report.lint, trust: report.trust, licence: report.licence },
      /** Where it was deployed. */
      deployed: record.deployed.map((path) => showPlace(path, workspace)),
    },
    notes: [
      ...(problem === undefined ? [] : [show(problem)]),
      ...report.skipped.map(({ file: place, why }) => show(`The scan skipped ${place}: ${why}.`)),
    ],
  };
}

/** A locked skill keeps its headings to itself, even those read before. */
const withoutNames = (stats: Pick<SkillStats, 'search' | 'errors' | 'quiz'>) => ({
  ...stats,
  errors: stats.errors.map((row) => ({ ...row, subject: null })),
});

/** A report on the findings of skills, without a baseline. */
export const wholeReport = {
  ...{ words: [] as readonly string[], failOn: null, baseline: undefined, writeBaseline: false },
  ...{ why: undefined, trustLock: false, author: false },
};

/** Everything that is read from the files of a skill. */
export interface SkillContent {
  readonly files: readonly Omit<StudioFile, 'reads'>[];
  readonly headings: readonly Omit<HeatedSection, 'reads' | 'asked'>[];
  readonly report: ReportedSkill;
}

/** Reads, outlines and reports on a skill, unless none of its files has changed since the last page. */
async function readContent(record: SkillRecord, look: Look, state: StudioState): Promise<SkillContent> {
  const { dir } = record;
  // Hidden files too: they are not part of the skill, but the scan reads them.
  const entries = walkTree(dir, { ignores: () => false }).entries.map(({ path, kind }) => ({
    path,
    kind,
    status: statusAt(join(dir, path)),
  }));
  const stamp = entries
    .map(({ path, status }) => `${path} ${status?.ino} ${status?.size} ${status?.mtimeMs} ${status?.ctimeMs}`)
    .join('\n');
  return state.contents(record, stamp, async () => {
    const texts = new Map<string, string | undefined>();
    const textAt = (file: string) => {
      if (!texts.has(file))
        texts.set(
          file,
          attempt(() => readTextFile(dir, file)),
        );
      return texts.get(file);
    };
    const isPart = (path: string) => !path.split('/').some(isIgnoredName) && !isEvalFile(path);
    return {
      files: entries
        .filter(({ path, kind }) => kind === 'file' && isPart(path))
        .map(({ path, status }) => ({
          path,
          size: status?.size ?? 0,
          tokens: estimateTokens(textAt(path) ?? ''),
        })),
      headings: outlineSkill(dir, { maxLevel: 6 }).headings.map((heading, at, all) => {
        const lines = splitLines(textAt(heading.file) ?? '');
        const next = all[at + 1];
        const ownEnd =
          next?.file === heading.file ? Math.min(heading.end_line, next.start_line - 1) : heading.end_line;
        const tokensTo = (end: number) => estimateTokens(lines.slice(heading.start_line - 1, end).join('\n'));
        return { ...heading, tokens: tokensTo(heading.end_line), ownTokens: tokensTo(ownEnd) };
      }),
      report: await reportOn(record, look, state),
    };
  });
}

/** The report of a skill, from the function behind `skc report`. E010, E012 or E015 when it cannot be read. */
async function reportOn(record: SkillRecord, { context }: Look, state: StudioState): Promise<ReportedSkill> {
  const made = state.reports.get(record.dir);
  const report = made ?? (await buildReport({ ...wholeReport, words: [record.dir] }, context)).skills[0];
  if (report === undefined) throw SkillwrightError.of('E001', { skill: record.name });
  state.verdicts.note(record, report.verdict_of_all);
  return report;
}

/** Reading is judged apart: a skill that is off, denied or locked may be looked at, but not read. */
async function openToRead(
  { dir }: SkillRecord,
  { context }: Look,
): Promise<{ skill?: OpenedSkill; why?: string }> {
  try {
    return { skill: await context.access.openAt(dir, { operation: 'read' }, { real: dir }) };
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    return { why: [error.message, error.help].filter((part) => part !== undefined).join('; ') };
  }
}

/** Markdown without its frontmatter, or the text of another file; neither when it cannot be shown, with the reason. */
interface ShownText {
  readonly markdown: string | null;
  readonly text: string | null;
  readonly textWhy: string | null;
}

function shownText(
  { dir, name }: SkillRecord,
  {
    file,
    reach,
    why,
    show,
  }: { file: string; reach: Reach | undefined; why: string | undefined; show: (text: string) => string },
): ShownText {
  const closed = (reason: string) => ({ markdown: null, text: null, textWhy: show(reason) });
  if (reach === undefined) return closed(why ?? 'it may not be read');
  if (!reach.allowsFile(file)) {
    const { message, help } = reach.refusal(name, file);
    return closed(help === undefined ? message : `${message}; ${help}`);
  }
  try {
    const text = readTextFile(dir, file);
    return hasSections(file)
      ? { markdown: splitFrontmatter(text).body, text: null, textWhy: null }
      : { markdown: null, text, textWhy: null };
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    return closed(error.message);
  }
}

/** Sections in reading order: SKILL.md first, then the other files by path. */
function outlineOf(
  headings: SkillContent['headings'],
  { reach, sections }: { reach: Reach; sections: SkillStats['sections'] },
): HeatedSection[] {
  const keyOf = (file: string, anchor: string | null) => `${file}\0${anchor}`;
  const reads = new Map(sections.map((row) => [keyOf(row.file, row.anchor), row]));
  return headings
    .filter((heading) => reach.allowsName(heading.file) && reach.allowsSection(heading))
    .toSorted((a, b) => Number(b.file === SKILL_FILE) - Number(a.file === SKILL_FILE))
    .map((heading) => {
      const { count = 0, asked = 0 } = reads.get(keyOf(heading.file, heading.anchor)) ?? {};
      return { ...heading, reads: count, asked };
    });
}
