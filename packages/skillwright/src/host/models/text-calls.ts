// Tool calls that a model writes as text: many servers pass on what small models print, and never call a tool.

import { isMapping } from '../../skill/format/index.ts';
import type { ModelTool, ModelToolCall } from './model.ts';

/** The calls in a text, as JSON alone, in a code block, or in `<tool_call>`. None if it calls no tool that was offered. */
export function readTextCalls(text: string, tools: readonly ModelTool[]): ModelToolCall[] {
  const calls: ModelToolCall[] = [];
  for (const value of objectsIn(text)) {
    const call = asCall(value, tools);
    if (call !== undefined) calls.push({ id: `text-${calls.length + 1}`, ...call });
  }
  return calls;
}

function asCall(given: object, tools: readonly ModelTool[]): Omit<ModelToolCall, 'id'> | undefined {
  const value = given as Record<string, unknown>;
  const inner = isMapping(value.function) ? value.function : value;
  const name = inner.name ?? inner.tool ?? inner.tool_name;
  const input = inner.arguments ?? inner.parameters ?? inner.input ?? inner.args;
  const called = tools.find((tool) => tool.name === name);
  if (called !== undefined) return { name: called.name, input: readToolInput(input) };
  // A tool that does not exist is answered as such, and the model can correct itself.
  if (typeof name === 'string' && isMapping(input) && Object.keys(inner).length === 2)
    return { name, input: { ...input } };
  const [only, ...others] = tools;
  // The input alone, where only one tool can be meant.
  const { properties = {}, required = [] } = (only?.parameters ?? {}) as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  const keys = Object.keys(value);
  const isInput =
    keys.length > 0 &&
    keys.every((key) => Object.hasOwn(properties, key)) &&
    required.every((key) => Object.hasOwn(value, key));
  return only !== undefined && others.length === 0 && isInput ? { name: only.name, input: value } : undefined;
}

/** The input as a table; JSON in text is read, anything else is an empty table, which the tool then refuses. */
export function readToolInput(given: unknown): Record<string, unknown> {
  let value = given;
  if (typeof given === 'string')
    try {
      value = JSON.parse(given === '' ? '{}' : given);
    } catch {
      return {};
    }
  return isMapping(value) ? { ...value } : {};
}

/** Texts are scanned up to here for objects; each brace begins one at most. */
const MAX_TEXT = 64 * 1024;
const MAX_OBJECTS = 16;

/** The outermost JSON objects in a text. */
export function objectsIn(text: string): object[] {
  const found: object[] = [];
  const limit = Math.min(text.length, MAX_TEXT);
  for (let at = text.indexOf('{'); at !== -1 && at < limit && found.length < MAX_OBJECTS; ) {
    const end = endOfObject(text, at, limit);
    let read: unknown;
    if (end !== undefined)
      try {
        read = JSON.parse(text.slice(at, end));
      } catch {
        // Prose in braces, or an object inside it.
      }
    const isObject = typeof read === 'object' && read !== null;
    if (isObject) found.push(read as object);
    at = text.indexOf('{', isObject ? end! : at + 1);
  }
  return found;
}

/** Where the braces that open at a place are closed; undefined if they are not. */
function endOfObject(text: string, start: number, limit: number): number | undefined {
  let depth = 0;
  let isString = false;
  for (let at = start; at < limit; at++) {
    const character = text[at];
    if (isString) {
      if (character === '\\') at += 1;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === '{') depth += 1;
    else if (character === '}' && --depth === 0) return at + 1;
  }
  return undefined;
}
