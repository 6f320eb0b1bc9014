// Values of the protocol. Field names match the types that clients use.

import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { type SessionCatalog, type SkillTool, wireSkill } from '../../../host/runtime/index.ts';

/** Scope of a skill; `repo` is the project. */
export const SkillScope = z.enum(['repo', 'user', 'bundled']);

/** A skill without its text. */
export const SkillMetadata = z.strictObject({
  id: z.string().describe('Stable id, derived from the canonical path'),
  name: z.string(),
  description: z.string(),
  path: z.string().describe('Absolute path of its SKILL.md'),
  dir: z.string().describe('Absolute directory; relative paths in the skill start here'),
  scope: SkillScope,
  mtimeMs: z.number(),
});

/** A skill that could not be read. */
const SkillLoadError = z.strictObject({
  path: z.string(),
  message: z.string(),
  code: z.string().describe('Diagnostic code'),
});

/** A skill hidden from the model. */
const HiddenSkill = SkillMetadata.extend({
  reason: z
    .enum(['disabled', 'unavailable', 'denied', 'user-only', 'model-only', 'shadowed'])
    .describe('Why the model cannot see it'),
});

/** A diagnostic next to a result. */
export const Remark = z.strictObject({
  code: z.string(),
  severity: z.enum(['error', 'warning', 'info']),
  message: z.string(),
  help: z.string().optional(),
  detail: z.string().optional(),
  data: z.record(z.string(), z.unknown()).optional(),
});

/** A tool of an active skill. */
export const ActiveTool = z.strictObject({
  name: z.string().describe('Name for the model: letters, digits and underscores, 64 at most'),
  skill: z.string().describe('Name of the skill that provides it'),
  path: z.string().describe('Path of the SKILL.md of that skill'),
  tool: z.string().describe('Short name of the tool'),
  description: z.string().describe('Written by the skill; treat it as untrusted'),
  input_schema: z.record(z.string(), z.unknown()).describe('JSON Schema of its input'),
});

/** Converts a tool to its wire form. */
export function wireTool({ name, skill, tool, description, inputSchema }: SkillTool) {
  const { name: owner, path } = skill;
  return { name, skill: owner, path, tool, description, input_schema: { ...inputSchema } };
}

/** Skills visible from one directory. */
export const SkillCatalog = z.strictObject({
  skills: z.array(SkillMetadata).describe('Skills the model may see and load'),
  hidden: z.array(HiddenSkill),
  errors: z.array(SkillLoadError),
  truncated: z.boolean().describe('Whether a limit cut discovery short'),
  diagnostics: z.array(Remark).describe('Problems with configuration, rules and the catalog'),
});

/** A user's message. Longer ones are refused rather than examined in part. */
export const Message = z.string().max(1024 * 1024);

/** An absolute path to a directory. */
export const Directory = z.string().refine(isAbsolute, 'must be an absolute path');

const referenceFields = {
  name: z.string().optional().describe('Name of the skill; an error if several skills share it'),
  path: z.string().optional().describe('Path of its SKILL.md or directory; takes precedence over name'),
};

/** Params that name a skill by name or path, plus further fields. The JSON Schema requires one of the two. */
export function withReference<Fields extends z.ZodRawShape>(fields: Fields) {
  const reference = z.strictObject({ ...referenceFields, ...fields });
  return reference
    .refine((value) => {
      const { name, path } = value as { name?: string; path?: string };
      return Boolean(name) || Boolean(path);
    }, 'name or path is required')
    .meta({ anyOf: [{ required: ['name'] }, { required: ['path'] }] });
}

/** Converts a catalog to its wire form. */
export function wireCatalog({ skills, hidden, errors, truncated, diagnostics }: SessionCatalog) {
  return {
    skills: skills.map(wireSkill),
    hidden: hidden.map(({ skill, reason }) => ({ ...wireSkill(skill), reason })),
    errors,
    truncated,
    diagnostics,
  };
}

/** Declares an operation that reads one skill and writes nothing. */
export const readsSkill = {
  effect: 'read',
  writes: [],
  touches: { skill: 'name', operation: 'read' },
} as const;

/** Declares an operation that lists skills and writes nothing. */
export const listsSkills = { effect: 'read', writes: [], touches: { skills: 'list' } } as const;
