// Resolves one YAML scalar under the core schema of YAML 1.2: `yes`, `on` and dates stay text.

import {
  boolCoreTag,
  floatCoreTag,
  intCoreTag,
  NOT_RESOLVED,
  nullCoreTag,
  type ScalarTagDefinition,
  strTag,
} from 'js-yaml';

const IMPLICIT_TAGS: readonly ScalarTagDefinition[] = [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag];
const EXPLICIT_TAGS = new Map<string, ScalarTagDefinition>([
  ['!!str', strTag],
  ['!!null', nullCoreTag],
  ['!!bool', boolCoreTag],
  ['!!int', intCoreTag],
  ['!!float', floatCoreTag],
]);

/** Plain text that begins with anything else is certainly text. */
const MAY_BE_TYPED = /^(?:$|[-+.\d~nNtTfF])/;

/** The value of an unquoted scalar without a tag. */
export function resolvePlain(text: string): unknown {
  if (!MAY_BE_TYPED.test(text)) return text;
  for (const tag of IMPLICIT_TAGS) {
    const value = tag.resolve(text, false, tag.tagName);
    if (value !== NOT_RESOLVED) return value;
  }
  return text;
}

/** The value of a scalar with a tag such as `!!int`; a reason when the tag is unknown or does not fit. */
export function resolveTagged(text: string, tag: string): { value: unknown } | { reason: string } {
  if (tag === '!') return { value: text };
  const definition = EXPLICIT_TAGS.get(tag);
  if (definition === undefined) return { reason: `unknown tag ${tag}` };
  const value = definition.resolve(text, true, definition.tagName);
  return value === NOT_RESOLVED ? { reason: `the value does not match its tag ${tag}` } : { value };
}
