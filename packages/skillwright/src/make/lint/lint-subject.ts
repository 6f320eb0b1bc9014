// A skill as rules see it: the skill, and what linting adds. Expensive facts are read on first use.

import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { once, orUndefined } from '../../base/diagnostics/index.ts';
import { isEvalName, readTextInside } from '../../base/files/index.ts';
import { type MarkdownDocument, readMarkdown } from '../../base/markdown/index.ts';
import {
  checkManifest,
  type FormatIssue,
  lineOfKey,
  type ProfileName,
  splitFrontmatter,
} from '../../skill/format/index.ts';
import { SKILL_FILE, type Skill } from '../../skill/skill/index.ts';
import type { JudgedQuery } from '../evals/index.ts';
import { collectLinks, type SkillLink } from './skill-links.ts';
import type { Likeness } from './skill-neighbours.ts';

/** A Markdown file of a skill, with its frontmatter separated. */
export interface LintDocument {
  readonly text: string;
  readonly markdown: MarkdownDocument;
}

/** A skill among the skills linted with it and those an agent sees. */
export interface SkillCompany {
  /** Another skill that it is hard to tell from. */
  readonly likeness?: Likeness | undefined;
  /** Requests of its evals that should find it, searched among all of them. */
  readonly judged?: readonly JudgedQuery[] | undefined;
}

/** How a skill is linted. */
export interface LintView {
  readonly profile: ProfileName;
  /** The name of the skill's directory, as the caller found it. */
  readonly directoryName?: string | undefined;
  /** Its place among other skills; known when the whole run is read. */
  readonly company?: SkillCompany | undefined;
}

/** One skill to lint. */
export type LintSubject = Skill & {
  readonly profile: ProfileName;
  readonly directoryName: string;
  /** Undefined while the skill is looked at alone. */
  readonly company: SkillCompany | undefined;
  /** Every problem of the fields under the profile; each is reported by one rule. */
  readonly issues: readonly FormatIssue[];
  /** Whether a file or folder of evals is there. */
  hasEvals(): boolean;
  /** Links of SKILL.md and of every document it leads to. */
  links(): readonly SkillLink[];
  /** The line of a frontmatter key in SKILL.md; 1 if unknown. */
  lineOf(...path: (string | number)[]): number;
  /** A Markdown file of the skill by its path, SKILL.md included; undefined if missing, unreadable or not text. */
  document(path: string): LintDocument | undefined;
  /** The text of any file of the skill; undefined if missing, unreadable, binary or too large. */
  textOf(path: string): string | undefined;
  /** The size of a file of the skill in bytes; 0 if missing or out of reach. */
  sizeOf(path: string): number;
};

/** The skill as rules see it. */
export function lintSubject(
  skill: Skill,
  { profile, directoryName = basename(skill.dir), company }: LintView,
): LintSubject {
  const { dir, parts, text } = skill;
  // Rules check only readable files; other rules report read errors.
  const textOf = (path: string) => orUndefined(() => readTextInside(dir, path));
  const subject: LintSubject = {
    ...skill,
    profile,
    directoryName,
    company,
    issues: checkManifest(skill.frontmatter, { profile, directoryName }),
    hasEvals: () => skill.listing().some(({ name }) => name === 'evals' || isEvalName(name)),
    links: once(() => collectLinks(subject)),
    lineOf: (...path) => lineOfKey(parts, path) ?? 1,
    document: byPath((path) => {
      if (path === SKILL_FILE) return { text, markdown: skill.markdown() };
      const own = textOf(path);
      if (own === undefined) return undefined;
      const { body, bodyLine } = splitFrontmatter(own);
      return { text: own, markdown: readMarkdown(body, { firstLine: bodyLine }) };
    }),
    textOf,
    sizeOf: byPath((path) =>
      path === SKILL_FILE
        ? Buffer.byteLength(text)
        : (orUndefined(() => statSync(join(dir, path)).size) ?? 0),
    ),
  };
  return subject;
}

/** A fact of each file, read once. */
function byPath<Fact>(read: (path: string) => Fact): (path: string) => Fact {
  let known: Map<string, () => Fact> | undefined;
  return (path) => {
    known ??= new Map();
    const fact = known.get(path) ?? once(() => read(path));
    known.set(path, fact);
    return fact();
  };
}
