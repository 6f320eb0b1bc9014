// Layer 1: the fields of the open standard, in the spellings authors use.

import * as z from 'zod';
import { FilledText, Metadata, readMapping, Text, ToolList } from './field-shapes.ts';
import { SKILL_NAME_LIMIT, SKILL_NAME_PATTERN } from './skill-name.ts';
import { COMPATIBILITY_LIMIT, countCodePoints, DESCRIPTION_LIMIT, fitsWithin } from './text-length.ts';

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
export const SkillName = limitedText(SKILL_NAME_LIMIT).regex(SKILL_NAME_PATTERN, {
  error: 'must be lower-case letters and digits joined by single hyphens',
});

/** Description: the purpose of a skill and when to use it. */
export const Description = limitedText(DESCRIPTION_LIMIT);

/** Environment a skill needs. */
export const Compatibility = limitedText(COMPATIBILITY_LIMIT);

/** Layer 1 of a skill's frontmatter. Fields of other layers are ignored. */
export const StandardLayer = readMapping(
  {
    name: SkillName,
    description: Description.transform((text) => text.trim()),
    license: FilledText.optional(),
    compatibility: z.preprocess(joinList, Compatibility).optional(),
    metadata: Metadata.optional(),
    'allowed-tools': ToolList.optional(),
  },
  ['name', 'description', 'license', 'compatibility'],
);
export type StandardLayer = z.infer<typeof StandardLayer>;

/** A list of texts as one text; anything else unchanged. */
export function joinList(value: unknown): unknown {
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value.join(', ') : value;
}

function limitedText(limit: number) {
  return Text.refine((text) => text.trim() !== '', {
    error: 'must not be empty',
    params: { kind: 'empty' },
  }).refine((text) => fitsWithin(text.trim(), limit), {
    error: (issue) =>
      `must have at most ${limit} characters, not ${countCodePoints(String(issue.input).trim())}`,
    params: { kind: 'length' },
  });
}
