// Switching one skill of many, whatever others are called, and taking that back.

import { foldText } from '../../base/markdown/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import { namesOfSkill } from '../../skill/skill/index.ts';
import {
  changeSwitchedOff,
  entryOfPlace,
  readSwitchedOff,
  type Store,
  type StoreScope,
  type SwitchedEntries,
  type Workspace,
} from '../../skill/workspace/index.ts';

interface KnownSkills {
  readonly skills: readonly SkillRecord[];
}

/** A function that says whose decisions keep a skill off, as the files are now; none when it is on. */
export function readScopesOff({ stores }: Pick<Workspace, 'stores'>): (skill: SkillRecord) => StoreScope[] {
  const lists = stores.map((store) => ({ scope: store.scope, off: readSwitchedOff([store]) }));
  return ({ frontmatter, dir }) =>
    lists.filter(({ off }) => off.has(namesOfSkill(frontmatter, dir), dir)).map(({ scope }) => scope);
}

/**
 * Switches exactly this skill, and no other of its name. Off is written to the store of `scope`, or to the project's
 * where there is one; on takes it out of that store, or without `scope` out of all of them. Gives what has to be undone.
 */
export function switchRecord(
  skill: SkillRecord,
  { enabled, scope }: { readonly enabled: boolean; readonly scope?: StoreScope | undefined },
  { catalog, workspace }: { readonly catalog: KnownSkills; readonly workspace: Workspace },
): SwitchedEntries[] {
  const names = foldedNames(skill);
  const others = catalog.skills.filter(
    (other) => other.dir !== skill.dir && foldedNames(other).some((name) => names.includes(name)),
  );
  if (!enabled) {
    const store = workspace.store(scope);
    const entry = others.length === 0 ? skill.name : entryOfPlace(skill.dir, store);
    return [changeSwitchedOff(store, () => ({ removed: [], added: [entry] }))];
  }
  const stores = scope === undefined ? workspace.stores : [workspace.store(scope)];
  return stores.map((store) => {
    // Others that the same entry keeps off stay off, each by its own place.
    const kept = others.filter((other) => isOffIn(store, other)).map(({ dir }) => entryOfPlace(dir, store));
    const own = entryOfPlace(skill.dir, store);
    return changeSwitchedOff(store, (entries) => {
      const removed = entries.filter((entry) => entry === own || names.includes(foldText(entry)));
      return { removed, added: removed.some((entry) => entry !== own) ? kept : [] };
    });
  });
}

/** Takes a switch back; what has been switched elsewhere since then stays. */
export function undoSwitch(done: readonly SwitchedEntries[]): void {
  for (const { store, removed, added } of done)
    changeSwitchedOff(store, () => ({ removed: added, added: removed }));
}

function isOffIn(store: Store, { frontmatter, dir }: SkillRecord): boolean {
  return readSwitchedOff([store]).has(namesOfSkill(frontmatter, dir), dir);
}

const foldedNames = ({ frontmatter, dir }: SkillRecord) => namesOfSkill(frontmatter, dir).map(foldText);
