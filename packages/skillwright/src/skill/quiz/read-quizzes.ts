// The quizzes of a skill as its SKILL.md has them now, answers included. What is made from them for others is not.

import { basename } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { decodeText, MAX_TEXT_BYTES, readInside, sha256 } from '../../base/files/index.ts';
import { isGatedText, type Quiz, QuizList, readFrontmatter } from '../format/index.ts';
import { SKILL_FILE } from '../places/index.ts';

/** A skill and its quizzes. */
export interface SkillQuizzes {
  /** Canonical directory. */
  readonly dir: string;
  readonly name: string;
  /** Whether one of them is a gate. */
  readonly gated: boolean;
  /** In the order of the file; undefined when they cannot be read, so that nobody can take them. */
  readonly quizzes: readonly Quiz[] | undefined;
  /** Known only to who can read the frontmatter. */
  readonly secret: string;
  readonly body: string;
  /** Line of the file where the body starts. */
  readonly bodyLine: number;
}

/** True when the SKILL.md in `dir` has a gate. Cheap where there is no quiz. E012, E015 when it cannot be read. */
export function isGatedSkill(dir: string): boolean {
  const text = readManifestText(dir);
  return text !== undefined && isGatedText(text);
}

/** The quizzes of the skill in `dir`; an empty list when it has none. E010, E012, E015 when SKILL.md cannot be read. */
export function readQuizzes(dir: string): SkillQuizzes {
  const text = readManifestText(dir);
  if (text === undefined) throw SkillwrightError.of('E010', { path: dir });
  const { data, yaml, body, bodyLine } = readFrontmatter(text);
  const written = data?.name;
  const isNamed = typeof written === 'string' && written.trim() !== '';
  return {
    dir,
    name: isNamed ? written.trim() : basename(dir),
    gated: isGatedText(text),
    quizzes: data === undefined ? undefined : listQuizzes(data),
    secret: sha256(`quiz\0${yaml}`),
    body,
    bodyLine,
  };
}

function listQuizzes(data: Readonly<Record<string, unknown>>): readonly Quiz[] | undefined {
  return data.quiz === undefined ? [] : QuizList.safeParse(data.quiz).data;
}

function readManifestText(dir: string): string | undefined {
  const bytes = readInside(dir, SKILL_FILE, { maxBytes: MAX_TEXT_BYTES });
  return bytes === undefined ? undefined : decodeText(bytes).text;
}
