// The layers of a manifest: the open standard, Claude Code and registries.

import * as z from 'zod';
import { isChecksum } from './checksum.ts';
import {
  CommaList,
  FilledText,
  Flag,
  limitedText,
  Metadata,
  mustBe,
  oneOf,
  readMapping,
  Text,
  ToolList,
  textThat,
  WebAddress,
  WordList,
} from './field-shapes.ts';
import { isMapping } from './format-issue.ts';
import { Hooks } from './hooks.ts';
import { findRegistryField } from './registry-field.ts';
import { SKILL_NAME_LIMIT, SKILL_NAME_PATTERN } from './skill-name.ts';
import { COMPATIBILITY_LIMIT, DESCRIPTION_LIMIT } from './text-length.ts';
import { isLooseVersion, isSemver } from './version.ts';

/** The six fields of the open standard. */
export const STANDARD_FIELDS = [
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
] as const;

/** The name of a skill. */
const SkillName = limitedText(SKILL_NAME_LIMIT).regex(SKILL_NAME_PATTERN, {
  error: 'must be lower-case letters and digits joined by single hyphens',
});

/** Description: the purpose of a skill and when to use it. */
const Description = limitedText(DESCRIPTION_LIMIT);

/** Environment a skill needs. */
const Compatibility = limitedText(COMPATIBILITY_LIMIT);

/** Layer 1 of a skill's frontmatter. Fields of other layers are ignored. */
export const StandardLayer = readMapping({
  name: SkillName,
  description: Description.transform((text) => text.trim()),
  license: FilledText.optional(),
  compatibility: z.preprocess(joinList, Compatibility).optional(),
  metadata: Metadata.optional(),
  'allowed-tools': ToolList.optional(),
});
export type StandardLayer = z.infer<typeof StandardLayer>;

/** A list of texts as one text; anything else unchanged. */
export function joinList(value: unknown): unknown {
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value.join(', ') : value;
}

/** Each field of layer 2 and its schema; `hooks` has a separate one. */
export const claudeFields = {
  /** Appended to the description when an agent chooses a skill. */
  when_to_use: Text,
  'argument-hint': Text,
  /** Names of the arguments, in order. */
  arguments: WordList,
  'disable-model-invocation': Flag,
  'user-invocable': Flag,
  mode: Flag,
  'disallowed-tools': ToolList,
  model: FilledText,
  effort: oneOf(['low', 'medium', 'high', 'xhigh', 'max']),
  context: oneOf(['fork']),
  agent: FilledText,
  background: Flag,
  /** Globs of files the skill applies to. */
  paths: CommaList,
  shell: oneOf(['bash', 'powershell']),
} as const;

/** Field names of layer 2. */
export const CLAUDE_FIELDS: readonly string[] = [...Object.keys(claudeFields), 'hooks'];

/** Layer 2 of a skill's frontmatter, with the defaults agents use. */
export const ClaudeLayer = readMapping({
  ...z.object(claudeFields).partial().shape,
  'disable-model-invocation': claudeFields['disable-model-invocation'].default(false),
  'user-invocable': claudeFields['user-invocable'].default(true),
  mode: claudeFields.mode.default(false),
  agent: claudeFields.agent.default('general-purpose'),
  hooks: Hooks.optional(),
});
export type ClaudeLayer = z.infer<typeof ClaudeLayer>;

/** A skill has at most this many tags. */
export const TAG_LIMIT = 20;
/** Subjects of skills. */
export const CATEGORIES = ['development', 'creative', 'enterprise', 'data', 'devops', 'other'] as const;
/** How much a registry trusts a skill. */
export const TRUST_LEVELS = ['community', 'verified', 'official'] as const;

/** Each field of layer 3 and its schema. */
export const registryFields = {
  version: textThat(isSemver, "a semantic version such as '1.2.0'"),
  author: FilledText,
  tags: CommaList.transform((tags) => [
    ...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== '')),
  ]).refine((tags) => tags.length <= TAG_LIMIT, {
    error: `may have at most ${TAG_LIMIT} entries`,
    params: { kind: 'length' },
  }),
  category: z.enum(CATEGORIES, { error: mustBe(`one of ${CATEGORIES.join(', ')}`) }),
  'trust-level': z.enum(TRUST_LEVELS, { error: mustBe(`one of ${TRUST_LEVELS.join(', ')}`) }),
  repository: WebAddress,
  homepage: WebAddress,
  'min-skillli-version': textThat(isLooseVersion, "a version such as '1.2.0'"),
  checksum: textThat(isChecksum, "'sha256:' and 64 digits, as publishing writes it"),
} as const;

/** Field names of layer 3. */
export const REGISTRY_FIELDS: readonly string[] = Object.keys(registryFields);

/** Layer 3 of a skill's frontmatter, with its defaults. */
export const RegistryLayer = z.preprocess(
  (value) => (isMapping(value) ? liftRegistryFields(value) : value),
  z.object(
    {
      ...z.object(registryFields).partial().shape,
      version: registryFields.version.default('0.0.0'),
      author: registryFields.author.default('unknown'),
      tags: registryFields.tags.default([]),
      category: registryFields.category.default('other'),
      'trust-level': registryFields['trust-level'].default('community'),
    },
    { error: mustBe('a mapping') },
  ),
);
export type RegistryLayer = z.infer<typeof RegistryLayer>;

function liftRegistryFields(data: Record<string, unknown>): Record<string, unknown> {
  const found = REGISTRY_FIELDS.map((field) => [field, findRegistryField(data, field)?.value] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/** Frontmatter that follows the open standard to the letter; unknown fields are refused. */
export const SkillManifestSchema = z.strictObject({
  name: SkillName,
  description: Description,
  license: FilledText.optional(),
  compatibility: Compatibility.optional(),
  metadata: z.record(z.string(), Text, { error: mustBe('a mapping of texts') }).optional(),
  'allowed-tools': FilledText.optional(),
});
export type SkillManifestSchema = z.infer<typeof SkillManifestSchema>;
