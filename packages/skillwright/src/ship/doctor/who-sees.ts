// The agents that see a skill: one answer for list, info, doctor and studio.

import { basename } from 'node:path';
import type { AgentFacts } from './agent-facts.ts';
import { nameFor, type SeenAgent, type VisibleEntry } from './agent-view.ts';

/** A skill in a directory of an agent. */
interface Sight {
  /** The agent's id. */
  readonly agent: string;
  /** The name under which the agent lists it. */
  readonly name: string;
  /** Where the agent finds it. */
  readonly place: string;
  /** Why the agent does not list it; absent when it does. */
  readonly unseen?: string;
}

/** The agents that have a skill in their directories, by the skill's canonical directory. */
export interface Sights {
  of(dir: string): readonly Sight[];
  /** The ids of those that list it. */
  agents(dir: string): readonly string[];
}

/** Why an agent leaves a skill out, and what changes that. */
interface LeftOut {
  readonly why: string;
  readonly fix: string;
}

/**
 * The agents that see each skill. Independent of skc's switches and rules: they hold for skc, and an agent reads its
 * directories without it.
 */
export function whoSees(agents: readonly SeenAgent[]): Sights {
  const sights = new Map<string, Map<string, Sight>>();
  for (const { agent, facts, roots } of agents) {
    const taken = new Map<string, string>();
    for (const root of roots)
      for (const skill of root.skills) {
        const name = nameFor(facts, { root, skill });
        const { place, identity } = skill;
        const known = sights.get(identity) ?? new Map<string, Sight>();
        sights.set(identity, known);
        const before = known.get(agent.id);
        if (before !== undefined && before.unseen === undefined) continue;
        const winner = facts.precedence === 'both' ? undefined : taken.get(name);
        const [left] = leftOutReasons(skill, facts);
        const unseen = left?.why ?? (winner && `It uses ${winner}, which has the same name.`);
        if (unseen === undefined) taken.set(name, place);
        if (before === undefined || unseen === undefined)
          known.set(agent.id, { agent: agent.id, name, place, ...(unseen === undefined ? {} : { unseen }) });
      }
  }
  const of = (dir: string) => [...(sights.get(dir)?.values() ?? [])];
  return {
    of,
    agents: (dir) => of(dir).flatMap(({ agent, unseen }) => (unseen === undefined ? [agent] : [])),
  };
}

/** Every reason why an agent leaves a skill out. */
export function* leftOutReasons(skill: VisibleEntry, facts: AgentFacts): Generator<LeftOut> {
  const { entry, place, depth } = skill;
  if (facts.depth !== undefined && depth > facts.depth) {
    const where = facts.depth === 1 ? 'directly' : `at most ${facts.depth} directories deep`;
    const why = `It is ${depth} directories deep; the agent finds only skills ${where} in its directory.`;
    yield { why, fix: 'move it to a higher directory' };
    return;
  }
  if (entry.problem !== undefined) {
    if (!isShownAnyway(skill, facts)) yield { why: `${entry.problem.message}.`, fix: `skc lint ${place}` };
    return;
  }
  const { name } = entry;
  const directory = basename(place);
  const { pattern, max = Number.POSITIVE_INFINITY } = facts.names ?? {};
  if ([...name].length > max)
    yield { why: `Its name is longer than ${max} characters.`, fix: 'give it a shorter name' };
  else if (pattern?.test(name) === false)
    yield {
      why: 'Its name may contain only a-z, 0-9 and single hyphens. The agent skips others without a message.',
      fix: 'rename the skill and its directory',
    };
  if (directory !== name && facts.directory === 'required')
    yield {
      why: `Its directory is called '${directory}', but the agent requires the same name for both.`,
      fix: `rename the directory to '${name}', or the skill to '${directory}'`,
    };
  const size = excessOf(skill, facts);
  if (size !== undefined && facts.description.over === 'left-out')
    yield { why: size, fix: 'shorten the description' };
}

/** Whether an agent shows the first lines of a skill that has no usable description. */
export function isShownAnyway({ entry }: VisibleEntry, { description }: AgentFacts): boolean {
  return description.missing === 'fallback' && entry.problem !== undefined && entry.problem.code !== 'E015';
}

/** By how much a description is too long for an agent; undefined when it fits. */
export function excessOf({ entry }: VisibleEntry, facts: AgentFacts): string | undefined {
  const { max, over } = facts.description;
  const { description, when_to_use: when } = entry.frontmatter;
  if (max === undefined || typeof description !== 'string') return undefined;
  const shown = over === 'cut' && typeof when === 'string' ? `${description} ${when}` : description;
  const length = [...shown.trim()].length;
  return length <= max ? undefined : `Its description has ${length} characters; the limit is ${max}.`;
}
