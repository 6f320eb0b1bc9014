// What one server knows of its surroundings, for as long as it lives.

import { fileURLToPath } from 'node:url';
import type { CommandContext } from '../commands/command-context.ts';
import { createIndexCache } from '../index/index-cache.ts';
import { isDirectory } from '../places/find-project.ts';
import { listServedSkills, type ServedSkill } from './list-served-skills.ts';
import { loadTools, type ServedTool } from './load-tools.ts';
import { createSkillReader, type SkillReader } from './skill-reader.ts';

/** Shared by all connections. */
export interface Workspace {
  readonly context: CommandContext;
  readonly tools: ReadonlyMap<string, ServedTool>;
  readonly reader: SkillReader;
  /** The skills seen from a working directory. */
  listSkills(cwd: string): ServedSkill[];
  close(): void;
}

/** A workspace in the surroundings of the command that started the server. */
export async function openWorkspace(surroundings: CommandContext): Promise<Workspace> {
  const indexes = createIndexCache();
  const reader = createSkillReader();
  const context: CommandContext = { ...surroundings, indexes };
  return {
    context,
    tools: await loadTools(),
    reader,
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
