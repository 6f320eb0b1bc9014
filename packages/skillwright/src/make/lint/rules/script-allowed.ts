// SKL402: scripts run wherever skills are run.

import { join, posix } from 'node:path';
import { hasExecuteBit } from '../../../base/files/index.ts';
import type { LintSkill } from '../lint-skill.ts';
import { quoteText } from '../quote-text.ts';
import { defineRule, type RuleOptions } from '../rule.ts';

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
    for (const { path, kind } of skill.tree) {
      if (kind !== 'file' || !path.startsWith('scripts/')) continue;
      allowed ??= readExtensions(options);
      const extension = posix.extname(path).toLowerCase();
      if (allowed.has(extension) || !isProgram(skill, path, extension)) continue;
      yield {
        message: `${quoteText(path)} is not a ${listed([...allowed])} script`,
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
function isProgram(skill: LintSkill, path: string, extension: string): boolean {
  if (PROGRAMS.has(extension)) return true;
  // Data has an extension. Some file systems mark every file as executable, so the mode alone proves nothing.
  if (extension !== '' && !hasExecuteBit(join(skill.dir, path))) return false;
  const text = skill.textOf(path);
  return text === undefined
    ? extension === '' && hasExecuteBit(join(skill.dir, path))
    : text.startsWith('#!');
}

function listed(extensions: readonly string[]): string {
  const last = extensions.at(-1) ?? '';
  return extensions.length < 2 ? last : `${extensions.slice(0, -1).join(', ')} or ${last}`;
}
