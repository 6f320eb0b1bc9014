// Lists the skills that skc manages, with their state: those in the stores and those that were compiled.

import { join } from 'node:path';
import { compareBytes, namesIn, realPath } from '../../base/files/index.ts';
import { digestSkill } from '../../skill/quiz/index.ts';
import { type DeployForm, isSkill, listRuntimes, openSkill } from '../../skill/skill/index.ts';
import type { Store, StoreScope, Workspace } from '../../skill/workspace/index.ts';

/** State of a skill. `obsolete`: changed or removed since it was built. */
type SkillStatus = 'normal' | 'not-built' | 'obsolete';

/** One skill of the list. */
export interface ManagedSkill {
  name: string;
  scope: StoreScope;
  status: SkillStatus;
  source_path: string;
  /** Null if it is not built. */
  runtime_path: string | null;
  /** Its form of deployment, and the reason; null if it is not built. */
  form: DeployForm | null;
  why: string | null;
}

/** Every skill, the project's before the user's, then by name. Checks for changes if `checkObsolete` is set. */
export function listManagedSkills(workspace: Workspace, options: { checkObsolete: boolean }): ManagedSkill[] {
  const { stores, home } = workspace;
  const built = stores.map((store) => listBuilt(store, { ...options, home }));
  // A skill of the project may have been compiled for the user.
  const sources = new Set(built.flat().map(({ source_path }) => realPath(source_path)));
  return stores.flatMap((store, index) =>
    [...built[index]!, ...listNotBuilt(store, sources)].sort(
      (a, b) => compareBytes(a.name, b.name) || compareBytes(a.source_path, b.source_path),
    ),
  );
}

function listBuilt(store: Store, options: { checkObsolete: boolean; home: string }): ManagedSkill[] {
  return listRuntimes(store, options.home).map(({ dir, manifest, source }) => {
    const isObsolete =
      !isSkill(source) || (options.checkObsolete && digestSkill(source) !== manifest.source_hash);
    return {
      name: manifest.skill,
      scope: store.scope,
      status: isObsolete ? 'obsolete' : 'normal',
      source_path: source,
      runtime_path: dir,
      form: manifest.form ?? 'stub',
      why: manifest.why ?? null,
    };
  });
}

function listNotBuilt({ scope, skills }: Store, built: ReadonlySet<string>): ManagedSkill[] {
  return namesIn(skills).flatMap((directory): ManagedSkill[] => {
    const source = join(skills, directory);
    if (!isSkill(source) || built.has(realPath(source))) return [];
    const notBuilt = { status: 'not-built', runtime_path: null, form: null, why: null } as const;
    return [{ name: nameAt(source), scope, source_path: source, ...notBuilt }];
  });
}

function nameAt(dir: string): string {
  try {
    return openSkill(dir).name;
  } catch {
    // The list names what it can; reading the skill reports the problem.
    return dir.slice(dir.lastIndexOf('/') + 1);
  }
}
