import { decodePercent } from '../../base/files/index.ts';
// Classifies the destination of a link by its spelling alone.

/** A parsed destination. */
export type LinkTarget =
  /** A web address, a mail address, any other scheme, or empty. */
  | { readonly kind: 'elsewhere' }
  /** A path on the machine (`/etc/x.md`, `~/x`, `C:\x`, `file:…`) or on a web site (`/docs/x`). */
  | { readonly kind: 'absolute'; readonly site: boolean }
  /** A path relative to the file with the link; '' for the document itself. */
  | { readonly kind: 'relative'; readonly path: string; readonly fragment: string | undefined };

/** How certain it is that a broken path was meant as a file. */
export type Certainty = 'certain' | 'doubtful' | 'placeholder';

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
