// The rules about files: their sizes, and the scripts among them.

import { join, posix } from 'node:path';
import { formatBytes, hasExecuteBit, isEvalFile, MAX_SEARCHED_BYTES } from '../../../base/files/index.ts';
import { estimateTokens } from '../../../base/tokens/index.ts';
import { SKILL_FILE } from '../../../skill/skill/index.ts';
import type { LintSubject } from '../lint-subject.ts';
import { quoteText } from '../quote-text.ts';
import { firstFindings, type Rule, type RuleOptions, readLimit } from '../rule.ts';

const MAX_LINES = 500;
const MAX_TOKENS = 5000;
const MAX_BYTES = 5 * 1024 * 1024;

/** The rules about files. */
export const fileRules: readonly Rule[] = [
  {
    id: 'SKL201',
    name: 'skill-size',
    severity: 'warning',
    summary: 'SKILL.md has at most 500 lines and about 5,000 tokens.',
    check({ text, parts, markdown }, options) {
      const maxLines = readLimit(options, 'max_lines', MAX_LINES);
      const maxTokens = readLimit(options, 'max_tokens', MAX_TOKENS);
      const lines = parts.bodyLine - 1 + markdown().lineCount;
      // No character costs much more than a token, so most texts need no estimate.
      const tokens = text.length * 1.5 <= maxTokens ? 0 : estimateTokens(text);
      const over = [
        { size: `${grouped(lines)} lines`, limit: `${grouped(maxLines)} lines`, is: lines > maxLines },
        {
          size: `about ${grouped(tokens)} tokens`,
          limit: `${grouped(maxTokens)} tokens`,
          is: tokens > maxTokens,
        },
      ].filter(({ is }) => is);
      if (over.length === 0) return [];
      const joined = (part: 'size' | 'limit') => over.map((one) => one[part]).join(' and ');
      const message = `SKILL.md has ${joined('size')}, more than ${joined('limit')}`;
      return [{ message, help: 'move details into files under references/ and link to them' }];
    },
  },
  {
    id: 'SKL402',
    name: 'script-allowed',
    severity: 'warning',
    summary: 'Scripts in `scripts/` are `.sh`, `.py`, `.js`, `.mjs`, `.cjs` or `.ts` files.',
    check(skill, options) {
      const scripts = skill.files().filter((path) => path.startsWith('scripts/'));
      if (scripts.length === 0) return [];
      const allowed = readExtensions(options);
      return scripts
        .filter((path) => !allowed.includes(extensionOf(path)) && isProgram(skill, path))
        .map((path) => ({
          message: `${quoteText(path)} is not a ${listExtensions(allowed)} script`,
          file: path,
          help: 'rewrite it in one of these languages, or move it out of scripts/ if it is not run',
        }));
    },
  },
  {
    id: 'SKL403',
    name: 'total-size',
    severity: 'warning',
    summary: 'The files of the skill have at most 5 MiB in total.',
    check(skill, options) {
      const maxBytes = readLimit(options, 'max_bytes', MAX_BYTES);
      const files = [SKILL_FILE, ...skill.files().filter((path) => path !== SKILL_FILE)];
      const sizes = files.map((path) => ({ path, bytes: skill.sizeOf(path) }));
      const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
      if (total <= maxBytes) return [];
      const largest = sizes.reduce((a, b) => (b.bytes > a.bytes ? b : a));
      const message = `the skill has ${formatBytes(total)} in total, more than ${formatBytes(maxBytes)}`;
      const help = `remove what agents do not need; the largest file is ${largest.path} with ${formatBytes(largest.bytes)}`;
      return [{ message, help }];
    },
  },
  {
    id: 'SKL404',
    name: 'file-searchable',
    severity: 'warning',
    summary: 'Every text file is small enough to be searched: at most 1 MiB.',
    check(skill, options) {
      const maxBytes = readLimit(options, 'max_bytes', MAX_SEARCHED_BYTES);
      const isLarge = (path: string) => !isEvalFile(path) && skill.sizeOf(path) > maxBytes;
      const large = skill.files().filter((path) => isLarge(path) && isTextFile(skill, path));
      const findings = large.map((path) => ({
        message: `${quoteText(path)} has ${formatBytes(skill.sizeOf(path))}: search skips the text of files over ${formatBytes(maxBytes)}`,
        file: path,
        help: 'split it into smaller files',
      }));
      return firstFindings(findings, (left) => `${left} more files are too large to search`);
    },
  },
];

/** `12,345`. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Extensions of text files; files with another one are read to find out. */
const TEXT = /\.(?:md|markdown|txt|json|jsonl|ya?ml|toml|csv|tsv|xml|html?)$/i;

function isTextFile(skill: LintSubject, path: string): boolean {
  return TEXT.test(path) || skill.textOf(path) !== undefined;
}

const EXTENSIONS = ['.sh', '.py', '.js', '.mjs', '.cjs', '.ts'];

/** Extensions of scripts and programs; other files next to scripts are data. */
const PROGRAMS: ReadonlySet<string> = new Set(
  (
    '.sh .bash .zsh .fish .ksh .csh .command .py .pyw .js .mjs .cjs .jsx .ts .mts .cts .tsx .rb .pl .pm .php .lua .tcl ' +
    '.awk .r .jl .swift .kts .groovy .scala .clj .ex .exs .erl .hs .nim .dart .go .rs .ps1 .psm1 .bat .cmd .vbs .wsf ' +
    '.applescript .scpt .exe .com .msi .dll .so .dylib .bin .jar .class .wasm .appimage .run'
  ).split(' '),
);

const extensionOf = (path: string) => posix.extname(path).toLowerCase();

/** The option `extensions`, with or without leading dots. */
function readExtensions({ extensions }: RuleOptions): string[] {
  const list = Array.isArray(extensions)
    ? extensions.filter((entry) => typeof entry === 'string')
    : EXTENSIONS;
  return [...new Set(list.map((entry) => `.${entry.replace(/^\./, '').toLowerCase()}`))];
}

/** A known extension; otherwise text that names its interpreter, or an executable binary. */
function isProgram(skill: LintSubject, path: string): boolean {
  const extension = extensionOf(path);
  if (PROGRAMS.has(extension)) return true;
  // Data has an extension. Some file systems mark every file as executable, so the mode alone proves nothing.
  if (extension !== '' && !hasExecuteBit(join(skill.dir, path))) return false;
  const text = skill.textOf(path);
  return text === undefined
    ? extension === '' && hasExecuteBit(join(skill.dir, path))
    : text.startsWith('#!');
}

function listExtensions(extensions: readonly string[]): string {
  const last = extensions.at(-1) ?? '';
  return extensions.length < 2 ? last : `${extensions.slice(0, -1).join(', ')} or ${last}`;
}
