// A loaded skill as text for a model.

import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { escapeXml, neutralise, oneLine, type SkillRecord } from '../../read/catalog/index.ts';
import { type QuizView, renderQuiz } from '../../skill/quiz/index.ts';
import type { SkillFileList } from './skill-files.ts';

/** What goes into the text. */
export interface SkillContextParts {
  readonly body: string;
  readonly files: SkillFileList;
  /** Longer bodies are cut at a line. */
  readonly maxBodyBytes: number;
}

/** The text, and whether something is missing in it. */
export interface SkillContextText {
  readonly text: string;
  readonly truncated: boolean;
}

/** `<skill_context>` with the body, the base directory and the files. Nothing in the skill can end it or add to it. */
export function renderSkillContext(skill: SkillRecord, parts: SkillContextParts): SkillContextText {
  const { files, maxBodyBytes } = parts;
  const body = limitBody(parts.body, maxBodyBytes);
  const lines = [
    openingTag(skill),
    neutralise(body.text),
    '',
    `Base directory: ${pathToFileURL(skill.dir + sep).href}`,
    'Relative paths in this skill are resolved from this directory.',
    ...fileLines(skill.dir, files),
    '</skill_context>',
  ];
  return { text: lines.join('\n'), truncated: files.truncated || body.truncated };
}

/** Bytes of a body that are given at most unless a host says otherwise. */
export const MAX_BODY_BYTES = 256 * 1024;

/** A body that is cut at a line when it is longer, and then says how much is missing. */
export function limitBody(body: string, maxBytes: number): SkillContextText {
  const text = cutAtLine(body, maxBytes);
  if (text.length === body.length) return { text, truncated: false };
  const more = countLines(body) - countLines(text);
  return { text: `${text}\n\n[The skill goes on: ${more} more lines are not shown here.]`, truncated: true };
}

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

function fileLines(dir: string, { entries, missing }: SkillFileList): string[] {
  if (entries.length === 0 && missing === 0) return [];
  const place = (path: string) => escapeXml(dir + sep + path.replaceAll('/', sep));
  return [
    '<skill_files>',
    ...entries.map(({ path, files }) =>
      path.endsWith('/')
        ? `<directory files="${files}">${place(path)}</directory>`
        : `<file>${place(path)}</file>`,
    ),
    ...(missing === 0 ? [] : [`<missing files="${missing}" />`]),
    '</skill_files>',
  ];
}

/** The text up to the last line that ends within `maxBytes`; a longer first line is cut where it must be. */
function cutAtLine(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const cut = Buffer.from(text)
    .subarray(0, maxBytes)
    .toString('utf8')
    .replace(/\ufffd+$/, '');
  const end = cut.lastIndexOf('\n');
  return end > 0 ? cut.slice(0, end) : cut;
}

const countLines = (text: string) => text.split('\n').length;
