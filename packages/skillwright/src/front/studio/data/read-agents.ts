// Skills as each agent on this machine sees them.

import { join } from 'node:path';
import { isDirectory } from '../../../base/files/index.ts';
import { factsOf, nameFor, readListing, type SeenAgent, skillsOf } from '../../../ship/doctor/index.ts';
import { agents as knownAgents, userDirectory } from '../../../skill/agents/index.ts';
import { isUserOnly } from '../../../skill/judge/index.ts';
import type { Workspace } from '../../../skill/workspace/index.ts';
import { showPlace, withoutHome } from './show-place.ts';
import type { StudioState } from './studio-state.ts';
import type { Look } from './take-look.ts';

/** The page: the agents in use here. */
export interface AgentsView {
  readonly agents: readonly SeeingAgent[];
}

/** One agent. */
export type SeeingAgent = Awaited<ReturnType<typeof describeAgent>>;

/** Reads it. */
export async function readAgents(look: Look, state: StudioState): Promise<AgentsView> {
  return { agents: await Promise.all(state.agents(look).map((seen) => describeAgent(seen, look))) };
}

async function describeAgent(seen: SeenAgent, look: Look) {
  const { workspace } = look.context;
  const { lines, ...listing } = readListing(seen);
  const over = new Set(lines.filter(({ isOver }) => isOver).map(({ entry }) => entry.skill));
  const skills = await Promise.all(
    skillsOf(seen).map(async (one) => {
      const { entry, identity } = one.skill;
      const record = look.byDir.get(identity);
      const facts = record && (await look.facts.of(record));
      const isOwn = identity === entry.dir && facts?.form !== 'whole';
      const isHidden = seen.facts.honoursDisabled && isUserOnly(entry.frontmatter);
      return {
        id: record === undefined ? null : look.addressOf(record),
        name: nameFor(seen.facts, one),
        form: isOwn ? ('unmanaged' as const) : (facts?.form ?? ('stub' as const)),
        tokens: (isOwn ? facts?.tokens : facts?.stub_tokens) ?? null,
        /** Why it does not work for this agent; null when it does. */
        problem:
          entry.problem !== undefined
            ? withoutHome(entry.problem.message, workspace.home)
            : isHidden
              ? 'Only you can invoke it (disable-model-invocation).'
              : null,
        /** Its description does not fit into the list. */
        isOver: over.has(one.skill),
      };
    }),
  );
  return {
    id: seen.agent.id,
    /** Directories it reads, as the user writes them, and whether each exists. */
    directories: readDirectories(seen.agent.id, workspace),
    /** Skills it sees. */
    skills,
    /** The list it puts into the context. */
    listing: { ...listing, skills: lines.length },
  };
}

/** The directories an agent reads, the project's first. */
function readDirectories(id: string, workspace: Workspace) {
  const agent = knownAgents.find((one) => one.id === id)!;
  const { project, user } = factsOf(agent).reads;
  const own = userDirectory(agent, workspace);
  const paths = new Set([
    ...workspace.directories
      .toReversed()
      .flatMap((base) => project.map((directory) => join(base, directory))),
    ...user.map((directory) => (directory === agent.user && own ? own : join(workspace.home, directory))),
  ]);
  return [...paths].map((path) => ({ place: showPlace(path, workspace), exists: isDirectory(path) }));
}
