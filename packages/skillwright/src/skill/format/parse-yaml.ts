// Parses untrusted YAML 1.2 (core schema) to plain data. The library reads the syntax; the values are built
// here, because duplicate keys must be reported instead of rejected, aliases must not form cycles or
// explode, and numbers must keep their written form.

import {
  boolCoreTag,
  COLLECTION_STYLE,
  EVENT_ID,
  type Event,
  floatCoreTag,
  getScalarValue,
  intCoreTag,
  NOT_RESOLVED,
  nullCoreTag,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  type ScalarTagDefinition,
  strTag,
  YAMLException,
} from 'js-yaml';
import { rememberWritten } from './written-text.ts';

/** Deepest nesting of collections, aliases expanded. */
export const YAML_DEPTH_LIMIT = 64;
/** Most aliases in a document. */
const YAML_ALIAS_LIMIT = 100;
/** Most characters in a document, aliases expanded. */
const YAML_EXPANDED_LIMIT = 1 << 20;

/** Most keys reported per document. */
const NOTICE_LIMIT = 50;

/** A key that was changed or dropped; `line` is 0-based. */
interface YamlKeyNotice {
  kind: 'duplicate' | 'dropped';
  key: string;
  line: number;
}

/**
 * The value of a text, or why it cannot be read; `line` is 0-based. Duplicate keys keep their last value. `refused`
 * text is not damaged: it requests something never allowed, such as running code or exploding aliases.
 */
export type YamlReading =
  | { ok: true; value: unknown; notices: readonly YamlKeyNotice[] }
  | { ok: false; reason: string; line: number; refused: boolean };

/** Reads one YAML document, or the list of `all` documents. Never throws; an empty text is null. */
export function parseYaml(text: string, { all = false }: { readonly all?: boolean } = {}): YamlReading {
  const builder = new ValueBuilder(text);
  try {
    const documents = builder.build();
    if (!all && documents.length > 1) builder.refuse(text.length, 'more than one YAML document');
    return { ok: true, value: all ? documents : (documents[0] ?? null), notices: builder.notices };
  } catch (error) {
    // The library tells its users to catch everything, not only its own exception.
    if (!(error instanceof YAMLException))
      return { ok: false, reason: String(error), line: 0, refused: true };
    const refused = builder.isRefused || error.reason.startsWith('nesting exceeded');
    return { ok: false, reason: error.reason, line: error.mark?.line ?? 0, refused };
  }
}

/** A value with a name, and what each alias of it adds. */
interface Anchor {
  readonly value: unknown;
  readonly size: number;
  readonly height: number;
}

/** Builds the value of one text. */
class ValueBuilder {
  readonly notices: YamlKeyNotice[] = [];
  isRefused = false;
  readonly #text: string;
  #events: readonly Event[] = [];
  #next = 1;
  /** Characters so far, aliases expanded. */
  #size = 0;
  /** Deepest level reached so far, aliases expanded. */
  #deepest = 0;
  #aliases = 0;
  readonly #anchors = new Map<string, Anchor | 'open'>();

  constructor(text: string) {
    this.#text = text;
  }

  /** The value of each document. */
  build(): unknown[] {
    this.#events = parseEvents(this.#text, { maxDepth: YAML_DEPTH_LIMIT });
    const values: unknown[] = [];
    // Each document has an event before it and one after it.
    for (; this.#next < this.#events.length; this.#next += 2) {
      this.#anchors.clear();
      values.push(this.#node(0));
    }
    return values;
  }

  #node(depth: number): unknown {
    const event = this.#events[this.#next++]!;
    if (depth > this.#deepest) this.#deepest = depth;
    switch (event.type) {
      case EVENT_ID.SCALAR:
        return this.#scalar(event);
      case EVENT_ID.ALIAS:
        return this.#alias(this.#anchorOf(event)!, { offset: event.anchorStart, depth });
      case EVENT_ID.SEQUENCE:
      case EVENT_ID.MAPPING:
        return this.#collection(event, depth);
      default:
        return this.#fail(this.#text.length, 'unexpected end of the document');
    }
  }

  #collection(event: CollectionEvent, depth: number): unknown {
    const isMapping = event.type === EVENT_ID.MAPPING;
    const tag = this.#tagOf(event);
    if (tag !== undefined && tag !== '!' && tag !== (isMapping ? '!!map' : '!!seq'))
      this.refuse(event.tagStart, `unknown tag ${tag}`);
    const build = () => (isMapping ? this.#mapping(depth) : this.#list(depth));
    const name = this.#anchorOf(event);
    if (name === undefined) return build();
    const [size, deepest] = [this.#size, this.#deepest];
    this.#anchors.set(name, 'open');
    this.#deepest = depth;
    const value = build();
    this.#anchors.set(name, { value, size: this.#size - size, height: this.#deepest - depth });
    this.#deepest = Math.max(this.#deepest, deepest);
    return value;
  }

  #list(depth: number): unknown[] {
    const list: unknown[] = [];
    while (this.#peek().type !== EVENT_ID.POP) {
      const event = this.#peek();
      const value = this.#node(depth + 1);
      if (event.type === EVENT_ID.SCALAR) this.#noteWritten(list, list.length, value, event);
      list.push(value);
    }
    this.#next++;
    return list;
  }

  #mapping(depth: number): Record<string, unknown> {
    const mapping: Record<string, unknown> = {};
    while (this.#peek().type !== EVENT_ID.POP) {
      const keyEvent = this.#events[this.#next++]!;
      if (keyEvent.type !== EVENT_ID.SCALAR)
        return this.#fail(offsetOf(keyEvent) ?? 0, 'a key must be plain text');
      const key = getScalarValue(this.#text, keyEvent);
      this.#size += key.length;
      // Keys are always text; only their tag and anchor can matter.
      if (keyEvent.tagStart !== -1 || keyEvent.anchorStart !== -1) this.#scalar(keyEvent);
      const event = this.#peek();
      const value = this.#node(depth + 1);
      const isDropped = key === '__proto__';
      if (isDropped || Object.hasOwn(mapping, key))
        this.#notice({ kind: isDropped ? 'dropped' : 'duplicate', key }, keyEvent);
      if (isDropped) continue;
      mapping[key] = value;
      if (event.type === EVENT_ID.SCALAR) this.#noteWritten(mapping, key, value, event);
      else if (depth === 0 && key === 'argument-hint' && isFlowList(event)) {
        // The documented spelling of a hint, `[file]`, happens to be a YAML list.
        const hint = restOfLine(this.#text, event.start);
        if (hint.endsWith(']')) mapping[key] = hint;
      }
    }
    this.#next++;
    return mapping;
  }

  #scalar(event: ScalarEvent): unknown {
    const text = getScalarValue(this.#text, event);
    this.#size += text.length + 1;
    const value = this.#resolve(text, event);
    const name = this.#anchorOf(event);
    if (name !== undefined) this.#anchors.set(name, { value, size: text.length, height: 0 });
    return value;
  }

  #resolve(text: string, event: ScalarEvent): unknown {
    const tag = this.#tagOf(event);
    if (tag === undefined) return event.style === SCALAR_STYLE.PLAIN ? resolvePlain(text) : text;
    if (tag === '!') return text;
    const definition = EXPLICIT_TAGS.get(tag);
    const value = definition?.resolve(text, true, definition.tagName) ?? null;
    if (definition !== undefined && value !== NOT_RESOLVED) return value;
    const reason =
      definition === undefined ? `unknown tag ${tag}` : `the value does not match its tag ${tag}`;
    return tag.startsWith('!!') ? this.refuse(event.tagStart, reason) : this.#fail(event.tagStart, reason);
  }

  #alias(name: string, { offset, depth }: { offset: number; depth: number }): unknown {
    const anchor = this.#anchors.get(name);
    if (anchor === undefined) return this.#fail(offset, `unknown alias *${name}`);
    if (anchor === 'open') return this.refuse(offset, `the alias *${name} contains itself`);
    if (++this.#aliases > YAML_ALIAS_LIMIT) this.refuse(offset, `more than ${YAML_ALIAS_LIMIT} aliases`);
    this.#size += anchor.size;
    this.#deepest = Math.max(this.#deepest, depth + anchor.height);
    if (this.#size > YAML_EXPANDED_LIMIT) this.refuse(offset, 'the aliases expand to too much text');
    if (this.#deepest > YAML_DEPTH_LIMIT) this.refuse(offset, 'the aliases nest too deeply');
    return anchor.value;
  }

  #notice(what: Omit<YamlKeyNotice, 'line'>, { valueStart }: ScalarEvent): void {
    if (this.notices.length < NOTICE_LIMIT)
      this.notices.push({ ...what, line: countLineEnds(this.#text, valueStart) });
  }

  #noteWritten(container: object, key: string | number, value: unknown, event: ScalarEvent): void {
    if (typeof value !== 'number' && typeof value !== 'boolean') return;
    const text = getScalarValue(this.#text, event);
    // With duplicate keys, an earlier value's text may have to be replaced.
    if (text !== String(value) || this.notices.length > 0) rememberWritten(container, key, text);
  }

  #peek(): Event {
    return this.#events[this.#next]!;
  }

  #anchorOf({ anchorStart, anchorEnd }: { anchorStart: number; anchorEnd: number }): string | undefined {
    return anchorStart === -1 ? undefined : this.#text.slice(anchorStart, anchorEnd);
  }

  #tagOf({ tagStart, tagEnd }: { tagStart: number; tagEnd: number }): string | undefined {
    return tagStart === -1 ? undefined : this.#text.slice(tagStart, tagEnd);
  }

  /** Text that is merely wrong, and may be prose without quotes. */
  #fail(offset: number, reason: string): never {
    return YAMLException.throwAt(this.#text, offset, reason);
  }

  /** Text that asks for something never allowed. */
  refuse(offset: number, reason: string): never {
    this.isRefused = true;
    return this.#fail(offset, reason);
  }
}

type CollectionEvent = Extract<Event, { type: typeof EVENT_ID.SEQUENCE | typeof EVENT_ID.MAPPING }>;

function isFlowList(event: Event): event is Extract<Event, { type: typeof EVENT_ID.SEQUENCE }> {
  return event.type === EVENT_ID.SEQUENCE && event.style === COLLECTION_STYLE.FLOW;
}

function restOfLine(text: string, start: number): string {
  const line = /[^\r\n]*/y;
  line.lastIndex = start;
  return line.exec(text)![0].split(' #', 1)[0]!.trim();
}

/** Positions of an event. The library's own type needs a newer compiler than the users of this package have. */
interface Placed {
  readonly type: number;
  readonly start?: number;
  readonly valueStart?: number;
  readonly anchorStart?: number;
}

/** Where an event starts; undefined for one that is not written, such as an empty value. */
export function offsetOf({ start, valueStart, anchorStart }: Placed): number | undefined {
  const offset = start ?? valueStart ?? anchorStart ?? -1;
  return offset === -1 ? undefined : offset;
}

const IMPLICIT_TAGS: readonly ScalarTagDefinition[] = [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag];
const EXPLICIT_TAGS = new Map<string, ScalarTagDefinition>([
  ['!!str', strTag],
  ['!!null', nullCoreTag],
  ['!!bool', boolCoreTag],
  ['!!int', intCoreTag],
  ['!!float', floatCoreTag],
]);

/** Plain text that begins with anything else is certainly text. */
const MAY_BE_TYPED = /^(?:$|[-+.\d~nNtTfF])/;

/** The value of an unquoted scalar without a tag. */
function resolvePlain(text: string): unknown {
  if (!MAY_BE_TYPED.test(text)) return text;
  for (const tag of IMPLICIT_TAGS) {
    const value = tag.resolve(text, false, tag.tagName);
    if (value !== NOT_RESOLVED) return value;
  }
  return text;
}

/** Line ends before `end`: LF, CRLF (one), or CR alone. */
export function countLineEnds(text: string, end: number = text.length): number {
  let count = 0;
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) count++;
  }
  return count;
}
