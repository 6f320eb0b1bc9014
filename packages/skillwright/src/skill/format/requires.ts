// Commands a skill needs on the machine.

import { WordList } from './field-shapes.ts';
import { isMapping } from './format-issue.ts';

/**
 * The commands of `metadata.requires`: a list, a text with spaces or commas, or a mapping with such a value under
 * `commands` or `bins`. Anything else counts as no requirement.
 */
export function readRequires(data: Record<string, unknown>): string[] {
  const requires = isMapping(data.metadata) ? data.metadata.requires : undefined;
  const value = isMapping(requires) ? (requires.commands ?? requires.bins) : requires;
  const commands = WordList.safeParse(value);
  return commands.success ? [...new Set(commands.data)] : [];
}
