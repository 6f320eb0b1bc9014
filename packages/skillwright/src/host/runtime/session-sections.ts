// Skills read section by section: the headings of one, one of its sections, and a search inside it.
//
// The index is in the user's cache unless the skill was built: reading writes nothing into a project.

import { join } from 'node:path';
import { type Diagnostic, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { OpenedRecord, SkillReference } from '../../read/access/index.ts';
import { neutralise } from '../../read/catalog/index.ts';
import {
  budgetOutline,
  fileNotFound,
  offsetOfLine,
  outlineIndexed,
  pageText,
  plainPath,
  type ReadableIndex,
  readTextFile,
  searchSkill,
  showSection,
  type TextPage,
  UNTITLED,
  withIndex,
} from '../../read/gateway/index.ts';
import { hasSections } from '../../read/index/index.ts';
import { bodyOf, buildRecord, SKILL_FILE, scopeOf } from '../../skill/skill/index.ts';
import { OWN_DIRECTORY } from '../../skill/workspace/index.ts';
import type { SessionMethods } from './session.ts';
import { openFor, type SessionState } from './session-state.ts';

/** Which headings to list. */
export interface OutlineRequest extends SkillReference {
  /** Only of this file. */
  readonly file?: string | undefined;
  /** The deepest level, 1 to 6. Default: 6. */
  readonly level?: number | undefined;
  /** Most tokens. Default: `gateway.budget`. */
  readonly budget?: number | undefined;
}

/** A heading, and where its section is. */
interface SectionPlace {
  readonly file: string;
  readonly section: string;
  readonly anchor: string;
  readonly level: number;
  readonly start_line: number;
  readonly end_line: number;
}

/** The headings of a skill. */
export interface SkillOutline {
  readonly name: string;
  readonly path: string;
  readonly headings: readonly SectionPlace[];
  /** Number of headings without the budget. */
  readonly total: number;
  /** Headings that the budget left out, by file; the largest number first. */
  readonly left_out: readonly { readonly file: string; readonly headings: number }[];
  /** Headings that a quiz hides. */
  readonly behind_quiz: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** The section to read, and which part of it. */
export interface SectionRequest extends SkillReference {
  /** A heading, `#anchor`, a line of an outline, or a file. */
  readonly section: string;
  /** Only in this file. */
  readonly file?: string | undefined;
  /** Bytes of the section to skip: 0, or `next_offset` of the previous part. */
  readonly offset?: number | undefined;
  /** Most bytes. Default: 32 KiB. */
  readonly limit?: number | undefined;
}

/** A section, or a part of it. */
export interface SkillSection extends SectionPlace, TextPage {
  readonly name: string;
  readonly path: string;
  /** Other sections of that name, with the request that shows each. */
  readonly others: readonly (Pick<SectionPlace, 'file' | 'section' | 'start_line'> & {
    readonly request: Pick<SectionRequest, 'section' | 'file'>;
  })[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What to look for in a skill. */
export interface FindRequest extends SkillReference {
  /** Words, or a question. */
  readonly query: string;
  /** Default: 8. Maximum: 100. */
  readonly limit?: number | undefined;
}

/** Sections that match, best first. */
export interface FoundSections {
  readonly name: string;
  readonly path: string;
  readonly results: readonly (Omit<SectionPlace, 'level'> & {
    /** With the matches in `[MATCH]…[/MATCH]`. */
    readonly snippet: string;
    readonly score: number;
    /** Words of the query that it does not contain. */
    readonly missing: readonly string[];
    /** Request for `section`; null for a file without headings, which `readResource` reads from `offset`. */
    readonly request: Pick<SectionRequest, 'section' | 'file'> | null;
    readonly offset: number;
  })[];
  /** True when no section has all the words. */
  readonly relaxed: boolean;
  /** Words the skill does not have, and the ones searched for instead. */
  readonly instead: readonly { readonly word: string; readonly by: readonly string[] }[];
  readonly diagnostics: readonly Diagnostic[];
}

const SECTION_BYTES = 32 * 1024;
const FOUND = 8;
const MAX_FOUND = 100;
const DEEPEST = 6;

export const outlineSkill: SessionMethods['outline'] = async (state, request, how = {}) => {
  const { file, level, budget, ...reference } = request;
  const skill = await openFor(state, reference, how);
  return outlineOf(state, skill, { file, level, budget });
};

/** The headings of an opened skill. */
export async function outlineOf(
  state: SessionState,
  skill: OpenedRecord,
  {
    file,
    level = DEEPEST,
    budget = state.settings.config.gateway.budget,
  }: Omit<OutlineRequest, 'name' | 'path'>,
): Promise<SkillOutline> {
  const { headings, behind, diagnostics } = await readIndex(state, skill, (opened) => {
    const { reach, index } = opened;
    const named = index.files().flatMap(({ path }) => (reach.allowsName(path) ? [path] : []));
    const only = file === undefined ? undefined : plainPath(file);
    if (only !== undefined && !named.includes(only)) throw fileNotFound(file!, named);
    const outline = outlineIndexed(opened, { maxLevel: level });
    const known = outline.headings.filter(
      (heading) => reach.allowsName(heading.file) && (only ?? heading.file) === heading.file,
    );
    const allowed = known.filter(reach.allowsSection);
    return { headings: allowed, behind: known.length - allowed.length, diagnostics: outline.diagnostics };
  });
  const { headings: kept, leftOut } = budgetOutline(headings, budget);
  return {
    name: skill.name,
    path: skill.path,
    headings: kept.map(({ text: section, ...place }) => ({ ...place, section })),
    total: headings.length,
    left_out: leftOut?.byFile ?? [],
    behind_quiz: behind,
    diagnostics: [...skill.warnings, ...diagnostics],
  };
}

export const readSection: SessionMethods['section'] = async (state, request, how = {}) => {
  const { section: wanted, file, offset, limit = SECTION_BYTES, ...reference } = request;
  const skill = await openFor(state, reference, how);
  const { section: found, candidates } = await readIndex(state, skill, (opened) =>
    showSection(opened, { section: wanted, file, maxLines: undefined }),
  ).catch((error) => {
    const isUnknown = error instanceof SkillwrightError && error.code === 'E020' && error.help !== undefined;
    const help = 'list the headings with skill_outline';
    throw isUnknown ? SkillwrightError.of('E020', { section: wanted }, { help }) : error;
  });
  const { content: text, more_lines: _, ...place } = found;
  // The whole of SKILL.md, but its frontmatter may hold text the model must not see.
  const content = place.level === 0 && place.file === SKILL_FILE ? bodyOf(skill).body : text;
  const page = pageText(content, { offset, limit: Math.min(limit, SECTION_BYTES), atLines: true });
  return {
    name: skill.name,
    path: skill.path,
    ...place,
    ...page,
    content: neutralise(page.content),
    others: candidates
      .slice(1)
      .map(({ name: request, anchor: _anchor, ...other }) => ({ ...other, request })),
    diagnostics: skill.warnings,
  };
};

export const findInSkill: SessionMethods['findIn'] = async (state, request, how = {}) => {
  const { query, limit = FOUND, ...reference } = request;
  if (query.trim() === '') throw SkillwrightError.of('E004', {});
  const skill = await openFor(state, reference, how);
  const {
    results,
    relaxed,
    instead = [],
  } = await readIndex(state, skill, (opened) =>
    searchSkill(opened, query, { limit: Math.min(limit, MAX_FOUND) }),
  );
  return {
    name: skill.name,
    path: skill.path,
    results: results.map(({ file, section, anchor, start_line, end_line, snippet, score, ...more }) => {
      const isFile = more.name === undefined && !hasSections(file);
      return {
        ...{ file, section, anchor, start_line, end_line, score },
        snippet: neutralise(snippet),
        missing: more.missing ?? [],
        // Text before the first heading comes with its file.
        request: isFile ? null : (more.name ?? { section: file }),
        offset: isFile ? offsetOfLine(readTextFile(skill.dir, file), more.passage ?? start_line) : 0,
      };
    }),
    relaxed,
    instead,
    diagnostics: skill.warnings,
  };
};

/** Reads the fresh index of a skill: its own if it was built, else one in the user's cache. */
async function readIndex<Result>(
  state: SessionState,
  skill: OpenedRecord,
  read: (opened: ReadableIndex) => Result,
): Promise<Result> {
  const { workspace, config } = state.settings;
  const { tokenizer } = config.search;
  const { createIndexCache, buildIndex } = await import('../../read/index/index.ts');
  state.indexes ??= createIndexCache();
  const { dir, id, files, reach } = skill;
  const cached = join(workspace.user.cache, 'reading', id);
  const opened = {
    dir,
    scope: scopeOf(dir, workspace),
    word: skill.name,
    read: async () => skill,
    runtime: async () => cached,
    reach: (paths: Iterable<string>) => reach(paths),
  };
  return withIndex(
    opened,
    {
      workspace,
      tokenizer,
      fresh: true,
      indexes: state.indexes,
      async build() {
        const record = buildRecord(workspace.home);
        const indexDir = join(cached, OWN_DIRECTORY);
        buildIndex({ sourceDir: dir, files: files(), indexDir, tokenizer, now: new Date(), record });
        return cached;
      },
    },
    read,
  );
}

/** The headings as text: a line for each file, and one for each heading. */
export function renderHeadings({
  headings,
  left_out,
}: Pick<SkillOutline, 'headings' | 'left_out'>): string[] {
  const missing = new Map(left_out.map(({ file, headings: count }) => [file, count]));
  const seen = new Set<string>();
  let last: string | undefined;
  const lines = headings.flatMap(({ file, section, anchor, level }) => {
    const more = missing.get(file);
    const title = file === last ? [] : [`${file}${more === undefined ? '' : ` (+${more})`}`];
    last = file;
    missing.delete(file);
    // The anchor tells the second of two equal headings apart; `section` accepts the whole line.
    const key = `${file}\0${section.toLowerCase()}`;
    const label = `${section || UNTITLED}${seen.has(key) ? ` — #${anchor}` : ''}`;
    seen.add(key);
    return [...title, `${'  '.repeat(Math.max(1, level - 1))}${'#'.repeat(level)} ${label}`];
  });
  const rest = [...missing.values()].reduce((sum, count) => sum + count, 0);
  return rest === 0 ? lines : [...lines, `... (${rest} more headings in ${missing.size} more files)`];
}
