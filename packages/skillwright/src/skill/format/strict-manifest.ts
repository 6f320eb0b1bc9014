// Strict manifest schema of the three-tier context document: exactly the six standard fields, no coercion.

import * as z from 'zod';
import { FilledText, Text } from './field-shapes.ts';
import { mustBe } from './schema-issues.ts';
import { Compatibility, Description, SkillName } from './standard-layer.ts';

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
