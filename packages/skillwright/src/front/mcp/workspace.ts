// What one server knows of its surroundings, for as long as it lives.

import { fileURLToPath } from 'node:url';
import { createCatalogKeeper } from '../../read/catalog/index.ts';
import { createIndexCache } from '../../read/index/index.ts';
import { isDirectory } from '../../skill/places/index.ts';
import { type CommandContext, createCatalogReader } from '../commands/index.ts';
import { listServedSkills, type ServedSkill } from './list-served-skills.ts';
import { loadTools, type ServedTool } from './load-tools.ts';
import { createSkillPermit, type SkillPermit } from './skill-permit.ts';
import { createSkillReader, type SkillReader } from './skill-reader.ts';

/** Shared by all connections. */
export interface Workspace {
  readonly context: CommandContext;
  readonly tools: ReadonlyMap<string, ServedTool>;
  readonly reader: SkillReader;
  readonly permit: SkillPermit;
  /** The skills seen from a working directory, whether an agent may see them or not. */
  listSkills(cwd: string): ServedSkill[];
  close(): void;
}

/** A workspace in the surroundings of the command that started the server. */
export async function openWorkspace(surroundings: CommandContext): Promise<Workspace> {
  const indexes = createIndexCache();
  const reader = createSkillReader();
  const permit = createSkillPermit(surroundings, reader);
  const context: CommandContext = {
    ...surroundings,
    indexes,
    keepCatalog: createCatalogKeeper(),
    findCatalogued: createCatalogReader(),
    permit: (dir, { cwd }) => permit.check(dir, cwd),
  };
  return {
    context,
    tools: await loadTools(),
    reader,
    permit,
    listSkills: (cwd) => listServedSkills({ cwd, home: context.home }, reader),
    close: () => indexes.close(),
  };
}

/** The directory a client's first root stands for; undefined when it is none on this machine. */
export function directoryOfRoot(uri: string | undefined): string | undefined {
  if (uri === undefined) return undefined;
  try {
    const path = fileURLToPath(uri);
    return isDirectory(path) ? path : undefined;
  } catch {
    // Another scheme, or a path of another system.
    return undefined;
  }
}
