// The catalog as a session sees it now: without skills disabled since discovery, or hidden from the model.

import { type NamePolicy, recordsNamed } from '../../read/access/index.ts';
import type { SkillCatalog, SkillRecord } from '../../read/catalog/index.ts';
import { createEnclosureFinder, type Law, type Reason, standingWithin } from '../../skill/judge/index.ts';
import { namesOfSkill } from '../../skill/skill/index.ts';
import { type Permissions, readSwitchedOff, type SwitchedOff } from '../../skill/workspace/index.ts';
import type { SessionSettings } from './session-settings.ts';

/** A skill hidden from the model, and why. `shadowed`: another skill of that name takes precedence. */
export interface HiddenSkill {
  readonly skill: SkillRecord;
  readonly reason: Reason | 'shadowed';
}

/** One state of the catalog. */
export interface SessionView {
  /** Every record, with its current `enabled`. */
  readonly catalog: SkillCatalog;
  /** Rules and switches it was judged by. */
  readonly law: Law;
  /** Skills the model may see. */
  readonly visible: SkillCatalog;
  /** Their paths. */
  readonly visiblePaths: ReadonlySet<string>;
  readonly hidden: readonly HiddenSkill[];
}

/** A function that returns the view of a catalog. It reads the small state files each time and recomputes on a change. */
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

/** Skills disabled since discovery. Skills disabled before that stay so until the catalog is read again. */
function switchOff(catalog: SkillCatalog, off: SwitchedOff): SkillCatalog {
  if (off.names.length === 0) return catalog;
  const skills = catalog.skills.map((skill) =>
    skill.enabled && off.has(namesOfSkill(skill), skill.dir) ? { ...skill, enabled: false } : skill,
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
