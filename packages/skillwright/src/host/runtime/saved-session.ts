// The texts a session has given to the model: saved, resumed, and updated when the conversation was compacted.
//
// A saved session may come from anywhere, so it grants no permission: everything that runs again is judged, trusted and
// confirmed as if requested now.

import { dirname } from 'node:path';
import * as z from 'zod';
import {
  type Diagnostic,
  describeIssue,
  diagnose,
  diagnosticOf,
  SkillwrightError,
} from '../../base/diagnostics/index.ts';
import { openRecord } from '../../read/access/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import { isMapping } from '../../skill/format/index.ts';
import { tryOpen } from '../../skill/judge/index.ts';
import {
  type ActiveSkill,
  CompactedSkills,
  type LoadedSkill,
  ResumeReport,
  SavedSession,
} from '../answers/index.ts';
import { hookEventsOf } from './session-hooks.ts';
import { listsSkills, method } from './session-method.ts';
import { type SessionState, usableNow, viewOf } from './session-state.ts';
import { activateAgain, savedTools } from './session-toolsets.ts';
import { renderLoadedSkills } from './skill-context.ts';
import { wireSkill } from './wire-skill.ts';

/** Checks a saved session. E063 when it is damaged, E064 when it is something else. */
function readSavedSession(value: unknown): SavedSession {
  const version = isMapping(value) ? value.version : undefined;
  if (version !== 2) {
    const why = version === undefined ? 'it has no version' : `its version is ${JSON.stringify(version)}`;
    throw SkillwrightError.of('E064', { why });
  }
  const result = SavedSession.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  throw SkillwrightError.of('E063', { why: [issue.path.join('.'), describeIssue(issue)].join(' ').trim() });
}

export const save = method({
  rpc: 'session.save',
  summary: 'Get a snapshot to resume the session later',
  input: z.strictObject({}),
  output: SavedSession,
  ...listsSkills,
  wire: (_input, run) => run(),
  run: async (state: SessionState): Promise<SavedSession> => ({
    version: 2,
    session_id: state.id,
    cwd: state.options.cwd,
    loaded: [...state.loaded.values()],
    active: savedTools(state),
    confirmed: [...state.confirmations.list()],
    known: (await viewOf(state)).catalog.skills.map((skill) => skill.id),
    quizzes: state.ownMemory.save(),
  }),
});

export const resume = method({
  rpc: 'session.resume',
  summary: 'Resume a saved session, and get what has changed since',
  input: z.strictObject({
    saved: z.record(z.string(), z.unknown()).describe('The result of session.save'),
  }),
  output: ResumeReport,
  ...listsSkills,
  async wire({ saved }, run) {
    const { added, ...rest } = await run(saved);
    return { ...rest, added: added.map(wireSkill) };
  },
  recorded: 'resume',
  async run(
    state: SessionState,
    value: unknown,
    { vouched = false }: { readonly vouched?: boolean } = {},
  ): Promise<ResumeReport> {
    const saved = readSavedSession(value);
    const { catalog, visible } = await viewOf(state);
    // The model received user-only skills too.
    const usable = catalog.skills.filter(usableNow(state, { model: 'read', user: 'invoke' }));
    const { unchanged, changed, vanished } = await compareLoaded(saved, usable);
    state.id = saved.session_id;
    state.ownMemory.restore(saved.quizzes, state.id);
    for (const skill of [...unchanged, ...changed]) {
      state.loaded.set(skill.path, skill);
      state.hookEvents.set(skill.path, hookEventsOf(tryOpen(dirname(skill.path))?.frontmatter ?? {}));
    }
    const known = new Set(saved.known);
    const added = visible.skills.filter(({ id }) => !known.has(id));
    const diagnostics: Diagnostic[] = [];
    const { cwd } = state.options;
    if (saved.cwd !== cwd)
      diagnostics.push(diagnose('W061', { what: 'the working directory', why: `it was ${saved.cwd}` }));
    if (vouched) state.confirmations.restore(saved.confirmed);
    else diagnostics.push(...saved.confirmed.map((entry) => askedAgain(entry, usable)));
    const active: ActiveSkill[] = [];
    const wanted = new Map(saved.active.map((skill) => [skill.path, skill]));
    for (const before of wanted.values()) {
      const restored = await restoreTools(state, before, usable);
      if (restored.active !== undefined) active.push(restored.active);
      diagnostics.push(...restored.diagnostics);
    }
    return { unchanged, changed, vanished, added, active, diagnostics };
  },
});

/** Compares loaded skills with the current ones. Names come from the catalog, not from the saved session. */
async function compareLoaded(
  { loaded }: SavedSession,
  usable: readonly SkillRecord[],
): Promise<Record<'unchanged' | 'changed' | 'vanished', LoadedSkill[]>> {
  const groups = { unchanged: [], changed: [], vanished: [] } as Record<string, LoadedSkill[]>;
  const byPath = new Map(usable.map((skill) => [skill.path, skill]));
  for (const before of new Map(loaded.map((skill) => [skill.path, skill])).values()) {
    const skill = byPath.get(before.path);
    const known = skill === undefined ? {} : { skill_id: skill.id, name: skill.name };
    const digest = skill === undefined ? undefined : await currentDigest(skill);
    const group = digest === undefined ? 'vanished' : digest === before.digest ? 'unchanged' : 'changed';
    groups[group]!.push({ ...before, ...known });
  }
  return groups as Awaited<ReturnType<typeof compareLoaded>>;
}

/** The digest of a skill as it is now; undefined when it cannot be used. */
async function currentDigest(skill: SkillRecord): Promise<string | undefined> {
  try {
    return (await openRecord(skill)).digest;
  } catch (error) {
    if (error instanceof SkillwrightError) return undefined;
    throw error;
  }
}

function askedAgain(
  { tool, dir }: SavedSession['confirmed'][number],
  usable: readonly SkillRecord[],
): Diagnostic {
  const name = usable.find((skill) => skill.dir === dir)?.name ?? dir;
  const what = `your permission to use ${tool} on '${name}'`;
  const help =
    'skc asks you again when needed; a host that stores saved sessions safely can resume them with { vouched: true }';
  return diagnose('W061', { what, why: 'a saved session grants no permissions' }, { help });
}

/** Starts the toolsets of a skill again, if allowed. W061 for tools that are lost. */
async function restoreTools(
  state: SessionState,
  before: ActiveSkill,
  usable: readonly SkillRecord[],
): Promise<{ active?: ActiveSkill; diagnostics: readonly Diagnostic[] }> {
  const skill = usable.find(({ path }) => path === before.path);
  const lost = (name: string, tools: readonly string[], why: string) =>
    diagnose('W061', { what: `the tools of '${name}'`, why }, { data: { path: before.path, tools } });
  if (skill === undefined) {
    const why = 'the skill was removed, disabled or denied';
    return { diagnostics: [lost(before.path, before.tools, why)] };
  }
  const { name, path } = skill;
  try {
    const { tools, diagnostics } = await activateAgain(state, path);
    const names = tools.map((tool) => tool.name);
    const missing = before.tools.filter((tool) => !names.includes(tool));
    const active = names.length === 0 ? {} : { active: { name, path, tools: names } };
    if (missing.length === 0) return { ...active, diagnostics };
    const why = diagnostics[0]?.detail ?? diagnostics[0]?.message ?? 'the skill no longer has them';
    return { ...active, diagnostics: [lost(name, missing, why), ...diagnostics] };
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    return { diagnostics: [lost(name, before.tools, error.message), diagnosticOf(error)] };
  }
}

export const compacted = method({
  rpc: 'context.compacted',
  summary: 'Report that the conversation was shortened, so that skills are sent again when needed',
  input: z.strictObject({
    kept: z
      .array(z.string())
      .default([])
      .describe('Skills whose text is still in the conversation, by name or path'),
  }),
  output: CompactedSkills,
  ...listsSkills,
  wire: (how, run) => run(how),
  recorded: {
    do: 'compacted',
    step: () => ({}),
    settled: ({ kept: known }, { kept } = {}) => ({
      kept: kept?.map(
        (word) => known.find(({ path }) => path === word || dirname(path) === word)?.name ?? word,
      ),
    }),
    got({ skills, text }, { weigh }) {
      const places = skills.map(({ name, path }) => ({ name, dir: dirname(path) }));
      return { skills: skills.map(({ name }) => name), ...weigh(text, places) };
    },
    repeat: ({ kept }, run) => run({ kept }),
  },
  run(
    state: SessionState,
    { kept: words = [] }: { readonly kept?: readonly string[] | undefined } = {},
  ): CompactedSkills {
    const { loaded } = state;
    const isUsable = usableNow(state, { model: 'read', user: 'invoke' });
    const { kept, unknown } = findKept([...loaded.values()], words);
    for (const [path, skill] of loaded)
      loaded.set(path, { ...skill, in_context: skill.in_context && kept.has(path) });
    // The model is not reminded of skills that are now disabled, denied or removed.
    const open = [...loaded.values()].filter(({ path }) => {
      const skill = tryOpen(dirname(path));
      return skill !== undefined && isUsable(skill);
    });
    const skills = open.filter(({ in_context }) => !in_context);
    return {
      skills,
      kept: open.filter(({ in_context }) => in_context),
      unknown,
      text: renderLoadedSkills(skills),
    };
  },
});

/** Loaded skills that the host's names or paths refer to. A name shared by several matches none. */
function findKept(
  loaded: readonly LoadedSkill[],
  words: readonly string[],
): { kept: ReadonlySet<string>; unknown: string[] } {
  const meant = words.map((word) => ({
    word,
    found: loaded.filter(({ name, path }) => name === word || path === word || dirname(path) === word),
  }));
  return {
    kept: new Set(meant.flatMap(({ found }) => (found.length === 1 ? [found[0]!.path] : []))),
    unknown: meant.flatMap(({ word, found }) => (found.length === 1 ? [] : [word])),
  };
}
