// One skill as the list and its own page show it.

import type { SkillRecord } from '../../../read/catalog/index.ts';
import type { ShownVerdict, StudioSkill } from '../views/skills-view.ts';
import { showPlace } from './show-place.ts';
import type { Look, StudioState } from './studio-state.ts';

/** The verdict on a skill: of a scan by this studio, or of its installation. */
export function verdictOf(skill: SkillRecord, look: Look, state: StudioState): ShownVerdict {
  return state.verdicts.of(skill) ?? look.facts.install(skill)?.verdict ?? 'unknown';
}

/** The facts about a skill. */
export async function skillRow(skill: SkillRecord, look: Look, state: StudioState): Promise<StudioSkill> {
  const { form, formWhy, tokens, stubTokens, version, install } = await look.facts.of(skill);
  const use = state.usage.of(skill.dir);
  return {
    id: skill.id,
    name: skill.name,
    description: skill.description,
    scope: skill.scope,
    place: showPlace(skill.dir, look.context.workspace),
    form,
    formWhy,
    agents: state.agentsOf(skill.dir),
    tokens,
    stubTokens,
    verdict: verdictOf(skill, look, state),
    update: install?.update?.latest ?? install?.update?.wanted ?? null,
    version,
    enabled: skill.enabled,
    unavailable: look.unavailable(skill) ?? null,
    reads: use.accesses,
    lastUsed: use.lastUsed,
  };
}
