// Several skills with the same name, and which one each agent uses.

import { compareBytes } from '../../../base/files/index.ts';
import { nameFor, type SeenAgent, type SeenEntry, skillsOf } from '../agents-in-sight.ts';
import { defineCheck } from '../check.ts';

const PLACES: Readonly<Record<'project' | 'user', string>> = {
  project: 'the project before the user',
  user: 'the user before the project',
};

/** Reports names that several skills share for an agent. */
export const sameName = defineCheck({
  id: 'same-name',
  group: 'what agents see',
  summary: 'No two skills of an agent have the same name.',
  find({ agents }) {
    const clashes = new Map<string, { places: Set<string>; verdicts: Map<string, string[]> }>();
    for (const agent of agents) {
      for (const [name, skills] of Map.groupBy(skillsOf(agent), (seen) => nameFor(agent.facts, seen))) {
        if (skills.length < 2) continue;
        const clash = clashes.get(name) ?? { places: new Set(), verdicts: new Map() };
        clashes.set(name, clash);
        for (const { skill } of skills) clash.places.add(skill.place);
        const verdict = tellPrecedence(agent, skills);
        clash.verdicts.set(verdict, [...(clash.verdicts.get(verdict) ?? []), agent.facts.label]);
      }
    }
    return [...clashes].map(([name, { places, verdicts }]) => ({
      severity: 'warning' as const,
      subject: name,
      message: `several skills are called '${name}': ${[...places].sort(compareBytes).join(', ')}`,
      why: [...verdicts].map(([verdict, labels]) => `${labels.join(', ')}: ${verdict}`).join('; '),
      fix: 'rename one of them, or remove it',
    }));
  },
});

/** Describes which skill wins. They are in order of precedence. */
function tellPrecedence({ facts }: SeenAgent, skills: readonly SeenEntry[]): string {
  const [first] = skills;
  if (facts.precedence === 'both') return `keeps both, and '$${nameFor(facts, first!)}' selects neither`;
  const isOneScope = skills.every(({ root }) => root.scope === first!.root.scope);
  return `uses ${first!.skill.place}${isOneScope ? '' : ` (${PLACES[facts.precedence]})`}`;
}
