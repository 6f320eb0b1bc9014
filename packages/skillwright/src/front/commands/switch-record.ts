// Switches one skill without affecting others of the same name.

import { foldText } from '../../base/markdown/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import { namesOfSkill } from '../../skill/skill/index.ts';
import {
  changeSwitchedOff,
  entryOfPlace,
  readSwitchedOff,
  type Store,
  type StoreScope,
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
 * is one. On removes the entry from that store, or without `scope` from all of them. Returns the scopes that changed.
 */
export function switchRecord(
  skill: Named,
  { enabled, scope }: { readonly enabled: boolean; readonly scope?: StoreScope | undefined },
  {
    catalog,
    workspace,
  }: { readonly catalog: { readonly skills: readonly Named[] }; readonly workspace: Workspace },
): StoreScope[] {
  const names = foldedNames(skill);
  const others = catalog.skills.filter(
    (other) => other.dir !== skill.dir && foldedNames(other).some((name) => names.includes(name)),
  );
  if (!enabled) {
    const store = workspace.store(scope);
    const entry = others.length === 0 ? skill.name : entryOfPlace(skill.dir, store);
    return changeSwitchedOff(store, (entries) => [...entries, entry]) ? [store.scope] : [];
  }
  const stores = scope === undefined ? workspace.stores : [workspace.store(scope)];
  const changed = stores.filter((store) => {
    // Other skills the same entry keeps off get an entry each, by path.
    const kept = others.filter((other) => isOffIn(store, other)).map(({ dir }) => entryOfPlace(dir, store));
    const own = entryOfPlace(skill.dir, store);
    return changeSwitchedOff(store, (entries) => {
      const rest = entries.filter((entry) => entry !== own);
      const left = rest.filter((entry) => !names.includes(foldText(entry)));
      return left.length === rest.length ? left : [...left, ...kept];
    });
  });
  return changed.map((store) => store.scope);
}

function isOffIn(store: Store, skill: Named): boolean {
  return readSwitchedOff([store]).has(namesOfSkill(skill), skill.dir);
}

const foldedNames = (skill: Named) => namesOfSkill(skill).map(foldText);
