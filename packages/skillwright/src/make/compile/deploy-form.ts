// Chooses the form in which a skill is deployed: a stub, a stub with files next to it, or whole.

import { type Diagnostic, diagnose } from '../../base/diagnostics/index.ts';
import { decodePercent, namesIn } from '../../base/files/index.ts';
import {
  createFileNames,
  createMentionReader,
  type MarkdownDocument,
  readMarkdown,
} from '../../base/markdown/index.ts';
import { estimateTokens } from '../../base/tokens/index.ts';
import { findCommands, placeholderPattern, splitWords } from '../../skill/format/index.ts';
import type { BuildManifest, DeployForm, DeployMode, Skill } from '../../skill/skill/index.ts';
import type { ReadReference } from './list-sections.ts';

/** A stub that costs more than this share of its SKILL.md saves too little: the agent still has to fetch a section. */
const WORTHWHILE = 0.75;

/** The form of a skill. */
interface ChosenForm {
  readonly form: DeployForm;
  /** Reason for the form: a phrase without a full stop. */
  readonly why: string;
  /** Entries of the source next to the stub. */
  readonly beside: readonly string[];
  /** Entries left out, with reasons; empty if the skill is deployed whole or locked behind a quiz. */
  readonly leftOut: readonly LeftOut[];
  /** Features that agents lose by this form. */
  readonly lost: readonly string[];
}

/** Input for the choice of a form. */
interface FormOptions {
  readonly mode: DeployMode;
  readonly paths: readonly string[];
  readonly companions: Companions;
  /** Directories of skills inside it that an agent may not read. */
  readonly hidden: readonly string[];
  /** Renders the stub with these entries next to it. */
  render(beside: readonly string[]): string;
}

/** Chooses the first form that loses nothing, or the requested one. Never links files closed to agents. */
export function chooseForm(skill: Skill, options: FormOptions): ChosenForm {
  const { mode, paths, companions, hidden } = options;
  const losses = stubLosses(skill);
  const closed = skill.gated
    ? 'it is locked behind a quiz'
    : hidden.length > 0
      ? 'a skill inside it is closed to agents'
      : undefined;
  const whole = (why: string): ChosenForm => ({ form: 'whole', why, beside: [], leftOut: [], lost: [] });
  if (closed === undefined) {
    if (mode === 'whole') return whole('as requested');
    if (mode === 'auto' && losses.length > 0) return whole(`a stub would lose ${listWords(losses)}`);
  }
  const beside = mode === 'stub' || skill.gated ? [] : companions.entries;
  if (closed === undefined && mode === 'auto') {
    const [cost, full] = [estimateTokens(options.render(beside)), estimateTokens(skill.text)];
    if (cost > full * WORTHWHILE)
      return whole(
        `a stub would ${cost < full ? 'save too little' : 'cost more'}: ${cost} tokens, SKILL.md has ${full}`,
      );
  }
  const names = companions.entries.map((entry) => spellEntry(entry, paths));
  const isMissingFiles = beside.length === 0 && names.length > 0 && !skill.gated;
  // Do not reveal anything behind a quiz.
  const lost = skill.gated ? [] : [...losses, ...(isMissingFiles ? [`${listWords(names)} beside it`] : [])];
  const leftOut = skill.gated
    ? []
    : isMissingFiles
      ? [
          ...companions.leftOut,
          ...companions.entries.map((path) => ({ path, why: 'you asked for a stub alone' })),
        ]
      : companions.leftOut;
  return {
    form: beside.length > 0 ? 'files' : 'stub',
    why: whyStub({ mode, closed, beside: beside.length > 0 ? names : [] }),
    beside,
    leftOut,
    lost,
  };
}

/** Warnings about the form of a compiled skill: W015 if it could not be deployed whole, W014 if it loses something. */
export function formDiagnostics(
  manifest: Pick<BuildManifest, 'skill' | 'form' | 'deploy' | 'why' | 'lost'>,
): Diagnostic[] {
  const { skill, form, deploy = 'auto', why = '', lost = [] } = manifest;
  if (form === undefined || form === 'whole') return [];
  const isClosed = deploy === 'whole' || (deploy === 'auto' && lost.length > 0);
  return [
    ...(isClosed ? [diagnose('W015', { skill, why })] : []),
    ...(lost.length > 0
      ? [diagnose('W014', { skill, lost: listWords(lost) }, { data: { lost: [...lost] } })]
      : []),
  ];
}

function whyStub({
  mode,
  closed,
  beside,
}: {
  mode: DeployMode;
  closed: string | undefined;
  beside: string[];
}): string {
  if (closed !== undefined) return closed;
  if (beside.length > 0) return `its text refers to ${listWords(beside)}`;
  return mode === 'stub' ? 'as requested' : 'nothing is lost';
}

/** `a`, `a and b`, `a, b and c`. */
function listWords(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** The features that a stub of the skill loses, worded for a message; empty if it loses none. */
function stubLosses({ frontmatter, parts }: Pick<Skill, 'frontmatter' | 'parts'>): string[] {
  const { body } = parts;
  return [
    ...(isFilled(frontmatter.hooks) ? ['hooks'] : []),
    ...(frontmatter.context === 'fork' ? ['context: fork'] : []),
    ...substitutions(body, frontmatter),
    ...(findCommands(body).length > 0 ? ['dynamic context'] : []),
  ];
}

/** Hooks are lists by event; empty ones do not count. */
function isFilled(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'string';
  return Object.values(value).some((list) => !Array.isArray(list) || list.length > 0);
}

/** The placeholders in the body that a host fills in, each once, the first three by name. */
function substitutions(body: string, frontmatter: Readonly<Record<string, unknown>>): string[] {
  if (!body.includes('$')) return [];
  const names = argumentNames(frontmatter.arguments);
  const isCode = codeIn(body);
  const takesArguments =
    names.length > 0 ||
    frontmatter['argument-hint'] !== undefined ||
    Array.from(body.matchAll(/\$ARGUMENTS(?!\w)/g)).some(({ index }) => !isCode(index));
  const found = new Set<string>();
  for (const match of body.matchAll(new RegExp(placeholderPattern(names), 'gu'))) {
    const { escaped, variable, all, bracketed, index, name } = match.groups ?? {};
    if (escaped !== undefined) continue;
    if (variable?.startsWith('CLAUDE_')) found.add(match[0]);
    const isNamed = all !== undefined || bracketed !== undefined || name !== undefined;
    // Code shows `$ARGUMENTS` to explain it; a skill that takes arguments says so in its text or its frontmatter.
    if (isNamed && (takesArguments || !isCode(match.index))) found.add(match[0]);
    // `$1` is an argument; `$5 a month`, the formula `$2x$` and `awk '{ print $1 }'` are not. Without other arguments, it counts only in prose.
    if (index !== undefined && (takesArguments || isArgument(body, match, isCode))) found.add(match[0]);
  }
  const all = [...found];
  return all.length > 3 ? [...all.slice(0, 3), `${all.length - 3} more placeholders`] : all;
}

function argumentNames(value: unknown): string[] {
  if (typeof value === 'string') return splitWords(value);
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}

function isArgument(body: string, match: RegExpMatchArray, isCode: (at: number) => boolean): boolean {
  const at = match.index!;
  const after = body.slice(at + match[0].length, at + match[0].length + 12);
  const isAmount =
    /^(?:[.,/–-]?\d|\s*(?:[-–/]|[kKmMbB]\b|per\b|a (?:month|day|year)|million|billion|USD))/.test(after);
  const isMath = /^\$\d[^$\n]*[^\s$]\$(?!\d)|^\$\d\$(?!\d)/.test(body.slice(at, at + 200));
  return /^\$\d$/.test(match[0]) && !isAmount && !isMath && !isCode(at);
}

/** Whether an offset in the body is inside code. */
function codeIn(body: string): (at: number) => boolean {
  let blocks: MarkdownDocument['codeBlocks'] | undefined;
  return (at) => {
    blocks ??= readMarkdown(body).codeBlocks;
    const line = body.slice(0, at).split('\n').length;
    if (blocks.some((block) => block.line <= line && line <= block.endLine)) return true;
    const start = body.lastIndexOf('\n', at) + 1;
    return body.slice(start, at).split('`').length % 2 === 0;
  };
}

/** An entry of the skill that is not next to the stub, and the reason. */
export interface LeftOut {
  /** An entry of the skill's directory. */
  readonly path: string;
  readonly why: string;
}

/** Entries of the skill's directory, by name. */
interface Companions {
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
