// The source of a regular expression as a tree, to make texts that it matches.

interface Place {
  /** Where the source of the node starts and ends. */
  readonly from: number;
  readonly to: number;
}

/** A part of a regular expression. */
export type RegexNode = Place &
  (
    | {
        readonly kind: 'text';
        /** The text, or the characters of a class, in lower case; undefined when there are many. */
        readonly texts: readonly string[] | undefined;
      }
    | { readonly kind: 'sequence'; readonly parts: readonly RegexNode[] }
    | { readonly kind: 'choice'; readonly options: readonly RegexNode[] }
    | { readonly kind: 'group'; readonly part: RegexNode; readonly number: number | undefined }
    | { readonly kind: 'repeat'; readonly part: RegexNode; readonly min: number; readonly max: number }
    | { readonly kind: 'look'; readonly part: RegexNode; readonly sign: string }
    | { readonly kind: 'backreference'; readonly number: number }
    /** `^`, `$`, `\b` and `\B`. */
    | { readonly kind: 'edge' }
  );

/** A class with more characters than this counts as many. */
const FEW = 8;
const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', 0: '\0' };

/** Lower case for ASCII, where a literal can be found in any case. */
const fold = (letter: string): string => (letter <= '\x7f' ? letter.toLowerCase() : letter);

/** Parses a source without the flags `u` and `v`. Throws a `SyntaxError` at unsupported syntax. */
export function parseRegex(source: string): RegexNode {
  let at = 0;
  let groups = 0;

  const fail = (): never => {
    throw new SyntaxError(`cannot parse the expression at ${at}: ${source}`);
  };
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const match = pattern.exec(source) ?? undefined;
    at += match?.[0].length ?? 0;
    return match;
  };

  function choice(): RegexNode {
    const from = at;
    const options = [sequence()];
    while (take(/\|/y)) options.push(sequence());
    return options.length === 1 ? options[0]! : { kind: 'choice', options, from, to: at };
  }

  function sequence(): RegexNode {
    const from = at;
    const parts: RegexNode[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(repeated());
    return { kind: 'sequence', parts, from, to: at };
  }

  function repeated(): RegexNode {
    const from = at;
    const part = atom();
    if (!'?*+{'.includes(source[at] ?? '|')) return part;
    const sign = take(/(?:([?*+])|\{(\d+)(,?)(\d*)\})\??/y);
    if (sign === undefined) return part;
    const [, short, low, comma, high] = sign;
    const min = low === undefined ? (short === '+' ? 1 : 0) : Number(low);
    const most =
      short === '?' ? 1 : short !== undefined || high === '' ? Number.POSITIVE_INFINITY : Number(high);
    return { kind: 'repeat', part, min, max: comma === '' ? min : most, from, to: at };
  }

  function atom(): RegexNode {
    const from = at;
    const plain = take(/[\w ]+(?![?*+{])|[\w ]/y);
    if (plain !== undefined) return { kind: 'text', texts: [plain[0].toLowerCase()], from, to: at };
    const open = take(/\((?:\?(<?[=!]|:|<\w+>))?/y);
    if (open !== undefined) {
      const sign = open[1];
      const number = sign === undefined || sign.endsWith('>') ? ++groups : undefined;
      const part = choice();
      if (take(/\)/y) === undefined) fail();
      return sign !== undefined && /[=!]$/.test(sign)
        ? { kind: 'look', part, sign, from, to: at }
        : { kind: 'group', part, number, from, to: at };
    }
    if (take(/[$^]|\\[bB]/y)) return { kind: 'edge', from, to: at };
    const reference = take(/\\([1-9])(?!\d)/y);
    if (reference !== undefined) return { kind: 'backreference', number: Number(reference[1]), from, to: at };
    const texts = take(/\[/y) ? characterClass() : take(/\./y) ? undefined : character();
    return { kind: 'text', texts, from, to: at };
  }

  function character(): readonly string[] | undefined {
    if (take(/\\[dDwWsS]/y)) return undefined;
    const escaped = take(/\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|([nrtfv]|0(?!\d))|([^a-zA-Z\d]))/y);
    if (escaped === undefined) return [fold((take(/[^\\?*+]/y) ?? fail())[0])];
    const [, short, long, control, plain] = escaped;
    const code = short ?? long;
    const letter =
      code !== undefined ? String.fromCharCode(Number.parseInt(code, 16)) : (controls[control!] ?? plain!);
    return [fold(letter)];
  }

  const inClass = (): readonly string[] | undefined =>
    take(/\\b/y) ? ['\b'] : (take(/[?*+]/y) ?? character());

  function characterClass(): readonly string[] | undefined {
    const isNegated = take(/\^/y) !== undefined;
    const letters = new Set<string>();
    let isLarge = isNegated;
    while (take(/\]/y) === undefined) {
      const first = inClass();
      if (first === undefined) isLarge = true;
      else if (take(/-(?!\])/y)) {
        inClass();
        isLarge = true;
      } else letters.add(first[0]!);
    }
    return isLarge || letters.size > FEW ? undefined : [...letters];
  }

  const tree = choice();
  return at === source.length ? tree : fail();
}
