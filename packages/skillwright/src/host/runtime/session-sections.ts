// Skills read section by section: the headings of one, one of its sections, and a search inside it.
//
// The index of a skill that was never built is in the user's cache: reading writes nothing into a project.

import * as z from 'zod';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { splitLines } from '../../base/files/index.ts';
import { findRuntimeOf, type OpenedRecord } from '../../read/access/index.ts';
import { neutralise, oneLine } from '../../read/catalog/index.ts';
import {
  budgetOutline,
  describePage,
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
import { FoundSections, SkillOutline, SkillSection } from '../answers/index.ts';
import type { LoadOptions } from './session.ts';
import {
  aboutSkill,
  indexesSkill,
  method,
  offsetField,
  renderRemarks,
  withReference,
} from './session-method.ts';
import { openFor, type SessionState } from './session-state.ts';

const SECTION_BYTES = 32 * 1024;
const FOUND = 8;
const MAX_FOUND = 100;
const DEEPEST = 6;
/** Most sections of the same name that a model is told of. */
const MAX_OTHERS = 5;

const count = z.int().positive().optional();

const outlineInput = withReference({
  file: z.string().optional().describe('Only the headings of this file'),
  level: z.int().min(1).max(DEEPEST).optional().describe('The deepest level of headings; default 6'),
  budget: count.describe('Most tokens; default gateway.budget'),
});
export type OutlineRequest = z.output<typeof outlineInput>;

const sectionInput = withReference({
  section: z.string().min(1).describe('A heading, an #anchor, a line of an outline, or a file'),
  file: z.string().optional().describe('Only in this file, when several have the heading'),
  offset: offsetField.describe('Bytes of the section to skip: 0, or next_offset of the previous part'),
  limit: count.describe('Maximum number of bytes; fewer may be returned'),
});
export type SectionRequest = z.output<typeof sectionInput>;

const findInput = withReference({
  query: z.string().describe('Words to look for, or a question'),
  limit: z.int().positive().max(MAX_FOUND).optional().describe('Maximum number of results; default 8'),
});
export type FindRequest = z.output<typeof findInput>;

/** The call of a model that reads a section. */
const spellSection = (path: string, request: object) =>
  `skill_section ${JSON.stringify({ path, ...request })}`;

export const outline = method({
  rpc: 'skills.outline',
  summary: 'List the headings of a skill',
  input: outlineInput,
  output: SkillOutline,
  ...indexesSkill,
  wire: (request, run) => run(request),
  logged: { command: 'outline', served: (shown) => ({ text: renderHeadings(shown).join('\n') }) },
  recorded: aboutSkill('outline'),
  tool: {
    name: 'skill_outline',
    description: 'List the headings of a skill, file by file. Read the sections you need with skill_section.',
    async answer(request, run) {
      const found = await run(request);
      const { headings, total, left_out: leftOut, behind_quiz: behind, path } = found;
      const more = leftOut[0] && JSON.stringify({ path, file: leftOut[0].file });
      return neutralise(
        [
          ...(total === 0 ? ['no headings; read its files with skill_read'] : renderHeadings(found)),
          ...(more === undefined || headings.length === total
            ? []
            : [`[${headings.length} of ${total} headings. For more: skill_outline ${more}]`]),
          ...(behind === 0
            ? []
            : [`[${behind} more behind the quiz: skill_quiz ${JSON.stringify({ path })}]`]),
          ...renderRemarks(found),
        ].join('\n'),
      );
    },
  },
  async run(state: SessionState, request: OutlineRequest, how: LoadOptions = {}): Promise<SkillOutline> {
    const { file, level, budget, ...reference } = request;
    const skill = await openFor(state, reference, how);
    return outlineOf(state, skill, { file, level, budget });
  },
});

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

export const section = method({
  rpc: 'skills.section',
  summary: 'Read one section of a skill',
  input: sectionInput,
  output: SkillSection,
  ...indexesSkill,
  wire: (request, run) => run(request),
  logged: {
    command: 'show',
    served: ({ content: text, file, section: heading, anchor, start_line: from }) => ({
      text,
      parts: [{ file, section: heading, anchor, lines: [from, from + splitLines(text).length - 1] }],
    }),
  },
  recorded: (spell, request) => aboutSkill(`section '${request.section}' of`)(spell, request),
  tool: {
    name: 'skill_section',
    description:
      'Read one section of a skill by its heading. It costs less than loading a large skill or reading a whole file.',
    async answer(request, run) {
      const shown = await run(request);
      const { path, file, section: heading, anchor, content, others, next_offset: next } = shown;
      const own = { section: anchor === '' ? heading || file : `#${anchor}`, file, offset: next };
      return [
        `[${neutralise(file)}, lines ${shown.start_line} to ${shown.end_line}]`,
        content.trimEnd(),
        ...(next === null
          ? []
          : ['', `[${describePage(shown)}; to continue: ${neutralise(spellSection(path, own))}]`]),
        ...(others.length === 0
          ? []
          : [
              '',
              '[Other sections of this name:]',
              ...others
                .slice(0, MAX_OTHERS)
                .map(({ request: other }) => neutralise(spellSection(path, other))),
            ]),
        ...renderRemarks(shown),
      ].join('\n');
    },
  },
  async run(state: SessionState, request: SectionRequest, how: LoadOptions = {}): Promise<SkillSection> {
    const { section: wanted, file, offset, limit = SECTION_BYTES, ...reference } = request;
    const skill = await openFor(state, reference, how);
    const { section: found, candidates } = await withFreshIndex(state, skill, (opened) =>
      showSection(opened, { section: wanted, file, maxLines: undefined }),
    ).catch((error) => {
      const isUnknown =
        error instanceof SkillwrightError && error.code === 'E020' && error.help !== undefined;
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
  },
});

export const findIn = method({
  rpc: 'skills.findIn',
  summary: 'Search inside a skill',
  input: findInput,
  output: FoundSections,
  ...indexesSkill,
  wire: (request, run) => run(request),
  logged: {
    command: 'search',
    served: ({ results }) => ({
      text: results.map(({ section: heading, snippet }) => `${heading}\n${snippet}`).join('\n'),
      results: results.length,
    }),
  },
  recorded: aboutSkill('findIn'),
  tool: {
    name: 'skill_find_in',
    description:
      'Search inside one skill for words or a question, and get the sections that answer it, best first.',
    async answer(request, run) {
      const found = await run(request);
      const { path, results, relaxed, instead } = found;
      const lines = [
        ...(results.length === 0
          ? [`no results; list the headings with skill_outline ${JSON.stringify({ path })}`]
          : []),
        ...instead.map(
          ({ word, by }) =>
            `[${JSON.stringify(word)} is not in this skill; searched for ${by.join(', ')} instead]`,
        ),
        ...(relaxed ? ['[no section has all the words; the closest matches:]'] : []),
        ...results.flatMap((hit) => [
          `${hit.section || hit.file}  ${hit.file}:${hit.start_line}-${hit.end_line}${hit.missing.length === 0 ? '' : `  (without: ${hit.missing.join(', ')})`}`,
          ...(hit.snippet === '' ? [] : [`  ${oneLine(hit.snippet.replace(/\[\/?MATCH\]/g, '**'))}`]),
          `  ${hit.request === null ? `skill_read ${JSON.stringify({ path, file: hit.file, offset: hit.offset })}` : spellSection(path, hit.request)}`,
        ]),
      ];
      return neutralise([...lines, ...renderRemarks(found)].join('\n'));
    },
  },
  async run(state: SessionState, request: FindRequest, how: LoadOptions = {}): Promise<FoundSections> {
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
  },
});

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
