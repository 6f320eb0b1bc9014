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

/** Reads one YAML document. Never throws; an empty text is null. */
export function parseYaml(text: string): YamlReading {
  const builder: Builder = {
    text,
    events: [],
    next: 1,
    size: 0,
    deepest: 0,
    aliases: 0,
    refused: false,
    notices: [],
  };
  try {
    const events = parseEvents(text, { maxDepth: YAML_DEPTH_LIMIT });
    if (events.length === 0) return { ok: true, value: null, notices: [] };
    builder.events = events;
    const value = buildNode(builder, 0);
    const following = events[builder.next + 1];
    if (following !== undefined) {
      failForGood(builder, { offset: text.length, reason: 'more than one YAML document' });
    }
    return { ok: true, value, notices: builder.notices };
  } catch (error) {
    // The library tells its users to catch everything, not only its own exception.
    if (!(error instanceof YAMLException)) {
      return { ok: false, reason: String(error), line: 0, refused: true };
    }
    const refused = builder.refused || error.reason.startsWith('nesting exceeded');
    return { ok: false, reason: error.reason, line: error.mark?.line ?? 0, refused };
  }
}

interface Anchor {
  value: unknown;
  size: number;
  height: number;
}

interface Builder {
  text: string;
  events: readonly Event[];
  next: number;
  /** Characters so far, aliases expanded. */
  size: number;
  /** Deepest level reached so far, aliases expanded. */
  deepest: number;
  aliases: number;
  refused: boolean;
  anchors?: Map<string, Anchor | 'open'>;
  notices: YamlKeyNotice[];
}

function buildNode(builder: Builder, depth: number): unknown {
  const event = builder.events[builder.next++]!;
  if (depth > builder.deepest) builder.deepest = depth;
  switch (event.type) {
    case EVENT_ID.SCALAR:
      return buildScalar(builder, event);
    case EVENT_ID.ALIAS:
      return expandAlias(builder, builder.text.slice(event.anchorStart, event.anchorEnd), {
        offset: event.anchorStart,
        depth,
      });
    case EVENT_ID.SEQUENCE:
    case EVENT_ID.MAPPING: {
      const isMapping = event.type === EVENT_ID.MAPPING;
      if (event.tagStart !== -1) {
        const tag = builder.text.slice(event.tagStart, event.tagEnd);
        if (tag !== '!' && tag !== (isMapping ? '!!map' : '!!seq')) {
          failForGood(builder, { offset: event.tagStart, reason: `unknown tag ${tag}` });
        }
      }
      if (event.anchorStart === -1) {
        return isMapping ? buildMapping(builder, depth) : buildList(builder, depth);
      }
      const name = builder.text.slice(event.anchorStart, event.anchorEnd);
      const sizeBefore = builder.size;
      const deepestBefore = builder.deepest;
      anchors(builder).set(name, 'open');
      builder.deepest = depth;
      const value = isMapping ? buildMapping(builder, depth) : buildList(builder, depth);
      const height = builder.deepest - depth;
      anchors(builder).set(name, { value, size: builder.size - sizeBefore, height });
      builder.deepest = Math.max(builder.deepest, deepestBefore);
      return value;
    }
    default:
      return fail(builder, { offset: builder.text.length, reason: 'unexpected end of the document' });
  }
}

function buildList(builder: Builder, depth: number): unknown[] {
  const list: unknown[] = [];
  while (builder.events[builder.next]!.type !== EVENT_ID.POP) {
    const event = builder.events[builder.next]!;
    const value = buildNode(builder, depth + 1);
    if (event.type === EVENT_ID.SCALAR) {
      noteWritten(builder, { container: list, key: list.length, value, event });
    }
    list.push(value);
  }
  builder.next++;
  return list;
}

function buildMapping(builder: Builder, depth: number): Record<string, unknown> {
  const mapping: Record<string, unknown> = {};
  while (builder.events[builder.next]!.type !== EVENT_ID.POP) {
    const keyEvent = builder.events[builder.next++]!;
    if (keyEvent.type !== EVENT_ID.SCALAR) {
      return fail(builder, { offset: offsetOf(keyEvent), reason: 'a key must be plain text' });
    }
    const key = getScalarValue(builder.text, keyEvent);
    builder.size += key.length;
    // Keys are always text; only their tag and anchor can matter.
    if (keyEvent.tagStart !== -1 || keyEvent.anchorStart !== -1) buildScalar(builder, keyEvent);
    const event = builder.events[builder.next]!;
    const value = buildNode(builder, depth + 1);
    if (key === '__proto__') {
      notice(builder, { kind: 'dropped', key, event: keyEvent });
      continue;
    }
    if (Object.hasOwn(mapping, key)) {
      notice(builder, { kind: 'duplicate', key, event: keyEvent });
    }
    mapping[key] = value;
    if (event.type === EVENT_ID.SCALAR) noteWritten(builder, { container: mapping, key, value, event });
    else if (depth === 0 && key === 'argument-hint' && isFlowList(event)) {
      // The documented spelling of a hint, `[file]`, happens to be a YAML list.
      const hint = restOfLine(builder.text, event.start);
      if (hint.endsWith(']')) mapping[key] = hint;
    }
  }
  builder.next++;
  return mapping;
}

function buildScalar(builder: Builder, event: ScalarEvent): unknown {
  const text = getScalarValue(builder.text, event);
  builder.size += text.length + 1;
  const value = resolveScalar(builder, { text, event });
  if (event.anchorStart !== -1) {
    const name = builder.text.slice(event.anchorStart, event.anchorEnd);
    anchors(builder).set(name, { value, size: text.length, height: 0 });
  }
  return value;
}

function resolveScalar(builder: Builder, { text, event }: { text: string; event: ScalarEvent }): unknown {
  if (event.tagStart === -1) return event.style === SCALAR_STYLE.PLAIN ? resolvePlain(text) : text;
  const resolved = resolveTagged(text, builder.text.slice(event.tagStart, event.tagEnd));
  if ('value' in resolved) return resolved.value;
  const fault = { offset: event.tagStart, reason: resolved.reason };
  return builder.text.startsWith('!!', event.tagStart) ? failForGood(builder, fault) : fail(builder, fault);
}

function expandAlias(builder: Builder, name: string, at: { offset: number; depth: number }): unknown {
  const anchor = builder.anchors?.get(name);
  if (anchor === undefined) return fail(builder, { offset: at.offset, reason: `unknown alias *${name}` });
  if (anchor === 'open') {
    return failForGood(builder, { offset: at.offset, reason: `the alias *${name} contains itself` });
  }
  if (++builder.aliases > YAML_ALIAS_LIMIT)
    failForGood(builder, { offset: at.offset, reason: `more than ${YAML_ALIAS_LIMIT} aliases` });
  builder.size += anchor.size;
  builder.deepest = Math.max(builder.deepest, at.depth + anchor.height);
  if (builder.size > YAML_EXPANDED_LIMIT) {
    failForGood(builder, { offset: at.offset, reason: 'the aliases expand to too much text' });
  }
  if (builder.deepest > YAML_DEPTH_LIMIT)
    failForGood(builder, { offset: at.offset, reason: 'the aliases nest too deeply' });
  return anchor.value;
}

function notice(
  builder: Builder,
  { kind, key, event }: Omit<YamlKeyNotice, 'line'> & { event: ScalarEvent },
): void {
  if (builder.notices.length >= NOTICE_LIMIT) return;
  builder.notices.push({ kind, key, line: countLineEnds(builder.text, event.valueStart) });
}

function noteWritten(
  builder: Builder,
  entry: { container: object; key: string | number; value: unknown; event: ScalarEvent },
): void {
  if (typeof entry.value !== 'number' && typeof entry.value !== 'boolean') return;
  const text = getScalarValue(builder.text, entry.event);
  // With duplicate keys, an earlier value's text may have to be replaced.
  if (text !== String(entry.value) || builder.notices.length > 0)
    rememberWritten(entry.container, entry.key, text);
}

function anchors(builder: Builder): Map<string, Anchor | 'open'> {
  builder.anchors ??= new Map();
  return builder.anchors;
}

function isFlowList(event: Event): event is Extract<Event, { type: typeof EVENT_ID.SEQUENCE }> {
  return event.type === EVENT_ID.SEQUENCE && event.style === COLLECTION_STYLE.FLOW;
}

function restOfLine(text: string, start: number): string {
  const line = /[^\r\n]*/y;
  line.lastIndex = start;
  return line.exec(text)![0].split(' #', 1)[0]!.trim();
}

function offsetOf(event: Event): number {
  if ('start' in event) return event.start;
  return 'anchorStart' in event ? Math.max(event.anchorStart, 0) : 0;
}

/** Text that is merely wrong, and may be prose without quotes. */
function fail(builder: Builder, fault: { offset: number; reason: string }): never {
  return YAMLException.throwAt(builder.text, fault.offset, fault.reason);
}

function failForGood(builder: Builder, fault: { offset: number; reason: string }): never {
  builder.refused = true;
  return fail(builder, fault);
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

/** The value of a scalar with a tag such as `!!int`; a reason when the tag is unknown or does not fit. */
function resolveTagged(text: string, tag: string): { value: unknown } | { reason: string } {
  if (tag === '!') return { value: text };
  const definition = EXPLICIT_TAGS.get(tag);
  if (definition === undefined) return { reason: `unknown tag ${tag}` };
  const value = definition.resolve(text, true, definition.tagName);
  return value === NOT_RESOLVED ? { reason: `the value does not match its tag ${tag}` } : { value };
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
