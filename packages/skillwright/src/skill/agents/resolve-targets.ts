// Resolves `--target` values to directories.

import { dirname, isAbsolute, join, sep } from 'node:path';
import { SkillwrightError, suggest } from '../../base/diagnostics/index.ts';
import { isInside, isPathLike, realPathAhead, typedPath } from '../../base/files/index.ts';
import { readVariable } from '../../base/variables.ts';
import { type Agent, agents } from './agents.ts';

/** A directory that receives skills. */
export interface Target {
  /** The agent's id, or the directory as it was given. */
  readonly id: string;
  /** Absolute. */
  readonly dir: string;
  /** With links resolved, as far as it exists, if that is known. */
  readonly real?: string | undefined;
}

/** Inputs that determine targets. */
interface TargetContext {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Resolves agent ids or paths (words with a `/`) to directories; `none` adds no target. With `project`, uses the agents'
 * project directories instead of the user's. E100 for an unknown agent.
 */
export function resolveTargets(words: readonly string[], context: TargetContext, project?: string): Target[] {
  const targets = new Map<string, Target>();
  for (const word of words
    .flatMap((list) => list.split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== 'none')) {
    const target = isPathLike(word)
      ? { id: word, dir: typedPath(word, context) }
      : agentTarget(findAgent(word), context, project);
    if (!targets.has(target.dir)) targets.set(target.dir, target);
  }
  return [...targets.values()];
}

function agentTarget(agent: Agent, context: TargetContext, project: string | undefined): Target {
  const dir = project === undefined ? userDirectory(agent, context) : join(project, agent.project);
  if (dir === undefined)
    throw SkillwrightError.of(
      'E100',
      { why: `${agent.id} only reads project skills` },
      { help: 'add --scope project' },
    );
  return { id: agent.id, dir };
}

/**
 * An agent's user directory, if it has one. A replaced home replaces it entirely, so environment variables of the real
 * home are ignored.
 */
export function userDirectory(
  { user, windows, variable }: Agent,
  { home, env }: Pick<TargetContext, 'home' | 'env'>,
  platform = process.platform,
): string | undefined {
  if (user === undefined) return undefined;
  if (platform === 'win32' && windows !== undefined) return join(home, windows);
  const replaced = variable === undefined || readVariable(env, 'HOME') ? undefined : env[variable];
  if (!replaced || !isAbsolute(replaced)) return join(home, user);
  return join(replaced, user.slice(user.indexOf('/') + 1));
}

/** User directories that agents read, without duplicates. */
export function userDirectories(context: Pick<TargetContext, 'home' | 'env'>): string[] {
  return [...new Set(agents.map((agent) => userDirectory(agent, context)))].filter(
    (directory) => directory !== undefined,
  );
}

/**
 * The agent's directory that contains a skill, by its canonical path: agents read the skill where it is. `project` is the
 * directory that has it; undefined for the user's own.
 */
export function agentDirectoryOf(
  skill: string,
  context: Pick<TargetContext, 'home' | 'env'>,
): (Target & { readonly project: string | undefined }) | undefined {
  for (const agent of agents) {
    const dir = userDirectory(agent, context);
    if (dir !== undefined && isInside(realPathAhead(dir), dirname(skill)))
      return { id: agent.id, dir: dirname(skill), project: undefined };
  }
  for (const { id, project } of agents.filter((agent) => agent.project.startsWith('.'))) {
    const at = skill.lastIndexOf(`${sep}${project.split('/').join(sep)}${sep}`);
    if (at !== -1) return { id, dir: dirname(skill), project: skill.slice(0, at) || sep };
  }
  return undefined;
}

function findAgent(word: string): Agent {
  const agent = agents.find(({ id, aliases }) => id === word || aliases?.includes(word));
  if (agent !== undefined) return agent;
  const known = agents.map(({ id }) => id);
  const suggestions = suggest(word, known);
  throw SkillwrightError.of(
    'E100',
    { why: `unknown agent '${word}'` },
    {
      help:
        suggestions.length > 0
          ? `did you mean ${suggestions.join(', ')}?`
          : `known agents: ${known.join(', ')}; a value with a / is a directory`,
      data: { suggestions },
    },
  );
}
