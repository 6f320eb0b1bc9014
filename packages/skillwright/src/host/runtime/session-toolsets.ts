// Toolsets and hooks of a session's skills: starts their processes, and stops them when the session ends.

import type { Diagnostic } from '../../base/diagnostics/index.ts';
import type {
  ActiveTool,
  ActiveToolsets,
  HookMemory,
  HookPayload,
  HookReport,
  Sandbox,
  UnaskedHooks,
} from '../../guard/execute/index.ts';
import type { SkillReference } from '../../read/access/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import type { Config } from '../../skill/config/index.ts';
import type { ActiveSkill } from './saved-session.ts';
import type { SessionOptions } from './session.ts';

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

/** Dependencies of hooks and toolsets. */
interface ToolsetSurroundings {
  readonly options: SessionOptions;
  readonly sessionId: () => string;
  readonly config: () => Pick<Config, 'scripts'>;
  /** Throws when a skill's code may no longer be run. */
  readonly admit: (skill: SkillRecord) => Promise<void>;
  /** Synchronous version, for lists. */
  readonly isAdmitted: (skill: SkillRecord) => boolean;
}

/** The toolsets and hooks of one session. */
interface SessionToolsets {
  activate(skill: SkillRecord): Promise<Activation>;
  /** False when the skill is not active. */
  deactivate(reference: SkillReference): Promise<boolean>;
  tools(): readonly SkillTool[];
  /** Active skills. */
  active(): readonly SkillRecord[];
  /** The tools of a skill; undefined when it is not active. */
  toolsOf(path: string): Activation | undefined;
  /** Active skills in the form a saved session stores. */
  saved(): ActiveSkill[];
  dispatch(event: string, payload: HookPayload, how: DispatchOptions): Promise<HookReport>;
  /** Stops everything. */
  close(): Promise<void>;
}

/** Skills with hooks in force. */
interface DispatchOptions {
  readonly skills: readonly SkillRecord[];
  /** Hooks in force that cannot run. */
  readonly unasked: readonly UnaskedHooks[];
  readonly signal?: AbortSignal | undefined;
}

interface RunningSkill {
  readonly skill: SkillRecord;
  readonly toolsets: ActiveToolsets;
}

/** Manages the toolsets and hooks of a session. Loads nothing until a skill is activated or an event occurs. */
export function createSessionToolsets(surroundings: ToolsetSurroundings): SessionToolsets {
  const { options, sessionId, config, admit, isAdmitted } = surroundings;
  const { home, cwd, env, trustsSkill } = options;
  const active = new Map<string, RunningSkill>();
  let memory: HookMemory | undefined;
  // One at a time: each tool name is assigned once, and each skill is activated once.
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
  /** Every call checks again: the skill may have been denied or disabled since it was activated. */
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
    active: () => [...active.values()].map(({ skill }) => skill),
    toolsOf(path) {
      const known = active.get(path);
      if (known === undefined) return undefined;
      return { tools: known.toolsets.tools.map((tool) => guarded(known.skill, tool)), diagnostics: [] };
    },
    saved: () =>
      [...active.values()].flatMap(({ skill: { name, path }, toolsets }) =>
        toolsets.tools.length === 0 ? [] : [{ name, path, tools: toolsets.tools.map((tool) => tool.name) }],
      ),
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
    async dispatch(event, payload, { skills, unasked, signal }) {
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
        sessionId: sessionId(),
        memory,
        unasked,
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

/** Whether a skill declares toolsets. */
export function hasToolsets({ frontmatter }: Pick<SkillRecord, 'frontmatter'>): boolean {
  return frontmatter.toolsets !== undefined;
}

/** The skill that `access` opens; undefined when it has no toolsets, so the user need not be asked. */
export async function openIfActivatable<Opened>(
  access: (runs: (dir: string) => void) => Promise<Opened>,
): Promise<Opened | undefined> {
  const { readToolsets } = await import('../../guard/execute/activate-toolsets.ts');
  const nothing = new Error('no toolsets');
  try {
    return await access((dir) => {
      const { references, broken } = readToolsets(dir);
      if (references.length + broken.length === 0) throw nothing;
    });
  } catch (error) {
    if (error === nothing) return undefined;
    throw error;
  }
}
