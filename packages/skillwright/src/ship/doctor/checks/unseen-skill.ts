// Skills that an agent leaves out, shortens or renames.

import { basename, dirname } from 'node:path';
import { isUserOnly } from '../../../skill/judge/index.ts';
import type { AgentFacts } from '../agent-facts.ts';
import type { VisibleEntry } from '../agent-view.ts';
import { defineCheck, type Fault } from '../check.ts';
import { excessOf, isShownAnyway, leftOutReasons } from '../who-sees.ts';

/** How an agent treats a skill, and why. */
interface Reason extends Omit<Fault, 'subject' | 'message' | 'repair'> {
  /** Text before the names of the agents: `not seen by`. */
  readonly what: string;
  /** The skill, named after them. */
  readonly item: string;
}

/** Skills of one directory to report one by one. */
const NAMED = 3;

/** Reports skills that agents do not show in full, and why. */
export const unseenSkill = defineCheck({
  id: 'unseen-skill',
  summary: 'Agents see the skills in their directories, with name and description.',
  find({ agents }) {
    const found = new Map<string, { place: string; reason: Reason; labels: Set<string> }>();
    for (const { roots, facts } of agents) {
      for (const skill of roots.flatMap(({ skills }) => skills)) {
        for (const reason of reasonsFor(skill, facts)) {
          const key = JSON.stringify([skill.place, reason]);
          const known = found.get(key) ?? { place: skill.place, reason, labels: new Set() };
          found.set(key, { ...known, labels: known.labels.add(facts.label) });
        }
      }
    }
    const told = [...found.values()].map(({ place, reason, labels }) => {
      const { what, item, ...rest } = reason;
      return { place, item, rest, what: `${what} ${nameAll([...labels])}` };
    });
    const alike = Map.groupBy(told, ({ place, what, rest }) => JSON.stringify([dirname(place), what, rest]));
    return [...alike.values()].flatMap((group): Fault[] => {
      const { what, rest, place } = group[0]!;
      const items = group.map(({ item }) => item);
      if (group.length <= NAMED)
        return group.map((one) => ({ ...rest, subject: one.place, message: `${what}: ${one.item}` }));
      const message = `${what}: ${items.slice(0, NAMED).join(', ')} and ${items.length - NAMED} more`;
      return [{ ...rest, subject: dirname(place), message }];
    });
  },
});

const nameAll = (labels: readonly string[]) =>
  labels.length < 2 ? labels.join() : `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}`;

function* reasonsFor(skill: VisibleEntry, facts: AgentFacts): Generator<Reason> {
  const { entry } = skill;
  const { name, problem } = entry;
  const item = `'${name}'`;
  for (const left of leftOutReasons(skill, facts))
    yield { severity: 'warning', what: 'not seen by', item, ...left };
  if (facts.depth !== undefined && skill.depth > facts.depth) return;
  if (problem !== undefined) {
    if (isShownAnyway(skill, facts))
      yield {
        severity: 'info',
        what: 'shown with its first lines, because it has no description, by',
        item,
        why: `${problem.message}.`,
        fix: `skc lint ${skill.place}`,
      };
    return;
  }
  const directory = basename(skill.place);
  if (directory !== name && facts.directory === 'called')
    yield {
      severity: 'info',
      what: 'listed under its directory name by',
      item: `${item} as '${directory}'`,
      why: 'The agent does not find it by its own name.',
      fix: `rename the directory to '${name}', or the skill to '${directory}'`,
    };
  const size = excessOf(skill, facts);
  if (size !== undefined && facts.description.over === 'cut')
    yield {
      severity: 'info',
      what: 'shown with a shortened description by',
      item,
      why: size,
      fix: 'shorten the description',
    };
  if (facts.honoursDisabled && isUserOnly(entry.frontmatter))
    yield {
      severity: 'info',
      what: 'not offered to the model by',
      item,
      why: 'Only the user can start it: disable-model-invocation is set.',
      fix: 'leave it, or remove the field',
    };
}
