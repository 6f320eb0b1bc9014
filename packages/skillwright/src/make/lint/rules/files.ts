// The rules about files: their sizes, and the scripts among them.

import { join, posix } from 'node:path';
import { formatBytes, hasExecuteBit, isEvalFile, MAX_SEARCHED_BYTES } from '../../../base/files/index.ts';
import { estimateTokens } from '../../../base/tokens/index.ts';
import { SKILL_FILE } from '../../../skill/skill/index.ts';
import type { LintSubject } from '../lint-subject.ts';
import { quoteText } from '../quote-text.ts';
import { defineRule, type RuleOptions, readLimit } from '../rule.ts';

const MAX_LINES = 500;
const MAX_TOKENS = 5000;

/** SKL201: a SKILL.md that fills the context. */
export const skillSize = defineRule({
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
    const sizes: string[] = [];
    const limits: string[] = [];
    if (lines > maxLines) {
      sizes.push(`${grouped(lines)} lines`);
      limits.push(`${grouped(maxLines)} lines`);
    }
    if (tokens > maxTokens) {
      sizes.push(`about ${grouped(tokens)} tokens`);
      limits.push(`${grouped(maxTokens)} tokens`);
    }
    if (sizes.length === 0) return [];
    const message = `SKILL.md has ${sizes.join(' and ')}, more than ${limits.join(' and ')}`;
    return [{ message, help: 'move details into files under references/ and link to them' }];
  },
});

/** `12,345`. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

const MAX_BYTES = 5 * 1024 * 1024;

/** SKL403: a skill whose files together are too large. */
export const totalSize = defineRule({
  id: 'SKL403',
  name: 'total-size',
  severity: 'warning',
  summary: 'The files of the skill have at most 5 MiB in total.',
  check(skill, options) {
    const maxBytes = readLimit(options, 'max_bytes', MAX_BYTES);
    let total = skill.sizeOf(SKILL_FILE);
    let largest = { path: SKILL_FILE, bytes: total };
    for (const { path, kind } of skill.tree().entries) {
      if (kind !== 'file' || path === SKILL_FILE) continue;
      const bytes = skill.sizeOf(path);
      total += bytes;
      if (bytes > largest.bytes) largest = { path, bytes };
    }
    if (total <= maxBytes) return [];
    const message = `the skill has ${formatBytes(total)} in total, more than ${formatBytes(maxBytes)}`;
    const help = `remove what agents do not need; the largest file is ${largest.path} with ${formatBytes(largest.bytes)}`;
    return [{ message, help }];
  },
});

const MAX_FINDINGS = 10;

/** Extensions of text files; files with another one are read to find out. */
const TEXT = /\.(?:md|markdown|txt|json|jsonl|ya?ml|toml|csv|tsv|xml|html?)$/i;

/** SKL404: texts that are too large for the full-text index. */
export const fileSearchable = defineRule({
  id: 'SKL404',
  name: 'file-searchable',
  severity: 'warning',
  summary: 'Every text file is small enough to be searched: at most 1 MiB.',
  *check(skill, options) {
    const maxBytes = readLimit(options, 'max_bytes', MAX_SEARCHED_BYTES);
    const large = skill
      .tree()
      .entries.filter(
        ({ path, kind }) =>
          kind === 'file' && !isEvalFile(path) && skill.sizeOf(path) > maxBytes && isTextFile(skill, path),
      );
    for (const { path } of large.slice(0, MAX_FINDINGS)) {
      const size = formatBytes(skill.sizeOf(path));
      yield {
        message: `${quoteText(path)} has ${size}: search skips the text of files over ${formatBytes(maxBytes)}`,
        file: path,
        help: 'split it into smaller files',
      };
    }
    const left = large.length - MAX_FINDINGS;
    if (left > 0) yield { message: `${left} more files are too large to search` };
  },
});

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

/** Reports files in scripts/ that are run but not in a language that every host supports. */
export const scriptAllowed = defineRule({
  id: 'SKL402',
  name: 'script-allowed',
  severity: 'warning',
  summary: 'Scripts in `scripts/` are `.sh`, `.py`, `.js`, `.mjs`, `.cjs` or `.ts` files.',
  *check(skill, options) {
    let allowed: ReadonlySet<string> | undefined;
    for (const { path, kind } of skill.tree().entries) {
      if (kind !== 'file' || !path.startsWith('scripts/')) continue;
      allowed ??= readExtensions(options);
      const extension = posix.extname(path).toLowerCase();
      if (allowed.has(extension) || !isProgram(skill, path, extension)) continue;
      yield {
        message: `${quoteText(path)} is not a ${listExtensions([...allowed])} script`,
        file: path,
        help: 'rewrite it in one of these languages, or move it out of scripts/ if it is not run',
      };
    }
  },
});

/** The option `extensions`, with or without leading dots. */
function readExtensions({ extensions }: RuleOptions): ReadonlySet<string> {
  const list = Array.isArray(extensions)
    ? extensions.filter((entry) => typeof entry === 'string')
    : EXTENSIONS;
  return new Set(list.map((entry) => `.${entry.replace(/^\./, '').toLowerCase()}`));
}

/** A known extension; otherwise text that names its interpreter, or an executable binary. */
function isProgram(skill: LintSubject, path: string, extension: string): boolean {
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
