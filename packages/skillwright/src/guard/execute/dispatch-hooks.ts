// Runs the hooks of skills when an event occurs.

import {
  type Diagnostic,
  diagnose,
  messageOf,
  orUndefined,
  SkillwrightError,
} from '../../base/diagnostics/index.ts';
import { type HookHandler, hookEventRow, shorten } from '../../skill/format/index.ts';
import { describeEvent } from '../../skill/skill/index.ts';
import { findShell } from './find-interpreter.ts';
import { type HookHandlers, handOver } from './hook-handlers.ts';
import { createHookMemory, type HookMemory } from './hook-memory.ts';
import {
  type HookDecision,
  type HookEffect,
  noAnswer,
  readAnswer,
  readCommand,
  withoutAnswer,
} from './hook-output.ts';
import { type HookPayload, type SelectedHook, selectHooks, type UnaskedHooks } from './hook-selection.ts';
import type { Limits } from './limits.ts';
import { runInCopy } from './prepare-skill.ts';
import type { RunResult, Sandbox, SandboxedCommand } from './sandbox.ts';
import type { AccessContext } from './skill-access.ts';

/** Options for running hooks. */
export interface HookOptions extends AccessContext {
  /** Directories of the skills whose hooks apply: those that have been loaded. */
  readonly skills: readonly string[];
  /** Hooks that also apply but that the host must not run. */
  readonly unasked?: readonly UnaskedHooks[];
  /** Opened for the first command. */
  readonly sandbox: () => Promise<Sandbox>;
  /** `seconds` is the default for handlers without a timeout. */
  readonly limits: Limits;
  /** Path of the project, passed to commands. They can read it only when it is in `readable`. */
  readonly cwd: string;
  readonly sessionId?: string;
  /** More directories that commands may read. */
  readonly readable?: readonly string[];
  /** True when the host trusts a skill. Otherwise the user must trust it. */
  readonly trusted?: (dir: string) => boolean | undefined;
  /** State for handlers that run once or in the background. */
  readonly memory?: HookMemory;
  readonly handlers?: HookHandlers;
  readonly signal?: AbortSignal | undefined;
}

/** Outcome of one handler. */
interface HookResult {
  /** Name of the skill. */
  readonly skill: string;
  readonly type: HookHandler['type'];
  /** The command, the prompt, the address, the tool. */
  readonly label: string;
  /** `started`: it runs in the background. `skipped`: it was not run. `failed`: it gave no answer, and nothing is blocked. */
  readonly status: 'done' | 'blocked' | 'failed' | 'skipped' | 'started';
  readonly effect?: HookEffect;
}

/** Combined result of all hooks for the host. */
export interface HookReport {
  readonly decision: HookDecision | undefined;
  /** Reasons of the hooks that decided so. */
  readonly reasons: readonly string[];
  /** For the model. */
  readonly context: readonly string[];
  /** For the user. */
  readonly messages: readonly string[];
  /** False when the agent must stop, whatever the decision. */
  readonly continue: boolean;
  readonly stopReason: string | undefined;
  /** In the order of skills and handlers. */
  readonly results: readonly HookResult[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Longest allowed timeout of a handler. */
const MAX_SECONDS = 600;

/**
 * Runs the hooks for an event in parallel. A hook that cannot run is a diagnostic, and blocks where the event decides
 * something, because nothing approved it. Rejects only when `signal` aborts.
 */
export async function dispatchHooks(
  event: string,
  payload: HookPayload,
  options: HookOptions,
): Promise<HookReport> {
  const { cwd, sessionId, signal, memory = createHookMemory() } = options;
  const whole: HookPayload = {
    ...(sessionId === undefined ? {} : { session_id: sessionId }),
    cwd,
    ...payload,
    hook_event_name: event,
  };
  const diagnostics: Diagnostic[] = describeEvent(event);
  const hooks: SelectedHook[] = [];
  const unasked: UnaskedHooks[] = [...(options.unasked ?? [])];
  for (const dir of options.skills) {
    const selected = await selectHooks(dir, {
      event,
      payload: whole,
      home: options.home,
      trusted: options.trusted,
    });
    hooks.push(...selected.hooks);
    unasked.push(...selected.unasked);
    diagnostics.push(...selected.diagnostics);
  }
  if (hooks.length > 0 && orUndefined(() => JSON.stringify(whole)) === undefined) {
    hooks.length = 0;
    unasked.push({ label: event, why: 'the payload of the event cannot be written as JSON' });
  }
  const results = await Promise.all(
    hooks.map((hook) => runHook(hook, { event, payload: whole, memory, options })),
  );
  signal?.throwIfAborted();
  const code = hookEventRow(event).fails === undefined ? 'W080' : 'W060';
  for (const { label, why, help } of unasked)
    diagnostics.push(diagnose(code, { hook: label, why }, help === undefined ? {} : { help }));
  for (const { label, effect } of results)
    if (effect?.problem !== undefined)
      diagnostics.push(
        diagnose(effect.decision === undefined ? 'W080' : code, { hook: label, why: effect.problem }),
      );
  const missing = unasked.map(({ label, why, help }) =>
    noAnswer(event, `'${label}'`, help === undefined ? why : `${why}; ${help}`),
  );
  const effects = results.flatMap(({ effect }) => effect ?? []);
  return { ...combine([...effects, ...missing]), results, diagnostics };
}

interface Running {
  readonly event: string;
  readonly payload: HookPayload;
  readonly memory: HookMemory;
  readonly options: HookOptions;
}

async function runHook(hook: SelectedHook, running: Running): Promise<HookResult> {
  const { handler, skill, key } = hook;
  const { memory, options } = running;
  const own = { skill: skill.name, type: handler.type, label: handlerLabel(handler) };
  if (handler.once && !memory.claim(key)) return { ...own, status: 'skipped' };
  if (handler.type === 'command' && handler.async) {
    const isBegun = memory.watch((ending) => effectOf(hook, running, anyOf(ending, options.signal)));
    if (isBegun) return { ...own, status: 'started' };
    // A background hook decides nothing, so a missing answer does not block.
    const effect = problem(running.event, 'too many hooks are running in the background');
    return { ...own, status: 'failed', effect };
  }
  const said = await effectOf(hook, running, options.signal);
  const effect = withoutAnswer(running.event, `the hook '${own.label}' of ${skill.name}`, said);
  if (handler.once && effect.problem !== undefined) memory.release(key);
  const failed = effect.problem === undefined ? 'done' : 'failed';
  return { ...own, status: effect.decision === 'block' ? 'blocked' : failed, effect };
}

/** The effect of a handler. Failures become a problem in the effect; nothing is thrown. */
async function effectOf(
  hook: SelectedHook,
  { event, payload, options }: Running,
  signal: AbortSignal | undefined,
): Promise<HookEffect> {
  const { handler, skill } = hook;
  const { limits, handlers = {} } = options;
  const seconds = Math.min(handler.timeout ?? limits.seconds, MAX_SECONDS);
  try {
    if (handler.type !== 'command') {
      const timeout = AbortSignal.timeout(seconds * 1000);
      const handed = { event, payload, skill, signal: anyOf(timeout, signal) };
      const answer = handOver(handler, handed, handlers);
      if (answer === undefined)
        return problem(event, `this host does not run hooks of the type ${handler.type}`);
      return readAnswer(event, await Promise.race([answer, rejectOn(handed.signal)]));
    }
    const end = await runCommand(
      { ...hook, handler },
      {
        options,
        limits: { ...limits, seconds },
        stdin: `${JSON.stringify(payload)}\n`,
        signal,
      },
    );
    return readCommand(event, end);
  } catch (error) {
    if (isTimeout(error)) return readCommand(event, { exitCode: 1, stdout: '', stderr: '', stopped: 'time' });
    return problem(event, messageOf(error));
  }
}

/** Runs the command of a hook from a copy of the trusted skill. */
async function runCommand(
  { handler, skill: { dir }, digest }: SelectedHook & { handler: Extract<HookHandler, { type: 'command' }> },
  { options, ...run }: Pick<SandboxedCommand, 'limits' | 'signal'> & { options: HookOptions; stdin: string },
): Promise<RunResult> {
  const sandbox = await options.sandbox();
  return runInCopy(dir, { ...options, ...run, sandbox, bound: true }, async (copy, accessOf) => {
    if (digest !== undefined && copy.digest !== digest)
      throw SkillwrightError.of('E015', { path: dir, why: 'it changed while skc started its hook' });
    const access = accessOf(copy);
    const variables = {
      CLAUDE_SKILL_DIR: access.cwd,
      CLAUDE_PROJECT_DIR: options.cwd,
      ...(options.sessionId === undefined ? {} : { CLAUDE_SESSION_ID: options.sessionId }),
    };
    const fill = (text: string) =>
      text.replace(/\$\{(\w+)\}/g, (written, name) => variables[name as keyof typeof variables] ?? written);
    const { command, args } = handler;
    return {
      ...access,
      argv:
        args === undefined
          ? [findShell(options.env ?? process.env), '-c', command]
          : [fill(command), ...args.map(fill)],
      env: { ...access.env, ...variables },
      readable: [...access.readable, ...(options.readable ?? [])],
      alone: access.alone && options.readable === undefined,
    };
  });
}

const problem = (event: string, why: string): HookEffect => ({
  ...readAnswer(event, undefined),
  problem: why,
});

const isTimeout = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError';

function anyOf(first: AbortSignal, second: AbortSignal | undefined): AbortSignal {
  return second === undefined ? first : AbortSignal.any([first, second]);
}

function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function handlerLabel(handler: HookHandler): string {
  switch (handler.type) {
    case 'command':
      return shorten(handler.command, 200);
    case 'http':
      return handler.url;
    case 'mcp_tool':
      return `${handler.server}: ${handler.tool}`;
    default:
      return shorten(handler.prompt, 200);
  }
}

function combine(effects: readonly HookEffect[]): Omit<HookReport, 'results' | 'diagnostics'> {
  const decided = (['block', 'ask', 'allow'] as const).find((wanted) =>
    effects.some(({ decision }) => decision === wanted),
  );
  const reasons = effects.filter(({ decision }) => decided !== undefined && decision === decided);
  return {
    decision: decided,
    reasons: reasons.flatMap(({ reason }) => (reason === undefined ? [] : [reason])),
    context: effects.flatMap(({ context }) => context),
    messages: effects.flatMap(({ message }) => (message === undefined ? [] : [message])),
    continue: effects.every((effect) => effect.continue),
    stopReason: effects.find((effect) => !effect.continue)?.stopReason,
  };
}
