// Derives the literals that a text must contain for a regular expression to match.

import { parseRegex, type RegexNode } from './regex-tree.ts';

/** Literals of which every match contains at least one. */
interface RequiredLiterals {
  /** In lower case, ASCII. */
  readonly literals: readonly string[];
  /** How far, at most, the match starts before the end of the literal and ends after it. */
  readonly before: number;
  readonly after: number;
}

/** Requirements of an expression. */
export interface Requirements {
  /** Every match belongs to one of these branches and contains a literal of each of its sets. A branch without sets may match anywhere. */
  readonly branches: readonly (readonly RequiredLiterals[])[];
  /** How far after a match the expression looks. */
  readonly ahead: number;
}

/** Facts about a part of an expression. */
interface Facts {
  /** Every text it matches, in lower case, if there are few. */
  readonly exact: readonly string[] | undefined;
  readonly required: readonly RequiredLiterals[];
  /** The length of its longest match. */
  readonly max: number;
}

/** Maximum texts of one part to enumerate. */
const MANY = 128;
/** Further letters do not make a literal any rarer. */
const LONG = 16;
/** Maximum sets used of a branch, provided that further ones are rare enough to help. */
const SETS = 3;
const RARE = 3;

/** Literals that every match of an expression contains. An expression that cannot be analysed requires nothing. */
export function requirementsOf({ source, flags }: RegExp): Requirements {
  const nothing = { branches: [[]], ahead: Number.POSITIVE_INFINITY };
  // With `u`, some letters outside ASCII match ASCII ones.
  if (/[uv]/.test(flags)) return nothing;
  let tree: RegexNode;
  try {
    tree = parseRegex(source);
  } catch {
    return nothing;
  }
  const groups = new Map<number, number>();
  let ahead = 0;

  function factsOf(node: RegexNode): Facts {
    switch (node.kind) {
      case 'text':
        return { exact: node.texts, required: [], max: node.texts?.[0]?.length ?? 1 };
      case 'edge':
        return { exact: [''], required: [], max: 0 };
      case 'look': {
        const others = ahead;
        ahead = 0;
        const { max } = factsOf(node.part);
        ahead = Math.max(others, ahead + (node.sign.startsWith('<') ? 0 : max));
        return { exact: [''], required: [], max: 0 };
      }
      case 'backreference':
        return { exact: undefined, required: [], max: groups.get(node.number) ?? Number.POSITIVE_INFINITY };
      case 'group': {
        const facts = factsOf(node.part);
        if (node.number !== undefined) groups.set(node.number, facts.max);
        return facts;
      }
      case 'repeat':
        return repeat(factsOf(node.part), node);
      case 'choice':
        return choose(node.options.map(factsOf));
      case 'sequence':
        return join(node.parts.flatMap(unrolled));
    }
  }

  /** Splits a part repeated once or more into the first and the rest, so that its first text joins the text before. */
  function unrolled(node: RegexNode): Facts[] {
    if (node.kind !== 'repeat' || node.min === 0) return [factsOf(node)];
    const first = factsOf(node.part);
    return [first, repeat(first, { min: node.min - 1, max: node.max - 1 })];
  }

  const options = tree.kind === 'choice' ? tree.options : [tree];
  const branches = options.map((option) => useful(requiredBy(factsOf(option))));
  return { branches, ahead: ahead + 1 };
}

function repeat(part: Facts, { min, max }: { min: number; max: number }): Facts {
  const length = times(max, part.max);
  if (max === 1 && part.exact !== undefined && part.exact.length < MANY)
    return { exact: min === 1 ? part.exact : ['', ...part.exact], required: [], max: length };
  if (min === 0) return { exact: undefined, required: [], max: length };
  const others = times(max - 1, part.max);
  const required = requiredBy(part).map(({ literals, before, after }) => ({
    literals,
    before: others + before,
    after: others + after,
  }));
  return { exact: undefined, required, max: length };
}

/** A product in which zero times infinity is zero. */
const times = (count: number, length: number): number => (count === 0 || length === 0 ? 0 : count * length);

function choose(options: readonly Facts[]): Facts {
  const max = Math.max(...options.map((option) => option.max));
  const exact = options.flatMap((option) => option.exact ?? []);
  if (exact.length <= MANY && options.every((option) => option.exact !== undefined))
    return { exact: [...new Set(exact)], required: [], max };
  const best = options.map((option) => useful(requiredBy(option))[0]);
  const known = best.filter((set) => set !== undefined);
  if (known.length < best.length) return { exact: undefined, required: [], max };
  const set = {
    literals: shortest(known.flatMap(({ literals }) => literals)),
    before: Math.max(...known.map(({ before }) => before)),
    after: Math.max(...known.map(({ after }) => after)),
  };
  return { exact: undefined, required: [set], max };
}

function join(parts: readonly Facts[]): Facts {
  const required: RequiredLiterals[] = [];
  /** Maximum length of the text before each part, and of the text from it on. */
  const before = new Float64Array(parts.length + 1);
  const from = new Float64Array(parts.length + 1);
  for (let at = 0; at < parts.length; at++) before[at + 1] = before[at]! + parts[at]!.max;
  for (let at = parts.length - 1; at >= 0; at--) from[at] = from[at + 1]! + parts[at]!.max;
  let start = 0;
  let run: readonly string[] = [''];
  /** Closes the run of exact parts that ends before part `end`. */
  const close = (end: number): void => {
    const literals = asLiterals(run);
    if (literals !== undefined) required.push({ literals, before: before[end]!, after: from[start]! });
  };
  for (const [at, { exact, required: inside }] of parts.entries()) {
    if (exact?.length === 1) run = exact[0] === '' ? run : run.map((head) => head + exact[0]);
    else if (exact !== undefined && run.length * exact.length <= MANY)
      run = [...new Set(run.flatMap((head) => exact.map((tail) => head + tail)))];
    else {
      close(at);
      run = exact ?? [''];
      start = exact === undefined ? at + 1 : at;
      for (const set of inside)
        required.push({
          literals: set.literals,
          before: before[at]! + set.before,
          after: set.after + from[at + 1]!,
        });
    }
  }
  const isExact = start === 0 && parts.every(({ exact }) => exact !== undefined);
  if (!isExact) close(parts.length);
  return { exact: isExact ? run : undefined, required, max: from[0]! };
}

/** The sets of a part, whether or not its texts can be enumerated. */
function requiredBy({ exact, required, max }: Facts): readonly RequiredLiterals[] {
  const literals = exact && asLiterals(exact);
  return literals === undefined ? required : [...required, { literals, before: max, after: max }];
}

/** The searchable piece of each text: its longest piece of ASCII. Nothing if a text has none. */
function asLiterals(texts: readonly string[]): readonly string[] | undefined {
  const pieces = texts.map((text) =>
    text.split(/[^\x00-\x7f]+/).reduce((best, piece) => (piece.length > best.length ? piece : best)),
  );
  return pieces.includes('') ? undefined : shortest(pieces.map((piece) => piece.slice(0, LONG)));
}

/** Drops every literal that contains another. */
function shortest(literals: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const literal of [...new Set(literals)].sort((a, b) => a.length - b.length))
    if (!kept.some((other) => literal.includes(other))) kept.push(literal);
  return kept;
}

/** The sets worth searching for, rarest first. */
function useful(sets: readonly RequiredLiterals[]): readonly RequiredLiterals[] {
  return sets
    .map((set) => ({ set, rarity: Math.min(...set.literals.map(rarityOf)) }))
    .filter(({ rarity }) => rarity > 1)
    .sort((a, b) => b.rarity - a.rarity)
    .filter(({ rarity }, at) => at === 0 || (at < SETS && rarity >= RARE))
    .map(({ set }) => set);
}

/** Rough rarity of a literal: its length, with punctuation counted twice. */
const rarityOf = (literal: string): number => literal.length + literal.replace(/[\w\s]/g, '').length;
