// Agents in use here: those with installed skills, and those that have left their directories.

import { dirname, join } from 'node:path';
import { catchCoded } from '../../base/diagnostics/index.ts';
import { isDirectory } from '../../base/files/index.ts';
import { type Agent, agents, SHARED_SKILLS, userDirectory } from '../../skill/agents/index.ts';
import { placesInSight, readLock } from '../install/index.ts';
import { type AgentFacts, factsOf } from './agent-facts.ts';
import { type AgentRoot, createRootReader, type RootReader, type VisibleEntry } from './agent-root.ts';
import type { DoctorContext } from './survey.ts';

/** An agent in use here. */
export interface SeenAgent {
  readonly agent: Agent;
  readonly facts: AgentFacts;
  /** The existing directories it reads, in order of precedence. */
  readonly roots: readonly AgentRoot[];
}

/** A skill, and the directory in which an agent finds it. */
export interface SeenEntry {
  readonly root: AgentRoot;
  readonly skill: VisibleEntry;
}

/** The agents in use in a workspace, with the skills each finds. Total: an unusable lock names no agents. */
export function readAgentsInSight(context: DoctorContext): SeenAgent[] {
  const named = placesInSight(undefined, context).flatMap(({ store }) =>
    catchCoded(
      () => Object.values(readLock(store.lock).lock.skills).flatMap(({ targets }) => targets),
      () => [],
    ),
  );
  return findAgentsInSight(createRootReader(undefined, context), {
    context,
    named: new Set(named.map(({ agent }) => agent)),
  });
}

/** Finds agents by their directories, or by the targets in the lock. */
export function findAgentsInSight(
  roots: RootReader,
  { context, named }: { context: DoctorContext; named: ReadonlySet<string> },
): SeenAgent[] {
  const seen = agents.flatMap((agent): SeenAgent[] => {
    const facts = factsOf(agent);
    if (!named.has(agent.id) && !isMarked(agent, facts, { roots, context })) return [];
    const read = roots.of(agent.id, facts.reads);
    const ofScope = (scope: AgentRoot['scope']) => read.filter((root) => root.scope === scope);
    const [project, user] = [ofScope('project'), ofScope('user')];
    return [
      {
        agent,
        facts,
        roots: facts.precedence === 'user' ? [...user, ...project] : [...project, ...user],
      },
    ];
  });
  // The generic agent counts only when no specific agent reads the shared directory.
  const isRead = seen.some(({ facts }) => facts.documented && facts.reads.project.includes(SHARED_SKILLS));
  return seen.filter(({ agent }) => agent.id !== 'agents' || !isRead);
}

function isMarked(
  agent: Agent,
  { marks }: AgentFacts,
  { roots, context }: { roots: RootReader; context: DoctorContext },
): boolean {
  const places = roots.bases.flatMap(({ base }) => marks.map((mark) => join(base, mark)));
  const moved = userDirectory(agent, context.workspace);
  if (agent.variable !== undefined && context.workspace.env[agent.variable] && moved !== undefined)
    places.push(dirname(moved));
  return places.some(isDirectory);
}

/** The name under which an agent lists a skill. */
export function nameFor({ directory }: AgentFacts, { skill }: SeenEntry): string {
  const own = skill.place.slice(dirname(skill.place).length + 1);
  return directory === 'called' ? own : skill.entry.name;
}

/** The skills an agent finds, in order of precedence. A skill found twice counts once. */
export function skillsOf({ roots, facts }: SeenAgent): SeenEntry[] {
  const met = new Set<string>();
  return roots.flatMap((root) =>
    root.skills.flatMap((skill): SeenEntry[] => {
      const isTooDeep = facts.depth !== undefined && skill.depth > facts.depth;
      if (isTooDeep || met.has(skill.identity)) return [];
      met.add(skill.identity);
      return [{ root, skill }];
    }),
  );
}
