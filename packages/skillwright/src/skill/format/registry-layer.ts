// Layer 3: registry fields. Each may be at the top level or inside `metadata`; the top level wins.

import * as z from 'zod';
import { isChecksum } from './checksum.ts';
import { CommaList, FilledText, tidyMapping } from './field-shapes.ts';
import { isMapping } from './format-issue.ts';
import { isSemver } from './is-semver.ts';
import { isLooseVersion } from './needed-version.ts';
import { mustBe } from './schema-issues.ts';
import { writtenText } from './written-text.ts';

/** A skill has at most this many tags. */
export const TAG_LIMIT = 20;
/** Subjects of skills. */
export const CATEGORIES = ['development', 'creative', 'enterprise', 'data', 'devops', 'other'] as const;
/** How much a registry trusts a skill. */
export const TRUST_LEVELS = ['community', 'verified', 'official'] as const;

const WebAddress = FilledText.refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), {
  error: mustBe('an http or https URL'),
  params: { kind: 'format' },
});

/** Each field of layer 3 and its schema. */
export const registryFields = {
  version: FilledText.refine(isSemver, {
    error: mustBe("a semantic version such as '1.2.0'"),
    params: { kind: 'format' },
  }),
  author: FilledText,
  tags: CommaList.transform((tags) => [
    ...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== '')),
  ]).refine((tags) => tags.length <= TAG_LIMIT, {
    error: `must have at most ${TAG_LIMIT} entries`,
    params: { kind: 'length' },
  }),
  category: z.enum(CATEGORIES, { error: mustBe(`one of ${CATEGORIES.join(', ')}`) }),
  'trust-level': z.enum(TRUST_LEVELS, { error: mustBe(`one of ${TRUST_LEVELS.join(', ')}`) }),
  repository: WebAddress,
  homepage: WebAddress,
  'min-skillli-version': FilledText.refine(isLooseVersion, {
    error: mustBe("a version such as '1.2.0'"),
    params: { kind: 'format' },
  }),
  checksum: FilledText.refine(isChecksum, {
    error: mustBe("'sha256:' and 64 digits, as publishing writes it"),
    params: { kind: 'format' },
  }),
} as const;

/** Field names of layer 3. */
export const REGISTRY_FIELDS: readonly string[] = Object.keys(registryFields);

const TEXT_FIELDS = REGISTRY_FIELDS.filter((field) => field !== 'tags');

/** Layer 3 of a skill's frontmatter, with its defaults. */
export const RegistryLayer = z.preprocess(
  (value) => (isMapping(value) ? liftRegistryFields(value) : value),
  z.object(
    {
      version: registryFields.version.default('0.0.0'),
      author: registryFields.author.default('unknown'),
      tags: registryFields.tags.default([]),
      category: registryFields.category.default('other'),
      'trust-level': registryFields['trust-level'].default('community'),
      repository: registryFields.repository.optional(),
      homepage: registryFields.homepage.optional(),
      'min-skillli-version': registryFields['min-skillli-version'].optional(),
      checksum: registryFields.checksum.optional(),
    },
    { error: mustBe('a mapping') },
  ),
);
export type RegistryLayer = z.infer<typeof RegistryLayer>;

/** Path and value of a registry field; undefined when absent. */
export function findRegistryField(
  data: Record<string, unknown>,
  field: string,
): { value: unknown; path: readonly [string, ...string[]] } | undefined {
  const { metadata } = data;
  for (const [mapping, path] of [
    [data, [field]],
    [metadata, ['metadata', field]],
  ] as const) {
    if (!isMapping(mapping) || !Object.hasOwn(mapping, field) || mapping[field] === null) continue;
    const value = TEXT_FIELDS.includes(field)
      ? (writtenText(mapping, field) ?? mapping[field])
      : mapping[field];
    return { value, path };
  }
  return undefined;
}

function liftRegistryFields(data: Record<string, unknown>): Record<string, unknown> {
  const found = REGISTRY_FIELDS.map((field) => [field, findRegistryField(data, field)?.value] as const);
  return tidyMapping(Object.fromEntries(found.filter(([, value]) => value !== undefined)), []);
}
