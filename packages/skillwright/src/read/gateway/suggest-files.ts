// Suggests files with names similar to a missing one.

import { SkillwrightError, suggest } from '../../base/diagnostics/index.ts';
import { foldText } from '../../base/markdown/index.ts';

const MAX_SUGGESTIONS = 3;

/** E021 for a file that is not in `files`, with similar ones. */
export function fileNotFound(file: string, files: readonly string[]): SkillwrightError {
  const suggestions = suggestFiles(file, files);
  if (suggestions.length === 0) return SkillwrightError.of('E021', { file });
  return SkillwrightError.of(
    'E021',
    { file },
    { help: `did you mean ${suggestions.join(', ')}?`, data: { suggestions } },
  );
}

/** Files of the same name elsewhere or with another extension, then similar names. */
function suggestFiles(wanted: string, files: readonly string[]): string[] {
  const name = nameOf(wanted);
  const sameName = files.filter((file) => nameOf(file) === name || stemOf(file) === stemOf(wanted));
  const byName = new Map(files.map((file) => [nameOf(file), file]));
  const alike = [
    ...suggest(wanted, files),
    ...suggest(name, byName.keys()).map((found) => byName.get(found)!),
  ];
  return [...new Set([...sameName, ...alike])].slice(0, MAX_SUGGESTIONS);
}

const nameOf = (path: string) => foldText(path.slice(path.lastIndexOf('/') + 1));
const stemOf = (path: string) => nameOf(path).replace(/\.[^.]*$/, '');
