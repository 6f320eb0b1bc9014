// Skills for tests of the picker, without files.

import { type PickerState, reducePicker, type Step, startPicker } from '../src/front/picker/picker-state.ts';
import { createKeyReader } from '../src/front/picker/read-keys.ts';
import type { SkillRecord, SkillScope } from '../src/read/catalog/skill-record.ts';

/** A record with these properties. */
export function fakeSkill(
  name: string,
  more: Partial<Pick<SkillRecord, 'description' | 'scope' | 'enabled' | 'available' | 'reason'>> = {},
): SkillRecord {
  const scope: SkillScope = more.scope ?? 'project';
  const dir = `/${scope}/${name}`;
  return {
    id: '',
    name,
    description: `About ${name}.`,
    path: `${dir}/SKILL.md`,
    dir,
    scope,
    mtimeMs: 0,
    digest: '',
    source: { root: `/${scope}`, adapter: 'agents', linked: false },
    enabled: true,
    available: true,
    shadows: [],
    compiled: false,
    deployed: [],
    tags: [],
    frontmatter: {},
    ...more,
  };
}

/** A picker of these skills, which finds by what names contain. */
export function fakePicker(
  skills: readonly SkillRecord[],
  more: Partial<Pick<PickerState, 'query' | 'scope' | 'notice' | 'size' | 'shadowed'>> = {},
): PickerState {
  return startPicker({
    find: (query, scope) =>
      skills.filter(
        (skill) => (scope === undefined || skill.scope === scope) && skill.name.includes(query.trim()),
      ),
    showPath: (path) => `~${path}`,
    total: skills.length,
    shadowed: new Set(),
    size: { columns: 80, rows: 24 },
    query: '',
    scope: 'all',
    notice: undefined,
    ...more,
  });
}

/** What comes of typing something, up to the first effect. */
export function typeKeys(state: PickerState, typed: string): Step {
  let step: Step = { state };
  for (const key of createKeyReader().read(Buffer.from(typed))) {
    step = reducePicker(step.state, key);
    if (step.effect !== undefined) break;
  }
  return step;
}
