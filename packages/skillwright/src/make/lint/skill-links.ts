// The links of a skill: those of SKILL.md and of every Markdown file reachable from it, each resolved once.

import { join, posix } from 'node:path';
import { decodePercent, isInside, isSpelledAsListed, readRealPath } from '../../base/files/index.ts';
import { SKILL_FILE } from '../../skill/skill/index.ts';
import type { LintSubject } from './lint-subject.ts';

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

/** True for a Markdown path. */
export function isMarkdownPath(path: string): boolean {
  return /\.(?:md|markdown)$/i.test(path);
}

/** Files here are copied into the user's project: their links refer to that place, not to the skill. */
const MATERIAL = /(?:^|\/)(?:assets|templates?)\//i;

function isDocument(path: string): boolean {
  return isMarkdownPath(path) && !MATERIAL.test(path);
}

/** The links of a skill in order, SKILL.md first. Web addresses and placeholders are left out. */
export function collectLinks(skill: LintSubject): readonly SkillLink[] {
  if (skill.markdown().links.length === 0) return [];
  const links: SkillLink[] = [];
  const locate = createLocator(skill.dir);
  const files = new Set([SKILL_FILE]);
  // Iterating a set also visits entries added meanwhile.
  for (const file of files) {
    for (const { kind, target, line } of linksOf(skill, file)) {
      const read = readLinkTarget(target);
      const place = placeOfLink(read, { file, target, locate });
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
function linksOf(skill: LintSubject, file: string) {
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
function placeOfLink(read: LinkTarget, standpoint: Standpoint): LinkPlace | undefined {
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
      root ??= readRealPath(dir);
      if (!isInside(root, readRealPath(join(dir, path)))) return 'outside';
      return isSpelledAsListed(dir, path) ? 'inside' : 'missing';
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

// Classifies the destination of a link by its spelling alone.

/** A parsed destination. */
type LinkTarget =
  /** A web address, a mail address, any other scheme, or empty. */
  | { readonly kind: 'elsewhere' }
  /** A path on the machine (`/etc/x.md`, `~/x`, `C:\x`, `file:…`) or on a web site (`/docs/x`). */
  | { readonly kind: 'absolute'; readonly site: boolean }
  /** A path relative to the file with the link; '' for the document itself. */
  | { readonly kind: 'relative'; readonly path: string; readonly fragment: string | undefined };

/** How certain it is that a broken path was meant as a file. */
type Certainty = 'certain' | 'doubtful' | 'placeholder';

const SCHEME = /^[a-z][a-z\d+.-]+:/i;
const MACHINE_PATH = /^(?:file:|[a-z]:[\\/]|~[\\/]|\\\\)/i;

/** Directories at the root of a file system: a path that starts with one is not on a web site. */
const SYSTEM_ROOT =
  /^\/(?:bin|dev|etc|home|mnt|opt|private|proc|root|srv|tmp|usr|users|var|volumes|workspace)(?:\/|$)/i;
const FILE_EXTENSION = /\.(?!html?$|php$|aspx?$)[a-z\d]{1,8}$/i;

/** Parses a destination as written in Markdown. */
export function readLinkTarget(target: string): LinkTarget {
  const text = target.trim();
  if (text === '' || text.startsWith('//')) return { kind: 'elsewhere' };
  if (MACHINE_PATH.test(text)) return { kind: 'absolute', site: false };
  if (SCHEME.test(text)) return { kind: 'elsewhere' };
  const hash = text.indexOf('#');
  const beforeFragment = hash < 0 ? text : text.slice(0, hash);
  const path = decodePercent(beforeFragment.replace(/\?.*$/s, ''));
  if (text.startsWith('/'))
    return { kind: 'absolute', site: !SYSTEM_ROOT.test(path) && !FILE_EXTENSION.test(path) };
  const fragment = hash < 0 ? undefined : decodePercent(text.slice(hash + 1));
  return { kind: 'relative', path, fragment };
}

/** Brackets, variables, globs and ellipses: placeholders. */
const TEMPLATE = /[<>{}[\]$*|`"]|\.{3}|…|%[a-z_]+%/i;
const SPOKEN_TEMPLATE = /(?:^|[\\/])path[\\/]to[\\/]|(?:^|[\\/_-])(?:your|xxx+)(?:[\\/_.-]|$)/i;
/** Placeholder words for an address, used to explain how a link is written. */
const STAND_IN =
  /^(?:url|uri|link|href|src|path|target|destination|address|file|filename|image|website|source)s?$/i;
const NUMBERED_EXAMPLE =
  /(?:^|[\\/_-])(?:file|doc|page|image|item|topic)[_-]?\d+\.\w+$|[_-](?:file)?name\.\w+$/i;
const BARE_DOMAIN = /^(?:www\.|[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|ai|app|gov|edu)(?:\/|$))/i;
const CODE_LINE = /:\d+(?::\d+)?$/;

/** Judges a broken path, so that examples and templates are not called errors. */
export function judgeMissingPath(path: string, fragment?: string): Certainty {
  if (TEMPLATE.test(path) || SPOKEN_TEMPLATE.test(path) || STAND_IN.test(path)) return 'placeholder';
  // A line reference points into the user's project: the skill shows how to write one.
  if (CODE_LINE.test(path) || (fragment !== undefined && /^L\d/.test(fragment))) return 'placeholder';
  const isBareWord = !/[./\\]/.test(path);
  return isBareWord || NUMBERED_EXAMPLE.test(path) || BARE_DOMAIN.test(path) ? 'doubtful' : 'certain';
}
