// The toolsets and hooks of a session's skills: what runs because of them, and its end with the session.

import { type Diagnostic, diagnosticOf, SkillwrightError } from '../../base/diagnostics/index.ts';
import type {
  ActiveTool,
  ActiveToolsets,
  HookMemory,
  HookPayload,
  HookReport,
  Sandbox,
} from '../../guard/execute/index.ts';
import type { SkillReference } from '../../read/access/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import type { Config } from '../../skill/config/index.ts';
import type { SessionOptions } from './session.ts';

/** An active tool, and whose it is. */
export interface SkillTool extends ActiveTool {
  readonly skill: { readonly name: string; readonly path: string };
}

/** What came of activating a skill. */
export interface Activation {
  readonly tools: readonly SkillTool[];
  /** One for each toolset or tool that could not be taken. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What hooks and toolsets depend on. */
export interface ToolsetSurroundings {
  readonly options: SessionOptions;
  readonly sessionId: string;
  readonly config: () => Pick<Config, 'scripts'>;
  /** Fails when something of a skill may not be run any more. */
  readonly admit: (skill: SkillRecord) => Promise<void>;
  /** The same without waiting, for lists. */
  readonly isAdmitted: (skill: SkillRecord) => boolean;
}

/** The toolsets and hooks of one session. */
export interface SessionToolsets {
  activate(skill: SkillRecord): Promise<Activation>;
  /** False when the skill is not active. */
  deactivate(reference: SkillReference): Promise<boolean>;
  tools(): readonly SkillTool[];
  /** Where the skills that are active have their SKILL.md. */
  paths(): readonly string[];
  dispatch(event: string, payload: HookPayload, how: DispatchOptions): Promise<HookReport>;
  /** Ends everything. */
  close(): Promise<void>;
}

/** Whose hooks hold. */
export interface DispatchOptions {
  readonly skills: readonly SkillRecord[];
  readonly signal?: AbortSignal | undefined;
}

interface ActiveSkill {
  readonly skill: SkillRecord;
  readonly toolsets: ActiveToolsets;
}

/** Keeps the toolsets and hooks of a session. Nothing is loaded before something is activated or an event occurs. */
export function createSessionToolsets(surroundings: ToolsetSurroundings): SessionToolsets {
  const { options, sessionId, config, admit, isAdmitted } = surroundings;
  const { home, cwd, env = {}, trustsSkill } = options;
  const active = new Map<string, ActiveSkill>();
  let memory: HookMemory | undefined;
  // One after the other: names of tools are given once, and a skill is activated once.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
  const open = async (): Promise<Sandbox> => {
    if (options.sandbox !== undefined) return options.sandbox;
    const { openSandbox } = await import('../../guard/execute/open-sandbox.ts');
    return openSandbox({ env, orWithout: config().scripts.unsandboxed });
  };
  const tools = () =>
    [...active.values()].flatMap(({ skill, toolsets }) =>
      isAdmitted(skill) ? toolsets.tools.map((tool) => guarded(skill, tool)) : [],
    );
  /** A tool is asked for again with every call: its skill may have been denied or switched off since it was activated. */
  const guarded = (skill: SkillRecord, tool: ActiveTool): SkillTool => ({
    ...tool,
    skill: { name: skill.name, path: skill.path },
    async call(input, how) {
      await admit(skill);
      return tool.call(input, how);
    },
  });
  const end = async (path: string) => {
    const known = active.get(path);
    active.delete(path);
    await known?.toolsets.deactivate();
  };

  return {
    tools,
    paths: () => [...active.keys()],
    activate: (skill) =>
      inTurn(async () => {
        await end(skill.path);
        const { activateToolsets } = await import('../../guard/execute/activate-toolsets.ts');
        const { limitsOf } = await import('../../guard/execute/limits.ts');
        const toolsets = await activateToolsets(skill.dir, {
          home,
          env,
          sandbox: open,
          limits: limitsOf(config()),
          trusted: trustsSkill?.(skill) ?? false,
          taken: new Set(
            [...active.values()].flatMap(({ toolsets: other }) => other.tools.map(({ name }) => name)),
          ),
        });
        active.set(skill.path, { skill, toolsets });
        const own = toolsets.tools.map((tool) => guarded(skill, tool));
        return { tools: own, diagnostics: toolsets.diagnostics };
      }),
    deactivate: ({ name, path }) =>
      inTurn(async () => {
        const meant = [...active.values()].filter(({ skill }) =>
          path === undefined ? skill.name === name : skill.path === path || skill.dir === path,
        );
        await Promise.all(meant.map(({ skill }) => end(skill.path)));
        return meant.length > 0;
      }),
    async dispatch(event, payload, { skills, signal }) {
      const [{ dispatchHooks }, { createHookMemory }, { limitsOf }] = await Promise.all([
        import('../../guard/execute/dispatch-hooks.ts'),
        import('../../guard/execute/hook-memory.ts'),
        import('../../guard/execute/limits.ts'),
      ]);
      memory ??= createHookMemory();
      const trusted = new Set(skills.filter((skill) => trustsSkill?.(skill)).map(({ dir }) => dir));
      return dispatchHooks(event, payload, {
        home,
        env,
        cwd,
        sessionId,
        memory,
        skills: skills.map(({ dir }) => dir),
        sandbox: open,
        limits: limitsOf(config()),
        trusted: (dir) => trusted.has(dir) || undefined,
        ...(options.hookHandlers === undefined ? {} : { handlers: options.hookHandlers }),
        ...(options.hookReadable === undefined ? {} : { readable: options.hookReadable }),
        signal,
      });
    },
    close: () =>
      inTurn(async () => {
        await Promise.all([...[...active.keys()].map(end), memory?.end()]);
        memory = undefined;
      }),
  };
}

/** Whether a skill says that it brings tools along. */
export function hasToolsets({ frontmatter }: Pick<SkillRecord, 'frontmatter'>): boolean {
  return frontmatter.toolsets !== undefined;
}

/** What an access to a skill gives, or why there is none. */
export async function tryAccess<Found>(access: () => Promise<Found>): Promise<Found | Diagnostic> {
  try {
    return await access();
  } catch (error) {
    if (error instanceof SkillwrightError) return diagnosticOf(error);
    throw error;
  }
}
