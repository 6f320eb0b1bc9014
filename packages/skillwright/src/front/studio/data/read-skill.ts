// One skill: its text beside its outline, and how it is used.

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, SkillwrightError } from '../../../base/diagnostics/index.ts';
import { isEvalFile, isIgnoredName, splitLines, walkTree } from '../../../base/files/index.ts';
import { estimateTokens } from '../../../base/tokens/index.ts';
import type { ScanResult } from '../../../guard/scan/index.ts';
import type { OpenedSkill } from '../../../read/access/index.ts';
import type { SkillRecord } from '../../../read/catalog/index.ts';
import { type OutlineHeading, outlineSkill, readTextFile } from '../../../read/gateway/index.ts';
import { hasSections } from '../../../read/index/index.ts';
import { readFrontmatter } from '../../../skill/format/index.ts';
import type { Reach } from '../../../skill/judge/index.ts';
import { SKILL_FILE } from '../../../skill/skill/index.ts';
import { type OutlineSection, type Point, SECTION_PREFIX } from '../../pages/index.ts';
import { skillTrust } from '../../report/index.ts';
import { showPlace, skillPath, withoutHome } from './show-place.ts';
import { type SkillRow, skillRow } from './skill-facts.ts';
import { notesOnUse, readSkillUse, type SkillUse, sectionKey, showUse } from './skill-use.ts';
import type { Look, StudioState } from './studio-state.ts';

/** A section of the outline, with its place. */
export interface HeatedSection extends OutlineSection {
  readonly file: string;
  /** Address of the section inside the page, without the `#`. */
  readonly anchor: string;
  readonly startLine: number;
}

/** One file of the skill. */
interface StudioFile {
  readonly path: string;
  readonly bytes: number;
  readonly tokens: number;
  readonly reads: number;
}

/** One finding of the scanner or the linter. */
interface StudioFinding {
  readonly id: string;
  readonly severity: string;
  readonly message: string;
  readonly file: string;
  readonly line: number | null;
}

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
  /** Frontmatter as pairs of key and text. */
  readonly frontmatter: readonly (readonly [string, string])[];
  /** Sections of all files, in reading order. */
  readonly outline: readonly HeatedSection[];
  readonly files: readonly StudioFile[];
  readonly usage: {
    readonly accesses: number;
    readonly errors: number;
    readonly tokensServed: number;
    readonly tokensSaved: number;
    /** A day each, oldest first, no day missing. */
    readonly served: readonly Point[];
    readonly saved: readonly Point[];
  };
  /** Searches inside the skill that found nothing. */
  readonly emptySearches: readonly {
    readonly query: string;
    readonly count: number;
    readonly last: string;
  }[];
  readonly errors: readonly {
    readonly code: string;
    readonly command: string;
    readonly subject: string | null;
    readonly count: number;
    readonly last: string;
  }[];
  readonly quiz: readonly {
    readonly question: string;
    readonly asked: number;
    readonly failed: number;
  }[];
  /** Sections that agents read in the same run, most often first. */
  readonly together: readonly { readonly a: string; readonly b: string; readonly runs: number }[];
  readonly findings: readonly StudioFinding[];
  /** Why its trust score is as it is. */
  readonly trust: { readonly score: number; readonly reasons: readonly string[] };
  /** Where it was deployed. */
  readonly deployed: readonly string[];
  /** Installed from; null for one of the user's own. */
  readonly origin: string | null;
}

/** Files and sections listed. */
const MAX_FILES = 500;
const MAX_SECTIONS = 2000;

/** The page of a skill, and what it leaves out; E021 when it has no such file. */
export async function readSkill(
  record: SkillRecord,
  { file, look }: { file: string; look: Look },
  state: StudioState,
): Promise<{ view: SkillView; notes: string[] }> {
  const { access, workspace } = look.context;
  const { dir, name } = record;
  const inspected = await access.openAt(dir, { operation: 'inspect' }, dir);
  const { files, headings, scan } = await readContent(record, state);
  // Asked after reading: an edit in between closes a gate again.
  const names = await inspected.reach(files.map(({ path }) => path));
  const listed = files.filter(({ path }) => names.allowsName(path));
  if (!listed.some(({ path }) => path === file)) throw SkillwrightError.of('E021', { file });
  const reading = await openToRead(record, look);
  const reach = reading.skill && (await reading.skill.reach(listed.map(({ path }) => path)));
  const size = files.reduce((sum, { tokens }) => sum + tokens, 0);
  const use = await readSkillUse(record, { size, look }, state);
  const outline = reach === undefined ? [] : outlineOf(record, { headings, shown: file, reach, use });
  const installed = look.facts.installed(record);
  const show = (text: string) => withoutHome(text, workspace.home);
  return {
    view: {
      skill: await skillRow(record, look, state),
      file,
      ...shownText(record, { file, reach, why: reading.why, show }),
      frontmatter: Object.entries(record.frontmatter).map(
        ([key, value]) => [key, spellValue(value)] as const,
      ),
      outline: outline.slice(0, MAX_SECTIONS),
      files: listed
        .slice(0, MAX_FILES)
        .map((one): StudioFile => ({ ...one, reads: use.files.get(one.path) ?? 0 })),
      ...showUse(use, { reach: names, now: state.front.now() }),
      findings: scan.findings
        .filter((finding) => names.allowsName(finding.file))
        .map(({ rule, severity, message, file: place, line }) => ({
          id: rule,
          severity,
          message,
          file: place,
          line: line ?? null,
        })),
      trust: spellTrust(skillTrust(record, { scan, installed })),
      deployed: record.deployed.map((path) => showPlace(path, workspace)),
      origin: installed === undefined ? null : show(installed.facts.source),
    },
    notes: [
      ...notesOnUse(use, name).map(show),
      ...leftOut(listed.length, MAX_FILES, `files; 'skc sources ${name}' lists all`),
      ...leftOut(
        outline.length,
        MAX_SECTIONS,
        `sections; 'skc outline ${name} --limit ${outline.length}' lists all`,
      ),
      ...scan.skipped.map(({ file: place, why }) => show(`The scan skipped ${place}: ${why}.`)),
    ],
  };
}

/** A sentence about rows beyond a limit. */
function leftOut(total: number, limit: number, what: string): string[] {
  return total > limit ? [`The page shows ${limit} of ${total} ${what}.`] : [];
}

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
    status: lstatSync(join(dir, path), { throwIfNoEntry: false }),
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
          bytes: status?.size ?? 0,
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
    return { skill: await context.access.openAt(dir, { operation: 'read' }, dir) };
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
  { id }: SkillRecord,
  {
    headings,
    shown,
    reach,
    use,
  }: { headings: SkillContent['headings']; shown: string; reach: Reach; use: SkillUse },
): HeatedSection[] {
  return headings
    .filter((heading) => reach.allowsName(heading.file) && reach.allowsSection(heading))
    .toSorted((a, b) => Number(b.file === SKILL_FILE) - Number(a.file === SKILL_FILE))
    .map(({ level, text, file, anchor, start_line, tokens }) => ({
      level,
      text,
      href: `${file === shown ? '' : skillPath(id, file)}#${SECTION_PREFIX}${anchor}`,
      tokens,
      reads: use.sections.get(sectionKey(file, text)) ?? 0,
      file,
      anchor: `${SECTION_PREFIX}${anchor}`,
      startLine: start_line,
    }));
}

function spellTrust({ score, factors, cap }: ReturnType<typeof skillTrust>): SkillView['trust'] {
  const limit = cap === null ? [] : [`at most ${cap.at}: ${cap.reason}`];
  const parts = factors.map(({ factor, points, max, reason }) => `${factor}: ${points} of ${max}, ${reason}`);
  return { score, reasons: [...parts, ...limit] };
}

const spellValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
