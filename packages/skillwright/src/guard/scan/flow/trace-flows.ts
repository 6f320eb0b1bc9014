// Traces what a skill does with data, statement by statement: secrets that reach the network, and foreign code that is run.

import { lineAround } from '../line-around.ts';
import { Match } from '../match.ts';
import type { Probe } from '../probe.ts';
import {
  decodings,
  downloads,
  networkCalls,
  secretPlaces,
  secretVariables,
  temporaryPlaces,
} from '../probes/flow-facts.ts';
import type { ScanFile } from '../scan-file.ts';
import type { ScanSubject } from '../scan-subject.ts';
import { type Statement, statementsOf } from './cut-statements.ts';
import {
  definedNames,
  isHeader,
  mutatedNames,
  pathsIn,
  ranNames,
  usedNames,
  withoutHeaders,
  writes,
} from './names-in-statement.ts';

/** Data that went from a source to a sink. */
export interface Flow {
  readonly kind: /** A secret of the user is sent over the network. */
    | 'secret-sent'
    /** A secret variable is encoded first, then sent. */
    | 'variable-sent'
    /** A download is run. */
    | 'download-run'
    /** Decoded text is run. */
    | 'decoded-run'
    /** Something is written to a temporary file and run. */
    | 'temporary-run'
    /** The address of a request is decoded first. */
    | 'decoded-address';
  readonly what: string;
  /** Where the data comes from. */
  readonly from: Match;
  /** Where it is sent or run. */
  readonly to: Match;
}

/** Facts about a name or a file. */
interface Taint {
  secret?: undefined | { what: string; match: Match };
  variable?: Match | undefined;
  encoded?: boolean | undefined;
  remote?: Match | undefined;
  decoded?: Match | undefined;
  /** It is in a temporary directory. */
  temporary?: Match | undefined;
  /** It was written by the skill. */
  dropped?: Match | undefined;
  /** A connection: data passed to it is sent. */
  channel?: Match | undefined;
}

/** Maximum distance between a source and a sink in one statement. */
const REACH = 700;
const MAX_STATEMENTS = 20_000;
const MAX_LETTERS = 1500;

const encodes =
  /\bbase64\b(?![ \t]{1,3}(?:-d|-D|--decode))|b(?:64|32|85|16)encode|\bbtoa\(|\bxxd\b|hexlify|\.hex\(\)|openssl enc|toString\(\s?["'](?:base64|hex)|ToBase64String|\bgzip\b|\bzlib\.compress/;
const runners =
  'exec eval system( popen Popen subprocess spawn chmod Function( iex Invoke-Expression Start-Process nohup bash python'
    .split(' ')
    .concat(['source ', 'sh ', 'node ', './']);

const runsSomething = ({ text }: ScanFile): boolean => runners.some((word) => text.includes(word));
/** Runs something built in the same statement as code. */
const evaluates = /(?<![\w.])(?:exec|eval)\)?\s{0,2}\((?!\s{0,2}["'])|\bnew Function\(|\bInvoke-Expression\b/;
const hasRaw = /(?<![\w-])(?:nc|ncat|netcat|telnet|socat|nslookup|dig)\s|\.send(?:all|to)\(|\/dev\/tcp\//;
const comment = /^\s{0,80}(?:#(?!!)|\/\/|\*|--\s|;|rem\s|<!--)/i;

/** Meaning of a match in a statement. */
type Fact = { readonly match: Match } & (
  | { readonly kind: 'secret'; readonly what: string }
  | { readonly kind: 'variable' | 'call' | 'remote' | 'decoded' | 'temporary' }
);

const factProbes: readonly (readonly [Probe, Exclude<Fact['kind'], 'secret'>])[] = [
  [secretVariables, 'variable'],
  [networkCalls, 'call'],
  [downloads, 'remote'],
  [decodings, 'decoded'],
  [temporaryPlaces, 'temporary'],
];

/** Every flow in a skill. Names are followed within a file, files across the skill. */
export function traceFlows(subject: ScanSubject): readonly Flow[] {
  const acting = subject.files
    .filter(({ kind }) => kind !== 'text')
    .map((file) => ({ file, facts: factsOf(subject, file) }))
    .filter(({ facts }) => facts.length > 0);
  const isAny = (...kinds: Fact['kind'][]): boolean =>
    acting.some(({ facts }) => facts.some(({ kind }) => kinds.includes(kind)));
  const canSend = isAny('secret', 'variable') && isAny('call');
  const canRun = isAny('remote', 'decoded', 'temporary') && acting.some(({ file }) => runsSomething(file));
  if (!canSend && !canRun) return [];
  const files = new Map<string, Taint>();
  // Two passes over several files: the file that sends may come before the one that writes.
  const cut = acting.map(({ file, facts }) => ({
    file,
    facts,
    statements: statementsOf(file).slice(0, MAX_STATEMENTS),
  }));
  for (const each of cut.length > 1 ? cut : []) traceFile(each, files);
  return cut.flatMap((each) => traceFile(each, files));
}

/** Facts about places in the text of a file, in order. */
function factsOf(subject: ScanSubject, file: ScanFile): Fact[] {
  const facts: Fact[] = [];
  const own = (probe: Probe): Match[] =>
    subject.matchesIn(file, probe).filter(({ layer }) => layer.via === undefined);
  for (const { probe, what } of secretPlaces)
    for (const match of own(probe)) facts.push({ kind: 'secret', what, match });
  for (const [probe, kind] of factProbes)
    for (const match of own(probe)) if (kind !== 'remote' || isKept(match)) facts.push({ kind, match });
  return facts.sort((a, b) => a.match.index - b.match.index);
}

/** Whether a download goes into a file or a name; one that is only printed cannot be run later. */
function isKept({ layer, index, text }: Match): boolean {
  if (!text.startsWith('curl')) return true;
  const line = lineAround(layer.text, index, { before: 120, after: 500 });
  return /\s-[a-zA-Z]{0,6}[oO]\b|--output|--remote-name|>|\$\(|`|<\(|\\$/.test(line);
}

interface Traced {
  readonly file: ScanFile;
  readonly facts: readonly Fact[];
  readonly statements: readonly Statement[];
}

function traceFile({ file, facts, statements }: Traced, files: Map<string, Taint>): Flow[] {
  const names = new Map<string, Taint>();
  const flows: Flow[] = [];
  let scope: { name: string; indent: number; before: Map<string, Taint> } | undefined;
  const isShell = !/\.(?:py|pyw|[cm]?[jt]sx?|rb|go|rs|php|java|kt|cs|ipynb|html?|svg|vue|svelte)$/i.test(
    file.path,
  );
  // In minified code a one-letter name means something else on every line.
  const shortest = file.lines.some((line) => line.length > 2000) ? 3 : 1;
  let next = 0;
  for (const statement of statements) {
    const { text, indent, index } = statement;
    while (next < facts.length && endOf(facts[next]!) <= index) next++;
    const here: Fact[] = [];
    for (let at = next; at < facts.length && facts[at]!.match.index < index + text.length; at++)
      if (endOf(facts[at]!) > index) here.push(facts[at]!);
    if (scope !== undefined && indent <= scope.indent) {
      // Forget the local names of a function; keep its return value under its name.
      const given = names.get(scope.name);
      names.clear();
      for (const [name, taint] of scope.before) names.set(name, taint);
      if (given !== undefined) names.set(scope.name, given);
      scope = undefined;
    }
    const begins = scope === undefined ? /^\s{0,80}(?:async )?def (\w{1,60})\(/.exec(text) : null;
    if (begins !== null) {
      scope = { name: begins[1]!, indent, before: new Map(names) };
      continue;
    }
    if ((here.length === 0 && names.size === 0 && files.size === 0) || comment.test(text)) continue;
    const plain = withoutHeaders(text);
    const own: Taint = {};
    let call: Match | undefined;
    for (const fact of here) {
      const { kind, match } = fact;
      if (kind === 'secret') {
        if (own.secret === undefined && isRead(match, statement)) own.secret = { what: fact.what, match };
      } else if (kind === 'call') call ??= match;
      else if (kind !== 'variable') own[kind] ??= match;
      else if (plain.includes(match.groups[0] ?? '')) own.variable ??= match;
    }
    const used = usedNames(plain);
    const paths = pathsIn(text);
    const given: Taint = {};
    for (const name of used) merge(given, names.get(name));
    for (const path of paths) merge(given, files.get(path));
    const all = merge(merge({}, own), given);
    const defined = definedNames(text);
    if (isEmpty(all) && call === undefined) {
      for (const name of defined) names.delete(name);
      continue;
    }
    if (encodes.test(text)) all.encoded = true;
    if (given.channel !== undefined && /\.\w{2,20}\(/.test(text)) call ??= given.channel;
    if (call !== undefined) flows.push(...sentBy(all, { call, text, isOwn: own.secret !== undefined }));
    if (!isEmpty(given) || evaluates.test(text)) {
      const ran: Taint = evaluates.test(text) ? { remote: own.remote, decoded: own.decoded } : {};
      for (const name of ranNames(plain, { isShell: isShell || statement.isCommand === true }))
        merge(ran, names.get(name) ?? files.get(name));
      if (!isEmpty(ran))
        flows.push(
          ...ranBy(
            ran,
            new Match(
              { file, layer: file.layers[0]! },
              { index: index + text.search(/\S/), text: text.trim().slice(0, 200), groups: [] },
            ),
          ),
        );
    }
    // Targets of the data: names that are set, files that are written.
    const made: Taint = { ...all };
    delete made.channel;
    if (call !== undefined && given.channel === undefined) made.channel = call;
    // Very long statements come from a bundler: ignore their short names.
    if (text.length > MAX_LETTERS) continue;
    for (const name of defined)
      if (!isHeader(name) && name.length >= shortest) names.set(name, { ...made, dropped: undefined });
    for (const name of mutatedNames(text)) names.set(name, merge({ ...names.get(name) }, made));
    if (writes(text)) {
      const written: Taint = { ...made };
      const isItself = /\$0\b|BASH_SOURCE|__file__/.test(text);
      const droppedAt = (path: string): Match | undefined =>
        isItself || !/^\/(?:var\/)?tmp\/|^\/dev\/shm\//.test(path) ? undefined : all.temporary;
      delete written.channel;
      for (const path of paths)
        if (own.secret === undefined || !own.secret.match.text.includes(path))
          files.set(path, merge({ ...files.get(path) }, { ...written, dropped: droppedAt(path) }));
      for (const name of used) {
        const known = names.get(name);
        if (known !== undefined || own.remote !== undefined)
          names.set(
            name,
            merge({ ...known }, { ...written, dropped: isItself ? undefined : known?.temporary }),
          );
      }
    }
    if (scope !== undefined && /^\s{0,80}(?:return|yield)\b/.test(text))
      names.set(scope.name, merge({ ...names.get(scope.name) }, made));
  }
  return flows;
}

const endOf = ({ match }: Fact): number => match.index + match.text.length;

/** Data that a call sends. */
function* sentBy(taint: Taint, place: { call: Match; text: string; isOwn: boolean }): Generator<Flow> {
  const { call, text } = place;
  const { secret, variable, decoded } = taint;
  if (isLocal(text)) return;
  if (secret !== undefined && (!place.isOwn || Math.abs(secret.match.index - call.index) <= REACH))
    yield { kind: 'secret-sent', what: secret.what, from: secret.match, to: call };
  else if (variable !== undefined && (taint.encoded || hasRaw.test(text)))
    yield { kind: 'variable-sent', what: variable.groups[0] ?? 'a secret', from: variable, to: call };
  if (decoded !== undefined && decoded.layer.via === undefined && targetsDecoded(text, decoded))
    yield { kind: 'decoded-address', what: 'address', from: decoded, to: call };
}

/** Data that is run. */
function* ranBy({ remote, decoded, dropped }: Taint, run: Match): Generator<Flow> {
  if (remote !== undefined) yield { kind: 'download-run', what: 'download', from: remote, to: run };
  else if (decoded !== undefined) yield { kind: 'decoded-run', what: 'decoded text', from: decoded, to: run };
  else if (dropped !== undefined)
    yield { kind: 'temporary-run', what: 'temporary file', from: dropped, to: run };
}

/** Text before a place where a key is used to log in, printed, excluded, or part of an address: there it is not read. */
const unread = [
  /(?:(?:^|\s)-[io]\s{1,2}(?:IdentityFile=)?|IdentityFile[= ]|--(?:key|cert|identity|kubeconfig|private-key|netrc-file|ssh-key)[= ]|-e\s{1,2}["']ssh [^"']{0,60})["']?\S{0,40}$/,
  /\b(?:print|echo|console\.(?:log|error|warn)|logger?\.\w{4,8}|log|die|warn|printf|Write-Host)\b\s{0,2}\(?\s{0,2}f?["'`][^"'`]{0,400}$/,
  /\bhttps?:\/\/\S{0,200}$/,
  /\b(?:exclude|ignore|skip|block|deny|forbid)\w{0,10}\b[^;\n]{0,80}$|\bnot\b[^;\n]{0,40}$|!=?\s{0,2}["'(]?$/i,
];

function isRead(match: Match, { text, index }: Statement): boolean {
  const before = text.slice(Math.max(0, match.index - index - 500), Math.max(0, match.index - index));
  return !unread.some((pattern) => pattern.test(before));
}

/** Whether a call stays on this machine. */
const isLocal = (text: string): boolean =>
  /\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])\b|unix:|--unix-socket|AF_UNIX|169\.254\./.test(text);

const targetsDecoded = (text: string, decoded: Match): boolean =>
  /\b(?:get|post|put|request|urlopen|Request|fetch|axios|open|curl|wget|connect)\b\s{0,2}\(?\s{0,2}["']?\$?\{?[a-z_]\w{0,30}\}?/i.test(
    text,
  ) && !/json|content|data\b|image|png|pdf|audio/i.test(decoded.around(60, 60));

function isEmpty(taint: Taint): boolean {
  return !(
    taint.secret ||
    taint.variable ||
    taint.remote ||
    taint.decoded ||
    taint.temporary ||
    taint.channel
  );
}

function merge(into: Taint, from: Taint | undefined): Taint {
  if (from === undefined) return into;
  into.secret ??= from.secret;
  into.variable ??= from.variable;
  into.encoded ||= from.encoded;
  into.remote ??= from.remote;
  into.decoded ??= from.decoded;
  into.temporary ??= from.temporary;
  into.dropped ??= from.dropped;
  into.channel ??= from.channel;
  return into;
}
