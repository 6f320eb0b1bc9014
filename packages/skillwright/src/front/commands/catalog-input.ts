// Input that all commands about the catalog share.

import { join, relative, sep } from 'node:path';
import * as z from 'zod';
import { findOpened } from '../../read/access/index.ts';
import { loadCatalog, type SkillCatalog } from '../../read/catalog/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import type { CommandContext } from './command-context.ts';

/** The fields that widen a search for skills. */
export const catalogFields = {
  agents: z.array(z.string()).default([]).describe("Also search the directories of these agents, or 'all'"),
  node_modules: z.boolean().default(false).describe('Also search node_modules'),
};

/** The skills of the workspace: all of them, those the caller may see, and those whose quiz is passed. */
interface OpenedCatalog {
  readonly whole: SkillCatalog;
  readonly visible: SkillCatalog;
  readonly opened: ReadonlySet<string>;
}

/** Opens the catalog for the caller. */
export async function openCatalog(
  input: { readonly agents: readonly string[]; readonly node_modules: boolean },
  { access, workspace }: Pick<CommandContext, 'access' | 'workspace'>,
): Promise<OpenedCatalog> {
  const isPlain = input.agents.length === 0 && !input.node_modules;
  const agents = input.agents.includes('all') ? 'all' : input.agents;
  const whole = isPlain
    ? await access.catalog({ fresh: true })
    : await loadCatalog(workspace, { agents, nodeModules: input.node_modules });
  const { visible } = await access.view(whole);
  return { whole, visible, opened: await findOpened(visible.skills, access.judge) };
}

/** A path as a person in the working directory would write it. */
export function showPath(path: string, { cwd, home }: Pick<Workspace, 'cwd' | 'home'>): string {
  const fromHere = relative(cwd, path);
  if (fromHere !== '' && !fromHere.startsWith('..')) return fromHere;
  return path.startsWith(home + sep) ? join('~', path.slice(home.length + 1)) : path;
}
