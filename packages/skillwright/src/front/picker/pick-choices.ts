// Lets a user choose from a list on a terminal, as in skc skills.

import type { Paint } from '../../base/diagnostics/index.ts';
import { foldText } from '../../base/markdown/index.ts';
import type { PickedChoice } from '../commands/index.ts';
import { type Entry, startPicker } from './picker-state.ts';
import { type PickerTerminal, runPicker } from './run-picker.ts';

/** Lets the user choose; returns positions in order, or undefined when they leave. */
export async function pickChoices(
  question: string,
  choices: readonly PickedChoice[],
  { terminal, paint }: { terminal: PickerTerminal; paint: Paint },
): Promise<number[] | undefined> {
  // Each is identified by its position.
  const entries = choices.map(({ label, description }, at): Entry => {
    const noSkill = { dir: '', scope: 'project', enabled: false, available: true, frontmatter: {} } as const;
    return { ...noSkill, name: label, description, path: String(at) };
  });
  const texts = choices.map(({ label, description }) => foldText(`${label} ${description}`));
  const facts = new Map<string, readonly string[]>();
  const chosen = new Set<string>();
  const standing = { isOn: ({ path }: Entry) => chosen.has(path), reasonOf: () => undefined };
  const state = startPicker({
    find: (query) => {
      const words = foldText(query).split(/\s+/).filter(Boolean);
      return entries.filter((_, at) => words.every((word) => texts[at]!.includes(word)));
    },
    showPath: () => '',
    labelOf: () => undefined,
    total: entries.length,
    shadowed: new Set(),
    size: terminal.size(),
    query: '',
    scope: 'all',
    standing,
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
    switchSkill: ({ skill, enabled }) => {
      if (enabled) chosen.add(skill.path);
      else chosen.delete(skill.path);
      return { standing, notice: { text: `${chosen.size} chosen; press Enter to continue`, isError: false } };
    },
    outlineOf: ({ path }) => ({ path, headings: [] }),
  });
  if (picked.kind !== 'picked') return undefined;
  if (chosen.size === 0) chosen.add(picked.skill.path);
  return choices.flatMap((_, at) => (chosen.has(String(at)) ? [at] : []));
}
