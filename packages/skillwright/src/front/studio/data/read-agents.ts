// Skills as each agent on this machine sees them.

import { join } from 'node:path';
import { isDirectory } from '../../../base/files/index.ts';
import {
  factsOf,
  type Listing,
  nameFor,
  readListing,
  type SeenAgent,
  skillsOf,
} from '../../../ship/doctor/index.ts';
import { agents as knownAgents, userDirectory } from '../../../skill/agents/index.ts';
import { isUserOnly } from '../../../skill/judge/index.ts';
import type { Workspace } from '../../../skill/workspace/index.ts';
import { showPlace, withoutHome } from './show-place.ts';
import type { ShownForm } from './skill-facts.ts';
import type { StudioState } from './studio-state.ts';
import type { Look } from './take-look.ts';

/** One agent. */
export interface SeeingAgent {
  readonly id: string;
  readonly isPresent: boolean;
  /** Directories it reads, as the user writes them, and whether each exists. */
  readonly directories: readonly { readonly place: string; readonly exists: boolean }[];
  /** Skills it sees. */
  readonly skills: readonly {
    readonly id: string | null;
    readonly name: string;
    readonly form: ShownForm;
    readonly tokens: number | null;
    /** Why it does not work for this agent; null when it does. */
    readonly problem: string | null;
    /** Its description does not fit into the list. */
    readonly isOver: boolean;
  }[];
  /** The list it puts into the context; null for an agent that is not used here. */
  readonly listing: (Omit<Listing, 'lines'> & { readonly skills: number }) | null;
}

/** The page. */
export interface AgentsView {
  readonly agents: readonly SeeingAgent[];
}

/** The page. Agents in use come first. */
export async function readAgents(look: Look, state: StudioState): Promise<AgentsView> {
  const seen = state.agents(look);
  const present = await Promise.all(seen.map((one) => describeAgent(one, look)));
  const ids = new Set(seen.map(({ agent }) => agent.id));
  const { workspace } = look.context;
  const absent = knownAgents
    .filter(({ id }) => !ids.has(id))
    .map(
      (agent): SeeingAgent => ({
        id: agent.id,
        isPresent: false,
        directories: readDirectories(agent.id, workspace),
        skills: [],
        listing: null,
      }),
    );
  return { agents: [...present, ...absent] };
}

async function describeAgent(seen: SeenAgent, look: Look): Promise<SeeingAgent> {
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
        form: isOwn ? ('unmanaged' as const) : (facts?.form ?? 'stub'),
        tokens: (isOwn ? facts?.tokens : facts?.stub_tokens) ?? null,
        problem:
          entry.problem !== undefined
            ? withoutHome(entry.problem.message, workspace.home)
            : isHidden
              ? 'Only you can invoke it (disable-model-invocation).'
              : null,
        isOver: over.has(one.skill),
      };
    }),
  );
  return {
    id: seen.agent.id,
    isPresent: true,
    directories: readDirectories(seen.agent.id, workspace),
    skills,
    listing: { ...listing, skills: lines.length },
  };
}

/** The directories an agent reads, the project's first. */
function readDirectories(id: string, workspace: Workspace): SeeingAgent['directories'] {
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
