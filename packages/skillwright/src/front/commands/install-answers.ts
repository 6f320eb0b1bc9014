// Questions of install on a terminal, besides the skills: agents, scope and method. It asks once and remembers.

import * as z from 'zod';
import { makeVisible, SkillwrightError } from '../../base/diagnostics/index.ts';
import { agents, marksOf } from '../../skill/agents/index.ts';
import { readState, updateState, type Workspace } from '../../skill/workspace/index.ts';
import { isPresent } from './agents.ts';
import type { Asker, CommandContext } from './command-context.ts';

/** Choices install can ask for. */
interface InstallChoices {
  readonly target: string[];
  readonly scope?: 'project' | 'user' | undefined;
  readonly copy: boolean;
}

const Answers = z.object({
  agents: z.array(z.string()).nullable(),
  scope: z.enum(['project', 'user']).nullable(),
  method: z.enum(['link', 'copy']),
});
type Answers = z.output<typeof Answers>;

/** The key of the user's state file. */
const KEY = 'install';

/**
 * The choices, completed by earlier answers, or by asking now. Flags come first. E100 when a question stays
 * unanswered.
 */
export async function settleChoices(
  choices: InstallChoices,
  context: Pick<CommandContext, 'workspace' | 'ask' | 'note'>,
  { again }: { readonly again: boolean },
): Promise<InstallChoices> {
  const { workspace, ask } = context;
  if (ask?.pick === undefined) return choices;
  const known = again ? undefined : Answers.safeParse(readState(workspace.user.state).state[KEY]).data;
  const answers = known ?? (await askAll(choices, ask, workspace));
  if (known === undefined)
    updateState(workspace.user.state, (state) => ({ ...state, [KEY]: { ...answers } }));
  const scope = workspace.project === undefined ? undefined : (answers.scope ?? undefined);
  const settled = {
    target: choices.target.length > 0 ? choices.target : (answers.agents ?? []),
    scope: choices.scope ?? scope,
    copy: choices.copy || answers.method === 'copy',
  };
  if (known !== undefined)
    context.note(`${describeChoice(settled)}, as you chose before; use --ask to choose again`);
  return settled;
}

function describeChoice({ target, scope, copy }: InstallChoices): string {
  const who = target.length === 0 ? 'the configured agents' : target.map(makeVisible).join(', ');
  const whose = scope === undefined ? '' : `, for the ${scope}`;
  return `for ${who}${whose}, ${copy ? 'copied' : 'linked'}`;
}

async function askAll(choices: InstallChoices, ask: Asker, workspace: Workspace): Promise<Answers> {
  return {
    agents: choices.target.length > 0 ? null : await askAgents(ask, workspace),
    scope: choices.scope ?? (workspace.project === undefined ? null : await askScope(ask)),
    method: choices.copy ? 'copy' : await askMethod(ask),
  };
}

/** Asks about the agents present, all preselected. Skips the question if the user configured targets. */
async function askAgents(ask: Asker, workspace: Workspace): Promise<string[] | null> {
  const { layers } = await workspace.configuration();
  const isConfigured = layers.some(
    ({ origin, values }) => origin.layer !== 'default' && values.has('build.targets'),
  );
  const present = agents.filter((agent) => isPresent(marksOf(agent), workspace));
  if (isConfigured || present.length === 0) return null;
  const chosen = await ask.choose(
    'Install for which agents? These were found on this machine.',
    present.map(({ id, project }) => ({ label: id, note: project, chosen: true })),
    { many: true },
  );
  if (chosen === undefined) throw unanswered('--target');
  return chosen.map((at) => present[at]!.id);
}

async function askScope(ask: Asker): Promise<'project' | 'user'> {
  const chosen = await ask.choose('Install for whom?', [
    { label: 'this project', note: 'the lock is shared with your team', chosen: true },
    { label: 'you', note: 'in all your projects' },
  ]);
  if (chosen === undefined) throw unanswered('--scope');
  return chosen[0] === 0 ? 'project' : 'user';
}

async function askMethod(ask: Asker): Promise<'link' | 'copy'> {
  const chosen = await ask.choose('How should agents get the skills?', [
    { label: 'links', note: 'one copy, always current', chosen: true },
    { label: 'copies', note: 'for agents and systems that do not follow links' },
  ]);
  if (chosen === undefined) throw unanswered('--copy');
  return chosen[0] === 0 ? 'link' : 'copy';
}

function unanswered(flag: string): SkillwrightError {
  const help = `answer the question, or pass ${flag}; --yes asks nothing`;
  return SkillwrightError.of('E100', { why: 'nothing was chosen' }, { help });
}
