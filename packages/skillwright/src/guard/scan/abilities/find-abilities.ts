// Finds what a skill can do: what the flow engine sees its programs, and the commands in its instructions, read, send, start and
// write.

import { cutText } from '../../../base/diagnostics/index.ts';
import { copyText } from '../../../base/files/index.ts';
import { findCommands } from '../../../skill/format/index.ts';
import { type Source, sourcesOf } from '../flow/code-of.ts';
import { localHost, secretName } from '../flow/facts.ts';
import type { Act } from '../flow/tracer.ts';
import { Match } from '../match.ts';
import type { ScanFile } from '../scan-file.ts';
import type { ScanSubject } from '../scan-subject.ts';
import { ABILITY_KINDS, type AbilityKind, type FoundAbility } from './found-ability.ts';
import {
  everydayPrograms,
  knownPrograms,
  networkPrograms,
  networkSubcommands,
  programName,
  scriptLanguages,
  writingPrograms,
} from './programs.ts';

const EXCERPT = 120;
/** Matches less likely than this are descriptions, not acts. */
const LIKELY = 0.36;

type By = FoundAbility['by'];

/** A place where an ability was found. */
interface Place {
  readonly file: ScanFile;
  readonly by: By;
  readonly line: number | null;
}

/** Everything found, by kind, scripts first. */
export function findAbilities(subject: ScanSubject): FoundAbility[] {
  const found = new Map<string, FoundAbility>();
  const add = (
    kind: AbilityKind,
    what: string,
    { file, by, line, program }: Place & { readonly program?: string | undefined },
  ): void => {
    const key = [kind, by, what].join('\0');
    const known = found.get(key);
    const excerpt = line === null ? '' : (file.lines[line - 1] ?? '').replace(/\s+/g, ' ').trim();
    const shown = cutText(excerpt, EXCERPT);
    found.set(
      key,
      known === undefined
        ? {
            kind,
            what: copyText(what),
            by,
            program,
            count: 1,
            file: copyText(file.archive ?? file.path),
            line: file.archive === undefined ? line : null,
            excerpt: shown === '' ? null : copyText(shown),
          }
        : { ...known, count: known.count + 1 },
    );
  };
  const isNamed = programsNamed(subject);
  const nameOf = ({ archive, path }: ScanFile): string =>
    archive === undefined ? path : `${archive}/${path}`;
  for (const file of subject.files.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))) {
    const by = file.kind === 'script' ? 'script' : 'instructions';
    const sources = [...actingCode(file)];
    const language = sources.length > 0 && by === 'script' ? languageOf(file) : undefined;
    if (language !== undefined)
      add('programs', `its own ${language.name}`, { file, by, line: null, program: language.program });
    for (const source of sources) {
      const seen = new Set<string>();
      const isPlain = source.block !== undefined && !shellLanguage.test(source.block.language);
      for (const [act, match] of subject.actsOf(file, source)) {
        if (isPlain && act.kind !== 'command') continue;
        if (by === 'instructions' && subject.weigh(match) < LIKELY) continue;
        for (const { kind, what, program } of abilitiesOf(act, { match, isPlain, isNamed })) {
          const key = `${kind} ${what} ${match.line}`;
          if (!seen.has(key)) add(kind, what, { file, by, line: match.line, program });
          seen.add(key);
        }
      }
    }
    for (const { what, kind, line } of askedTools(file, subject))
      add(kind, what, { file, by: 'instructions', line });
  }
  const order = (one: FoundAbility) =>
    `${ABILITY_KINDS.indexOf(one.kind)} ${one.by === 'script' ? 0 : 1} ${one.what}`;
  return [...found.values()].sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** Programs outside the list that a skill is about: its frontmatter names them. */
function programsNamed({ name, data }: ScanSubject): (program: string) => boolean {
  const said = [name, JSON.stringify(data['allowed-tools'] ?? ''), JSON.stringify(data.metadata ?? '')];
  const named = new Set(said.join(' ').match(/[a-z][\w.-]{2,30}/g) ?? []);
  return (program) => named.has(program);
}

const shellLanguage =
  /^(?:bash|sh|zsh|shell|shellsession|console|terminal|fish|ksh|powershell|pwsh|ps1|cmd|bat)\b/i;
/** Pages, templates and headers: material, not programs. */
const materialFile =
  /\.(?:html?|svg|vue|svelte|tsx|jsx|h|hpp|tmpl|jinja2?|j2|ipynb|gradle|d\.[cm]?ts)$|(?:^|\/)(?:assets?|templates?|boilerplates?|starters?|scaffolds?|snippets?|resources\/(?:examples?|templates?)|demos?)\//i;
/** Pages about the skill that agents are not sent to. */
const pageForPeople = /^(?:readme|install(?:ation)?|contributing|development|acknowledg\w{3,8})[^/]*$/i;
/** A line that says not to do what follows. */
const warning =
  /❌|✗|🚫|\b(?:never|don['’]?t|do not|avoid|wrong|bad|instead of|anti-?pattern|dangerous|unsafe)\b[^.!?]{0,60}:?\**\s*$/i;

/** The code of a file that acts: a program, or the blocks of commands in a page. */
function* actingCode(file: ScanFile): Generator<Source> {
  if (file.kind === 'script' && (file.isRun || !(file.isExample || materialFile.test(file.path))))
    yield* sourcesOf(file);
  if (file.kind !== 'instructions' || file.isExample || pageForPeople.test(file.path)) return;
  for (const source of sourcesOf(file)) {
    const { text, language, block } = source;
    if (block === undefined || !/shell$/.test(language)) continue;
    const isShell = shellLanguage.test(block.language);
    if (!isShell && !/^(?:te?xt|plain(?:text)?)?$/i.test(block.language)) continue;
    const before = file.lines.slice(Math.max(0, block.line - 4), block.line - 1);
    if (warning.test(before.findLast((line) => line.trim() !== '') ?? '')) continue;
    // A block that starts like a script is text for a file, not a command to run.
    if (/^\s*(?:#!|set -[eu])/.test(text) || (isShell && /^\s*(?:function\s)?\w+\s?\(\)\s?\{/m.test(text)))
      continue;
    yield source;
  }
}

function languageOf({ path, text }: ScanFile): { program: string; name: string } | undefined {
  if (/(?:^|\/)__init__\.py$/.test(path)) return undefined;
  const extension = /\.(\w{1,6})$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return (
    scriptLanguages.get(extension) ??
    (text.startsWith('#!') ? { program: 'bash', name: 'other scripts' } : undefined)
  );
}

interface Ability {
  readonly kind: AbilityKind;
  readonly what: string;
  readonly program?: string | undefined;
}

/** Calls that reach other machines, by name. */
const networkCalls: readonly (readonly [name: RegExp, what: string])[] = [
  [/\bsmtplib\.SMTP|^nodemailer\b|\bimaplib\.IMAP/, 'email'],
  [/\bftplib\.FTP|^paramiko\./, 'remote shells and file transfer'],
  [/^websockets?\.|^(?:WebSocket|ws)$/, 'web sockets'],
  [/^socket\..*connect\w*$|^net\.(?:connect|createConnection)$/, 'sockets'],
  [
    /\bboto3\.(?:client|resource|Session)$|^googleapiclient\b|^google\.cloud\b|^azure\.(?:identity|storage|mgmt)/,
    'cloud services',
  ],
  [
    /(?:^|\.)(?:Async)?(?:(?:Azure)?OpenAI|Anthropic)$|\bgenai\.(?:Client|configure|GenerativeModel)$|^litellm\./,
    'model services',
  ],
  [/\.from_pretrained$|(?:^|\.)(?:snapshot_download|hf_hub_download|load_dataset)$/, 'model downloads'],
  [/\.goto$/, 'web pages in a browser'],
  [
    /^(?:yt_dlp|tweepy|praw|yfinance|slack_sdk|notion_client|telegram)\.|\bfeedparser\.parse$/,
    'web services',
  ],
  [
    /^(?:requests|httpx|aiohttp|urllib3|urllib\.request)\.\w+$|\burl(?:open|retrieve)$|HTTPS?Connection$|^(?:fetch|axios|got|ky)(?:\.\w+)?$|^https?\.(?:get|request)$|^Net\.HTTP|^curl_init$|^reqwest\b|^http\.(?:Get|Post|NewRequest)$/,
    'HTTP requests',
  ],
];

const deletes =
  /(?:^|\.)(?:rmtree|unlink|unlinkSync|rmSync|rmdir|rmdirSync|removedirs)$|^(?:os\.remove|fs(?:\.promises)?\.rm|File\.delete|os\.Remove(?:All)?)$/;
const writes =
  /(?:^|\.)(?:shutil\.(?:copy\w{0,4}|move|copytree)|os\.(?:makedirs|mkdir|rename|replace|WriteFile)|mkdirSync|mkdirp|copyFile(?:Sync)?|renameSync|to_(?:csv|excel|json|parquet|html|markdown)|save|savefig|dump|Bun\.write|File\.write|fs\.write)$|\.mkdir$/;
const temporaryPlace =
  /\/tmp\/|\$\{?TMPDIR|\bmktemp\b|\btempfile\.|\btmpdir\(|\btmp_?(?:path|file|dir)\b|NamedTemporaryFile/i;
const homePlace = /(?<![\w.])~\/|\$\{?HOME\b|\bexpanduser\(|\bPath\.home\(\)|\bhomedir\(\)/;
const systemPlace = /(?:^|[\s"'=(>])\/(?:etc|usr|opt|var\/(?!tmp)|Library|System|bin|lib)\//;
/** Variables called keys that are not secret. */
const publicName =
  /^(?:NEXT_PUBLIC|VITE|EXPO_PUBLIC|REACT_APP)_|(?:PUBLIC|PRIMARY|FOREIGN|SORT|CACHE|PARTITION|HASH|RANGE)_KEY$/;

/** Private data as reports name it. */
const privateNames: Readonly<Record<string, string>> = {
  'the environment': 'the whole environment',
  'key files': '.env and key files',
  'secrets files': '.env and key files',
  'credential files': 'credential files',
  'browser data, keychains or wallets': 'browser data, keychains or wallets',
  'tokens of other programs': 'tokens of other programs',
  'keystrokes, screen or clipboard': 'keystrokes, screen or clipboard',
};

/** The abilities that one act shows. */
function* abilitiesOf(
  act: Act,
  { match, isPlain, isNamed }: { match: Match; isPlain: boolean; isNamed: (program: string) => boolean },
): Generator<Ability> {
  const line = match.file.lines[match.line - 1] ?? '';
  if (act.kind === 'variable') {
    if (secretName.test(act.name) && !publicName.test(act.name)) yield { kind: 'secrets', what: act.name };
  } else if (act.kind === 'private') {
    const what = privateNames[act.what];
    if (what !== undefined && !/\.env\.(?:example|sample|template|dist)\b/.test(line))
      yield { kind: 'secrets', what };
  } else if (act.kind === 'write') yield* writing('writes files', act.target ?? line);
  else if (act.kind === 'call') {
    const [first] = act.values;
    const isHere = /^\.{0,2}\/|^file:/.test(first?.text ?? '') || localHost.test(first?.text ?? line);
    const what = isHere ? undefined : networkCalls.find(([name]) => name.test(act.name))?.[1];
    if (what !== undefined) yield { kind: 'network', what };
    if (deletes.test(act.name)) yield* writing('deletes files', line);
    else if (writes.test(act.name) && !/^json\.dumps$/.test(act.name)) yield* writing('writes files', line);
  } else yield* commandAbilities(act, { line, isPlain, isNamed });
}

function* commandAbilities(
  { program: written, rest }: Extract<Act, { kind: 'command' }>,
  { line, isPlain, isNamed }: { line: string; isPlain: boolean; isNamed: (program: string) => boolean },
): Generator<Ability> {
  const program = programName(written);
  const isKnown = knownPrograms.has(written) || knownPrograms.has(program);
  // In a block without a language, a sentence may begin with the name of a program.
  if (isPlain && !(isKnown && /^(?:-|["'$./~<{]|https?:|[a-z][\w:-]*(?:\s|$|\/|\.|@)[^.!?]*$)/.test(rest)))
    return;
  const what =
    writingPrograms[program] ??
    (program === 'sed' && /(?:^|\s)-[a-z]{0,3}i/.test(rest) ? 'writes files' : undefined);
  if (what !== undefined) yield* writing(what, rest, program);
  if (everydayPrograms.has(program) || (!isKnown && !isNamed(program))) return;
  yield { kind: 'programs', what: program, program };
  const isHere = /\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0)\b|\[::1\]/.test(line);
  if (isRemote(program, rest) && !(isHere && !/https?:\/\/(?!localhost|127\.|0\.0\.0\.0)/.test(line)))
    yield { kind: 'network', what: program, program };
}

function* writing(what: string, text: string, program?: string): Generator<Ability> {
  if (temporaryPlace.test(text) || text.startsWith('/dev/')) return;
  const where = systemPlace.test(` ${text}`)
    ? ' of the system'
    : homePlace.test(text)
      ? ' in the home directory'
      : '';
  yield { kind: 'writes', what: `${what}${where}`, program };
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

/** Tools of agents, named as tools. */
const agentTool =
  /\b(mcp__[a-zA-Z0-9-]{1,60}(?:_[a-zA-Z0-9-]{1,60}){0,4}__\w{1,80})\b|\b(?:[Uu]s(?:e|es|ing)|[Cc]all|[Ii]nvoke|[Vv]ia|[Ww]ith|[Tt]hrough|[Rr]un)\b[^.\n]{0,24}?(?:`|\*\*|\b)(WebFetch|WebSearch|AskUserQuestion|TodoWrite|NotebookEdit|MultiEdit|Bash|Task|Read|Write|Edit|Glob|Grep)(?:`|\*\*)? tool\b/g;

/** Tools that instructions name as tools, and commands an agent runs when it loads the skill. */
function* askedTools(file: ScanFile, subject: ScanSubject): Generator<Ability & { line: number }> {
  if (file.kind !== 'instructions' || file.isExample || file.archive !== undefined) return;
  const { text } = file;
  for (const match of text.matchAll(agentTool)) {
    const place = new Match(
      { file, layer: file.layers[0]! },
      { index: match.index, text: match[0], groups: [] },
    );
    if (place.zone === 'code' || place.zone === 'frontmatter' || subject.weighOrder(place) < LIKELY) continue;
    yield { kind: 'tools', what: match[1] ?? match[2]!, line: place.line };
  }
  if (!/^skill\.md$/i.test(file.path) || !text.includes('!`')) return;
  for (const { start } of findCommands(text))
    yield { kind: 'programs', what: 'commands on loading', line: file.layers[0]!.lineAt(start) };
}
