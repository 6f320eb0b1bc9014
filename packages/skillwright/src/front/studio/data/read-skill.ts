// One skill: its text beside its outline, and how it is used.

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, SkillwrightError } from '../../../base/diagnostics/index.ts';
import { isEvalFile, splitLines, walkTree } from '../../../base/files/index.ts';
import { estimateTokens } from '../../../base/tokens/index.ts';
import type { OpenedSkill } from '../../../read/access/index.ts';
import type { SkillRecord } from '../../../read/catalog/index.ts';
import { outlineSkill, readTextFile } from '../../../read/gateway/index.ts';
import { hasSections } from '../../../read/index/index.ts';
import { readFrontmatter } from '../../../skill/format/index.ts';
import type { Reach } from '../../../skill/judge/index.ts';
import { SKILL_FILE } from '../../../skill/skill/index.ts';
import { SECTION_PREFIX } from '../../pages/index.ts';
import { skillTrust } from '../../report/index.ts';
import type { HeatedSection, SkillView, StudioFile } from '../views/skill-view.ts';
import { withoutHome } from './read-skills.ts';
import { showPlace } from './show-place.ts';
import { skillPath } from './skill-path.ts';
import { skillRow } from './skill-row.ts';
import { readSkillUse, type SkillUse } from './skill-use.ts';
import type { Look, StudioState } from './studio-state.ts';

/** Files and sections listed. */
const MAX_FILES = 500;
const MAX_SECTIONS = 2000;

/** The page, and what it leaves out. */
interface ReadSkill {
  readonly view: SkillView;
  readonly notes: string[];
}

/** The page of a skill; E021 when it has no such file. */
export async function readSkill(record: SkillRecord, file: string, state: StudioState): Promise<ReadSkill> {
  const look = await state.look();
  const { access, workspace } = look.context;
  const { dir } = record;
  const inspected = await access.openAt(dir, { operation: 'inspect' }, dir);
  const all = walkTree(dir).entries.filter(({ path, kind }) => kind === 'file' && !isEvalFile(path));
  const names = await inspected.reach(all.map(({ path }) => path));
  const listed = all.map(({ path }) => path).filter(names.allowsName);
  if (!listed.includes(file)) throw SkillwrightError.of('E021', { file });
  const reading = await openToRead(record, look);
  const reach = reading.skill && (await reading.skill.reach(listed));
  const use = await readSkillUse(record, { reach: names }, state);
  const outline = reach === undefined ? [] : outlineOf(record, { shown: file, reach, use });
  const scan = await state.verdicts.scan(record);
  const install = look.facts.install(record);
  const show = (text: string) => withoutHome(text, workspace.home);
  return {
    view: {
      skill: await skillRow(record, look, state),
      file,
      ...textOf(record, { file, reach, why: reading.why, show }),
      frontmatter: Object.entries(record.frontmatter).map(([key, value]) => [key, spell(value)] as const),
      outline: outline.slice(0, MAX_SECTIONS),
      files: listed.slice(0, MAX_FILES).map((path) => describeFile(dir, path, use)),
      ...use.view,
      findings: scan.findings
        .filter((finding) => names.allowsName(finding.file))
        .map(({ rule, severity, message, file: place, line }) => ({
          id: rule,
          severity,
          message,
          file: place,
          line: line ?? null,
        })),
      trust: spellTrust(skillTrust(record, { scan, installed: look.facts.installed(record) })),
      deployed: record.deployed.map((path) => showPlace(path, workspace)),
      origin: install === undefined ? null : show(install.source),
    },
    notes: [
      ...use.notes.map(show),
      ...leftOut(listed.length, MAX_FILES, `files; 'skc sources ${record.name}' lists all`),
      ...leftOut(
        outline.length,
        MAX_SECTIONS,
        `sections; 'skc outline ${record.name} --limit ${outline.length}' lists all`,
      ),
      ...scan.skipped.map(({ file: place, why }) => show(`The scan skipped ${place}: ${why}.`)),
    ],
  };
}

/** A sentence about rows beyond a limit. */
function leftOut(total: number, limit: number, what: string): string[] {
  return total > limit ? [`The page shows ${limit} of ${total} ${what}.`] : [];
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

function textOf(
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
  { id, dir }: SkillRecord,
  { shown, reach, use }: { shown: string; reach: Reach; use: SkillUse },
): HeatedSection[] {
  const { headings } = outlineSkill(dir, { maxLevel: 6 });
  const lines = new Map<string, readonly string[]>();
  const linesIn = (file: string) => {
    const known = lines.get(file) ?? splitLines(attempt(() => readTextFile(dir, file)) ?? '');
    lines.set(file, known);
    return known;
  };
  return headings
    .filter((heading) => reach.allowsName(heading.file) && reach.allowsSection(heading))
    .toSorted((a, b) => Number(b.file === SKILL_FILE) - Number(a.file === SKILL_FILE))
    .map(({ level, text, file, anchor, start_line, end_line }) => ({
      level,
      text,
      href: `${file === shown ? '' : skillPath(id, file)}#${SECTION_PREFIX}${anchor}`,
      tokens: estimateTokens(
        linesIn(file)
          .slice(start_line - 1, end_line)
          .join('\n'),
      ),
      reads: use.sectionReads(file, text),
      file,
      anchor: `${SECTION_PREFIX}${anchor}`,
      startLine: start_line,
    }));
}

function describeFile(dir: string, path: string, use: SkillUse): StudioFile {
  const text = attempt(() => readTextFile(dir, path));
  return {
    path,
    bytes: lstatSync(join(dir, path), { throwIfNoEntry: false })?.size ?? 0,
    tokens: text === undefined ? 0 : estimateTokens(text),
    reads: use.fileReads(path),
  };
}

function spellTrust({ score, factors, cap }: ReturnType<typeof skillTrust>): SkillView['trust'] {
  const limit = cap === null ? [] : [`at most ${cap.at}: ${cap.reason}`];
  const parts = factors.map(({ factor, points, max, reason }) => `${factor}: ${points} of ${max}, ${reason}`);
  return { score, reasons: [...parts, ...limit] };
}

const spell = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
