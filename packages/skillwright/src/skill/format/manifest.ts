// The whole frontmatter of a skill, normalised: the author's field names, one spelling per kind of value.

import * as z from 'zod';
import { claudeFields } from './claude-layer.ts';
import { dropBroken } from './drop-broken.ts';
import { CommaList, FreeMetadata, Text, ToolList } from './field-shapes.ts';
import type { FormatIssue } from './format-issue.ts';
import { HANDLER_DEPTH, Hooks } from './hooks.ts';
import { QuizList } from './quiz.ts';
import { issuesOf } from './schema-issues.ts';
import { joinList } from './standard-layer.ts';
import { Toolsets } from './toolsets.ts';
import { Triggers } from './triggers.ts';
import { writtenText } from './written-text.ts';

// Types only: the profiles check whether a version is semantic or a name is allowed.
const manifestShape = {
  name: Text.optional(),
  description: Text.optional(),
  license: Text.optional(),
  compatibility: z.preprocess(joinList, Text).optional(),
  metadata: FreeMetadata.optional(),
  'allowed-tools': ToolList.optional(),
  when_to_use: Text.optional(),
  'argument-hint': Text.optional(),
  arguments: claudeFields.arguments.optional(),
  'disable-model-invocation': claudeFields['disable-model-invocation'].optional(),
  'user-invocable': claudeFields['user-invocable'].optional(),
  mode: claudeFields.mode.optional(),
  'disallowed-tools': ToolList.optional(),
  model: Text.optional(),
  effort: Text.optional(),
  context: Text.optional(),
  agent: Text.optional(),
  background: claudeFields.background.optional(),
  paths: CommaList.optional(),
  shell: Text.optional(),
  hooks: Hooks.optional(),
  version: Text.optional(),
  author: Text.optional(),
  tags: CommaList.optional(),
  category: Text.optional(),
  'trust-level': Text.optional(),
  repository: Text.optional(),
  homepage: Text.optional(),
  'min-skillli-version': Text.optional(),
  checksum: Text.optional(),
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
