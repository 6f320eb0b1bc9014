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
import type { StoreScope } from '../../skill/workspace/index.ts';
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
} from '../commands/index.ts';
import { type Entry, type Notice, type Standing, type SwitchWish, startPicker } from './picker-state.ts';
import { type PickerTerminal, runPicker } from './run-picker.ts';

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
  const switched = new Set<string>();
  const picked = await runPicker(state, terminal, {
    paint,
    switchSkill: (wish) => {
      switched.add(wish.skill.name);
      const notice = switchShown(wish, catalog, context);
      return { standing: readStanding(context), notice };
    },
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

/** Turns a skill on or off in the scope that is shown, and says what changed. */
function switchShown(
  { skill, enabled, scope: shown }: SwitchWish,
  catalog: SkillCatalog,
  { workspace }: CommandContext,
): Notice {
  const scope = shown === 'project' || shown === 'user' ? shown : undefined;
  const scopes = switchRecord(skill, { enabled, scope }, { catalog, workspace });
  const still = enabled ? readScopesOff(workspace)(skill) : [];
  return still.length > 0
    ? {
        text: `${skill.name} is still off ${skillPlaces(still)}; press Tab to select that scope`,
        isError: true,
      }
    : { text: `${skill.name} is ${enabled ? 'on' : 'off'} ${skillPlaces(scopes)}`, isError: false };
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

/** Search as you type: what `skc skills <words>` finds, and first the skills whose names have all the words. */
function createSkillFinder(
  catalog: SkillCatalog,
  sealed: ReadonlySet<string>,
): (query: string, scope: SkillScope | undefined) => readonly SkillRecord[] {
  return (query, scope) => {
    const found = matchSkills(catalog, query, { scope, sealed });
    const words = foldText(query).split(' ').filter(Boolean);
    if (words.length === 0) return found;
    const isNamed = (skill: SkillRecord) =>
      (scope ?? skill.scope) === skill.scope && words.every((word) => foldText(skill.name).includes(word));
    return [...new Set([...found.filter(isNamed), ...catalog.skills.filter(isNamed), ...found])];
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
