// Agents and where they look for skills. Data, not code: a new agent is a new row.

/** One agent. Directories are relative to the project and to the home directory. */
export interface Agent {
  readonly id: string;
  /** Other names people use for it. */
  readonly aliases?: readonly string[];
  readonly project: string;
  readonly user: string;
  /** A variable that replaces the first directory of `user`, such as CLAUDE_CONFIG_DIR for `.claude`. */
  readonly variable?: string;
}

/** `.x/skills` in the project and in the home directory. */
const same = (id: string, directory = `.${id}/skills`): Agent => ({
  id,
  project: directory,
  user: directory,
});

/** An agent that reads the shared `.agents/skills` of a project. */
const shared = (id: string, user: string, extra: Partial<Agent> = {}): Agent => ({
  id,
  project: '.agents/skills',
  user,
  ...extra,
});

/** Every agent skc can deploy to. */
export const agents: readonly Agent[] = [
  shared('agents', '.agents/skills', { aliases: ['universal'] }),
  { ...same('claude'), aliases: ['claude-code'], variable: 'CLAUDE_CONFIG_DIR' },
  shared('codex', '.codex/skills', { variable: 'CODEX_HOME' }),
  shared('cursor', '.cursor/skills'),
  shared('gemini', '.gemini/skills', { aliases: ['gemini-cli'] }),
  shared('copilot', '.copilot/skills', { aliases: ['github-copilot'] }),
  shared('opencode', '.config/opencode/skills', { variable: 'XDG_CONFIG_HOME' }),
  shared('amp', '.config/agents/skills', { variable: 'XDG_CONFIG_HOME' }),
  shared('cline', '.agents/skills'),
  shared('warp', '.agents/skills'),
  shared('zed', '.agents/skills'),
  shared('antigravity', '.gemini/antigravity/skills'),
  shared('droid', '.factory/skills'),
  shared('kilo', '.kilo/skills'),
  { id: 'goose', project: '.goose/skills', user: '.config/goose/skills', variable: 'XDG_CONFIG_HOME' },
  { id: 'crush', project: '.crush/skills', user: '.config/crush/skills', variable: 'XDG_CONFIG_HOME' },
  { id: 'devin', project: '.devin/skills', user: '.config/devin/skills', variable: 'XDG_CONFIG_HOME' },
  { id: 'windsurf', project: '.windsurf/skills', user: '.codeium/windsurf/skills' },
  { id: 'pi', project: '.pi/skills', user: '.pi/agent/skills' },
  { ...same('kiro'), aliases: ['kiro-cli'] },
  { ...same('qwen'), aliases: ['qwen-code'] },
  same('trae'),
  same('roo'),
  same('junie'),
  same('openhands'),
  same('augment'),
  same('continue'),
  same('qoder'),
  same('zencoder'),
  { ...same('grok'), variable: 'GROK_HOME' },
  { ...same('hermes'), aliases: ['hermes-agent'], variable: 'HERMES_HOME' },
];
