// All trigger words of many skills in one tree, so that a message is read once regardless of the number of skills.

import type { SkillRecord } from '../../read/catalog/index.ts';
import { createScanner, stopWords } from '../../read/index/index.ts';
import { CommaList, isMapping, TextList, Triggers } from '../../skill/format/index.ts';

/** Kind of trigger. */
export type TriggerKind = 'name' | 'keyword' | 'verb' | 'pattern' | 'description';

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
export interface TriggerHit {
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

let scan: ReturnType<typeof createScanner> | undefined;

/** Collects the triggers of the skills. Unreadable lists are skipped; the name is always a trigger. */
export function indexTriggers(skills: readonly SkillRecord[]): TriggerIndex {
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
  scan ??= createScanner('porter');
  scan(text, ({ words }, start, end) => {
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
