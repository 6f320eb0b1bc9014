// Skills read section by section: the headings of one, one of its sections, and a search inside it.
//
// The index of a skill that was never built is in the user's cache: reading writes nothing into a project.

import * as z from 'zod';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { findRuntimeOf, type OpenedRecord, type SkillReference } from '../../read/access/index.ts';
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
  UNTITLED,
  withIndex,
} from '../../read/gateway/index.ts';
import { hasSections } from '../../read/index/index.ts';
import { bodyOf, SKILL_FILE, scopeOf } from '../../skill/skill/index.ts';
import type { SkillOutline } from '../answers/index.ts';
import type { SessionMethods } from './session.ts';
import { openFor, type SessionState } from './session-state.ts';

const optional = {
  text: z.string().optional(),
  count: z.int().positive().optional(),
};

/** Which headings to list. */
const outlineFields = {
  file: optional.text.describe('Only the headings of this file'),
  level: z.int().min(1).max(6).optional().describe('The deepest level of headings; default 6'),
  budget: optional.count.describe('Most tokens; default gateway.budget'),
};

/** The section to read, and which part of it. */
const sectionFields = {
  section: z.string().min(1).describe('A heading, an #anchor, a line of an outline, or a file'),
  file: optional.text.describe('Only in this file, when several have the heading'),
  offset: z
    .int()
    .nonnegative()
    .optional()
    .describe('Bytes of the section to skip: 0, or next_offset of the previous part'),
  limit: optional.count.describe('Maximum number of bytes; fewer may be returned'),
};

/** The fields of a search within a skill. */
const findFields = {
  query: z.string().describe('Words to look for, or a question'),
  limit: z.int().positive().max(100).optional().describe('Maximum number of results; default 8'),
};

/** Fields of requests, besides the skill. */
export const sectionRequests = { outline: outlineFields, section: sectionFields, findIn: findFields };

type Request<Fields extends z.ZodRawShape> = SkillReference & z.output<z.ZodObject<Fields>>;
export type OutlineRequest = Request<typeof outlineFields>;
export type SectionRequest = Request<typeof sectionFields>;
export type FindRequest = Request<typeof findFields>;

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
  const { headings, behind, diagnostics } = await withFreshIndex(state, skill, (opened) => {
    const { reach, files } = opened;
    const named = files.flatMap(({ path }) => (reach.allowsName(path) ? [path] : []));
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
  const { section: found, candidates } = await withFreshIndex(state, skill, (opened) =>
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
  } = await withFreshIndex(state, skill, (opened) =>
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

/** Reads the fresh index of a skill. */
async function withFreshIndex<Result>(
  state: SessionState,
  skill: OpenedRecord,
  read: (opened: ReadableIndex) => Result,
): Promise<Result> {
  const { workspace, config } = state.settings;
  const { tokenizer } = config.search;
  const { createIndexCache } = await import('../../read/index/index.ts');
  state.indexes ??= createIndexCache();
  const { dir, name: word, reach } = skill;
  const place = { dir, scope: scopeOf(dir, workspace), read: async () => skill };
  const runtime = () => findRuntimeOf(place, workspace);
  return withIndex(
    { ...place, word, runtime, reach: (paths) => reach(paths) },
    {
      workspace,
      tokenizer,
      fresh: true,
      indexes: state.indexes,
      async build(source, base) {
        const { rebuildSkill } = await import('../../make/compile/build-skill.ts');
        return rebuildSkill(source, base, { workspace, now: new Date() });
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
