// Finds the non-Markdown files that the text of a skill refers to: scripts, assets, data. They must be next to the
// stub, because the text names them by relative paths.

import { decodePercent, namesIn } from '../../base/files/index.ts';
import { createFileNames, createMentionReader } from '../lint/index.ts';
import type { ReadReference } from './list-sections.ts';

/** An entry of the skill that is not next to the stub, and the reason. */
export interface LeftOut {
  /** An entry of the skill's directory. */
  readonly path: string;
  readonly why: string;
}

/** Entries of the skill's directory, by name. */
export interface Companions {
  /** Those the text refers to. */
  readonly entries: readonly string[];
  /** Whether one of them is a script. */
  readonly hasScripts: boolean;
  readonly leftOut: readonly LeftOut[];
}

const CODE = /\.(?:py|[cm]?[jt]sx?|sh|bash|zsh|rb|pl|lua|ps1|php|r|go|rs)$/i;
/** Text that may name other files. Large data and binaries are not worth reading. */
const READABLE = /(?:\.(?:md|markdown|mdx|txt|json|jsonc|ya?ml|toml|html?|css|j2|ejs)|(?:^|\/)[^./]+)$/i;
const MAX_READ = 1024 * 1024;

/** Input for the search. */
interface CompanionOptions {
  readonly dir: string;
  /** Its files. */
  readonly paths: readonly string[];
  /** Directories of skills inside it that an agent may not read, with `/` at the end. */
  readonly hidden: readonly string[];
  readonly read: ReadReference;
}

/** Finds the entries that the Markdown of a skill refers to, directly or through other files. */
export function findCompanions(skillText: string, options: CompanionOptions): Companions {
  const { dir, paths, hidden, read } = options;
  const isHidden = (path: string) => hidden.some((prefix) => path.startsWith(prefix));
  const others = paths.filter((path) => path !== 'SKILL.md' && !isHidden(path));
  const reached = reachedFrom(skillText, others, read);
  const entryOf = (path: string) => path.split('/', 1)[0]!;
  const entries = new Set<string>();
  const leftOut = new Map<string, string>();
  const leave = (entry: string, why: string): void => {
    if (!entries.has(entry) && !leftOut.has(entry)) leftOut.set(entry, why);
  };
  for (const path of reached) if (!isMarkdown(path)) entries.add(entryOf(path));
  for (const prefix of hidden) {
    const entry = entryOf(prefix);
    entries.delete(entry);
    // Do not name a directory that holds only the closed skill.
    if (others.some((path) => entryOf(path) === entry)) leave(entry, 'a skill inside it is closed to agents');
    else leftOut.delete(entry);
  }
  for (const path of others) if (isMarkdown(path)) leave(entryOf(path), MARKDOWN);
  for (const path of others) {
    // A directory of Markdown that also holds unmentioned files is left out for both reasons.
    if (!isMarkdown(path)) leave(entryOf(path), 'no text refers to it');
  }
  for (const name of namesIn(dir, isMentionedHidden(skillText)))
    leave(name, 'hidden files are not part of a skill');
  const hasScripts = [...reached].some((path) => CODE.test(path) && entries.has(entryOf(path)));
  return {
    entries: [...entries].sort(),
    hasScripts,
    leftOut: Array.from(leftOut, ([path, why]) => ({ path, why })).sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

const MARKDOWN = "Markdown: use 'skc show' or 'skc open'";

const isMarkdown = (path: string) => path.toLowerCase().endsWith('.md');

function isMentionedHidden(text: string): (name: string) => boolean {
  return (name) => (name.startsWith('.') || name === 'node_modules') && text.includes(name);
}

/**
 * The files that can be reached, until nothing but Markdown is left to reach. Agents read every Markdown file of a skill, so
 * each is a starting point.
 */
function reachedFrom(skillText: string, paths: readonly string[], read: ReadReference): ReadonlySet<string> {
  const reached = new Set<string>();
  let left = paths.filter((path) => !isMarkdown(path)).length;
  if (left === 0) return reached;
  const mentions = createMentionReader(createFileNames(paths));
  const queue = ['SKILL.md', ...paths.filter(isMarkdown)];
  // The queue grows while the loop runs.
  for (const path of queue) {
    const isCode = CODE.test(path);
    if (!isCode && !READABLE.test(path)) continue;
    const text = path === 'SKILL.md' ? skillText : read(path);
    if (text === undefined) continue;
    for (const found of mentions.read(decodedLinks(text.slice(0, MAX_READ)), isCode ? 'code' : 'prose')) {
      if (reached.has(found)) continue;
      reached.add(found);
      if (isMarkdown(found)) continue;
      queue.push(found);
      left -= 1;
    }
    if (left === 0) break;
  }
  return reached;
}

/** Links encode white space and other characters with `%`. */
function decodedLinks(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, decodePercent);
}

/** Name of an entry in a message: a directory with a slash. */
export function spellEntry(entry: string, paths: readonly string[]): string {
  return paths.some((path) => path.startsWith(`${entry}/`)) ? `${entry}/` : entry;
}
