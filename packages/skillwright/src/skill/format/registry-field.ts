// Where a skill has a field of registries: at the top, which wins, or in its metadata.

import { isMapping } from './format-issue.ts';
import { writtenText } from './written-text.ts';

/** Path and value of a registry field; undefined when absent. All but the tags are texts, and keep their written form. */
export function findRegistryField(
  data: Readonly<Record<string, unknown>>,
  field: string,
): { value: unknown; path: readonly [string, ...string[]] } | undefined {
  for (const [mapping, path] of [
    [data, [field]],
    [data.metadata, ['metadata', field]],
  ] as const) {
    if (!isMapping(mapping) || !Object.hasOwn(mapping, field) || mapping[field] === null) continue;
    const text = field === 'tags' ? undefined : writtenText(mapping, field);
    return { value: text ?? mapping[field], path };
  }
  return undefined;
}

/** The trimmed text of a registry field; undefined when it is absent or not text. */
export function textOfRegistryField(
  data: Readonly<Record<string, unknown>>,
  field: string,
): string | undefined {
  const value = findRegistryField(data, field)?.value;
  return typeof value === 'string' ? value.trim() : undefined;
}
