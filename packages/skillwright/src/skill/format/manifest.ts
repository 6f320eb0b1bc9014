// The whole frontmatter of a skill, normalised: the author's field names, one spelling per kind of value.

import * as z from 'zod';
import { CommaList, FreeMetadata, issuesOf, Text, ToolList } from './field-shapes.ts';
import { type FormatIssue, isMapping } from './format-issue.ts';
import { HANDLER_DEPTH, Hooks } from './hooks.ts';
import { claudeFields, joinList } from './layers.ts';
import { QuizList } from './quiz.ts';
import { Toolsets } from './toolsets.ts';
import { Triggers } from './triggers.ts';
import { writtenText } from './written-text.ts';

/** Fields of any text. */
const texts = <const Names extends readonly string[]>(...names: Names) =>
  Object.fromEntries(names.map((name) => [name, Text.optional()])) as Record<
    Names[number],
    z.ZodOptional<typeof Text>
  >;

// Types only: the profiles check whether a version is semantic or a name is allowed.
const manifestShape = {
  ...texts('name', 'description', 'license'),
  compatibility: z.preprocess(joinList, Text).optional(),
  metadata: FreeMetadata.optional(),
  'allowed-tools': ToolList.optional(),
  ...z.object(claudeFields).partial().shape,
  ...texts('model', 'effort', 'context', 'agent', 'shell'),
  hooks: Hooks.optional(),
  ...texts('version', 'author'),
  tags: CommaList.optional(),
  ...texts('category', 'trust-level', 'repository', 'homepage', 'min-skillli-version', 'checksum'),
  quiz: QuizList.optional(),
  triggers: Triggers.optional(),
  toolsets: Toolsets.optional(),
};

/** A normalised manifest: lists are lists, flags are booleans, a quiz is a list. Unknown fields are kept. */
export const SkillManifest = z.looseObject(manifestShape);
export type SkillManifest = z.infer<typeof SkillManifest>;

/** Every field a layer defines. */
export const KNOWN_FIELDS: readonly string[] = Object.keys(manifestShape);

const schemas = new Map<string, z.ZodType>(Object.entries(manifestShape));
const TEXT_FIELDS = new Set(
  Object.entries(manifestShape)
    .filter(([, schema]) => schema.unwrap() === Text)
    .map(([field]) => field),
);

/** Fields that are lists of entries, and how deep an entry is nested: broken entries are dropped, the rest kept. */
const ENTRY_DEPTHS: ReadonlyMap<string, number> = new Map([
  ['hooks', HANDLER_DEPTH],
  ['toolsets', 1],
]);

/**
 * Normalises the fields of a skill. Drops and reports a field of the wrong type; of hooks and toolsets, only the
 * broken entries.
 */
export function readManifest(data: Record<string, unknown>): {
  manifest: SkillManifest;
  issues: FormatIssue[];
} {
  const manifest: SkillManifest = {};
  const issues: FormatIssue[] = [];
  for (const [field, given] of Object.entries(data)) {
    if (field === '__proto__') continue;
    const schema = schemas.get(field);
    if (schema === undefined) {
      manifest[field] = given;
      continue;
    }
    if (given === null) {
      issues.push({ kind: 'empty', field, path: [field], message: `${field} is empty`, severity: 'warning' });
      continue;
    }
    const value = TEXT_FIELDS.has(field) ? (writtenText(data, field) ?? given) : given;
    if (typeof value === 'string' && TEXT_FIELDS.has(field)) {
      manifest[field] = field === 'description' ? value.trim() : value;
      continue;
    }
    const result = schema.safeParse(value, { reportInput: true });
    if (result.success) {
      manifest[field] = result.data;
      continue;
    }
    const own = issuesOf(result.error, [field]);
    issues.push(...own);
    const depth = ENTRY_DEPTHS.get(field);
    const rest = depth === undefined ? undefined : schema.safeParse(dropBroken(value, own, depth));
    if (rest?.success && rest.data !== undefined) manifest[field] = rest.data;
  }
  return { manifest, issues };
}

// Removes broken entries from a field, so that one mistake does not lose the rest.

type Path = readonly (string | number)[];

/**
 * The value of a field without the entries that have issues. `depth` is how deep an entry can be nested: a fault
 * below it counts against the entry. Undefined when no entry is left.
 */
function dropBroken(value: unknown, issues: readonly FormatIssue[], depth: number): unknown {
  const units = new Set(issues.map(({ path }) => keyOf(entryOf(path.slice(1), depth))));
  const keep = (part: unknown, at: Path): unknown => {
    if (units.has(keyOf(at))) return undefined;
    if (at.length >= depth) return part;
    if (Array.isArray(part)) {
      const kept = part.map((item, index) => keep(item, [...at, index])).filter((item) => item !== undefined);
      return kept.length === 0 && part.length > 0 ? undefined : kept;
    }
    if (!isMapping(part)) return part;
    const entries = Object.entries(part).map(([key, item]) => [key, keep(item, [...at, key])] as const);
    // A group without handlers is dropped too.
    const isEmptied = entries.some(([key, item]) => item === undefined && Array.isArray(part[key]));
    if (isEmptied && at.length > 0) return undefined;
    return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
  };
  return keep(value, []);
}

/** The list entry a path leads into; the key below the field when the path crosses no list. */
function entryOf(path: Path, depth: number): Path {
  const within = path.slice(0, depth);
  const last = within.findLastIndex((step) => typeof step === 'number');
  return within.slice(0, last === -1 ? 1 : last + 1);
}

const keyOf = (path: Path) => JSON.stringify(path);
