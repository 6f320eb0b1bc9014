// SCN807: several weak signals in one passage that together are an order against the user.

import { lineAround, lineStart } from '../line-around.ts';
import type { Match } from '../match.ts';
import { combinations, type OrderPart } from '../order-combinations.ts';
import { defineProbe } from '../probe.ts';
import { companionSignals, leadingSignals } from '../probes/order-signals.ts';
import type { RuleHit, ScanRule } from '../scan-rule.ts';
import type { ScanSubject } from '../scan-subject.ts';

/** Web addresses: possible destinations. */
const webAddresses = defineProbe(
  /(?<!\]\()\bhttps?:\/\/([\w.-]{4,80})(?::\d{2,5})?[^\s)"'`]{0,80}|\b(?:remote|external) server\b|\b(?:any|every|each) URL\b/gi,
  { needs: 'any url,each url,every url,external server,http://,https://,remote server', inProse: true },
);

/** Mail addresses. */
const mailAddresses = defineProbe(/(?<![\w/.+-])[\w.+-]{2,40}@((?:[\w-]{1,40}\.){1,4}[a-z]{2,12})\b/gi, {
  needs: '@',
  inProse: true,
});

/** Addresses of well-known services, this machine, or nobody. */
const usual =
  /(?:^|\.)(?:github\.com|githubusercontent\.com|gitlab\.com|google\.com|googleapis\.com|npmjs\.(?:org|com)|pypi\.org|w3\.org|schema\.org|openai\.com|anthropic\.com|claude\.(?:ai|com)|microsoft\.com|azure\.com|amazonaws\.com|aws\.amazon\.com|cloudflare\.com|huggingface\.co|slack\.com|atlassian\.(?:net|com)|notion\.(?:com|so)|linear\.app|stripe\.com|wikipedia\.org|apple\.com|mozilla\.org|python\.org|nodejs\.org|localhost|vercel\.com|supabase\.com|sentry\.io|twitter\.com|x\.com|youtube\.com|reddit\.com)$/i;

/** A possible destination of an order. */
interface Signal {
  readonly kind: OrderPart;
  readonly match: Match;
}

/** Maximum distance between signals of one order. */
const LINES = 3;
const LETTERS = 600;
/** A skill is about an address that it names this often. */
const OFTEN = 4;

/** Reports passages whose signals add up. */
export const hostileOrders: ScanRule = {
  id: 'SCN807',
  name: 'hostile-orders',
  category: 'prompt-injection',
  severity: 'high',
  summary: 'Signals that mean little alone add up to an order against the user in one passage.',
  reason: 'Honest instructions do not combine secrecy with sending, or authority with silence.',
  help: 'Read the passage. Use the skill only if you would give the agent this instruction.',
  isAboutWords: true,
  *check(subject) {
    const signals = signalsOf(subject);
    for (const own of Map.groupBy(signals, ({ match }) => match.layer).values())
      yield* judgeSignals(subject, own);
  },
};

function signalsOf(subject: ScanSubject): Signal[] {
  const signals: Signal[] = [];
  for (const [kind, probe] of leadingSignals)
    for (const match of subject.matches(probe))
      if (isOrder(match) && (kind === 'secrecy' || !isDenied(match.layer.text, match.index)))
        signals.push({ kind, match });
  let isAbout: ((host: string) => boolean) | undefined;
  for (const match of addressesIn(subject)) {
    if (!isOrder(match)) continue;
    const host = match.groups[0]?.toLowerCase();
    isAbout ??= topicOf(subject);
    if (host === undefined || !isAbout(host)) signals.push({ kind: 'address', match });
  }
  return signals.sort((a, b) => a.match.index - b.match.index);
}

const addressesIn = (subject: ScanSubject): Match[] => [
  ...subject.matches(webAddresses),
  ...subject.matches(mailAddresses),
];

/** Signals that, in a block of commands, are the commands themselves: other rules check those. */
const shownInCommands: ReadonlySet<OrderPart> = new Set(['fetching', 'lasting', 'covering']);

const isOrder = ({ file, layer }: Match): boolean =>
  file.kind === 'instructions' || (layer.via !== undefined && file.kind !== 'config');

const refusal =
  /\b(?:never|do(?:n['’]t| not)|avoid|must not|should not|prohibited|forbidden|not allowed|anti-?patterns?|red flags?|mistakes|refuse)\b/i;

const denial =
  /\b(?:never|do(?:n['’]t| not)|avoid|must not|should not|shouldn['’]t|cannot|can['’]t|refuse to|instead of|rather than|prevents?|no)\b[^.!?;:\n]{0,60}$/i;

/** Whether a signal is forbidden: by its own sentence, or by the line above its list. */
function isDenied(text: string, index: number): boolean {
  if (denial.test(text.slice(Math.max(0, index - 80), index))) return true;
  const start = lineStart(text, index);
  if (!/^\s{0,8}(?:[-*+]|\d{1,3}[.)])\s/.test(text.slice(start, start + 16))) return false;
  const above = text
    .slice(Math.max(0, start - 700), start)
    .split('\n')
    .reverse();
  const lead = above.find(
    (line) => line.trim() !== '' && !/^\s{0,12}(?:[-*+]|\d{1,3}[.)]|\s{2})\s?/.test(line),
  );
  return lead !== undefined && lead.length < 160 && refusal.test(lead);
}

/** Recognises addresses that a skill is about: named in its description, or repeated. */
function topicOf(subject: ScanSubject): (host: string) => boolean {
  const topic = subject.topic.toLowerCase();
  const counts = new Map<string, number>();
  for (const { groups } of addressesIn(subject)) {
    const host = (groups[0] ?? '').toLowerCase();
    counts.set(host, (counts.get(host) ?? 0) + 1);
  }
  return (host) => {
    if ((counts.get(host) ?? 0) >= OFTEN) return true;
    if (usual.test(host) || /^(?:127\.|10\.|192\.168\.|0\.0\.0\.0|localhost)/.test(host)) return true;
    const name = host.split('.').at(-2) ?? '';
    return name.length > 3 && topic.includes(name);
  };
}

function* judgeSignals(subject: ScanSubject, signals: readonly Signal[]): Generator<RuleHit> {
  let first = 0;
  const told = new Set<number>();
  for (const [at, { match }] of signals.entries()) {
    while (!isNear(signals[first]!.match, match)) first++;
    const next = signals[at + 1]?.match;
    // Check only the largest group: the one that the next signal does not belong to.
    if (next !== undefined && isNear(signals[first]!.match, next)) continue;
    let group = signals.slice(first, at + 1);
    if (combine(group) === undefined) continue;
    // Ask for the zone last: it needs to parse the file as Markdown.
    group = group.filter(
      ({ kind, match: { zone, layer } }) =>
        layer.via !== undefined || (zone !== 'code' && !(zone === 'shell' && shownInCommands.has(kind))),
    );
    const found = group.length === 0 ? undefined : combine(group);
    if (found === undefined) continue;
    const anchor = (group.find(({ kind }) => kind === found.all[0]) ?? group[0]!).match;
    if (told.has(anchor.index)) continue;
    told.add(anchor.index);
    const weights = group.map((signal) => subject.weighOrder(signal.match));
    yield {
      message: found.message,
      isAct: found.isAct === true || group.some(({ match }) => match.isUnseen),
      match: anchor,
      excerpt: passageOf(anchor),
      confidence: Math.max(...weights) * found.factor,
    };
  }
}

/** Meaning of a group of signals, together with nearby common ones. */
function combine(group: readonly Signal[]): (typeof combinations)[number] | undefined {
  const kinds = new Map<OrderPart, boolean>(group.map(({ kind }) => [kind, true]));
  const claims = group.filter(({ kind }) => kind === 'authority').map(({ match }) => match.text);
  kinds.set('insistence', new Set(claims).size > 1);
  const { text } = group[0]!.match.layer;
  const [from, to] = boundsOf(text, group);
  const passage = text.slice(from, to);
  const has = (kind: OrderPart): boolean => {
    const known = kinds.get(kind);
    if (known !== undefined) return known;
    const found = stands(kind, { text, from, passage, group });
    kinds.set(kind, found);
    return found;
  };
  return combinations.find(
    ({ all, any, unlessOpen }) =>
      all.every(has) && (any === undefined || any.some(has)) && !(unlessOpen && open.test(passage)),
  );
}

/** Whether a common signal is in a passage and not negated there. */
function stands(
  kind: OrderPart,
  place: { text: string; from: number; passage: string; group: readonly Signal[] },
): boolean {
  const pattern = companions.get(kind);
  if (pattern === undefined) return false;
  for (const found of place.passage.matchAll(pattern)) {
    if (kind !== 'unasked' && isDenied(place.text, place.from + found.index)) continue;
    // In a command, a key in a variable belongs to the service it calls; key files do not.
    const isPath = /[./~(]|tfstate|tfvars/.test(found[0]);
    if (kind === 'secrets' && !isPath && place.group.every(({ match }) => match.zone === 'shell')) continue;
    return true;
  }
  return false;
}

const companions: ReadonlyMap<OrderPart, RegExp> = new Map(companionSignals);

const open =
  /(?<!\b(?:not|never|n['’]t|without) )\b(?:show|ask|asks|confirm with|tell|inform|propose)\b[^.\n]{0,30}\b(?:to )?(?:the )?users?\b|\bafter (?:the user['’]s )?(?:approval|confirmation)\b|\bwith (?:the user['’]s|their) (?:consent|permission|approval)\b|\bthe user (?:decides|approves|confirms|agrees)\b|\bif (?:the user|they) (?:agree|approve|confirm)/i;

/** From one line above a group to one line below it. */
function boundsOf(text: string, group: readonly Signal[]): [from: number, to: number] {
  const start = group[0]!.match.index;
  const { index, text: own } = group.at(-1)!.match;
  const end = index + own.length;
  const above = text.lastIndexOf('\n', text.lastIndexOf('\n', start - 1) - 1);
  const below = text.indexOf('\n', text.indexOf('\n', end) + 1);
  return [
    Math.max(above + 1, start - LETTERS / 2, 0),
    Math.min(below < end ? text.length : below, end + LETTERS / 2),
  ];
}

const isNear = (a: Match, b: Match): boolean =>
  Math.abs(b.line - a.line) <= LINES && Math.abs(b.index - a.index) <= LETTERS;

const passageOf = ({ layer, index }: Match): string =>
  lineAround(layer.text, index, { before: 80, after: 200 }).slice(0, 200);
