// Skills for tests of the picker, without files.

import {
  type Entry,
  type PickerState,
  type Standing,
  type Step,
  startPicker,
} from '../src/front/picker/picker-state.ts';
import { createKeyReader } from '../src/front/picker/read-keys.ts';
import { reducePicker } from '../src/front/picker/reduce-picker.ts';
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

/** Skills are as their records say, except for those that were switched. */
export function fakeStanding(switched: readonly Entry[]): Standing {
  const isOn = (skill: Entry) => skill.enabled !== switched.includes(skill);
  return {
    isOn,
    reasonOf: (skill) => (isOn(skill) ? undefined : 'off in this project: agents do not see it'),
  };
}

/** A picker of these skills, which finds by what names contain. */
export function fakePicker(
  skills: readonly SkillRecord[],
  more: Partial<
    Pick<PickerState, 'query' | 'scope' | 'notice' | 'size' | 'shadowed' | 'labelOf' | 'choosing'>
  > = {},
): PickerState {
  return startPicker({
    find: (query, scope) =>
      skills.filter(
        (skill) => (scope === undefined || skill.scope === scope) && skill.name.includes(query.trim()),
      ),
    showPath: (path) => `~${path}`,
    labelOf: () => undefined,
    standing: fakeStanding([]),
    total: skills.length,
    shadowed: new Set(),
    size: { columns: 80, rows: 24 },
    query: '',
    scope: 'all',
    notice: undefined,
    ...more,
  });
}

/** State after typing, up to the first effect. */
export function typeKeys(state: PickerState, typed: string): Step {
  let step: Step = { state };
  for (const key of createKeyReader().read(Buffer.from(typed))) {
    step = reducePicker(step.state, key);
    if (step.effect !== undefined) break;
  }
  return step;
}
