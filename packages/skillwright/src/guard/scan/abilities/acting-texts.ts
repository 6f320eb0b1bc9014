// The parts of a skill that act: its own programs, and the commands its instructions show.

import type { ScanFile } from '../scan-file.ts';
import type { ScanSubject } from '../scan-subject.ts';

/** A program, or a block of commands. */
export interface ActingText {
  readonly file: ScanFile;
  readonly by: 'script' | 'instructions';
  /** `shell`: commands. `plain`: perhaps commands, in a block without a language. `code`: any other language. */
  readonly dialect: 'shell' | 'plain' | 'code';
  readonly text: string;
  /** Line of the file that `text` starts on, from 1, and the offset there. */
  readonly line: number;
  readonly offset: number;
}

const shellFile = /\.(?:sh|bash|zsh|fish|ksh|command|bats)$|(?:^|\/)(?:makefile|justfile)$|\.mk$/i;
const shellLanguage =
  /^(?:bash|sh|zsh|shell|shellsession|console|terminal|fish|ksh|powershell|pwsh|ps1|cmd|bat)\b/i;
/** Pages, templates and headers: material, not programs. */
const materialFile =
  /\.(?:html?|svg|vue|svelte|tsx|jsx|h|hpp|tmpl|jinja2?|j2|ipynb|gradle|d\.[cm]?ts)$|(?:^|\/)(?:assets?|templates?|boilerplates?|starters?|scaffolds?|snippets?|resources\/(?:examples?|templates?)|demos?)\//i;

/** Every acting text of a skill, files in the order of their paths. */
export function actingTexts(subject: ScanSubject): ActingText[] {
  const files = subject.files.toSorted((a, b) => (fileNameOf(a) < fileNameOf(b) ? -1 : 1));
  let said: string | undefined;
  const isRun = ({ path }: ScanFile): boolean => {
    said ??= files
      .filter(({ kind }) => kind === 'instructions')
      .map(({ text }) => text)
      .join('\n');
    return runsFile(said, path);
  };
  return files.flatMap((file) => {
    if (file.kind === 'instructions') return file.isExample || isForPeople(file) ? [] : blocksOf(file);
    if (file.kind !== 'script') return [];
    if ((file.isExample || materialFile.test(file.path)) && !isRun(file)) return [];
    const isShell = shellFile.test(file.path) || /^#!.{0,60}\b(?:ba|z|da|k)?sh\b/.test(file.text);
    return [
      {
        file,
        by: 'script' as const,
        dialect: isShell ? ('shell' as const) : ('code' as const),
        text: file.text,
        line: 1,
        offset: 0,
      },
    ];
  });
}

/** Pages about the skill that agents are not sent to. */
const isForPeople = ({ path }: ScanFile): boolean =>
  /^(?:readme|install(?:ation)?|contributing|development|acknowledg\w{3,8})[^/]*$/i.test(path);

const fileNameOf = ({ archive, path }: ScanFile): string =>
  archive === undefined ? path : `${archive}/${path}`;

/** Whether instructions have a file run by name: `python templates/make.py`. */
function runsFile(instructions: string, path: string): boolean {
  for (let at = instructions.indexOf(path); at >= 0; at = instructions.indexOf(path, at + 1))
    if (
      /(?:\b(?:ba|z)?sh|\bpython[\d.]{0,4}|\bnode|\btsx|\bbun|\bdeno run|\bruby|\bperl|\bphp|\bsource|\buv run)\s[^\n`]{0,60}$|(?:^|\n|`)\s{0,8}\.\/$/.test(
        instructions.slice(Math.max(0, at - 80), at),
      )
    )
      return true;
  return false;
}

/** A line that says not to do what follows. */
const warning =
  /❌|✗|🚫|\b(?:never|don['’]?t|do not|avoid|wrong|bad|instead of|anti-?pattern|dangerous|unsafe)\b[^.!?]{0,60}:?\**\s*$/i;

/** Blocks of commands. One that starts like a script is text for a file, not a command to run. */
function blocksOf(file: ScanFile): ActingText[] {
  let offset = 0;
  let counted = 1;
  const offsetAt = (line: number): number => {
    for (; counted < line; counted++) offset += (file.lines[counted - 1] ?? '').length + 1;
    return offset;
  };
  return file.document.codeBlocks.flatMap(({ line, endLine, language }) => {
    const isShell = shellLanguage.test(language);
    if (!isShell && !/^(?:te?xt|plain(?:text)?)?$/i.test(language)) return [];
    const before = file.lines.slice(Math.max(0, line - 4), line - 1).findLast((each) => each.trim() !== '');
    if (before !== undefined && warning.test(before)) return [];
    const lines = file.lines.slice(line, Math.max(line, endLine - 1));
    const text = lines.join('\n');
    if (/^\s*(?:#!|set -[eu])/.test(text) || (isShell && /^\s*(?:function\s)?\w+\s?\(\)\s?\{/m.test(text)))
      return [];
    return [
      {
        file,
        by: 'instructions' as const,
        dialect: isShell ? ('shell' as const) : ('plain' as const),
        text,
        line: line + 1,
        offset: offsetAt(line + 1),
      },
    ];
  });
}
