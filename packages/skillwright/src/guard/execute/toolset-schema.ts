// The input schema of a tool, as the host uses it. It is untrusted: checking an input must not take
// long or run a pattern that never ends.

import * as z from 'zod';
import { describeIssue } from '../../base/diagnostics/index.ts';
import { isMapping } from '../../skill/format/index.ts';
import type { JsonSchema } from './define-toolset.ts';

/** A converted schema. */
export interface InputSchema {
  /** For the model, with all references resolved. */
  readonly schema: JsonSchema;
  /** The same for libraries that need zod, without patterns; `check` applies those. */
  readonly shape: z.ZodObject;
  /** The input with defaults, or why it is refused. */
  check(input: unknown): { readonly input: Record<string, unknown> } | { readonly why: string };
}

const MAX_NODES = 2000;
const MAX_DEPTH = 32;
const MAX_BYTES = 64 * 1024;

/** Converts a schema; the reason when it cannot be used. */
export async function readInputSchema(given: unknown): Promise<InputSchema | { readonly why: string }> {
  if (!isMapping(given)) return { why: 'its input is not a schema' };
  if (given.type !== undefined && given.type !== 'object')
    return { why: "its input must be of the type 'object'" };
  const read = await readSchema({ type: 'object', ...given });
  if ('why' in read) return { why: `its input schema cannot be used: ${read.why}` };
  const { schema, shape, check } = read;
  return {
    schema,
    shape: shape instanceof z.ZodObject ? shape : z.looseObject({}),
    check(input) {
      const checked = check(input);
      return 'why' in checked ? checked : { input: checked.value as Record<string, unknown> };
    },
  };
}

/** A schema for any value; the reason when it cannot be used. */
export async function readJsonSchema(
  given: Readonly<Record<string, unknown>>,
): Promise<{ whyNot(value: unknown): string | undefined } | { readonly why: string }> {
  const read = await readSchema(given);
  if ('why' in read) return read;
  return {
    whyNot(value) {
      const checked = read.check(value);
      return 'why' in checked ? checked.why.replace(/^the input /, 'it ') : undefined;
    },
  };
}

interface ReadSchema {
  readonly schema: Schema;
  readonly shape: z.ZodType;
  check(value: unknown): { readonly value: unknown } | { readonly why: string };
}

async function readSchema(given: Schema): Promise<ReadSchema | { readonly why: string }> {
  try {
    const schema = inlineReferences(given);
    if (JSON.stringify(schema).length > MAX_BYTES) return { why: 'it is too large' };
    const patterns = await compilePatterns(schema);
    const shape = z.fromJSONSchema(withoutPatterns(schema) as Parameters<typeof z.fromJSONSchema>[0]);
    return {
      schema,
      shape,
      check(value) {
        const result = shape.safeParse(value);
        if (!result.success) {
          const issue = result.error.issues[0]!;
          return { why: `${spellPath(issue.path)} ${describeIssue(issue)}` };
        }
        const unmatched = findUnmatched(schema, value, { patterns, path: [] });
        return unmatched === undefined ? { value: result.data } : { why: unmatched };
      },
    };
  } catch (error) {
    return { why: (error as Error).message };
  }
}

type Schema = Record<string, unknown>;

const spellPath = (path: readonly PropertyKey[]) => (path.length === 0 ? 'the input' : path.join('.'));

/** Keywords whose value is a schema, a list of schemas, or a mapping of schemas. */
const keywords = {
  one: ['items', 'additionalProperties', 'contains', 'propertyNames', 'not', 'if', 'then', 'else'],
  list: ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'],
  mapping: ['properties', 'dependentSchemas'],
};

/** Replaces the schemas inside a schema; values that only look like schemas, such as defaults, stay. */
function mapParts(schema: Schema, change: (part: unknown) => unknown): Schema {
  return Object.fromEntries(
    Object.entries(schema).map(([key, part]) => {
      if (keywords.list.includes(key) && Array.isArray(part)) return [key, part.map(change)];
      if (keywords.one.includes(key)) return [key, change(part)];
      if (!keywords.mapping.includes(key) || !isMapping(part)) return [key, part];
      return [key, Object.fromEntries(Object.entries(part).map(([name, item]) => [name, change(item)]))];
    }),
  );
}

/** Resolves references by copying. A schema that grows too large is refused. */
function inlineReferences(root: Schema): Schema {
  let nodes = 0;
  const visit = (value: unknown, depth: number): unknown => {
    if (typeof value === 'boolean') return value;
    if (!isMapping(value)) throw new Error('a part of it is not a schema');
    if (value.patternProperties !== undefined) throw new Error("'patternProperties' is not supported");
    if (depth > MAX_DEPTH) throw new Error('it is nested too deeply or refers to itself');
    nodes += 1;
    if (nodes > MAX_NODES) throw new Error('it has too many parts');
    const { $ref, $schema: _, $defs: _defs, definitions: _old, ...own } = value;
    const parts = mapParts(own, (part) => visit(part, depth + 1));
    if ($ref === undefined) return parts;
    const target = visit(lookUp(root, $ref), depth + 1);
    return isMapping(target) ? { ...target, ...parts } : target;
  };
  return visit(root, 0) as Schema;
}

function lookUp(root: Schema, reference: unknown): unknown {
  if (typeof reference !== 'string' || !/^#\/(?:\$defs|definitions)\/[^/]+$/.test(reference))
    throw new Error(`it refers to '${String(reference)}', which is not one of its own definitions`);
  const [, table, name] = reference.split('/') as [string, string, string];
  const definitions = root[table];
  const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
  if (!isMapping(definitions) || !Object.hasOwn(definitions, key))
    throw new Error(`it has no definition '${key}'`);
  return definitions[key];
}

type Patterns = ReadonlyMap<string, (text: string) => boolean>;

/** Compiles the patterns with the linear-time engine; an unsupported one makes the schema unusable. */
async function compilePatterns(schema: Schema): Promise<Patterns> {
  const found = new Set<string>();
  const visit = (part: unknown): unknown => {
    if (!isMapping(part)) return part;
    if (typeof part.pattern === 'string') found.add(part.pattern);
    return mapParts(part, visit);
  };
  visit(schema);
  if (found.size === 0) return new Map();
  const { RE2JS } = await import('re2js');
  return new Map(
    [...found].map((pattern) => {
      const compiled = RE2JS.compile(pattern);
      return [pattern, (text: string) => compiled.matcher(text).find()];
    }),
  );
}

function withoutPatterns(part: unknown): unknown {
  if (!isMapping(part)) return part;
  const { pattern: _, ...others } = part;
  return mapParts(others, withoutPatterns);
}

/** The first value that does not match its pattern. Alternatives are skipped; the tool must check those itself. */
function findUnmatched(
  schema: unknown,
  value: unknown,
  { patterns, path }: { readonly patterns: Patterns; readonly path: readonly PropertyKey[] },
): string | undefined {
  if (patterns.size === 0 || !isMapping(schema)) return undefined;
  if (
    typeof schema.pattern === 'string' &&
    typeof value === 'string' &&
    !patterns.get(schema.pattern)!(value)
  )
    return `${spellPath(path)} must match ${schema.pattern}`;
  const parts: [unknown, unknown, PropertyKey[]][] = [];
  if (Array.isArray(schema.allOf))
    parts.push(...schema.allOf.map((part) => [part, value, []] as [unknown, unknown, []]));
  if (isMapping(schema.properties) && isMapping(value))
    for (const [name, part] of Object.entries(schema.properties))
      if (Object.hasOwn(value, name)) parts.push([part, value[name], [name]]);
  if (isMapping(schema.items) && Array.isArray(value))
    for (const [index, item] of value.entries()) parts.push([schema.items, item, [index]]);
  for (const [part, item, step] of parts) {
    const found = findUnmatched(part, item, { patterns, path: [...path, ...step] });
    if (found !== undefined) return found;
  }
  return undefined;
}
