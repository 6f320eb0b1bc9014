// What commands about all skills have in common.

import { join, relative, sep } from 'node:path';
import * as z from 'zod';
import { loadCatalog, readCatalogOptions, type SkillCatalog } from '../../read/catalog/index.ts';
import type { CommandContext } from './command-context.ts';

/** The fields that widen a search for skills. */
export const catalogFields = {
  agents: z.array(z.string()).default([]).describe("Agents whose own directories count too, or 'all'"),
  node_modules: z.boolean().default(false).describe('Count skills of installed packages'),
};

/** The catalog of the working directory. Whoever runs a command in a directory trusts what is in it. */
export async function openCatalog(
  input: { readonly agents: readonly string[]; readonly node_modules: boolean },
  context: Pick<CommandContext, 'cwd' | 'home' | 'env' | 'report' | 'keepCatalog'>,
): Promise<SkillCatalog> {
  const catalog = await loadCatalog({
    ...(await readCatalogOptions(context)),
    trusted: true,
    agents: input.agents.includes('all') ? 'all' : input.agents,
    nodeModules: input.node_modules,
  });
  return context.keepCatalog?.(context.cwd, catalog) ?? catalog;
}

/** A path as a person in `cwd` would write it. */
export function showPath(path: string, { cwd, home }: Pick<CommandContext, 'cwd' | 'home'>): string {
  const fromHere = relative(cwd, path);
  if (fromHere !== '' && !fromHere.startsWith('..')) return fromHere;
  return path.startsWith(home + sep) ? join('~', path.slice(home.length + 1)) : path;
}
