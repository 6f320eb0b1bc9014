// Renders a loaded skill as text for a model.

import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { escapeXml, neutralise, oneLine } from '../../read/catalog/index.ts';
import { describePage, pageText, type TextPage } from '../../read/gateway/index.ts';
import { type QuizView, renderQuiz } from '../../skill/quiz/index.ts';
import type { Skill } from '../../skill/skill/index.ts';
import type { SkillFileList } from '../answers/index.ts';

type Named = Pick<Skill, 'name' | 'path' | 'dir'>;

/** How the reader requests the omitted parts. */
export interface ContextCalls {
  /** Calls for one section, for the sections that match, and for more headings. */
  readonly sections: readonly string[];
  /** The next part of the body. */
  next(offset: number): string;
  /** The files of a directory relative to the skill; empty for all files. */
  list(directory: string): string;
}

/** Parts of the text. */
interface SkillContextParts {
  readonly body: string;
  readonly files: SkillFileList;
  /** Longer bodies are split at line ends. */
  readonly maxBodyBytes: number;
  /** Offset where the part begins. */
  readonly offset?: number | undefined;
  /** Default: the calls of a session's tools. */
  readonly calls?: ContextCalls | undefined;
  /** True when the earlier part came from a different version, so the parts do not fit together. */
  readonly isOther?: boolean;
}

/** The text, and whether it is complete. */
interface SkillContextText {
  readonly text: string;
  readonly truncated: boolean;
  /** Offset of the next part of the body; null at the end. */
  readonly next_offset: number | null;
}

/**
 * `<skill_context>` with the body, the base directory and the files; later parts of a long body have only the body.
 * Text in the skill cannot close the tag or add to it.
 */
export function renderSkillContext(skill: Named, parts: SkillContextParts): SkillContextText {
  const { files, maxBodyBytes, offset, calls = toolCalls(skill), isOther = false } = parts;
  const page = pageText(parts.body, { offset, limit: maxBodyBytes, atLines: true });
  const { next_offset } = page;
  const isFirst = page.offset === 0;
  const rest =
    next_offset === null ? [] : [goesOn('skill', page, `Continue with ${calls.next(next_offset)}.`)];
  const lines = [
    openingTag(skill, isFirst ? '' : ` offset="${page.offset}"`),
    ...(isOther
      ? ['[The skill has changed since you loaded its first part. Load it again from the start.]']
      : []),
    neutralise(next_offset === null ? page.content : page.content.replace(/\n$/, '')),
    ...rest,
    ...(isFirst ? ['', ...placeLines(skill.dir, files, calls)] : []),
    '</skill_context>',
  ];
  const truncated = next_offset !== null || (isFirst && files.truncated);
  return { text: lines.join('\n'), truncated, next_offset };
}

/** Parts of a stub. */
interface SkillStubParts extends Pick<SkillContextParts, 'body' | 'files' | 'calls'> {
  /** Tokens of the body. */
  readonly tokens: number;
  /** Lines of the outline. */
  readonly outline: readonly string[];
}

/** Most bytes of the beginning of a body in a stub. */
const LEAD_BYTES = 2000;

/** Sent instead of a body over the budget: how it begins, its headings, and how to read the rest. */
export function renderSkillStub(skill: Named, parts: SkillStubParts): string {
  const { body, tokens, outline, files, calls = toolCalls(skill) } = parts;
  const [lead = ''] = body.split(/^#{2,6} /m, 1);
  const { content, truncated } = pageText(lead, { limit: LEAD_BYTES, atLines: true });
  return [
    openingTag(skill, ' stub="true"'),
    `This skill has ${tokens} tokens. Read the sections you need, not all of it:`,
    ...calls.sections.map((call) => `- ${neutralise(call)}`),
    `- the whole text, in parts: ${neutralise(calls.next(0))}`,
    '',
    'It begins:',
    neutralise(content.trimEnd()) + (truncated ? ' …' : ''),
    '',
    'Sections, by file:',
    ...outline.map((line) => neutralise(line)),
    '',
    ...placeLines(skill.dir, files, calls),
    '</skill_context>',
  ].join('\n');
}

/** Default limit of a body, in bytes. */
export const MAX_BODY_BYTES = 256 * 1024;

/** A part of a body, with a note about the rest. */
export function limitBody(
  body: string,
  part: { readonly maxBytes: number; readonly offset?: number | undefined },
): SkillContextText {
  const page = pageText(body, { offset: part.offset, limit: part.maxBytes, atLines: true });
  const { next_offset } = page;
  if (next_offset === null) return { text: page.content, truncated: false, next_offset };
  const text = `${page.content.replace(/\n$/, '')}\n${goesOn('text', page, `It continues at offset ${next_offset}.`)}`;
  return { text, truncated: true, next_offset };
}

const goesOn = (what: string, page: TextPage, how: string) =>
  `\n[This is not the whole ${what}: ${describePage(page)}. ${neutralise(how)}]`;

/** Calls of a session's tools. */
const toolCalls = ({ path }: Named): ContextCalls => ({
  sections: [
    `skill_section ${JSON.stringify({ path, section: '<heading>' })}`,
    `skill_find_in ${JSON.stringify({ path, query: '<words>' })}`,
    `skill_outline ${JSON.stringify({ path, file: '<file>' })}`,
  ],
  next: (offset) => `skill_load ${JSON.stringify({ path, offset })}`,
  list: (directory) => `skill_read ${JSON.stringify({ path, file: directory === '' ? '.' : directory })}`,
});

/** Sent instead of a body the model already has. */
export function renderReminder(skill: Named): string {
  return [
    openingTag(skill, ' already_loaded="true"'),
    'You already loaded this skill in this conversation, and it has not changed. Use that text.',
    `Base directory: ${pathToFileURL(skill.dir + sep).href}`,
    '</skill_context>',
  ].join('\n');
}

/** Sent instead of a body locked by a quiz. */
export function renderSkillQuiz(skill: Named, quiz: QuizView): string {
  return [openingTag(skill, ' quiz="closed"'), neutralise(renderQuiz(quiz)), '</skill_context>'].join('\n');
}

/** Reminds the model of its loaded skills after compaction; empty when there are none. */
export function renderLoadedSkills(
  skills: readonly { readonly name: string; readonly path: string }[],
): string {
  if (skills.length === 0) return '';
  return [
    '<skills_loaded>',
    'You loaded these skills before the conversation was compacted. Load a skill again with skill_load before you rely on its text.',
    ...skills.map(
      ({ name, path }) =>
        `<skill><name>${escapeXml(oneLine(name))}</name><path>${escapeXml(path)}</path></skill>`,
    ),
    '</skills_loaded>',
  ].join('\n');
}

const openingTag = ({ name, path }: Named, more = '') =>
  `<skill_context name="${escapeXml(oneLine(name))}" path="${escapeXml(path)}"${more}>`;

/** Where the skill is, and its files. */
function placeLines(dir: string, { entries, missing }: SkillFileList, { list }: ContextCalls): string[] {
  const base = [
    `Base directory: ${pathToFileURL(dir + sep).href}`,
    'Relative paths in this skill are resolved from this directory.',
  ];
  if (entries.length === 0 && missing === 0) return base;
  const place = (path: string) => escapeXml(dir + sep + path.replaceAll('/', sep));
  const collapsed = missing > 0 ? '' : entries.find(({ path }) => path.endsWith('/'))?.path;
  return [
    ...base,
    '<skill_files>',
    ...entries.map(({ path, files }) =>
      path.endsWith('/')
        ? `<directory files="${files}">${place(path)}</directory>`
        : `<file>${place(path)}</file>`,
    ),
    ...(missing === 0 ? [] : [`<missing files="${missing}" />`]),
    ...(collapsed === undefined
      ? []
      : [neutralise(`[Not every file is listed. List more with ${list(collapsed)}.]`)]),
    '</skill_files>',
  ];
}
