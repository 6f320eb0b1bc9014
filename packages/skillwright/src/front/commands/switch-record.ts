// Switches one skill without affecting others of the same name, and undoes it.

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

type Named = Pick<SkillRecord, 'name' | 'dir' | 'frontmatter'>;

/** A function that returns the scopes that keep a skill off now; none if it is on. */
export function readScopesOff({ stores }: Pick<Workspace, 'stores'>): (skill: Named) => StoreScope[] {
  const lists = stores.map((store) => ({ scope: store.scope, off: readSwitchedOff([store]) }));
  return (skill) =>
    lists.filter(({ off }) => off.has(namesOfSkill(skill), skill.dir)).map(({ scope }) => scope);
}

/**
 * Switches this skill and no other of its name. Off is written to the store of `scope`, by default the project's if there
 * is one. On removes the entry from that store, or without `scope` from all of them. Returns the changes for undo.
 */
export function switchRecord(
  skill: Named,
  { enabled, scope }: { readonly enabled: boolean; readonly scope?: StoreScope | undefined },
  {
    catalog,
    workspace,
  }: { readonly catalog: { readonly skills: readonly Named[] }; readonly workspace: Workspace },
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
    // Other skills the same entry keeps off get an entry each, by path.
    const kept = others.filter((other) => isOffIn(store, other)).map(({ dir }) => entryOfPlace(dir, store));
    const own = entryOfPlace(skill.dir, store);
    return changeSwitchedOff(store, (entries) => {
      const removed = entries.filter((entry) => entry === own || names.includes(foldText(entry)));
      return { removed, added: removed.some((entry) => entry !== own) ? kept : [] };
    });
  });
}

/** Undoes a switch and keeps changes made elsewhere since. */
export function undoSwitch(done: readonly SwitchedEntries[]): void {
  for (const { store, removed, added } of done)
    changeSwitchedOff(store, () => ({ removed: added, added: removed }));
}

function isOffIn(store: Store, skill: Named): boolean {
  return readSwitchedOff([store]).has(namesOfSkill(skill), skill.dir);
}

const foldedNames = (skill: Named) => namesOfSkill(skill).map(foldText);
