// Skills that lie where an agent looks and are left out, cut or called differently all the same.

import { basename, dirname } from 'node:path';
import { isUserOnly } from '../../../skill/judge/index.ts';
import type { AgentFacts } from '../agent-facts.ts';
import type { VisibleSkill } from '../agent-root.ts';
import { defineCheck, type Fault } from '../check.ts';

/** What an agent does with a skill, and why. */
interface Reason extends Omit<Fault, 'subject' | 'message' | 'repair'> {
  /** Stands before the names of the agents: `not seen by`. */
  readonly what: string;
  /** The skill, as it is named behind them. */
  readonly item: string;
}

/** So many skills of one directory are named one by one. */
const NAMED = 3;

/** Reports what agents will not see of skills, and why. */
export const unseenSkill = defineCheck({
  id: 'unseen-skill',
  group: 'what agents see',
  summary: 'Agents see the skills that lie where they look.',
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

function* reasonsFor(skill: VisibleSkill, facts: AgentFacts): Generator<Reason> {
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
    const why = `It lies ${skill.depth} directories deep, and only what lies ${where} in the agent's directory is found.`;
    yield leftOut(why, 'move it up');
    return;
  }
  if (entry.problem !== undefined) {
    const fix = `skc lint ${skill.place}`;
    yield facts.description.missing === 'fallback' && entry.problem.code !== 'E015'
      ? {
          severity: 'info',
          what: 'shown with the beginning of its text, for want of a description, by',
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
      why: 'Its author wants a person to start it: disable-model-invocation is set.',
      fix: 'nothing, unless it should be: remove the field',
    };
}

interface Judging {
  readonly facts: AgentFacts;
  readonly leftOut: (why: string, fix: string) => Reason;
}

function* reasonsOfName(skill: VisibleSkill, { facts, leftOut }: Judging): Generator<Reason> {
  const { name } = skill.entry;
  const directory = basename(skill.place);
  const { pattern, max } = facts.names ?? { pattern: undefined, max: Number.POSITIVE_INFINITY };
  if ([...name].length > max)
    yield leftOut(`Its name is longer than ${max} characters.`, 'give it a shorter name');
  else if (pattern?.test(name) === false)
    yield leftOut(
      'Its name has characters that are left out without a word: only a-z, 0-9 and single hyphens are taken.',
      'rename the skill and its directory',
    );
  if (directory === name) return;
  const fix = `call the directory '${name}', or the skill '${directory}'`;
  if (facts.directory === 'required')
    yield leftOut(`Its directory is called '${directory}'; version 1 wants both to be the same.`, fix);
  else if (facts.directory === 'called')
    yield {
      severity: 'info',
      what: 'called by its directory in',
      item: `'${name}' as '${directory}'`,
      why: 'Whoever asks for it by its name does not get it there.',
      fix,
    };
}

function* reasonsOfDescription(skill: VisibleSkill, { facts, leftOut }: Judging): Generator<Reason> {
  const { max, over } = facts.description;
  const { description, when_to_use: when } = skill.entry.frontmatter;
  if (max === undefined || typeof description !== 'string') return;
  const shown = over === 'cut' && typeof when === 'string' ? `${description} ${when}` : description;
  const length = [...shown.trim()].length;
  if (length <= max) return;
  const size = `Its description has ${length} characters; ${max} are the most.`;
  if (over === 'left-out') yield leftOut(size, 'shorten the description');
  else
    yield {
      severity: 'info',
      what: 'shown with a part of its description by',
      item: `'${skill.entry.name}'`,
      why: size,
      fix: 'shorten the description',
    };
}
