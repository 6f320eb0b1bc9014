// Checks of what each agent sees.

import { basename, dirname } from 'node:path';
import { formatCount } from '../../../base/diagnostics/index.ts';
import { compareBytes } from '../../../base/files/index.ts';
import { fitCatalog, renderAvailableSkills } from '../../../read/catalog/index.ts';
import { SHARED_SKILLS } from '../../../skill/agents/index.ts';
import { isUserOnly } from '../../../skill/judge/index.ts';
import type { AgentFacts } from '../agent-facts.ts';
import {
  nameFor,
  readListing,
  type SeenAgent,
  type SeenEntry,
  skillsOf,
  type VisibleEntry,
} from '../agent-view.ts';
import { checksOf, defineCheck, type Fault, FIX } from '../check.ts';
import { settleDeployments } from '../settle-deployments.ts';
import type { Survey } from '../survey.ts';
import { excessOf, isShownAnyway, leftOutReasons } from '../who-sees.ts';

/** Reports directories of skills that cannot be read. */
const unreadablePlace = defineCheck({
  id: 'unreadable-place',
  summary: "The stores and agents' directories are readable, and every skill has a SKILL.md.",
  *find({ roots, places }) {
    for (const { place, storeProblem } of places) {
      if (storeProblem === undefined) continue;
      yield {
        severity: 'error',
        subject: place.store.root,
        message: storeProblem.message,
        why: 'The skills in the store cannot be checked.',
        fix: 'check its permissions and file type',
      };
    }
    for (const { path, code, message } of roots.all.flatMap(({ errors }) => errors)) {
      yield {
        severity: 'warning',
        subject: path,
        message,
        why: 'No agent finds a skill here.',
        fix: code === 'E010' ? 'rename the file to SKILL.md' : 'check its permissions and file type',
      };
    }
  },
});

/** Reports directories where the search stopped at its limit. */
const cutSearch = defineCheck({
  id: 'cut-search',
  summary: 'Every directory of skills was searched completely.',
  async find({ catalog }) {
    const { diagnostics } = (await catalog()) ?? { diagnostics: [] };
    return diagnostics
      .filter(({ code }) => code === 'W007')
      .map(
        ({ message, data }): Fault => ({
          severity: 'warning',
          subject: String(data?.path),
          message,
          why: 'Skills beyond the limit are not listed, found or offered to agents.',
          fix: 'move other files elsewhere, or raise catalog.max_directories and catalog.max_depth',
        }),
      );
  },
});

const SHOWN = 5;

/** Reports skills in a directory that an agent does not read. */
const unreadDirectory = defineCheck({
  id: 'unread-directory',
  summary: `Skills in ${SHARED_SKILLS} are also available to agents that do not read it.`,
  *find({ agents, roots, places: stores }) {
    const shared = roots.all.filter(({ directory }) => directory === SHARED_SKILLS);
    for (const { agent, facts, roots: read } of agents) {
      if (!facts.documented) continue;
      const places = new Set(read.map(({ real }) => real));
      // Another check compares installed skills with the lock.
      const locked = stores.flatMap(({ skills }) =>
        skills.filter(({ entry }) => entry?.targets.some((target) => target.agent === agent.id)),
      );
      const seen = new Set([
        ...read.flatMap(({ skills }) => skills.map(({ identity }) => identity)),
        ...locked.map(({ source }) => source),
      ]);
      for (const { path, real, skills, scope } of shared) {
        const unseen = places.has(real)
          ? []
          : skills.filter(({ identity, entry }) => entry.problem === undefined && !seen.has(identity));
        if (facts.reads[scope].includes(SHARED_SKILLS) || unseen.length === 0) continue;
        const names = unseen.map(({ entry }) => entry.name).sort();
        const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
        yield {
          severity: 'info',
          subject: path,
          message: `${facts.label} does not read this directory and does not see ${names.slice(0, SHOWN).join(', ')}${more}`,
          why: `It reads ${facts.reads[scope].join(', ')}.`,
          fix: `also install or build them with '--target ${agent.id}'`,
        };
      }
    }
  },
});

const PLACES: Readonly<Record<'project' | 'user', string>> = {
  project: 'the project before the user',
  user: 'the user before the project',
};

/** Reports names that several skills share for an agent. */
const sameName = defineCheck({
  id: 'same-name',
  summary: 'No two skills of an agent have the same name.',
  find({ agents }) {
    const clashes = new Map<string, { places: Set<string>; verdicts: Map<string, string[]> }>();
    for (const agent of agents) {
      for (const [name, skills] of Map.groupBy(skillsOf(agent), (seen) => nameFor(agent.facts, seen))) {
        if (skills.length < 2) continue;
        const clash = clashes.get(name) ?? { places: new Set(), verdicts: new Map() };
        clashes.set(name, clash);
        for (const { skill } of skills) clash.places.add(skill.place);
        const verdict = tellPrecedence(agent, skills);
        clash.verdicts.set(verdict, [...(clash.verdicts.get(verdict) ?? []), agent.facts.label]);
      }
    }
    return [...clashes].map(([name, { places, verdicts }]) => ({
      severity: 'warning' as const,
      subject: name,
      message: `several skills are called '${name}': ${[...places].sort(compareBytes).join(', ')}`,
      why: [...verdicts].map(([verdict, labels]) => `${labels.join(', ')}: ${verdict}`).join('; '),
      fix: 'rename one of them, or remove it',
    }));
  },
});

/** Describes which skill wins. They are in order of precedence. */
function tellPrecedence({ facts }: SeenAgent, skills: readonly SeenEntry[]): string {
  const [first] = skills;
  if (facts.precedence === 'both') return `keeps both, and '$${nameFor(facts, first!)}' selects neither`;
  const isOneScope = skills.every(({ root }) => root.scope === first!.root.scope);
  return `uses ${first!.skill.place}${isOneScope ? '' : ` (${PLACES[facts.precedence]})`}`;
}

/** Reports lists that are too long for an agent. */
const listingBudget = defineCheck({
  id: 'listing-budget',
  summary: 'The list of skills fits the room agents have for it.',
  async find(survey) {
    const faults = survey.agents.flatMap(checkAgent);
    const own = await checkOwn(survey);
    return own === undefined ? faults : [...faults, own];
  },
});

function checkAgent(seen: SeenAgent): Fault[] {
  const { lines, size, unit, limit, over } = readListing(seen);
  if (limit === undefined || over === 0) return [];
  const room = `${seen.facts.label} has room for ${count(limit.max)}`;
  return [
    {
      severity: 'warning',
      subject: seen.agent.id,
      message: `the list of ${lines.length} skills takes ${count(size)} ${unit}, but ${room}`,
      why: `The limit is ${limit.rule}; in a longer list ${limit.over}. ${formatCount(over, 'description')} of ${count(lines.length)} do not fit.`,
      fix: 'remove unused skills, or shorten descriptions',
    },
  ];
}

async function checkOwn({ config, catalog }: Survey): Promise<Fault | undefined> {
  const listed = ((await catalog())?.skills ?? []).filter(
    ({ enabled, available, frontmatter }) => enabled && available && !isUserOnly(frontmatter),
  );
  const { max_entries: entries, max_bytes: bytes } = config.catalog;
  const { shortened, missing } = fitCatalog(listed, {
    render: renderAvailableSkills,
    budget: { entries, bytes },
  });
  if (shortened + missing === 0) return undefined;
  const effects = [
    ...(shortened === 0 ? [] : [`${count(shortened)} descriptions are shortened`]),
    ...(missing === 0 ? [] : [`${count(missing)} skills are not shown`]),
  ];
  return {
    severity: 'warning',
    subject: 'skc',
    message: `the list of ${count(listed.length)} skills does not fit skc's own budget`,
    why: `The budget is ${count(entries)} skills and ${count(bytes)} bytes: ${effects.join(', ')}.`,
    fix: "remove skills, switch them off with 'skc skills --disable', or raise catalog.max_entries and catalog.max_bytes",
  };
}

const count = (number: number) => number.toLocaleString('en');

/** Reports skills that are switched off or denied and that agents see nevertheless, and those that may come back. */
const forbiddenSkill = defineCheck({
  id: 'forbidden-skill',
  summary: 'Agents see no skill that is switched off or denied.',
  async find({ context, configError }) {
    if (configError !== undefined) return [];
    const settled = await settleDeployments(context, true);
    return settled.flatMap(({ name, removed, restored, seen_by: seen, fix }): Fault[] => {
      const repair = { key: 'settle deployments', run: async () => void (await settleDeployments(context)) };
      const change = [...removed, ...restored];
      const why = 'skc deployed it, and its switches and rules have changed since.';
      return [
        ...change.map((place): Fault => {
          const message = removed.includes(place)
            ? `'${name}' is off or denied, and still in ${place}`
            : `'${name}' may be used again, and is not in ${place}`;
          return { severity: 'warning', subject: name, message, why, fix: FIX, repair };
        }),
        ...seen.map(
          ({ agent, place }): Fault => ({
            severity: 'warning',
            subject: name,
            message: `'${name}' is off or denied, and ${agent} sees it in ${place}`,
            why: 'skc did not put it there, so skc leaves it alone.',
            fix: fix ?? FIX,
          }),
        ),
      ];
    });
  },
});

// Skills that an agent leaves out, shortens or renames.

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
const unseenSkill = defineCheck({
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

/** In the order of their findings. */
export const agentsView = checksOf('what agents see', [
  unreadablePlace,
  unseenSkill,
  cutSearch,
  unreadDirectory,
  sameName,
  listingBudget,
  forbiddenSkill,
]);
