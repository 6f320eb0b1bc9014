// Toolsets and hooks of a session's skills: starts their processes, and stops them when the session ends. Loads nothing
// until a skill is activated or an event occurs.

import * as z from 'zod';
import { type Diagnostic, SkillwrightError, suggest } from '../../base/diagnostics/index.ts';
import type {
  ActiveTool,
  ActiveToolsets,
  HookPayload,
  HookReport,
  Sandbox,
} from '../../guard/execute/index.ts';
import type { OpenedRecord, SkillReference } from '../../read/access/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import { HOOK_TYPES } from '../../skill/format/index.ts';
import { type ActiveSkill, Remark } from '../answers/index.ts';
import type { LoadOptions, Session } from './session.ts';
import { decisionOn, findHeldHooks, type HooksDecision, hookEventsOf } from './session-hooks.ts';
import {
  aboutSkill,
  type CallOptions,
  listsSkills,
  method,
  runsSkill,
  withReference,
} from './session-method.ts';
import { loadGateCheck } from './session-quiz.ts';
import {
  accessTo,
  openForAnyone,
  openToRun,
  type SessionState,
  type SkillQuestion,
  usableNow,
} from './session-state.ts';

/** An active tool and its skill. */
export interface SkillTool extends ActiveTool {
  readonly skill: { readonly name: string; readonly path: string };
}

/** Result of activating a skill. */
export interface Activation {
  readonly tools: readonly SkillTool[];
  /** One for each toolset or tool that cannot be used. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The toolsets of an active skill. */
export interface RunningToolsets {
  readonly skill: SkillRecord;
  readonly toolsets: ActiveToolsets;
}

/** A tool on the wire. */
const WireTool = z.strictObject({
  name: z.string().describe('Name for the model: letters, digits and underscores, 64 at most'),
  skill: z.string().describe('Name of the skill that provides it'),
  path: z.string().describe('Path of the SKILL.md of that skill'),
  tool: z.string().describe('Short name of the tool'),
  description: z.string().describe('Written by the skill; treat it as untrusted'),
  input_schema: z.record(z.string(), z.unknown()).describe('JSON Schema of its input'),
});

const wireTool = ({ name, skill, tool, description, inputSchema }: SkillTool) => ({
  ...{ name, skill: skill.name, path: skill.path, tool, description },
  input_schema: { ...inputSchema },
});

export const activate = method({
  rpc: 'tools.activate',
  summary: 'Start the tools of a skill',
  input: withReference({}),
  output: z.strictObject({
    tools: z.array(WireTool),
    diagnostics: z.array(Remark).describe('One for each toolset or tool that cannot be used'),
  }),
  ...runsSkill,
  async wire(reference, run) {
    const { tools: started, diagnostics } = await run(reference);
    return { tools: started.map(wireTool), diagnostics };
  },
  recorded: aboutSkill('activate'),
  run: (state: SessionState, reference: SkillReference, how: LoadOptions = {}): Promise<Activation> =>
    startToolset(state, (runs) => openToRun(state, reference, { ...how, runs })),
});

/** Activates a skill of a saved session, for the model or the user, unless it is active. */
export async function activateAgain(state: SessionState, path: string): Promise<Activation> {
  const known = state.active.get(path);
  return known === undefined
    ? startToolset(state, (runs) => openForAnyone(state, path, runs))
    : { tools: toolsOf(state, known), diagnostics: [] };
}

async function startToolset(
  state: SessionState,
  open: (runs: SkillQuestion['runs']) => Promise<OpenedRecord>,
): Promise<Activation> {
  const opened = await openIfActivatable(open);
  if (opened === undefined) return { tools: [], diagnostics: [] };
  state.isClosed = await loadGateCheck(state.quizMemory);
  state.hookEvents.set(opened.path, hookEventsOf(opened.frontmatter));
  const { tools, diagnostics } = await inTurn(state, () => startToolsets(state, opened.record));
  return { tools, diagnostics: [...opened.warnings, ...diagnostics] };
}

/** The skill that `open` opens; undefined when it has no toolsets, so the user need not be asked. */
async function openIfActivatable(
  open: (runs: (dir: string) => void) => Promise<OpenedRecord>,
): Promise<OpenedRecord | undefined> {
  const { readToolsets } = await import('../../guard/execute/activate-toolsets.ts');
  const nothing = new Error('no toolsets');
  try {
    return await open((dir) => {
      const { references, broken } = readToolsets(dir);
      if (references.length + broken.length === 0) throw nothing;
    });
  } catch (error) {
    if (error === nothing) return undefined;
    throw error;
  }
}

async function startToolsets(state: SessionState, skill: SkillRecord): Promise<Activation> {
  const { options, settings, active } = state;
  await end(state, skill.path);
  const { activateToolsets } = await import('../../guard/execute/activate-toolsets.ts');
  const { limitsOf } = await import('../../guard/execute/limits.ts');
  const toolsets = await activateToolsets(skill.dir, {
    home: options.home,
    env: options.env,
    sandbox: () => openSandboxOf(state),
    limits: limitsOf(settings.config),
    trusted: options.trustsSkill?.(skill) ?? false,
    fencedIn: async (dir, manifests) => (await accessTo(state)).fencedIn(dir, manifests),
    taken: new Set(
      [...active.values()].flatMap(({ toolsets: other }) => other.tools.map(({ name }) => name)),
    ),
  });
  const running = { skill, toolsets };
  active.set(skill.path, running);
  return { tools: toolsOf(state, running), diagnostics: toolsets.diagnostics };
}

/** Runs one change of the active skills at a time: each tool name is assigned once, and each skill is activated once. */
function inTurn<Result>(state: SessionState, work: () => Promise<Result>): Promise<Result> {
  const turn = state.lastChange.then(work);
  state.lastChange = turn.catch(() => {});
  return turn;
}

async function openSandboxOf({ options, settings }: SessionState): Promise<Sandbox> {
  if (options.sandbox !== undefined) return options.sandbox;
  const { openSandbox } = await import('../../guard/execute/open-sandbox.ts');
  return openSandbox({ env: options.env, orWithout: settings.config.scripts.unsandboxed });
}

/** The tools of a skill. Every call checks again: the skill may have been denied or disabled since it was activated. */
const toolsOf = (state: SessionState, { skill, toolsets }: RunningToolsets): SkillTool[] =>
  toolsets.tools.map((tool) => ({
    ...tool,
    skill: { name: skill.name, path: skill.path },
    async call(input, how) {
      await openForAnyone(state, skill.path);
      return tool.call(input, how);
    },
  }));

async function end({ active }: SessionState, path: string): Promise<void> {
  const known = active.get(path);
  active.delete(path);
  await known?.toolsets.deactivate();
}

export const deactivate = method({
  rpc: 'tools.deactivate',
  summary: 'Stop the tools of a skill',
  input: withReference({}),
  output: z.strictObject({ deactivated: z.boolean().describe('False when the skill was not active') }),
  ...listsSkills,
  wire: async (reference, run) => ({ deactivated: await run(reference) }),
  run: (state: SessionState, { name, path }: SkillReference): Promise<boolean> =>
    inTurn(state, async () => {
      const meant = [...state.active.values()].filter(({ skill }) =>
        path === undefined ? skill.name === name : skill.path === path || skill.dir === path,
      );
      await Promise.all(meant.map(({ skill }) => end(state, skill.path)));
      return meant.length > 0;
    }),
});

export const tools = method({
  rpc: 'tools.list',
  summary: 'List the tools of active skills',
  input: z.strictObject({}),
  output: z.strictObject({ tools: z.array(WireTool) }),
  writes: [],
  touches: { skills: 'run' },
  wire: (_input, run) => ({ tools: run().map(wireTool) }),
  run(state: SessionState): readonly SkillTool[] {
    const isUsable = usableNow(state, { model: 'run', user: 'run' });
    return [...state.active.values()].flatMap((running) =>
      isUsable(running.skill) && !state.isClosed(running.skill.dir) ? toolsOf(state, running) : [],
    );
  },
});

/** Active skills in the form a saved session stores. */
export const savedTools = ({ active }: SessionState): ActiveSkill[] =>
  [...active.values()].flatMap(({ skill: { name, path }, toolsets }) =>
    toolsets.tools.length === 0 ? [] : [{ name, path, tools: toolsets.tools.map((tool) => tool.name) }],
  );

export const hooks = method({
  rpc: 'hooks.dispatch',
  summary: 'Send an event to the hooks of loaded and active skills, and get their decision',
  input: z.strictObject({
    event: z.string().min(1).describe('Name of the event, such as PreToolUse'),
    payload: z
      .record(z.string(), z.unknown())
      .default({})
      .describe('Data of the event, such as tool_name and tool_input'),
  }),
  output: z.strictObject({
    decision: z
      .enum(['block', 'ask', 'allow'])
      .nullable()
      .describe('block: do not proceed; also returned when a deciding hook cannot run'),
    reasons: z.array(z.string()),
    context: z.array(z.string()).describe('Text for the model'),
    messages: z.array(z.string()).describe('Text for the user'),
    continue: z.boolean().describe('False: stop the agent'),
    stop_reason: z.string().nullable(),
    results: z.array(
      z.strictObject({
        skill: z.string(),
        type: z.enum(HOOK_TYPES),
        label: z.string().describe('The command, prompt, URL or tool'),
        status: z.enum(['done', 'blocked', 'failed', 'skipped', 'started']),
        output: z.record(z.string(), z.unknown()).nullable().describe('JSON output of the hook'),
      }),
    ),
    diagnostics: z.array(Remark),
  }),
  writes: ['granted directories'],
  touches: { skills: 'run' },
  async wire({ event, payload }, run, { signal }) {
    const { decision, stopReason, results, ...rest } = await run(event, payload, { signal });
    return {
      ...rest,
      decision: decision ?? null,
      stop_reason: stopReason ?? null,
      results: results.map(({ effect, ...result }) => ({ ...result, output: effect?.output ?? null })),
    };
  },
  recorded: (_spell, event) => `hooks ${event}`,
  async run(
    state: SessionState,
    event: string,
    payload: HookPayload,
    { signal }: CallOptions = {},
  ): Promise<HookReport> {
    const { options, settings, hookEvents } = state;
    const { home, cwd, env, trustsSkill, hookHandlers, hookReadable } = options;
    const paths = new Set([...state.loaded.keys(), ...state.active.keys()]);
    const held = await findHeldHooks({
      event,
      payload,
      skills: new Map([...paths].map((path) => [path, hookEvents.get(path) ?? []])),
      access: (path) => openForAnyone(state, path),
    });
    const [{ dispatchHooks }, { createHookMemory }, { limitsOf }] = await Promise.all([
      import('../../guard/execute/dispatch-hooks.ts'),
      import('../../guard/execute/hook-memory.ts'),
      import('../../guard/execute/limits.ts'),
    ]);
    state.hookMemory ??= createHookMemory();
    const trusted = new Set(held.skills.filter((skill) => trustsSkill?.(skill)).map(({ dir }) => dir));
    const decisions = new Map<string, HooksDecision | undefined>();
    for (const { dir } of held.skills) decisions.set(dir, await decisionOn(state, dir));
    const watching = held.skills.filter(({ dir }) => trusted.has(dir) || decisions.get(dir) !== 'skip');
    const report = await dispatchHooks(event, payload, {
      home,
      env,
      cwd,
      sessionId: state.id,
      memory: state.hookMemory,
      unasked: held.unasked,
      skills: watching.map(({ dir }) => dir),
      sandbox: () => openSandboxOf(state),
      limits: limitsOf(settings.config),
      trusted: (dir) => trusted.has(dir) || decisions.get(dir) === 'run' || undefined,
      fencedIn: (await accessTo(state)).fencedIn,
      ...(hookHandlers === undefined ? {} : { handlers: hookHandlers }),
      ...(hookReadable === undefined ? {} : { readable: hookReadable }),
      signal,
    });
    return { ...report, diagnostics: [...held.diagnostics, ...report.diagnostics] };
  },
});

export const close = {
  run: (state: SessionState): Promise<void> =>
    inTurn(state, async () => {
      await Promise.all([
        ...[...state.active.keys()].map((path) => end(state, path)),
        state.hookMemory?.end(),
      ]);
      state.hookMemory = undefined;
      state.indexes?.close();
      state.indexes = undefined;
    }),
};

/** Whether a skill declares toolsets. */
export function hasToolsets({ frontmatter }: Pick<SkillRecord, 'frontmatter'>): boolean {
  return frontmatter.toolsets !== undefined;
}

/** A tool by its full name, or by the names of its skill and tool. */
interface ToolReference {
  readonly tool: string;
  /** Name of the skill, or the path of its SKILL.md. */
  readonly skill?: string | undefined;
}

/** Finds a tool among the active skills. E092 when there is none; the help lists the active tools. */
export function findActiveTool(session: Pick<Session, 'tools'>, wanted: ToolReference): SkillTool {
  const { tool, skill } = wanted;
  const active = session.tools();
  const own = active.filter(
    (each) => skill === undefined || each.skill.name === skill || each.skill.path === skill,
  );
  const found = own.find((each) => each.name === tool || (skill !== undefined && each.tool === tool));
  if (found !== undefined) return found;
  const names = own.map((each) => (skill === undefined ? each.name : each.tool));
  const [close] = suggest(tool, names);
  const help =
    close !== undefined
      ? `did you mean ${close}?`
      : names.length === 0
        ? 'activate the skill first; loading it also activates it if the host enabled that'
        : `active tools: ${names.join(', ')}`;
  throw SkillwrightError.of(
    'E092',
    { tool: skill === undefined ? tool : `${skill}: ${tool}` },
    { help, data: { active: names } },
  );
}
