// The values of the protocol. Fields of a skill are spelled as in the types clients are written from.

import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { type SessionCatalog, type SkillTool, wireSkill } from '../../../host/runtime/index.ts';

/** Whose skill it is; `repo` is the project's. */
export const SkillScope = z.enum(['repo', 'user', 'bundled']);

/** One skill without its text. */
export const SkillMetadata = z.strictObject({
  id: z.string().describe('Stable: made from the canonical path'),
  name: z.string(),
  description: z.string(),
  path: z.string().describe('Absolute path of its SKILL.md'),
  dir: z.string().describe('Absolute directory that its relative paths start from'),
  scope: SkillScope,
  mtimeMs: z.number(),
});

/** A skill that could not be read. */
const SkillLoadError = z.strictObject({
  path: z.string(),
  message: z.string(),
  code: z.string().describe('A diagnostic code'),
});

/** A skill that is there, and that the model does not see. */
const HiddenSkill = SkillMetadata.extend({
  reason: z
    .enum(['disabled', 'unavailable', 'denied', 'user-only', 'model-only', 'shadowed'])
    .describe('Why the model does not see it'),
});

/** A fact beside a result. */
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
  name: z.string().describe('For the model: letters, digits and underscores, 64 at most'),
  skill: z.string().describe('The name of its skill'),
  path: z.string().describe('The SKILL.md of that'),
  tool: z.string().describe('Its own name'),
  description: z.string().describe('From the skill: do not trust its text'),
  input_schema: z.record(z.string(), z.unknown()).describe('JSON Schema of its input'),
});

/** A tool as it is sent. */
export function wireTool({ name, skill, tool, description, inputSchema }: SkillTool) {
  const { name: owner, path } = skill;
  return { name, skill: owner, path, tool, description, input_schema: { ...inputSchema } };
}

/** The skills seen from one directory. */
export const SkillCatalog = z.strictObject({
  skills: z.array(SkillMetadata).describe('What the model may see and load'),
  hidden: z.array(HiddenSkill),
  errors: z.array(SkillLoadError),
  truncated: z.boolean().describe('Whether a bound cut discovery short'),
  diagnostics: z.array(Remark).describe('What is odd about configuration, rules and the catalog'),
});

/** A message of the user's. They are short; more of one is refused rather than looked at in part. */
export const Message = z.string().max(1024 * 1024);

/** An absolute path of a directory. */
export const Directory = z.string().refine(isAbsolute, 'must be an absolute path');

const referenceFields = {
  name: z.string().optional().describe('The name of the skill; an error when several have it'),
  path: z.string().optional().describe('Its SKILL.md or directory; wins over the name'),
};

/** Params that name a skill, by name or path, with further fields. The JSON Schema says that one of the two is needed. */
export function withReference<Fields extends z.ZodRawShape>(fields: Fields) {
  const reference = z.strictObject({ ...referenceFields, ...fields });
  return reference
    .refine((value) => {
      const { name, path } = value as { name?: string; path?: string };
      return Boolean(name) || Boolean(path);
    }, 'name or path must be given')
    .meta({ anyOf: [{ required: ['name'] }, { required: ['path'] }] });
}

/** A catalog as it is sent. */
export function wireCatalog({ skills, hidden, errors, truncated, diagnostics }: SessionCatalog) {
  return {
    skills: skills.map(wireSkill),
    hidden: hidden.map(({ skill, reason }) => ({ ...wireSkill(skill), reason })),
    errors,
    truncated,
    diagnostics,
  };
}
