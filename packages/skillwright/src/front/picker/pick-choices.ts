// Choosing some of many on a terminal, with the same list as skc skills.

import type { Paint } from '../../base/diagnostics/index.ts';
import { foldText } from '../../base/markdown/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import type { PickedChoice } from '../commands/index.ts';
import { startPicker } from './picker-state.ts';
import { type PickerTerminal, runPicker } from './run-picker.ts';

/** Lets somebody choose; gives positions in order, undefined when they left. */
export async function pickChoices(
  question: string,
  choices: readonly PickedChoice[],
  { openTerminal, paint }: { openTerminal: () => PickerTerminal; paint: Paint },
): Promise<number[] | undefined> {
  const records = choices.map(recordOf);
  const texts = choices.map(({ label, description }) => foldText(`${label} ${description}`));
  const facts = new Map<string, readonly string[]>();
  const chosen = new Set<string>();
  const terminal = openTerminal();
  const state = startPicker({
    find: (query) => {
      const words = foldText(query)
        .split(/\s+/)
        .filter((word) => word !== '');
      return records.filter((_, at) => words.every((word) => texts[at]!.includes(word)));
    },
    showPath: () => '',
    total: records.length,
    shadowed: new Set(),
    size: terminal.size(),
    query: '',
    scope: 'all',
    notice: undefined,
    choosing: {
      question,
      factsOf: ({ path }) => {
        const known = facts.get(path) ?? choices[Number(path)]!.facts();
        facts.set(path, known);
        return known;
      },
    },
  });
  const picked = await runPicker(state, terminal, {
    paint,
    switchSkill: (name, enabled) => {
      if (enabled) chosen.add(foldText(name));
      else chosen.delete(foldText(name));
      return { enabled, notice: { text: `${chosen.size} chosen; Enter goes on`, isError: false } };
    },
    outlineOf: ({ path }) => ({ path, headings: [] }),
  });
  if (picked === '') return undefined;
  if (chosen.size === 0) chosen.add(foldText(picked.slice(1)));
  return choices.flatMap(({ label }, at) => (chosen.has(foldText(label)) ? [at] : []));
}

/** A choice as the list shows it: known by its position. */
function recordOf({ label, description }: PickedChoice, at: number): SkillRecord {
  return {
    id: String(at),
    name: label,
    description,
    path: String(at),
    dir: '',
    scope: 'project',
    mtimeMs: 0,
    digest: '',
    source: { root: '', adapter: '', linked: false },
    enabled: false,
    available: true,
    shadows: [],
    compiled: false,
    deployed: [],
    tags: [],
    frontmatter: {},
  };
}
