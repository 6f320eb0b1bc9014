// One skill: its text beside its outline, and how it is used.

import { join } from 'node:path';
import { attempt, SkillwrightError } from '../../../base/diagnostics/index.ts';
import { isEvalFile, isIgnoredName, splitLines, statusAt, walkTree } from '../../../base/files/index.ts';
import { estimateTokens } from '../../../base/tokens/index.ts';
import type { ScanResult, TrustScore } from '../../../guard/scan/index.ts';
import type { OpenedSkill } from '../../../read/access/index.ts';
import type { SkillRecord } from '../../../read/catalog/index.ts';
import { type OutlineHeading, outlineSkill, readTextFile } from '../../../read/gateway/index.ts';
import { hasSections } from '../../../read/index/index.ts';
import { readFrontmatter } from '../../../skill/format/index.ts';
import type { Reach } from '../../../skill/judge/index.ts';
import { SKILL_FILE } from '../../../skill/skill/index.ts';
import { quoteFinding, skillTrust } from '../../report/index.ts';
import { showPlace, withoutHome } from './show-place.ts';
import { type SkillRow, skillRow } from './skill-facts.ts';
import { readSkillStats, type SkillStats } from './skill-stats.ts';
import type { StudioState } from './studio-state.ts';
import type { Look } from './take-look.ts';

/** One file of the skill. */
interface StudioFile {
  readonly path: string;
  readonly size: number;
  readonly tokens: number;
  readonly reads: number;
}

/** A section of the outline: its cost, and how often it was read. */
export type HeatedSection = OutlineHeading & { readonly tokens: number; readonly reads: number };

/** The page of a skill. */
export interface SkillView {
  readonly skill: SkillRow;
  /** File whose text is shown: SKILL.md, or the one that was chosen. */
  readonly file: string;
  /** Its Markdown without frontmatter; null for other files. */
  readonly markdown: string | null;
  /** The text of another file; null when it is Markdown or cannot be shown, with the reason in `textWhy`. */
  readonly text: string | null;
  readonly textWhy: string | null;
  readonly frontmatter: SkillRecord['frontmatter'];
  /** Sections of all files, in reading order. */
  readonly outline: readonly HeatedSection[];
  readonly files: readonly StudioFile[];
  readonly stats: Omit<SkillStats, 'sections' | 'files' | 'problem'>;
  /** The scan, without what a locked skill keeps to itself. */
  readonly scan: ScanResult;
  readonly trust: TrustScore;
  /** Where it was deployed. */
  readonly deployed: readonly string[];
}

/** The page of a skill, and what it leaves out; E021 when it has no such file. */
export async function readSkill(
  record: SkillRecord,
  { file, look }: { file: string; look: Look },
  state: StudioState,
): Promise<{ view: SkillView; notes: string[] }> {
  const { access, workspace } = look.context;
  const { dir } = record;
  const inspected = await access.openAt(dir, { operation: 'inspect' }, { real: dir });
  const { files, headings, scan } = await readContent(record, state);
  // Asked after reading: an edit in between closes a gate again.
  const names = await inspected.reach(files.map(({ path }) => path));
  const listed = files.filter(({ path }) => names.allowsName(path));
  if (!listed.some(({ path }) => path === file)) throw SkillwrightError.of('E021', { file });
  const reading = await openToRead(record, look);
  const reach = reading.skill && (await reading.skill.reach(listed.map(({ path }) => path)));
  const size = files.reduce((sum, { tokens }) => sum + tokens, 0);
  const {
    sections,
    files: readFiles,
    problem,
    ...stats
  } = await readSkillStats(record, { size, look }, state);
  const reads = new Map(readFiles.map((row) => [row.file, row.count]));
  const show = (text: string) => withoutHome(text, workspace.home);
  return {
    view: {
      skill: await skillRow(record, look, state),
      file,
      ...shownText(record, { file, reach, why: reading.why, show }),
      frontmatter: record.frontmatter,
      outline: reach === undefined ? [] : outlineOf(headings, { reach, sections }),
      files: listed.map((one) => ({ ...one, reads: reads.get(one.path) ?? 0 })),
      stats: names.isWhole ? stats : withoutNames(stats),
      scan: {
        ...scan,
        findings: scan.findings
          .filter((finding) => names.allowsName(finding.file))
          .map((finding) => quoteFinding(finding, names)),
      },
      trust: skillTrust(record, { scan, installed: look.facts.installed(record) }),
      deployed: record.deployed.map((path) => showPlace(path, workspace)),
    },
    notes: [
      ...(problem === undefined ? [] : [show(problem)]),
      ...scan.skipped.map(({ file: place, why }) => show(`The scan skipped ${place}: ${why}.`)),
    ],
  };
}

/** A locked skill keeps its headings to itself, even those read before. */
const withoutNames = (stats: SkillView['stats']): SkillView['stats'] => ({
  ...stats,
  errors: stats.errors.map((row) => ({ ...row, subject: null })),
  together: [],
});

/** Everything that is read from the files of a skill. */
export interface SkillContent {
  readonly files: readonly Omit<StudioFile, 'reads'>[];
  readonly headings: readonly (OutlineHeading & { readonly tokens: number })[];
  readonly scan: ScanResult;
}

/** Reads, outlines and scans a skill, unless none of its files has changed since the last page. */
async function readContent(record: SkillRecord, state: StudioState): Promise<SkillContent> {
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
      headings: outlineSkill(dir, { maxLevel: 6 }).headings.map((heading) => ({
        ...heading,
        tokens: estimateTokens(
          splitLines(textAt(heading.file) ?? '')
            .slice(heading.start_line - 1, heading.end_line)
            .join('\n'),
        ),
      })),
      scan: await state.verdicts.scan(record),
    };
  });
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

function shownText(
  { dir, name }: SkillRecord,
  {
    file,
    reach,
    why,
    show,
  }: { file: string; reach: Reach | undefined; why: string | undefined; show: (text: string) => string },
): Pick<SkillView, 'markdown' | 'text' | 'textWhy'> {
  const closed = (reason: string) => ({ markdown: null, text: null, textWhy: show(reason) });
  if (reach === undefined) return closed(why ?? 'it may not be read');
  if (!reach.allowsFile(file)) {
    const { message, help } = reach.refusal(name, file);
    return closed(help === undefined ? message : `${message}; ${help}`);
  }
  try {
    const text = readTextFile(dir, file);
    return hasSections(file)
      ? { markdown: readFrontmatter(text).body, text: null, textWhy: null }
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
  const keyOf = (file: string, section: string) => `${file}\0${section}`;
  const reads = new Map(sections.map(({ file, section, count }) => [keyOf(file, section), count]));
  return headings
    .filter((heading) => reach.allowsName(heading.file) && reach.allowsSection(heading))
    .toSorted((a, b) => Number(b.file === SKILL_FILE) - Number(a.file === SKILL_FILE))
    .map((heading) => ({ ...heading, reads: reads.get(keyOf(heading.file, heading.text)) ?? 0 }));
}
