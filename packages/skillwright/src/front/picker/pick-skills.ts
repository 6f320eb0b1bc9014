// skc skills on a terminal.

import { basename, sep } from 'node:path';
import { type Paint, SkillwrightError } from '../../base/diagnostics/index.ts';
import { foldText } from '../../base/markdown/index.ts';
import { recordsNamed } from '../../read/access/index.ts';
import {
  matchSkills,
  type SkillCatalog,
  type SkillRecord,
  type SkillScope,
} from '../../read/catalog/index.ts';
import { outlineSkill } from '../../read/gateway/index.ts';
import { closedGateOf } from '../../skill/quiz/index.ts';
import type { StoreScope, SwitchedEntries } from '../../skill/workspace/index.ts';
import {
  type CommandContext,
  type InputOf,
  openCatalog,
  readScopesOff,
  settledLines,
  settleSwitched,
  showPath,
  type skills,
  switchRecord,
  undoSwitch,
} from '../commands/index.ts';
import { type FuzzyName, matchFuzzy, prepareName } from './fuzzy-match.ts';
import { type Entry, type Notice, type Standing, type SwitchWish, startPicker } from './picker-state.ts';
import { type PickerTerminal, type PickerTools, runPicker } from './run-picker.ts';

/** The input of `skc skills`. */
export type SkillsInput = InputOf<typeof skills>;

/**
 * Lets the user pick a skill; returns the line to print, or undefined when they leave. E101 for Enter on an empty
 * list.
 */
export async function pickSkills(
  input: SkillsInput,
  context: CommandContext,
  { terminal, paint }: { terminal: PickerTerminal; paint: Paint },
): Promise<string | undefined> {
  // Do everything that can fail before taking over the screen.
  const { visible: catalog, sealed } = await openCatalog(input, context);
  const memory = await context.memory();
  const { workspace } = context;
  const shown = (path: string) => showPath(path, workspace);
  const state = startPicker({
    find: createSkillFinder(catalog, sealed),
    showPath: shown,
    labelOf: createLabels(catalog, shown),
    total: catalog.skills.length,
    shadowed: new Set(catalog.skills.flatMap(({ shadows }) => shadows)),
    size: terminal.size(),
    query: input.query.join(' '),
    scope: input.scope ?? 'all',
    standing: readStanding(context),
    notice: noticeOf(catalog),
  });
  const { switched, ...tools } = switches(catalog, context);
  const picked = await runPicker(state, terminal, {
    paint,
    ...tools,
    outlineOf: ({ path, dir }) => {
      const { headings } = outlineSkill(dir, { maxLevel: 3 });
      const gate = closedGateOf(dir, memory);
      return { path, headings: gate === undefined ? headings : headings.filter(gate.allowsSection) };
    },
  });
  if (switched.size > 0)
    for (const line of settledLines(await settleSwitched([...switched], context))) context.note(line);
  if (picked.kind === 'left') return undefined;
  if (picked.kind === 'unmatched') throw SkillwrightError.of('E101', { query: picked.query });
  const { skill, as } = picked;
  return `${as === 'mention' && isMentionable(skill, catalog) ? `$${skill.name}` : skill.path}\n`;
}

/** Turns skills on and off; the last 20 changes can be undone. */
function switches(
  catalog: SkillCatalog,
  context: CommandContext,
): Required<Pick<PickerTools, 'switchSkill' | 'undo'>> & { readonly switched: ReadonlySet<string> } {
  const { workspace } = context;
  const switched = new Set<string>();
  const done: { name: string; entries: readonly SwitchedEntries[] }[] = [];
  const told = (text: string, isError = false) => ({
    standing: readStanding(context),
    notice: { text, isError },
  });
  return {
    switched,
    switchSkill: ({ skill, enabled, scope: shown }: SwitchWish) => {
      const scope = shown === 'project' || shown === 'user' ? shown : undefined;
      const entries = switchRecord(skill, { enabled, scope }, { catalog, workspace });
      done.push({ name: skill.name, entries });
      switched.add(skill.name);
      const scopes = entries
        .filter(({ removed, added }) => removed.length + added.length > 0)
        .map(({ store }) => store.scope);
      const still = readScopesOff(workspace)(skill);
      if (enabled && still.length > 0)
        return told(`${skill.name} is still off ${skillPlaces(still)}; press Tab to select that scope`, true);
      return told(`${skill.name} is ${enabled ? 'on' : 'off'} ${skillPlaces(scopes)}; ^_ undoes it`);
    },
    undo: () => {
      const last = done.pop();
      if (last === undefined) return told('nothing to undo');
      undoSwitch(last.entries);
      return told(`undone for ${last.name}`);
    },
  };
}

const places: Readonly<Record<StoreScope, string>> = {
  project: 'in this project',
  user: 'for all your projects',
};

const skillPlaces = (scopes: readonly StoreScope[]) => scopes.map((scope) => places[scope]).join(' and ');

function readStanding({ workspace }: Pick<CommandContext, 'workspace'>): Standing {
  const scopesOff = readScopesOff(workspace);
  return {
    isOn: (skill) => scopesOff(skill).length === 0,
    reasonOf: (skill) => {
      const scopes = scopesOff(skill);
      return scopes.length === 0 ? undefined : `off ${skillPlaces(scopes)}: agents do not see it`;
    },
  };
}

function noticeOf({
  errors,
  truncated,
}: {
  errors: readonly unknown[];
  truncated: boolean;
}): Notice | undefined {
  if (errors.length > 0)
    return { text: `${errors.length} could not be read; run 'skc list --paths' to see why`, isError: true };
  return truncated
    ? { text: "the search stopped early; run 'skc list --paths' to see where", isError: true }
    : undefined;
}

/**
 * Search as you type: names that equal, start with or contain the query, then names with its letters in order, then
 * other matches.
 */
function createSkillFinder(
  catalog: SkillCatalog,
  sealed: ReadonlySet<string>,
): (query: string, scope: SkillScope | undefined) => readonly SkillRecord[] {
  const names = new Map<SkillRecord, FuzzyName>();
  const nameOf = (skill: SkillRecord) => {
    const known = names.get(skill) ?? prepareName(skill.name);
    names.set(skill, known);
    return known;
  };
  return (query, scope) => {
    const found = matchSkills(catalog, query, { scope, sealed });
    const words = foldText(query).split(' ').filter(Boolean);
    if (words.length === 0) return found;
    const isNamed = (skill: SkillRecord) => words.every((word) => nameOf(skill).folded.includes(word));
    const named = found.filter(isNamed);
    const fuzzy = catalog.skills
      .flatMap((skill) => {
        if ((scope !== undefined && skill.scope !== scope) || isNamed(skill)) return [];
        const match = matchFuzzy(nameOf(skill), query);
        return match === undefined ? [] : [{ skill, score: match.score }];
      })
      .sort((a, b) => b.score - a.score)
      .map(({ skill }) => skill);
    return [...new Set([...named, ...fuzzy, ...found])];
  };
}

/** Whether `$name` in a message matches only this skill. */
function isMentionable(skill: Entry, catalog: SkillCatalog): boolean {
  if (!/^[\p{L}\p{N}](?:[\p{L}\p{N}_.:-]*[\p{L}\p{N}])?$/u.test(skill.name)) return false;
  const meant = recordsNamed(catalog, skill.name);
  return meant.length === 1 && meant[0]!.path === skill.path;
}

/** For each skill that shares its name: the first part of its path that differs from the others. */
function createLabels(
  catalog: SkillCatalog,
  showPath: (path: string) => string,
): (skill: Entry) => string | undefined {
  const labels = new Map<string, string>();
  for (const twins of Map.groupBy(catalog.skills, ({ name }) => foldText(name)).values()) {
    if (twins.length < 2) continue;
    const parts = twins.map(({ dir }) => showPath(dir).split(sep));
    twins.forEach(({ path, dir }, at) => {
      const own = parts[at]!;
      const first = own.findIndex((part, index) => parts.some((other) => other[index] !== part));
      labels.set(path, own[first === -1 ? 0 : first] ?? basename(dir));
    });
  }
  return ({ path }) => labels.get(path);
}
