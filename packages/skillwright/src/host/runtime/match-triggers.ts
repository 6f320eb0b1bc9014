// Matches a message against the triggers of skills. All trigger words are in one tree, so that a message is read once
// regardless of the number of skills.

import { compareBytes } from '../../base/files/index.ts';
import { scannerFor, stopWords } from '../../base/words/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import { CommaList, isMapping, TextList, Triggers } from '../../skill/format/index.ts';
import type { TriggerMatch, TriggerReason } from '../answers/index.ts';

/** Matches messages against the triggers of one list of skills. */
export interface TriggerMatcher {
  /** The best matches, best first: at most `limit`, by default 50. */
  match(text: string, options?: { readonly limit?: number }): TriggerMatch[];
}

/** Longest part of a message that is examined. */
const MAX_TEXT = 64 * 1024;

/** Prepares a list of skills: keywords in one tree, patterns in one non-backtracking automaton. */
export async function createTriggerMatcher(skills: readonly SkillRecord[]): Promise<TriggerMatcher> {
  const index = indexTriggers(skills);
  const findPatterns = await compilePatterns(index.patterns);
  return {
    match(text, { limit = 50 } = {}) {
      const message = text.slice(0, MAX_TEXT);
      const found = new Map<number, { wrong: number; reasons: TriggerReason[] }>();
      for (const { triggers, start, end } of [...index.find(message), ...findPatterns(message)])
        for (const { skill, weight, kind, value } of triggers) {
          const own = found.get(skill) ?? { wrong: 1, reasons: [] };
          // The score is the probability that at least one trigger is right, if each is right as often as its weight says.
          own.wrong *= 1 - weight;
          own.reasons.push({ kind, value, matched: message.slice(start, end) });
          found.set(skill, own);
        }
      return [...found]
        .sort(
          ([a, one], [b, other]) => one.wrong - other.wrong || compareBytes(skills[a]!.path, skills[b]!.path),
        )
        .slice(0, limit)
        .map(([skill, { wrong, reasons }]) => ({
          skill: skills[skill]!,
          score: Math.round((1 - wrong) * 1000) / 1000,
          reasons,
        }));
    },
  };
}

/** The skills whose triggers match a message, best first. For several messages, create one matcher. */
export async function matchTriggers(text: string, skills: readonly SkillRecord[]): Promise<TriggerMatch[]> {
  return (await createTriggerMatcher(skills)).match(text);
}

// Matches the patterns of many skills. The engine never backtracks, but its work grows with the size of all patterns
// times the length of the message. Both are limited here, so that skills cannot stall a host.

/** Most patterns used per skill, and their total size in instructions of the engine. */
const MAX_PATTERNS = 50;
const MAX_OWN_INSTRUCTIONS = 1000;

/** Total size of the patterns of all skills. A typical pattern has about 40 instructions. */
const MAX_INSTRUCTIONS = 200_000;

/** Most instructions times characters: the larger the patterns, the less of a message is read. */
const MAX_STEPS = 80_000_000;

/** A function that finds the patterns in a text; the engine is loaded only when there are any. */
async function compilePatterns(patterns: readonly Trigger[]): Promise<(text: string) => TriggerHit[]> {
  if (patterns.length === 0) return () => [];
  const { RE2JS, RE2Set } = await import('re2js');
  const flags = RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE;
  const spent = new Map<number, { count: number; instructions: number }>();
  let instructions = 0;
  const compiled = patterns.flatMap((trigger) => {
    const own = spent.get(trigger.skill) ?? { count: 0, instructions: 0 };
    spent.set(trigger.skill, own);
    own.count += 1;
    if (own.count > MAX_PATTERNS || instructions > MAX_INSTRUCTIONS) return [];
    try {
      const pattern = RE2JS.compile(trigger.value, flags);
      const size = pattern.programSize();
      if (own.instructions + size > MAX_OWN_INSTRUCTIONS) return [];
      own.instructions += size;
      instructions += size;
      return [{ trigger, pattern }];
    } catch {
      // The engine rejects some patterns the format check accepts; the linter reports them to the author.
      return [];
    }
  });
  if (compiled.length === 0) return () => [];
  const set = new RE2Set(RE2Set.UNANCHORED, flags);
  for (const { trigger } of compiled) set.add(trigger.value);
  const maxText = Math.floor(MAX_STEPS / instructions);
  return (text) => {
    const read = text.slice(0, maxText);
    return set.match(read).flatMap((index) => {
      const { trigger, pattern } = compiled[index]!;
      const matcher = pattern.matcher(read);
      return matcher.find() ? [{ triggers: [trigger], start: matcher.start(), end: matcher.end() }] : [];
    });
  };
}

/** Kind of trigger. */
type TriggerKind = TriggerReason['kind'];

/** One trigger of one skill. */
export interface Trigger {
  /** Index of the skill in the list. */
  readonly skill: number;
  readonly kind: TriggerKind;
  /** As the author wrote it. */
  readonly value: string;
  /** Weight for the skill, from 0 to 1. */
  readonly weight: number;
}

/** Triggers that matched at one place: offsets into the message. */
interface TriggerHit {
  readonly triggers: readonly Trigger[];
  readonly start: number;
  readonly end: number;
}

/** The trigger words of many skills. */
interface TriggerIndex {
  /** Every trigger in a text, once. */
  find(text: string): TriggerHit[];
  /** Triggers that are patterns rather than words. */
  readonly patterns: readonly Trigger[];
}

interface Node {
  readonly next: Map<string, Node>;
  triggers: Trigger[] | undefined;
}

interface Term {
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

/** Collects the triggers of the skills. Unreadable lists are skipped; the name is always a trigger. */
function indexTriggers(skills: readonly SkillRecord[]): TriggerIndex {
  const root: Node = { next: new Map(), triggers: undefined };
  const patterns: Trigger[] = [];
  const add = (trigger: Omit<Trigger, 'weight'>, weight: number): void => {
    const terms = termsOf(trigger.value);
    if (terms.length === 0) return;
    let node = root;
    for (const { term } of terms) {
      const child = node.next.get(term) ?? { next: new Map(), triggers: undefined };
      node.next.set(term, child);
      node = child;
    }
    // A stop word is not significant, even as the name of a skill.
    const telling = terms.some(({ term }) => !stopWords.has(term));
    node.triggers ??= [];
    node.triggers.push({ ...trigger, weight: telling ? weight : 0.05 });
  };
  skills.forEach((record, skill) => {
    add({ skill, kind: 'name', value: record.name }, record.name.includes('-') ? 0.9 : 0.7);
    const triggers = readTriggers(record.frontmatter.triggers);
    for (const value of triggers.keywords)
      add({ skill, kind: 'keyword', value }, /\s/.test(value.trim()) ? 0.75 : 0.6);
    for (const value of triggers.verbs) add({ skill, kind: 'verb', value }, 0.3);
    for (const value of triggers.patterns) patterns.push({ skill, kind: 'pattern', value, weight: 0.8 });
  });
  return { patterns, find: (text) => findInTree(root, termsOf(text)) };
}

function findInTree(root: Node, terms: readonly Term[]): TriggerHit[] {
  const hits = new Map<Node, TriggerHit>();
  for (let from = 0; from < terms.length; from++) {
    let node: Node | undefined = root;
    for (let at = from; at < terms.length; at++) {
      node = node.next.get(terms[at]!.term);
      if (node === undefined) break;
      const { triggers } = node;
      if (triggers !== undefined && !hits.has(node))
        hits.set(node, { triggers, start: terms[from]!.start, end: terms[at]!.end });
    }
  }
  return [...hits.values()];
}

/** Stems of the words in a text. In scripts without spaces every character is a word, so that parts can be found. */
export function termsOf(text: string): Term[] {
  const terms: Term[] = [];
  scannerFor('porter')(text, ({ words }, start, end) => {
    for (const { term, grams } of words) {
      if (grams.length === 0) terms.push({ term, start, end });
      else for (const character of term) terms.push({ term: character, start, end });
    }
  });
  return terms;
}

/** The lists of a `triggers` field; one bad list or pattern does not affect the others. */
function readTriggers(value: unknown): Triggers {
  const none: Triggers = { keywords: [], verbs: [], patterns: [] };
  const whole = Triggers.safeParse(value);
  if (whole.success) return whole.data;
  if (Array.isArray(value)) return { ...none, keywords: value.filter((word) => typeof word === 'string') };
  if (!isMapping(value)) return none;
  const patterns = TextList.safeParse(value.patterns ?? []).data ?? [];
  return {
    keywords: CommaList.safeParse(value.keywords ?? []).data ?? [],
    verbs: CommaList.safeParse(value.verbs ?? []).data ?? [],
    patterns: patterns.filter((pattern) => Triggers.safeParse({ patterns: [pattern] }).success),
  };
}
