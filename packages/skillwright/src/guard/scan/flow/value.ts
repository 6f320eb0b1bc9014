// A value as the flow engine knows it: its text as far as it is constant, its name, and the data in it.

import type { Match } from '../match.ts';

/** A reason to follow data. */
type TaintKind =
  /** Private data that was read. */
  | 'secret'
  /** The name of a private place, not read yet. */
  | 'place'
  /** One environment variable that holds a key. */
  | 'variable'
  /** The same in a header or a login: it signs a request. */
  | 'header'
  /** Something that came over the network. */
  | 'remote'
  /** Something that was decoded. */
  | 'decoded';

/** Where data comes from and which way it went. */
export interface Trace {
  readonly what: string;
  readonly from: Match;
  readonly steps: readonly Match[];
}

/** Something that begins here. */
export const trace = (what: string, from: Match): Trace => ({ what, from, steps: [] });

/** The data in a value. */
export interface Taint extends Partial<Record<TaintKind, Trace>> {
  /** It was encoded on the way. */
  encoded?: boolean;
}

/** A function of the skill. */
export interface Routine {
  call(given: readonly Value[], receiver?: Value): Value;
  wasCalled: boolean;
}

/** A value. */
export interface Value {
  /** Its text; `UNKNOWN` stands for what is not constant, a hole for data that is followed. */
  readonly text?: string | undefined;
  /** The full name of what it refers to, such as `os.environ` or `requests.Session().post`. */
  readonly name?: string | undefined;
  readonly taint: Taint;
  readonly items?: readonly Value[] | undefined;
  readonly fields?: Map<string, Value> | undefined;
  readonly routine?: Routine | undefined;
  /** The file that it writes to, or the path that it is. */
  readonly file?: string | undefined;
}

/** Stands in a text for anything that is not constant. */
export const UNKNOWN = '\uf8ff';

export const nothing: Value = { taint: {} };

const kinds: readonly TaintKind[] = ['secret', 'place', 'variable', 'header', 'remote', 'decoded'];

/** Adds what is in one value to another. */
export function merge(into: Taint, from: Taint | undefined): Taint {
  if (from === undefined) return into;
  for (const kind of kinds) {
    const trace = into[kind] ?? from[kind];
    if (trace !== undefined) into[kind] = trace;
  }
  if (from.encoded) into.encoded = true;
  return into;
}

/** The data in any of these values. */
export function union(...values: readonly (Value | undefined)[]): Taint {
  const all: Taint = {};
  for (const value of values) merge(all, value?.taint);
  return all;
}

export const isTainted = (taint: Taint): boolean => kinds.some((kind) => taint[kind] !== undefined);

const MAX_STEPS = 6;

/** The same data, one step further. */
export function passed(taint: Taint, step: Match): Taint {
  const next: Taint = { ...taint };
  for (const kind of kinds) {
    const trace = taint[kind];
    if (trace === undefined || trace.steps.length >= MAX_STEPS) continue;
    const last = trace.steps.at(-1) ?? trace.from;
    if (last.file === step.file && last.line === step.line) continue;
    next[kind] = { ...trace, steps: [...trace.steps, step] };
  }
  return next;
}

/** The same after reading it: a private place becomes private data. */
export const readOf = (taint: Taint): Taint =>
  taint.place === undefined ? taint : { ...taint, secret: taint.secret ?? taint.place };

/** The same in a header: a key or a token there belongs to the service that is called. */
export function signed({ variable, secret, ...rest }: Taint): Taint {
  const isToken =
    /^(?:tokens of other programs|secrets files|a password as it is typed)$/.test(secret?.what ?? '') ||
    (secret?.what === 'credential files' && /(?<!ssh.{0,30})token|netrc/i.test(secret.from.text));
  const header = rest.header ?? variable ?? (isToken ? secret : undefined);
  return { ...rest, ...(header && { header }), ...(secret && !isToken && { secret }) };
}
