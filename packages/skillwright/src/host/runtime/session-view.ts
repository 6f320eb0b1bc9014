// The catalog as one session sees it now: with what has been switched off since, and what is kept from the model.

import { type NamePolicy, recordsNamed } from '../../read/access/index.ts';
import type { SkillCatalog, SkillRecord } from '../../read/catalog/index.ts';
import { createEnclosureFinder, type Law, type Reason, standingWithin } from '../../skill/judge/index.ts';
import { namesOfSkill } from '../../skill/skill/index.ts';
import { type Permissions, readSwitchedOff, type SwitchedOff } from '../../skill/workspace/index.ts';
import type { SessionSettings } from './session-settings.ts';

/** A skill that the model does not see, and why. `shadowed`: another of its name takes precedence. */
export interface HiddenSkill {
  readonly skill: SkillRecord;
  readonly reason: Reason | 'shadowed';
}

/** One state of affairs. */
export interface SessionView {
  /** Every record, with `enabled` as it is now. */
  readonly catalog: SkillCatalog;
  /** What it was judged by. */
  readonly law: Law;
  /** What the model may see. */
  readonly visible: SkillCatalog;
  /** The paths of those. */
  readonly visiblePaths: ReadonlySet<string>;
  readonly hidden: readonly HiddenSkill[];
}

/** A function that gives the view of a catalog. It reads the small state files each time and works only on a change. */
export function createViewer(
  policy: NamePolicy,
): (catalog: SkillCatalog, settings: Pick<SessionSettings, 'workspace' | 'permissions'>) => SessionView {
  let last: { catalog: SkillCatalog; rules: Permissions; key: string; view: SessionView } | undefined;
  return (catalog, { workspace, permissions: rules }) => {
    const off = readSwitchedOff(workspace.stores);
    if (last?.catalog === catalog && last.rules === rules && last.key === off.key) return last.view;
    const view = makeView(switchOff(catalog, off), { rules, off }, policy);
    last = { catalog, rules, key: off.key, view };
    return view;
  };
}

/** What has been switched off since discovery. What was off then stays off until the catalog is read again. */
function switchOff(catalog: SkillCatalog, off: SwitchedOff): SkillCatalog {
  if (off.names.length === 0) return catalog;
  const skills = catalog.skills.map((skill) =>
    skill.enabled && off.has(namesOfSkill(skill.frontmatter, skill.dir), skill.dir)
      ? { ...skill, enabled: false }
      : skill,
  );
  return { ...catalog, skills };
}

function makeView(catalog: SkillCatalog, law: Law, policy: NamePolicy): SessionView {
  const hidden: HiddenSkill[] = [];
  const enclosing = createEnclosureFinder();
  const usable = catalog.skills.filter((skill) => {
    const standing = standingWithin(skill, { operation: 'list', by: 'model' }, { law, enclosing });
    if ('reason' in standing) hidden.push({ skill, reason: standing.reason });
    return !('reason' in standing);
  });
  const candidates = { ...catalog, skills: usable };
  const shared = { catalog, law, hidden };
  if (policy === 'ambiguous') return { ...shared, visible: candidates, visiblePaths: pathsOf(usable) };
  const winners = usable.filter((skill) => {
    const wins = recordsNamed(candidates, skill.name)[0] === skill;
    if (!wins) hidden.push({ skill, reason: 'shadowed' });
    return wins;
  });
  return { ...shared, visible: { ...catalog, skills: winners }, visiblePaths: pathsOf(winners) };
}

const pathsOf = (skills: readonly SkillRecord[]) => new Set(skills.map(({ path }) => path));
