// Builds a skill again in the place where it was built, for readers that find its index missing or stale.

import type { RuntimeBase } from '../../skill/skill/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import { buildSkill } from './build-skill.ts';
import { hideNested } from './hide-nested.ts';

/** Builds the skill in `dir`, and returns its runtime directory. */
export async function rebuildSkill(
  dir: string,
  base: RuntimeBase,
  { workspace, now }: { readonly workspace: Workspace; readonly now: Date },
): Promise<string> {
  const { search, build } = await workspace.config();
  const { home } = workspace;
  const { tokenizer } = search;
  const hides = await hideNested(workspace);
  const configured = build.deploy;
  return buildSkill(dir, { base, home, tokenizer, force: false, now, hides, configured }).runtime;
}
