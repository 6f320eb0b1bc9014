// Facts about agents: the directories they read, which skill wins, and which skills they leave out.
// Data, not code. An agent without a row reads its own directories and follows the standard.

import { type Agent, agents, marksOf, SHARED_SKILLS } from '../../skill/agents/index.ts';
import { SKILL_NAME_LIMIT, SKILL_NAME_PATTERN } from '../../skill/format/index.ts';

/** How an agent handles skills. Directories are relative to the project or the home directory. */
export interface AgentFacts {
  readonly label: string;
  /** Directories it reads, in order of precedence. */
  readonly reads: { readonly project: readonly string[]; readonly user: readonly string[] };
  /** Directories in the project or home whose presence shows that the agent is used. */
  readonly marks: readonly string[];
  /** Which of two skills with the same name wins; `both` when it keeps both and cannot tell them apart. */
  readonly precedence: 'project' | 'user' | 'both';
  /** How many directories deep it finds skills; absent for any depth, or when unknown. */
  readonly depth?: number;
  /** Names it accepts; skills with other names are left out. */
  readonly names?: { readonly pattern?: RegExp; readonly max: number };
  /** `called`: the directory name replaces the name. `required`: a skill with a different name is left out. */
  readonly directory?: 'called' | 'required';
  /** `fallback`: without one, the first lines of the text are shown. */
  readonly description: {
    readonly missing: 'left-out' | 'fallback';
    /** In characters; `cut` includes `when_to_use`. */
    readonly max?: number;
    readonly over?: 'left-out' | 'cut';
  };
  /** Whether it obeys `disable-model-invocation`. */
  readonly honoursDisabled?: true;
  /** How much of a conversation the list of skills may take. */
  readonly listing?: {
    readonly max: number;
    readonly unit: 'characters' | 'tokens';
    /** Describes the limit. */
    readonly rule: string;
    /** Describes the effect on a longer list. */
    readonly over: string;
  };
  /** True when the agent's documentation lists its directories, so that it certainly reads no others. */
  readonly documented?: true;
}

/** Assumed context size in tokens. */
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
      over: 'the descriptions of the least used skills are dropped',
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
      rule: '2 % of the context, or 8,000 characters if its size is unknown',
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
