// Finds what a skill can do, in the texts that act. Sentences about a program are not the program.

import { copyText } from '../../../base/files/index.ts';
import { findCommands } from '../../../skill/format/index.ts';
import { Match } from '../match.ts';
import type { ScanSubject } from '../scan-subject.ts';
import {
  agentTool,
  homePlace,
  networkCode,
  redirection,
  startingCode,
  systemPlace,
  temporaryPlace,
  writes,
  writingPrograms,
} from './ability-patterns.ts';
import { type ActingText, actingTexts } from './acting-texts.ts';
import { addSecrets } from './find-secrets.ts';
import { ABILITY_KINDS, type Add, type FoundAbility, LIKELY, type Place } from './found-ability.ts';
import {
  everydayPrograms,
  knownPrograms,
  networkPrograms,
  networkSubcommands,
  programName,
  scriptLanguages,
} from './programs.ts';
import { type ShellCommand, shellCommands } from './shell-commands.ts';

const EXCERPT = 120;
const localHost = /\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0|host\.docker\.internal)\b|\[::1\]/;
/** Everything found, by kind, scripts first. */
export function findAbilities(subject: ScanSubject): FoundAbility[] {
  const texts = actingTexts(subject);
  const found = new Map<string, FoundAbility>();
  const add = ({ kind, what, by, program, file, line, text }: Place): void => {
    const key = [kind, by, what].join('\0');
    const known = found.get(key);
    if (known !== undefined) {
      found.set(key, { ...known, count: known.count + 1 });
      return;
    }
    const excerpt = text.replace(/\s+/g, ' ').trim();
    found.set(key, {
      kind,
      what: copyText(what),
      by,
      program,
      count: 1,
      file: copyText(file.archive ?? file.path),
      line: file.archive === undefined ? line : null,
      excerpt:
        excerpt === ''
          ? null
          : copyText(
              excerpt.length > EXCERPT
                ? `${excerpt.slice(0, EXCERPT).replace(/[\ud800-\udbff]$/, '')}…`
                : excerpt,
            ),
    });
  };
  const commands = texts
    .filter(({ dialect }) => dialect !== 'code')
    .map((acting) => ({ acting, commands: shellCommands(acting.text) }));
  const isOwn = ownPrograms(
    subject,
    commands.flatMap((each) => each.commands),
  );
  for (const acting of texts) {
    if (acting.by === 'script') addScript(acting, add);
    if (acting.dialect === 'code') addCode(acting, { add });
  }
  for (const { acting, commands: own } of commands)
    for (const command of own)
      if (isLikely(subject, acting, command)) addCommand(acting, { command, add, isOwn });
  for (const acting of texts) addRedirections(acting, { add });
  addSecrets(texts, { subject, add });
  addTools(subject, add);
  const order = (one: FoundAbility) =>
    `${ABILITY_KINDS.indexOf(one.kind)} ${one.by === 'script' ? 0 : 1} ${one.what}`;
  return [...found.values()].sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** Programs outside the list that a skill is about: it uses them more than once and names them in its frontmatter. */
function ownPrograms(subject: ScanSubject, commands: readonly ShellCommand[]): (program: string) => boolean {
  const times = new Map<string, number>();
  for (const { program } of commands) times.set(program, (times.get(program) ?? 0) + 1);
  const { name, data } = subject;
  const said = [name, JSON.stringify(data['allowed-tools'] ?? ''), JSON.stringify(data.metadata ?? '')];
  const named = new Set(said.join(' ').match(/[a-z][\w.-]{2,30}/g) ?? []);
  return (program) => named.has(program) && (times.get(program) ?? 0) > 1;
}

function addScript({ file, text }: ActingText, add: Add): void {
  const extension = /\.(\w{1,6})$/.exec(file.path)?.[1]?.toLowerCase() ?? '';
  const language =
    scriptLanguages[extension] ??
    (text.startsWith('#!') ? { program: 'bash', name: 'other scripts' } : undefined);
  if (language === undefined || /(?:^|\/)__init__\.py$/.test(file.path)) return;
  add({
    kind: 'programs',
    what: `its own ${language.name}`,
    by: 'script',
    program: language.program,
    file,
    line: null,
    text: '',
  });
}

/** Whether a command is given to be run, not described as something to avoid. */
function isLikely(
  subject: ScanSubject,
  { file, offset, text, by }: ActingText,
  { line }: ShellCommand,
): boolean {
  if (by === 'script') return true;
  const within = text.split('\n', line).reduce((sum, each) => sum + each.length + 1, 0);
  const match = new Match({ file, layer: file.layers[0]! }, { index: offset + within, text: '', groups: [] });
  return subject.weigh(match) >= LIKELY;
}

function addCommand(
  { file, by, dialect, line: first }: ActingText,
  { command, add, isOwn }: { command: ShellCommand; add: Add; isOwn: (program: string) => boolean },
): void {
  const { rest, text } = command;
  const program = programName(command.program.replace(/^.*\/(?=[^/]+$)/, ''));
  const place = { by, file, line: first + command.line, text, program };
  const isKnown = knownPrograms.has(command.program) || knownPrograms.has(program);
  // In a block without a language, a sentence may begin with the name of a program.
  if (dialect === 'plain' && !/^(?:-|["'$./~<{]|https?:|[a-z][\w:-]*(?:\s|$|\/|\.|@)[^.!?]*$)/.test(rest))
    return;
  if (dialect === 'plain' && !isKnown) return;
  const what =
    writingPrograms[program] ??
    (program === 'sed' && /(?:^|\s)-[a-z]{0,3}i/.test(rest) ? 'writes files' : undefined);
  if (what !== undefined) addWriting(place, { what, text: rest, add });
  if (everydayPrograms.has(program) || (!isKnown && !isOwn(program))) return;
  add({ kind: 'programs', what: program, ...place });
  if (
    isRemote(program, rest) &&
    !(localHost.test(text) && !/https?:\/\/(?!localhost|127\.|0\.0\.0\.0)/.test(text))
  )
    add({ kind: 'network', what: program, ...place });
}

function isRemote(program: string, rest: string): boolean {
  // `--version` and `--help` stay on the machine.
  if (/^(?:-v|-V|--?version|--?help)\b/.test(rest)) return false;
  const subcommand = /^(?:-\S+\s+){0,2}([\w-]+)/.exec(rest)?.[1] ?? '';
  if (/^(?:configure|config|completion|help|version)$/.test(subcommand)) return false;
  if (networkPrograms.has(program)) return true;
  if (program === 'docker' && subcommand === 'compose') return false;
  return Object.hasOwn(networkSubcommands, program) && networkSubcommands[program]!.test(subcommand);
}

function addWriting(
  place: Omit<Place, 'kind' | 'what'>,
  { what, text, add }: { what: string; text: string; add: Add },
): void {
  if (temporaryPlace.test(text)) return;
  const where = systemPlace.test(` ${text}`)
    ? ' of the system'
    : homePlace.test(text)
      ? ' in the home directory'
      : '';
  add({ kind: 'writes', ...place, what: `${what}${where}` });
}

/** Looks at a program in another language than shell, line by line. */
function addCode(acting: ActingText, { add }: { add: Add }): void {
  const { file, by } = acting;
  const isText = docstringLines(acting);
  for (const [at, text] of acting.text.split('\n').entries()) {
    if (text.length > 5000 || isText(at) || /^\s*(?:#|\/\/|\*|\/\*)/.test(text)) continue;
    const place = { by, file, line: acting.line + at, text };
    for (const [pattern, what] of networkCode)
      if (pattern.test(text) && !isQuoted(text, pattern) && !localHost.test(text)) {
        add({ kind: 'network', what, ...place });
        break;
      }
    for (const [pattern, what] of writes)
      if (pattern.test(text) && !isQuoted(text, pattern)) {
        addWriting(place, { what, text, add });
        break;
      }
  }
  for (const match of acting.text.matchAll(startingCode)) {
    const line = file.layers[0]!.lineAt(acting.offset + match.index);
    const text = file.lines[line - 1] ?? '';
    if (isText(line - acting.line)) continue;
    if (/^\s*(?:#|\/\/|\*)/.test(text) || isQuoted(text, /subprocess|os\.|spawn|exec/)) continue;
    const named = match
      .slice(1)
      .find((word) => word !== undefined)
      ?.replace(/^.*\//, '');
    const program = named === undefined || named === '' ? undefined : programName(named);
    if (program !== undefined && everydayPrograms.has(program)) continue;
    add({ kind: 'programs', what: program ?? 'other programs', by, file, line, text, program });
    const rest = acting.text
      .slice(match.index + match[0].length, match.index + match[0].length + 80)
      .replace(/["',\s]+/g, ' ')
      .trim();
    if (program !== undefined && isRemote(program, rest))
      add({ kind: 'network', what: program, by, file, line, text, program });
  }
}

/** Recognises the lines of Python texts in triple quotes: descriptions and templates. */
function docstringLines({ file, text }: ActingText): (line: number) => boolean {
  if (!/\.pyw?$/i.test(file.path) || !/"{3}|'{3}/.test(text)) return () => false;
  const inside = new Set<number>();
  let open: string | undefined;
  for (const [at, line] of text.split('\n').entries()) {
    const began = open !== undefined;
    for (const [quote] of line.matchAll(/"{3}|'{3}/g)) {
      if (open === undefined) open = quote;
      else if (open === quote) open = undefined;
    }
    // The line that opens one may hold code before it; the line that ends one rarely holds any after it.
    if (began || (open !== undefined && /^\s*[rfbu]{0,2}(?:"{3}|'{3})/i.test(line))) inside.add(at);
    if (!began && open === undefined && /^\s*[rfbu]{0,2}(?:"{3}|'{3})/i.test(line)) inside.add(at);
  }
  return (line) => inside.has(line);
}

/** Whether the code is in a string: a message or a pattern that mentions it. */
function isQuoted(line: string, pattern: RegExp): boolean {
  const at = line.search(pattern);
  const before = line.slice(0, Math.max(0, at));
  const quotes = before.replace(/\\./g, '').match(/["'`]/g) ?? [];
  return /\br["']|re\.(?:compile|search)|RegExp\(|\bprint\(\s?f?["']/.test(before) || quotes.length % 2 === 1;
}

function addRedirections({ file, by, dialect, text, line }: ActingText, { add }: { add: Add }): void {
  if (dialect !== 'shell') return;
  for (const [at, each] of text.split('\n').entries()) {
    const shown = each.trim();
    if (shown.startsWith('#') || shown.startsWith('>') || !redirection.test(shown)) continue;
    if (/[-=]>|<\w[^>\n]{0,60}>(?!>)|\[\[|\(\(|["'][^"']{0,200}>[^"']{0,200}["']/.test(shown)) continue;
    const target = shown.slice(shown.search(redirection));
    addWriting(
      { by, file, line: line + at, text: shown, program: undefined },
      { what: 'writes files', text: target, add },
    );
  }
}

// Finds tools of the agent that a skill asks for.

/** Tools that instructions name as tools, and commands an agent runs when it loads the skill. */
function addTools(subject: ScanSubject, add: Add): void {
  for (const file of subject.files) {
    if (file.kind !== 'instructions' || file.isExample || file.archive !== undefined) continue;
    const { text } = file;
    for (const match of text.matchAll(agentTool)) {
      const place = new Match(
        { file, layer: file.layers[0]! },
        { index: match.index, text: match[0], groups: [] },
      );
      if (place.zone === 'code' || place.zone === 'frontmatter' || subject.weighOrder(place) < LIKELY)
        continue;
      add({
        kind: 'tools',
        what: match[1] ?? match[2]!,
        by: 'instructions',
        program: undefined,
        file,
        line: place.line,
        text: file.lines[place.line - 1] ?? '',
      });
    }
    if (!/^skill\.md$/i.test(file.path) || !text.includes('!`')) continue;
    for (const { start, source } of findCommands(text)) {
      const line = file.layers[0]!.lineAt(start);
      add({
        kind: 'programs',
        what: 'commands on loading',
        by: 'instructions',
        program: undefined,
        file,
        line,
        text: source,
      });
    }
  }
}
