// What is known of agents beyond where skc deploys to: which directories they read, who wins, what they leave out.
// Data, not code. An agent without a row reads its own directories and is judged by the standard alone.

import { type Agent, agents, marksOf, SHARED_SKILLS } from '../../skill/agents/index.ts';
import { SKILL_NAME_LIMIT, SKILL_NAME_PATTERN } from '../../skill/format/index.ts';

/** How an agent deals with skills. Directories are relative to a project and to the home directory. */
export interface AgentFacts {
  readonly label: string;
  /** Directories in which it looks, the winning one first. */
  readonly reads: { readonly project: readonly string[]; readonly user: readonly string[] };
  /** Directories, in a project or at home, that show that the agent is used. */
  readonly marks: readonly string[];
  /** Whose skill it takes when two have one name; `both` when it keeps both and cannot tell them apart by name. */
  readonly precedence: 'project' | 'user' | 'both';
  /** How many directories deep below its own it finds skills; absent where it looks at any depth, or nobody knows. */
  readonly depth?: number;
  /** Names it takes; others are left out. */
  readonly names?: { readonly pattern?: RegExp; readonly max: number };
  /** `called`: a skill is called by its directory. `required`: another name is left out. */
  readonly directory?: 'called' | 'required';
  /** `fallback`: without one the beginning of the text is shown. */
  readonly description: {
    readonly missing: 'left-out' | 'fallback';
    /** Characters; `cut` with `when_to_use` counted in. */
    readonly max?: number;
    readonly over?: 'left-out' | 'cut';
  };
  /** Whether it obeys `disable-model-invocation`. */
  readonly honoursDisabled?: true;
  /** How much of a conversation the list of skills may take. */
  readonly listing?: {
    readonly max: number;
    readonly unit: 'characters' | 'tokens';
    /** How the maximum comes about. */
    readonly rule: string;
    /** What happens to a longer list. */
    readonly over: string;
  };
  /** True when the directories are known from the agent's own documents, so that others can be said not to be read. */
  readonly documented?: true;
}

/** What a context holds where nothing else is known. */
const USUAL_CONTEXT = 200_000;

const CLAUDE = '.claude/skills';

const known: Readonly<Record<string, Omit<AgentFacts, 'documented' | 'marks'>>> = {
  agents: {
    label: `agents that read ${SHARED_SKILLS}`,
    reads: { project: [SHARED_SKILLS], user: [SHARED_SKILLS] },
    precedence: 'project',
    description: { missing: 'left-out' },
  },
  claude: {
    label: 'Claude Code',
    reads: { project: [CLAUDE], user: [CLAUDE] },
    precedence: 'user',
    depth: 1,
    directory: 'called',
    description: { missing: 'fallback', max: 1536, over: 'cut' },
    honoursDisabled: true,
    listing: {
      max: USUAL_CONTEXT / 100,
      unit: 'tokens',
      rule: `1 % of a context of ${USUAL_CONTEXT.toLocaleString('en')} tokens`,
      over: 'the descriptions of skills that are used least are dropped',
    },
  },
  codex: {
    label: 'Codex',
    reads: { project: [SHARED_SKILLS, '.codex/skills'], user: [SHARED_SKILLS, '.codex/skills'] },
    precedence: 'both',
    depth: 6,
    names: { max: SKILL_NAME_LIMIT },
    description: { missing: 'left-out', max: 1024, over: 'left-out' },
    listing: {
      max: 8000,
      unit: 'characters',
      rule: '2 % of the context, or 8,000 characters where that is not known',
      over: 'descriptions are shortened, then dropped',
    },
  },
  cursor: {
    label: 'Cursor',
    reads: {
      project: [SHARED_SKILLS, '.cursor/skills', CLAUDE, '.codex/skills'],
      user: [SHARED_SKILLS, '.cursor/skills', CLAUDE, '.codex/skills'],
    },
    precedence: 'project',
    description: { missing: 'left-out' },
    honoursDisabled: true,
  },
  gemini: {
    label: 'Gemini CLI',
    reads: { project: [SHARED_SKILLS, '.gemini/skills'], user: [SHARED_SKILLS, '.gemini/skills'] },
    precedence: 'project',
    depth: 1,
    description: { missing: 'left-out' },
  },
  copilot: {
    label: 'GitHub Copilot',
    reads: {
      project: ['.github/skills', CLAUDE, SHARED_SKILLS],
      user: ['.copilot/skills', CLAUDE, SHARED_SKILLS],
    },
    precedence: 'project',
    names: { pattern: SKILL_NAME_PATTERN, max: SKILL_NAME_LIMIT },
    description: { missing: 'left-out', max: 1024, over: 'left-out' },
    honoursDisabled: true,
  },
  opencode: {
    label: 'OpenCode',
    reads: {
      project: ['.opencode/skills', '.opencode/skill', CLAUDE, SHARED_SKILLS],
      user: ['.config/opencode/skills', CLAUDE, SHARED_SKILLS],
    },
    precedence: 'project',
    directory: 'required',
    description: { missing: 'left-out', max: 1024, over: 'left-out' },
  },
};

/** The facts about an agent. */
export function factsOf(agent: Agent): AgentFacts {
  const row = known[agent.id];
  const marks = marksOf(agent);
  if (row !== undefined)
    return agent.id === 'agents' ? { ...row, marks } : { ...row, marks, documented: true };
  return {
    label: agent.id,
    reads: { project: [agent.project], user: agent.user === undefined ? [] : [agent.user] },
    marks,
    precedence: 'project',
    description: { missing: 'left-out' },
  };
}

/** Every directory that any agent reads. */
export function directoriesOf(scope: 'project' | 'user'): string[] {
  return [...new Set(agents.flatMap((agent) => [agent[scope] ?? [], factsOf(agent).reads[scope]].flat()))];
}
