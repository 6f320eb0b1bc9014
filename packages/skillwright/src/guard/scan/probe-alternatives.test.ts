// Every alternative of every pattern can match, and is found when the pattern is tried only around the texts it needs.

import { describe, expect, test } from 'vitest';
import { parseRegex, type RegexNode } from '../../../test/regex-tree.ts';
import { declaredProbes, type Probe } from './probe.ts';
// Declares them.
import './rules/index.ts';
import { ProbedText } from './scan-subject.ts';

/** A part of a pattern's source that replaces the whole it comes from. */
interface Narrowing {
  readonly outer: RegexNode;
  readonly inner: RegexNode;
  readonly close: string;
}

/** Every alternative in a tree, with the parts to narrow so that a match goes through it. */
function* alternativesIn(node: RegexNode, path: readonly Narrowing[] = []): Generator<readonly Narrowing[]> {
  switch (node.kind) {
    case 'choice':
      for (const inner of node.options) {
        const narrowed = [...path, { outer: node, inner, close: ')' }];
        yield narrowed;
        yield* alternativesIn(inner, narrowed);
      }
      break;
    case 'sequence':
      for (const part of node.parts) yield* alternativesIn(part, path);
      break;
    case 'repeat':
      yield* alternativesIn(
        node.part,
        node.min > 0 ? path : [...path, { outer: node, inner: node.part, close: `){1,${node.max}}` }],
      );
      break;
    case 'group':
      yield* alternativesIn(node.part, path);
      break;
    case 'look':
      if (node.sign.endsWith('=')) yield* alternativesIn(node.part, path);
  }
}

/** The source that matches only through these parts. */
function narrow(source: string, path: readonly Narrowing[]): string {
  let [head, tail, from, to] = ['', '', 0, source.length];
  for (const { outer, inner, close } of path) {
    head += `${source.slice(from, outer.from)}(?:`;
    tail = close + source.slice(outer.to, to) + tail;
    [from, to] = [inner.from, inner.to];
  }
  return head + source.slice(from, to) + tail;
}

/** Pseudo-random numbers, the same in every run. */
function createDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const palette = ['\n', '\t', ...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at))];
const fitting = new Map<string, readonly string[]>();

/** Characters that a class matches. */
function membersOf(source: string): readonly string[] {
  let members = fitting.get(source);
  if (members === undefined) {
    const pattern = new RegExp(`^${source}$`, 's');
    members = palette.filter((letter) => pattern.test(letter));
    fitting.set(source, members);
  }
  return members;
}

/** A text that the source is likely to match. */
function exampleOf(source: string, tree: RegexNode, dice: (sides: number) => number): string {
  const captured = new Map<number, string>();
  const write = (node: RegexNode): string => {
    switch (node.kind) {
      case 'text': {
        const plain = source.slice(node.from, node.to);
        const members = /^[.[\\]/.test(plain) ? membersOf(plain) : [plain];
        return members.includes(' ') && dice(2) === 0 ? ' ' : members[dice(members.length)]!;
      }
      case 'sequence':
        return node.parts.map(write).join('');
      case 'choice':
        return write(node.options[dice(node.options.length)]!);
      case 'group': {
        const text = write(node.part);
        if (node.number !== undefined) captured.set(node.number, text);
        return text;
      }
      case 'repeat': {
        const times = Math.min(node.max, node.min + [0, 0, 1, 1, 2, 4][dice(6)]!);
        return Array.from({ length: times }, () => write(node.part)).join('');
      }
      case 'look':
        return node.sign.endsWith('=') && dice(2) === 0 ? write(node.part) : '';
      case 'backreference':
        return captured.get(node.number) ?? '';
      case 'edge':
        return '';
    }
  };
  return write(tree);
}

const around = ['', ' ', '\n', 'x', '~/', '"'];
const filler = 'zq zq zq zq\n'.repeat(600);
const TRIES = 3000;

const probes = declaredProbes.map((probe) => [probe.pattern.source.slice(0, 60), probe] as const);

/** Problem with an alternative; undefined when it can match and is found. */
function judge(probe: Probe, source: string): string | undefined {
  const flags = probe.pattern.flags.replace('g', '');
  const alone = new RegExp(source, flags);
  const tree = parseRegex(source);
  const dice = createDice(source.length);
  for (let tries = 0; tries < TRIES; tries++) {
    const example =
      around[dice(around.length)]! + exampleOf(source, tree, dice) + around[dice(around.length)]!;
    if (!alone.test(example)) continue;
    const whole = [filler + example + filler, example].find((text) => alone.test(text))!;
    const expected = [...whole.matchAll(probe.pattern)].map(({ index, 0: text }) => ({ index, text }));
    const found = new ProbedText(whole).match(probe).map(({ index, text }) => ({ index, text }));
    expect(found).toEqual(expected);
    return found.length > 0 ? undefined : `not found: ${example}`;
  }
  return 'matches nothing';
}

describe('every alternative can match and is found', () => {
  test.each(probes)('%s', (_, probe) => {
    const { source } = probe.pattern;
    const tree = parseRegex(source);
    const wrong = [[], ...alternativesIn(tree)].flatMap((path) => {
      const problem = judge(probe, narrow(source, path));
      const last = path.at(-1)?.inner;
      return problem === undefined ? [] : [`${source.slice(last?.from, last?.to)}: ${problem}`];
    });
    expect(wrong).toEqual([]);
  });
});

/** The longest text that a part of a pattern looks at: matched, or looked for after the match. */
function lengthOf(node: RegexNode, groups: Map<number, number>): number {
  switch (node.kind) {
    case 'text':
      return node.texts?.[0]?.length ?? 1;
    case 'edge':
      return 1;
    case 'look':
      return lengthOf(node.part, groups);
    case 'backreference':
      return groups.get(node.number) ?? Number.POSITIVE_INFINITY;
    case 'group': {
      const length = lengthOf(node.part, groups);
      if (node.number !== undefined) groups.set(node.number, length);
      return length;
    }
    case 'repeat':
      return node.max === 0 ? 0 : node.max * lengthOf(node.part, groups);
    case 'choice':
      return Math.max(...node.options.map((option) => lengthOf(option, groups)));
    case 'sequence':
      return node.parts.reduce((sum, part) => sum + lengthOf(part, groups), 0);
  }
}

test('every probe names what it needs, and its reach covers the longest match', () => {
  const loose = probes.filter(
    ([, { needs, pattern, reach }]) =>
      needs.length === 0 || lengthOf(parseRegex(pattern.source), new Map()) > reach,
  );
  expect(loose.map(([name]) => name)).toEqual([]);
});
