// The noun: one skill as currently on disk. It carries what is known about it, so that nobody reads it again.

import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Diagnostic,
  diagnose,
  once,
  orUndefined,
  SkillwrightError,
} from '../../base/diagnostics/index.ts';
import {
  canonicalPath,
  decodeText,
  MAX_TEXT_BYTES,
  readInside,
  sha256,
  type Tree,
  targetAt,
  walkTree,
} from '../../base/files/index.ts';
import { type MarkdownDocument, readMarkdown } from '../../base/markdown/index.ts';
import { canNameDirectory, type Frontmatter, isGatedFrontmatter, readFrontmatter } from '../format/index.ts';
import { nameSkill, namesOfSkill, notASkill, SKILL_FILE, writtenName } from './skill-file.ts';

/**
 * A skill as currently on disk. Facts that cost more are functions: each reads on the first call and answers from then
 * on what it found, also in `{ ...skill, added }`.
 */
export interface Skill {
  /** Canonical directory, the same for every path to the skill. */
  readonly dir: string;
  /** Its SKILL.md. */
  readonly path: string;
  /** 24 hex digits derived from its path. */
  readonly id: string;
  readonly name: string;
  /** Every name of the skill. */
  readonly names: readonly string[];
  /** Text of SKILL.md as read. */
  readonly text: string;
  readonly parts: Frontmatter;
  /** Fields of the frontmatter; empty when it cannot be read. */
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** SHA-256 of the bytes of SKILL.md. */
  readonly digest: string;
  /** Whether a quiz locks it. */
  readonly gated: boolean;
  /** Why it cannot be used; its files can still be read. */
  readonly problem: SkillwrightError | undefined;
  /** Faults that do not prevent using it. */
  readonly diagnostics: readonly Diagnostic[];
  /** When SKILL.md was changed last, in milliseconds. */
  readonly changedAt: () => number;
  /** Headings, links and code of SKILL.md, by the lines of the file. */
  readonly markdown: () => MarkdownDocument;
  /** Entries of its directory itself, hidden ones too; empty when it cannot be listed. */
  readonly listing: () => readonly Dirent[];
  /** Everything below its directory that is part of it. */
  readonly tree: () => Tree;
  /** Everything below its directory, hidden files and node_modules too. */
  readonly everything: () => Tree;
  /** Paths of its files in bytewise order. */
  readonly files: () => readonly string[];
}

/** Facts about a directory that a caller has from listing it. */
export interface KnownPlace {
  /** Its canonical path. */
  readonly real?: string | undefined;
  readonly listing?: readonly Dirent[] | undefined;
}

/** Opens the skill in a directory. E010 when there is none, E012 when its SKILL.md leads out, E015 when unreadable. */
export function openSkill(directory: string, known: KnownPlace = {}): Skill {
  const dir = known.real ?? canonicalPath(directory);
  const bytes = readInside(dir, SKILL_FILE, { maxBytes: MAX_TEXT_BYTES });
  if (bytes === undefined) throw notASkill(directory);
  return describeSkill(bytes, factsOfPlace(dir, known.listing));
}

/** The skill in a canonical directory if this were its SKILL.md. */
export function skillWithText(dir: string, text: string): Skill {
  return describeSkill(Buffer.from(text), factsOfPlace(dir));
}

function describeSkill(bytes: Buffer, place: PlaceFacts): Skill {
  const { dir, path } = place;
  const { text, valid } = decodeText(bytes);
  const parts = readFrontmatter(text);
  const frontmatter = parts.data ?? {};
  const isText = valid && !text.includes('\0');
  const name = nameSkill(frontmatter, dir);
  let markdown: MarkdownDocument | undefined;
  return {
    ...place,
    name,
    names: namesOfSkill({ name, dir, frontmatter }),
    text,
    parts,
    frontmatter,
    digest: sha256(bytes),
    gated: isGatedFrontmatter(parts),
    problem: isText ? findSkillProblem(parts, { name, path }) : notText(path),
    diagnostics: nameDiagnostics(frontmatter, { name, path }),
    markdown() {
      markdown ??= readMarkdown(parts.body, { firstLine: parts.bodyLine });
      return markdown;
    },
  };
}

/** The skill under a name at another directory that has the same SKILL.md: only facts about the place change. */
export function skillAt(skill: Skill, { dir, name }: Pick<Skill, 'dir' | 'name'>): Skill {
  const place = factsOfPlace(dir);
  const { path } = place;
  const { frontmatter } = skill;
  return {
    ...skill,
    ...place,
    name,
    names: namesOfSkill({ name, dir, frontmatter }),
    diagnostics: nameDiagnostics(frontmatter, { name, path }),
  };
}

/** Facts about a place, not about the text of SKILL.md. */
type PlaceFacts = Pick<
  Skill,
  'dir' | 'path' | 'id' | 'changedAt' | 'listing' | 'tree' | 'everything' | 'files'
>;

function factsOfPlace(dir: string, known?: readonly Dirent[]): PlaceFacts {
  const path = join(dir, SKILL_FILE);
  const id = sha256(path).slice(0, 24);
  let listing = known;
  const tree = once(() => walkTree(dir, { listing }));
  return {
    dir,
    path,
    id,
    changedAt: once(() => targetAt(path)?.mtimeMs ?? 0),
    listing() {
      listing ??= orUndefined(() => readdirSync(dir, { withFileTypes: true }));
      return listing ?? [];
    },
    tree,
    everything: once(() => walkTree(dir, { listing, ignores: () => false })),
    files: once(() => tree().entries.flatMap((entry) => (entry.kind === 'file' ? [entry.path] : []))),
  };
}

/** E015 for a SKILL.md that is not text. */
export function notText(path: string): SkillwrightError {
  return SkillwrightError.of('E015', { path, why: 'not UTF-8 text' });
}

/** W006 when the written name cannot be used and the directory's replaces it. */
export function nameDiagnostics(
  data: Skill['frontmatter'],
  { name, path }: { readonly name: string; readonly path: string },
): Diagnostic[] {
  if (data.name === name) return [];
  const written = writtenName(data);
  if (written === undefined || written === name) return [];
  return [diagnose('W006', { written, name }, { data: { path } })];
}

/** W016 for repairs to the frontmatter. Never quotes a quiz, which may contain an answer. */
export function repairsOf({ parts, path, frontmatter }: Skill): Diagnostic[] {
  const isQuiz = frontmatter.quiz !== undefined;
  return parts.problems.map(({ kind, message, line }) => {
    const what = isQuiz && kind === 'repaired' ? 'not valid YAML but read anyway' : message;
    return diagnose('W016', { where: `${path}:${line}`, what });
  });
}

/** The skill, or why it cannot be used. */
export function requireUsable(skill: Skill): Skill {
  if (skill.problem !== undefined) throw skill.problem;
  return skill;
}

/** The body after the frontmatter, with LF line ends and without surrounding blank lines. */
export function bodyOf({ parts }: Skill): { body: string; bodyLine: number } {
  const lines = unixLines(parts.body);
  const blank = /^(?:[^\S\n]*\n)+/.exec(lines)?.[0] ?? '';
  return {
    body: lines.slice(blank.length).trimEnd(),
    bodyLine: parts.bodyLine + blank.split('\n').length - 1,
  };
}

/** The whole file without a byte order mark, with LF line ends. */
export function plainText({ text }: Skill): string {
  return unixLines(text.replace(/^\ufeff/, ''));
}

const unixLines = (text: string) => text.replace(/\r\n?/g, '\n');

/** The first reason why a skill cannot be used; undefined when there is none. */
export function findSkillProblem(
  { data, problems }: Pick<Frontmatter, 'data' | 'problems'>,
  { name, path }: { readonly name: string; readonly path: string },
): SkillwrightError | undefined {
  const [first] = problems;
  if (data === undefined && first?.kind === 'missing')
    return SkillwrightError.of('E011', { field: 'name' }, { help: first.message });
  if (data === undefined) {
    const why = `${first?.message ?? 'unknown'}, line ${first?.line ?? 1}`;
    return SkillwrightError.of('E014', { path, why });
  }
  if (writtenName(data) === undefined) return SkillwrightError.of('E011', { field: 'name' });
  const { description } = data;
  if (typeof description !== 'string' || description.trim() === '')
    return SkillwrightError.of('E011', { field: 'description' });
  if (canNameDirectory(name)) return undefined;
  const why = `neither its name nor its directory can name a skill: '${name}'`;
  return SkillwrightError.of('E014', { path, why });
}
