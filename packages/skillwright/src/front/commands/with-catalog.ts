// Names that are in neither store are looked up in the catalog. It is read for them alone.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { type CataloguedSkills, isCatalogName } from '../../skill/places/index.ts';
import type { CommandContext } from './command-context.ts';

/** Where commands are told their skills, when that is not the field `skill`. */
const wordFields: Readonly<Record<string, string>> = { build: 'skills', publish: 'skills', lint: 'paths' };

/** The context with the catalog in it, when the input of a command names a skill that only the catalog may know. */
export async function withCatalog(
  name: string,
  input: Record<string, unknown>,
  context: CommandContext,
): Promise<CommandContext> {
  const words = [input[wordFields[name] ?? 'skill']].flat().filter((word) => typeof word === 'string');
  const unknown = words.filter((word) => isCatalogName(word, context));
  if (unknown.length === 0) return context;
  const catalogued = await (context.findCatalogued ?? readCatalogued)(context, unknown);
  // A copy that leaves alone what is only made when it is asked for.
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(context));
  return Object.defineProperty(copy, 'catalogued', {
    value: catalogued,
    enumerable: true,
  }) as CommandContext;
}

/** The names of the catalog of the working directory; undefined when broken configuration keeps it from being read. */
async function readCatalogued(context: CommandContext): Promise<CataloguedSkills | undefined> {
  const { openCatalog } = await import('./catalog-input.ts');
  try {
    const { cwd, home, env, keepCatalog } = context;
    const place = { cwd, home, env, keepCatalog, report: () => {} };
    const { skills } = await openCatalog({ agents: [], node_modules: false }, place);
    const byName = Map.groupBy(skills, (skill) => skill.name);
    return {
      find: (name) => (byName.get(name) ?? []).map(({ dir }) => dir),
      names: () => [...byName.keys()],
    };
  } catch (error) {
    // Whoever needs the configuration says what is wrong with it.
    if (error instanceof SkillwrightError) return undefined;
    throw error;
  }
}

/** For how long names are known without looking again. */
const KNOWN_MS = 2000;

/** Makes a reader for a process that lives long: names it has just looked up are known for a moment. */
export function createCatalogReader(): NonNullable<CommandContext['findCatalogued']> {
  const known = new Map<string, { at: number; catalogued: CataloguedSkills }>();
  return async (context, words) => {
    const { cwd } = context;
    const now = performance.now();
    const before = known.get(cwd);
    // A name that is not there may have come since.
    const isEnough = before !== undefined && words.every((word) => before.catalogued.find(word).length > 0);
    if (isEnough && now - before.at < KNOWN_MS) return before.catalogued;
    known.clear();
    const catalogued = await readCatalogued(context);
    if (catalogued !== undefined) known.set(cwd, { at: now, catalogued });
    return catalogued;
  };
}
