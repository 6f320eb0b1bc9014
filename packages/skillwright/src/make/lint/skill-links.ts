// The links of a skill: those of SKILL.md and of every Markdown file reachable from it, each resolved once.

import { realpathSync } from 'node:fs';
import { join, posix } from 'node:path';
import { isInside } from '../../base/files/index.ts';
import { SKILL_FILE } from '../../skill/skill/index.ts';
import { type Certainty, judgeMissingPath, type LinkTarget, readLinkTarget } from './link-target.ts';
import type { LintSkill } from './lint-skill.ts';

/** Where a link leads. Paths are relative to the skill, with `/`. */
export type LinkPlace =
  | { readonly kind: 'inside'; readonly path: string }
  | { readonly kind: 'missing'; readonly path: string; readonly certainty: Exclude<Certainty, 'placeholder'> }
  /** Out of the skill: with `..`, through a symbolic link, or from the root of the machine or a web site. */
  | { readonly kind: 'outside'; readonly by: 'parent' | 'symlink' | 'machine' | 'site' };

/** A link that is about files. */
export interface SkillLink {
  /** File and line of the link. */
  readonly file: string;
  readonly line: number;
  /** The destination as written. */
  readonly target: string;
  readonly place: LinkPlace;
  /** The part after `#`, decoded. */
  readonly fragment: string | undefined;
}

const collected = new WeakMap<LintSkill, readonly SkillLink[]>();

/** The links of a skill in order, SKILL.md first. Web addresses and placeholders are left out. */
export function skillLinks(skill: LintSkill): readonly SkillLink[] {
  let links = collected.get(skill);
  if (links === undefined) {
    links = collectLinks(skill);
    collected.set(skill, links);
  }
  return links;
}

/** True for a Markdown path. */
export function isMarkdownPath(path: string): boolean {
  return /\.(?:md|markdown)$/i.test(path);
}

/** Files here are copied into the user's project: their links refer to that place, not to the skill. */
const MATERIAL = /(?:^|\/)(?:assets|templates?)\//i;

function isDocument(path: string): boolean {
  return isMarkdownPath(path) && !MATERIAL.test(path);
}

function collectLinks(skill: LintSkill): readonly SkillLink[] {
  if (skill.markdown.links.length === 0) return [];
  const links: SkillLink[] = [];
  const locate = createLocator(skill.dir);
  const files = new Set([SKILL_FILE]);
  // Iterating a set also visits entries added meanwhile.
  for (const file of files) {
    for (const { kind, target, line } of linksOf(skill, file)) {
      const read = readLinkTarget(target);
      const place = placeOf(read, { file, target, locate });
      if (place === undefined || (kind === 'definition' && isDoubtful(place))) continue;
      links.push({
        file,
        line,
        target,
        place,
        fragment: read.kind === 'relative' ? read.fragment : undefined,
      });
      if (place.kind === 'inside' && isDocument(place.path)) files.add(place.path);
    }
  }
  return links;
}

/** A reference link is one mistake, at its definition. Footnotes look like definitions but are not. */
function linksOf(skill: LintSkill, file: string) {
  const links = skill.document(file)?.markdown.links ?? [];
  const defined = new Set(links.filter(({ kind }) => kind === 'definition').map(({ target }) => target));
  return links.filter(({ kind, target, text }) =>
    kind === 'definition' ? !text.startsWith('^') : !defined.has(target),
  );
}

/** `[Note]: later` is prose that happens to look like a definition. */
function isDoubtful(place: LinkPlace): boolean {
  return place.kind === 'missing' && place.certainty === 'doubtful';
}

type Locate = (path: string) => 'inside' | 'missing' | 'outside';

interface Standpoint {
  readonly file: string;
  readonly target: string;
  readonly locate: Locate;
}

/** Where a link leads; undefined for a web address or a placeholder. */
function placeOf(read: LinkTarget, standpoint: Standpoint): LinkPlace | undefined {
  if (read.kind === 'relative') return placeOfPath(read, standpoint);
  if (read.kind === 'elsewhere' || judgeMissingPath(standpoint.target) === 'placeholder') return undefined;
  return { kind: 'outside', by: read.site ? 'site' : 'machine' };
}

function placeOfPath(
  { path, fragment }: { path: string; fragment: string | undefined },
  { file, locate }: Standpoint,
): LinkPlace | undefined {
  if (path === '') return { kind: 'inside', path: file };
  const own = posix.join(posix.dirname(file), path);
  const found = leavesRoot(own) ? 'outside' : locate(own);
  if (found === 'inside') return { kind: 'inside', path: withoutSlash(own) };
  const certainty = judgeMissingPath(path, fragment);
  if (certainty === 'placeholder') return undefined;
  if (found === 'outside') return { kind: 'outside', by: leavesRoot(own) ? 'parent' : 'symlink' };
  // The standard has paths relative to the root of the skill, Markdown relative to the file: authors write both.
  const fromRoot = posix.normalize(path);
  if (file.includes('/') && !leavesRoot(fromRoot) && locate(fromRoot) === 'inside') {
    return { kind: 'inside', path: withoutSlash(fromRoot) };
  }
  return { kind: 'missing', path: own, certainty };
}

function leavesRoot(path: string): boolean {
  return path === '..' || path.startsWith('../');
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

/** Looks each path up once. */
function createLocator(dir: string): Locate {
  const known = new Map<string, ReturnType<Locate>>();
  let root: string | undefined;
  const look: Locate = (path) => {
    try {
      root ??= realpathSync.native(dir);
      return isInside(root, realpathSync.native(join(dir, path))) ? 'inside' : 'outside';
    } catch {
      // Missing, circular or invalid: the link is broken either way.
      return 'missing';
    }
  };
  return (path) => {
    let result = known.get(path);
    if (result === undefined) {
      result = look(path);
      known.set(path, result);
    }
    return result;
  };
}
