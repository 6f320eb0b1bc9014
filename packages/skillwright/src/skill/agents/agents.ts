// Agents and where they look for skills. Data, not code: a new agent is a new row.

import { dirname } from 'node:path';

/** One agent. Directories are relative to the project and to the home directory. */
export interface Agent {
  readonly id: string;
  /** Other names people use for it. */
  readonly aliases?: readonly string[];
  readonly project: string;
  /** Absent when the agent reads project skills only. */
  readonly user?: string;
  /** Its place of `user` on Windows, where its documentation names another one. */
  readonly windows?: string;
  /** A variable that replaces the first directory of `user`, such as CLAUDE_CONFIG_DIR for `.claude`. */
  readonly variable?: string;
  /** Directories that show the agent is in use, when the ones around its skills do not. */
  readonly marks?: readonly string[];
}

/** The directory that many agents share. */
export const SHARED_SKILLS = '.agents/skills';

/** `.x/skills` in the project and in the home directory. */
const same = (id: string, extra: Partial<Agent> = {}): Agent => own(id, `.${id}/skills`, extra);

/** One directory with a different name from the agent, in the project and in the home directory. */
const own = (id: string, directory: string, extra: Partial<Agent> = {}): Agent => ({
  id,
  project: directory,
  user: directory,
  ...extra,
});

/** An agent that reads the project's shared directory. */
const shared = (id: string, user: string, extra: Partial<Agent> = {}): Agent => ({
  id,
  project: SHARED_SKILLS,
  user,
  ...extra,
});

/** `.x/skills` in the project, and a directory under `~/.config`. */
const configured = (id: string, extra: Partial<Agent> = {}): Agent => ({
  id,
  project: `.${id}/skills`,
  user: `.config/${id}/skills`,
  variable: 'XDG_CONFIG_HOME',
  ...extra,
});

const xdg = { variable: 'XDG_CONFIG_HOME' };

/** Every agent skc can deploy to. */
export const agents: readonly Agent[] = [
  shared('agents', SHARED_SKILLS, { marks: [SHARED_SKILLS] }),
  same('claude', { aliases: ['claude-code'], variable: 'CLAUDE_CONFIG_DIR' }),
  shared('codex', '.codex/skills', { variable: 'CODEX_HOME' }),
  shared('cursor', '.cursor/skills'),
  shared('gemini', '.gemini/skills', { aliases: ['gemini-cli'] }),
  shared('copilot', '.copilot/skills', {
    aliases: ['github-copilot'],
    marks: ['.copilot', '.github/skills'],
  }),
  shared('opencode', '.config/opencode/skills', { ...xdg, marks: ['.opencode', '.config/opencode'] }),
  shared('universal', '.config/agents/skills', { ...xdg, marks: ['.config/agents/skills'] }),
  shared('amp', '.config/agents/skills', { ...xdg, marks: ['.config/amp'] }),
  shared('replit', '.config/agents/skills', { ...xdg, marks: [] }),
  shared('cline', SHARED_SKILLS, { marks: ['.cline'] }),
  shared('dexto', SHARED_SKILLS, { marks: ['.dexto'] }),
  shared('kimi-code-cli', SHARED_SKILLS, { marks: ['.kimi'] }),
  shared('loaf', SHARED_SKILLS, { marks: ['.loaf'] }),
  shared('sarvam-code', SHARED_SKILLS, { marks: ['.sarvam'] }),
  shared('warp', SHARED_SKILLS, { marks: ['.warp'] }),
  shared('zed', SHARED_SKILLS, { marks: ['.config/zed'] }),
  shared('antigravity', '.gemini/antigravity/skills'),
  shared('antigravity-cli', '.gemini/antigravity-cli/skills'),
  shared('deepagents', '.deepagents/agent/skills'),
  shared('droid', '.factory/skills'),
  shared('firebender', '.firebender/skills'),
  shared('kilo', '.kilo/skills'),
  { id: 'promptscript', project: SHARED_SKILLS, marks: ['.promptscript'] },
  configured('crush', { windows: 'AppData/Local/crush/skills' }),
  configured('devin'),
  configured('goose', { windows: 'AppData/Roaming/Block/goose/config/skills' }),
  configured('kimchi', { user: '.config/kimchi/harness/skills' }),
  { id: 'openclaw', project: 'skills', user: '.openclaw/skills' },
  { id: 'eve', project: 'agent/skills', marks: [] },
  { id: 'astrbot', project: 'data/skills', user: '.astrbot/data/skills' },
  { id: 'cortex', project: '.cortex/skills', user: '.snowflake/cortex/skills' },
  { id: 'pi', project: '.pi/skills', user: '.pi/agent/skills' },
  { id: 'windsurf', project: '.windsurf/skills', user: '.codeium/windsurf/skills' },
  own('tabnine-cli', '.tabnine/agent/skills'),
  own('posit-assistant', '.posit/assistant/skills'),
  same('kiro', { aliases: ['kiro-cli'] }),
  same('qwen', { aliases: ['qwen-code'] }),
  same('qoder'),
  { id: 'qoder-cn', project: '.qoder/skills', user: '.qoder-cn/skills', marks: ['.qoder-cn'] },
  same('trae'),
  { id: 'trae-cn', project: '.trae/skills', user: '.trae-cn/skills', marks: ['.trae-cn'] },
  same('zencoder'),
  own('zenflow', '.zencoder/skills', { marks: ['.zenflow'] }),
  same('roo'),
  same('junie'),
  same('openhands'),
  same('augment'),
  same('continue'),
  same('grok', { variable: 'GROK_HOME' }),
  own('hermes', '.hermes/skills', { aliases: ['hermes-agent'], variable: 'HERMES_HOME' }),
  same('adal'),
  same('aider-desk'),
  own('autohand', '.autohand/skills', { aliases: ['autohand-code'], variable: 'AUTOHAND_HOME' }),
  same('bob'),
  own('codearts-agent', '.codeartsdoer/skills'),
  same('codebuddy'),
  same('codemaker'),
  same('codestudio'),
  same('codewhale', { variable: 'CODEWHALE_HOME' }),
  own('command-code', '.commandcode/skills'),
  own('forgecode', '.forge/skills'),
  same('fx'),
  own('iflow-cli', '.iflow/skills'),
  own('inference-sh', '.inferencesh/skills'),
  same('jazz'),
  same('kode'),
  same('lingma'),
  same('mcpjam'),
  own('minimax-code', '.minimax/skills'),
  own('mistral-vibe', '.vibe/skills', { variable: 'VIBE_HOME' }),
  same('moxby'),
  same('mux'),
  same('neovate'),
  same('ona'),
  same('pochi'),
  same('reasonix'),
  same('rovodev'),
  same('terramind'),
  same('tinycloud'),
  same('zcode'),
];

/** Directories in a project or in the home directory. Empty for an agent without its own directory. */
export function marksOf({ marks, project, user, windows }: Agent): readonly string[] {
  if (marks !== undefined) return marks;
  return (
    [...new Set([project, user, windows])]
      .filter((directory) => directory !== undefined && directory !== SHARED_SKILLS)
      .map((directory) => dirname(directory!))
      // Another program may have made a directory without a leading dot.
      .filter((directory) => /^(?:\..|AppData\/)/.test(directory))
  );
}
