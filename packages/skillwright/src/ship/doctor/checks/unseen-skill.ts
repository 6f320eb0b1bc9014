// Skills that an agent leaves out, shortens or renames.

import { basename, dirname } from 'node:path';
import { isUserOnly } from '../../../skill/judge/index.ts';
import type { AgentFacts } from '../agent-facts.ts';
import type { VisibleEntry } from '../agent-root.ts';
import { defineCheck, type Fault } from '../check.ts';

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
  group: 'what agents see',
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
  const item = `'${entry.name}'`;
  const leftOut = (why: string, fix: string): Reason => ({
    severity: 'warning',
    what: 'not seen by',
    item,
    why,
    fix,
  });
  if (facts.depth !== undefined && skill.depth > facts.depth) {
    const where = facts.depth === 1 ? 'directly' : `at most ${facts.depth} directories deep`;
    const why = `It is ${skill.depth} directories deep; the agent finds only skills ${where} in its directory.`;
    yield leftOut(why, 'move it to a higher directory');
    return;
  }
  if (entry.problem !== undefined) {
    const fix = `skc lint ${skill.place}`;
    yield facts.description.missing === 'fallback' && entry.problem.code !== 'E015'
      ? {
          severity: 'info',
          what: 'shown with its first lines, because it has no description, by',
          item,
          why: `${entry.problem.message}.`,
          fix,
        }
      : leftOut(`${entry.problem.message}.`, fix);
    return;
  }
  yield* reasonsOfName(skill, { facts, leftOut });
  yield* reasonsOfDescription(skill, { facts, leftOut });
  if (facts.honoursDisabled && isUserOnly(entry.frontmatter))
    yield {
      severity: 'info',
      what: 'not offered to the model by',
      item,
      why: 'Only the user can start it: disable-model-invocation is set.',
      fix: 'leave it, or remove the field',
    };
}

interface Judging {
  readonly facts: AgentFacts;
  readonly leftOut: (why: string, fix: string) => Reason;
}

function* reasonsOfName(skill: VisibleEntry, { facts, leftOut }: Judging): Generator<Reason> {
  const { name } = skill.entry;
  const directory = basename(skill.place);
  const { pattern, max } = facts.names ?? { pattern: undefined, max: Number.POSITIVE_INFINITY };
  if ([...name].length > max)
    yield leftOut(`Its name is longer than ${max} characters.`, 'give it a shorter name');
  else if (pattern?.test(name) === false)
    yield leftOut(
      'Its name may contain only a-z, 0-9 and single hyphens. The agent skips others without a message.',
      'rename the skill and its directory',
    );
  if (directory === name) return;
  const fix = `rename the directory to '${name}', or the skill to '${directory}'`;
  if (facts.directory === 'required')
    yield leftOut(
      `Its directory is called '${directory}', but the agent requires the same name for both.`,
      fix,
    );
  else if (facts.directory === 'called')
    yield {
      severity: 'info',
      what: 'listed under its directory name by',
      item: `'${name}' as '${directory}'`,
      why: 'The agent does not find it by its own name.',
      fix,
    };
}

function* reasonsOfDescription(skill: VisibleEntry, { facts, leftOut }: Judging): Generator<Reason> {
  const { max, over } = facts.description;
  const { description, when_to_use: when } = skill.entry.frontmatter;
  if (max === undefined || typeof description !== 'string') return;
  const shown = over === 'cut' && typeof when === 'string' ? `${description} ${when}` : description;
  const length = [...shown.trim()].length;
  if (length <= max) return;
  const size = `Its description has ${length} characters; the limit is ${max}.`;
  if (over === 'left-out') yield leftOut(size, 'shorten the description');
  else
    yield {
      severity: 'info',
      what: 'shown with a shortened description by',
      item: `'${skill.entry.name}'`,
      why: size,
      fix: 'shorten the description',
    };
}
