// The catalog as one session sees it now: with what has been switched off since, and what is kept from the model.

import { foldText } from '../../base/markdown/index.ts';
import {
  disabledNames,
  readSkillState,
  type SkillCatalog,
  type SkillRecord,
  type StateContext,
} from '../../read/catalog/index.ts';
import { type NamePolicy, recordsNamed } from './find-record.ts';
import { type HiddenReason, hiddenReason } from './judge-skill.ts';
import type { Permissions } from './permissions.ts';

/** A skill that the model does not see, and why. `shadowed`: another of its name takes precedence. */
export interface HiddenSkill {
  readonly skill: SkillRecord;
  readonly reason: HiddenReason | 'shadowed';
}

/** One state of affairs. */
export interface SessionView {
  /** Every record, with `enabled` as it is now. */
  readonly catalog: SkillCatalog;
  /** What the model may see. */
  readonly visible: SkillCatalog;
  /** The paths of those. */
  readonly visiblePaths: ReadonlySet<string>;
  readonly hidden: readonly HiddenSkill[];
}

/** What a view depends on. */
export interface ViewOptions extends StateContext {
  readonly policy: NamePolicy;
}

/** A function that gives the view of a catalog. It reads the small state files each time and works only on a change. */
export function createViewer(
  options: ViewOptions,
): (catalog: SkillCatalog, permissions: Permissions) => SessionView {
  let last:
    | { catalog: SkillCatalog; permissions: Permissions; disabled: string; view: SessionView }
    | undefined;
  return (catalog, permissions) => {
    const off = disabledNames([readSkillState('user', options), readSkillState('project', options)]);
    const disabled = [...off].join('\0');
    if (last?.catalog === catalog && last.permissions === permissions && last.disabled === disabled)
      return last.view;
    const view = makeView(switchOff(catalog, off), permissions, options.policy);
    last = { catalog, permissions, disabled, view };
    return view;
  };
}

/** What has been switched off since discovery. What was off then stays off until the catalog is read again. */
function switchOff(catalog: SkillCatalog, off: ReadonlySet<string>): SkillCatalog {
  if (off.size === 0) return catalog;
  const skills = catalog.skills.map((skill) =>
    skill.enabled && off.has(foldText(skill.name)) ? { ...skill, enabled: false } : skill,
  );
  return { ...catalog, skills };
}

function makeView(catalog: SkillCatalog, permissions: Permissions, policy: NamePolicy): SessionView {
  const hidden: HiddenSkill[] = [];
  const usable = catalog.skills.filter((skill) => {
    const reason = hiddenReason(skill, { permissions, by: 'model' });
    if (reason !== undefined) hidden.push({ skill, reason });
    return reason === undefined;
  });
  const candidates = { ...catalog, skills: usable };
  if (policy === 'ambiguous') return { catalog, visible: candidates, visiblePaths: pathsOf(usable), hidden };
  const winners = usable.filter((skill) => {
    const wins = recordsNamed(candidates, skill.name)[0] === skill;
    if (!wins) hidden.push({ skill, reason: 'shadowed' });
    return wins;
  });
  return { catalog, visible: { ...catalog, skills: winners }, visiblePaths: pathsOf(winners), hidden };
}

const pathsOf = (skills: readonly SkillRecord[]) => new Set(skills.map(({ path }) => path));
