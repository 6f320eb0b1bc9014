// A loaded skill as text for a model.

import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { escapeXml, neutralise, oneLine, type SkillRecord } from '../../read/catalog/index.ts';
import { describePage, pageText, type TextPage } from '../../read/gateway/index.ts';
import { type QuizView, renderQuiz } from '../../skill/quiz/index.ts';
import type { SkillFileList } from './skill-files.ts';

/** How whoever reads the text asks for what it leaves out. */
export interface ContextCalls {
  /** The next part of the body. */
  next(offset: number): string;
  /** The files of a directory, which is relative to the skill and empty for all of them. */
  list(directory: string): string;
}

/** What goes into the text. */
export interface SkillContextParts {
  readonly body: string;
  readonly files: SkillFileList;
  /** Longer bodies are given in parts that end with a line. */
  readonly maxBodyBytes: number;
  /** Where the part begins. */
  readonly offset?: number | undefined;
  /** Default: as the tools of a session are called. */
  readonly calls?: ContextCalls | undefined;
  /** True when another text was given before: its parts do not belong together. */
  readonly isOther?: boolean;
}

/** The text, and whether something is missing in it. */
export interface SkillContextText {
  readonly text: string;
  readonly truncated: boolean;
  /** Where the body goes on; null at its end. */
  readonly next_offset: number | null;
}

/**
 * `<skill_context>` with the body, the base directory and the files; a later part of a long body has neither of those.
 * Nothing in the skill can end it or add to it.
 */
export function renderSkillContext(skill: SkillRecord, parts: SkillContextParts): SkillContextText {
  const { files, maxBodyBytes, offset, calls = toolCalls(skill), isOther = false } = parts;
  const page = pageText(parts.body, { offset, limit: maxBodyBytes, atLines: true });
  const { next_offset } = page;
  const isFirst = page.offset === 0;
  const rest = next_offset === null ? [] : [goesOn('skill', page, `Go on with ${calls.next(next_offset)}.`)];
  const about = [
    `Base directory: ${pathToFileURL(skill.dir + sep).href}`,
    'Relative paths in this skill are resolved from this directory.',
    ...fileLines(skill.dir, files, calls),
  ];
  const lines = [
    openingTag(skill, isFirst ? '' : ` offset="${page.offset}"`),
    ...(isOther
      ? ['[The skill has changed since its first part was given: load it again from the start.]']
      : []),
    neutralise(next_offset === null ? page.content : page.content.replace(/\n$/, '')),
    ...rest,
    ...(isFirst ? ['', ...about] : []),
    '</skill_context>',
  ];
  const truncated = next_offset !== null || (isFirst && files.truncated);
  return { text: lines.join('\n'), truncated, next_offset };
}

/** Bytes of a body that are given at most unless a host says otherwise. */
export const MAX_BODY_BYTES = 256 * 1024;

/** A part of a body, with a word about the rest. */
export function limitBody(
  body: string,
  part: { readonly maxBytes: number; readonly offset?: number | undefined },
): SkillContextText {
  const page = pageText(body, { offset: part.offset, limit: part.maxBytes, atLines: true });
  const { next_offset } = page;
  if (next_offset === null) return { text: page.content, truncated: false, next_offset };
  const text = `${page.content.replace(/\n$/, '')}\n${goesOn('text', page, `It goes on at offset ${next_offset}.`)}`;
  return { text, truncated: true, next_offset };
}

const goesOn = (what: string, page: TextPage, how: string) =>
  `\n[This is not the whole ${what}: ${describePage(page)}. ${neutralise(how)}]`;

/** The calls of a session's tools. */
const toolCalls = ({ path }: SkillRecord): ContextCalls => ({
  next: (offset) => `skill_load ${JSON.stringify({ path, offset })}`,
  list: (directory) => `skill_read ${JSON.stringify({ path, file: directory === '' ? '.' : directory })}`,
});

/** What is sent instead of a body that the model already has. */
export function renderReminder(skill: SkillRecord): string {
  return [
    openingTag(skill, ' already_loaded="true"'),
    'This skill was loaded before in this conversation and has not changed. Use the text given then.',
    `Base directory: ${pathToFileURL(skill.dir + sep).href}`,
    '</skill_context>',
  ].join('\n');
}

/** What is sent instead of a body that a quiz keeps closed. */
export function renderSkillQuiz(skill: SkillRecord, quiz: QuizView): string {
  return [openingTag(skill, ' quiz="closed"'), neutralise(renderQuiz(quiz)), '</skill_context>'].join('\n');
}

/** What keeps the references to loaded skills alive when a conversation is compacted; empty when there are none. */
export function renderLoadedSkills(
  skills: readonly { readonly name: string; readonly path: string }[],
): string {
  if (skills.length === 0) return '';
  return [
    '<skills_loaded>',
    'These skills were loaded before the conversation was compacted. Load one again with skill_load before relying on its text.',
    ...skills.map(
      ({ name, path }) =>
        `<skill><name>${escapeXml(oneLine(name))}</name><path>${escapeXml(path)}</path></skill>`,
    ),
    '</skills_loaded>',
  ].join('\n');
}

const openingTag = ({ name, path }: SkillRecord, more = '') =>
  `<skill_context name="${escapeXml(oneLine(name))}" path="${escapeXml(path)}"${more}>`;

function fileLines(dir: string, { entries, missing }: SkillFileList, { list }: ContextCalls): string[] {
  if (entries.length === 0 && missing === 0) return [];
  const place = (path: string) => escapeXml(dir + sep + path.replaceAll('/', sep));
  const collapsed = missing > 0 ? '' : entries.find(({ path }) => path.endsWith('/'))?.path;
  return [
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
