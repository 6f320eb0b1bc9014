// The catalog for commands: the input they share, the skills the caller may see, and who sees each.

import { join, relative, sep } from 'node:path';
import { formatCount } from '../../base/diagnostics/index.ts';
import { type Discovery, loadCatalog, type SkillCatalog } from '../../read/catalog/index.ts';
import type { Sights } from '../../ship/doctor/index.ts';
import type { StoreLocks } from '../../ship/install/index.ts';
import { SKILL_FILE } from '../../skill/skill/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import type { CommandContext } from './command-context.ts';
import type { Line } from './define-command.ts';

interface CatalogInput extends Pick<Discovery, 'roots'> {
  readonly agents: readonly string[];
  readonly node_modules: boolean;
}

/** The skills of the workspace: all of them, those the caller may see, and those of which it may not read the text. */
interface OpenedCatalog {
  readonly whole: SkillCatalog;
  readonly visible: SkillCatalog;
  readonly sealed: ReadonlySet<string>;
}

/** Opens the catalog for the caller. */
export async function openCatalog(
  { agents: named, node_modules: nodeModules, roots = [] }: CatalogInput,
  { access, workspace }: Pick<CommandContext, 'access' | 'workspace'>,
): Promise<OpenedCatalog> {
  const isPlain = named.length === 0 && !nodeModules && roots.length === 0;
  const agents = named.includes('all') ? 'all' : named;
  const whole = isPlain
    ? await access.catalog({ fresh: true })
    : await loadCatalog(workspace, { agents, nodeModules, roots });
  const { visible } = await access.view(whole);
  return { whole, visible, sealed: await access.sealed(visible.skills) };
}

/** Opens the catalog with the directories of every agent in use here, and who sees each skill. */
export async function openSeen(
  input: CatalogInput & { readonly locks: StoreLocks },
  context: CommandContext,
): Promise<OpenedCatalog & { readonly sights: Sights }> {
  const { readAgentsInSight, whoSees } = await import('../../ship/doctor/index.ts');
  const agents = readAgentsInSight(context, input.locks);
  const plain = await openCatalog(input, context);
  const searched = new Set(plain.whole.roots.flatMap(({ path, real = path }) => [path, real]));
  const roots = agents
    .flatMap((agent) => agent.roots)
    .filter(({ path, real }) => !searched.has(path) && !searched.has(real));
  const catalog = roots.length === 0 ? plain : await openCatalog({ ...input, roots }, context);
  return { ...catalog, sights: whoSees(agents) };
}

/** The SKILL.md that hides another of the same name, by the path of the hidden one. */
export function shadowersIn({ skills }: SkillCatalog): ReadonlyMap<string, string> {
  const shadowers = new Map<string, string>();
  for (const { path, shadows } of skills)
    for (const later of shadows) if (!shadowers.has(later)) shadowers.set(later, path);
  return shadowers;
}

/** Notes about skills that are missing from a catalog. */
export const missingNotes = ({ errors, cut }: { errors: number; cut: boolean }): Line => [
  errors > 0 && `${formatCount(errors, 'skill')} could not be read; 'skc list --paths' says why`,
  cut && "the search stopped early; 'skc list --paths' says where",
];

/** A path as a person in the working directory would write it. */
export function showPath(path: string, { cwd, home }: Pick<Workspace, 'cwd' | 'home'>): string {
  const fromHere = relative(cwd, path);
  if (fromHere !== '' && !fromHere.startsWith('..')) return fromHere;
  return path.startsWith(home + sep) ? join('~', path.slice(home.length + 1)) : path;
}

/** Reports the names that other agents may refuse, of the listed skills. */
export function reportNames(
  { diagnostics }: Pick<SkillCatalog, 'diagnostics'>,
  dirs: Iterable<string>,
  { report }: Pick<CommandContext, 'report'>,
): void {
  const listed = new Set([...dirs].map((dir) => join(dir, SKILL_FILE)));
  for (const diagnostic of diagnostics)
    if (/^W0(?:06|11)$/.test(diagnostic.code) && listed.has(String(diagnostic.data?.path)))
      report(diagnostic);
}
