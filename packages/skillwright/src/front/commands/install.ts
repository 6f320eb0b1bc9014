// skc install: installs skills from a source, or restores the lock.

import * as z from 'zod';
import { diagnosticOf, formatCount, makeVisible, SkillwrightError } from '../../base/diagnostics/index.ts';
import { InstallOutcome } from '../../ship/results/index.ts';
import { agents, marksOf } from '../../skill/agents/index.ts';
import { readState, updateState, type Workspace } from '../../skill/workspace/index.ts';
import { isPresent } from './agents.ts';
import { describeForm } from './build.ts';
import type { Asker, CommandContext } from './command-context.ts';
import { defineCommand } from './define-command.ts';
import { choice, consentFields, flag, type InputOf, scopeField, text, texts } from './fields.ts';
import { consentOf } from './install-input.ts';
import { settleDeployed } from './settle.ts';

const fields = {
  source: text(
    'A directory, git URL, owner/repo, npm:package, archive, domain or name; without one, the lock is restored',
  ),
  more: texts('More sources, installed one after the other'),
  skill: texts('Install these skills of the source, such as pdf,docx'),
  all: flag('Install every skill of the source'),
  target: texts(
    'Agents to install for, such as claude,cursor; a value with / is a directory; none for no agent',
  ),
  scope: scopeField('Install into the project, or for you; without it, the project if you are in one'),
  copy: flag("Copy into the agents' directories instead of linking"),
  pin: flag('Keep this version when you update'),
  yes: flag('Ask nothing'),
  ask: flag('Ask again for agents, scope and method'),
  ...consentFields,
  accept_moved: flag('Accept a tag or version that has moved'),
  force: flag('Replace files that are in the way; a backup is kept'),
  take: choice(
    ['ours', 'theirs'],
    'Which side wins for skills that both sides of a git merge changed in the lock',
  ),
  offline: flag('Never use the network'),
  dry_run: flag('Show what would be installed, and write nothing'),
};

type Input = InputOf<{ readonly fields: typeof fields }>;

/** Installs skills of a source, or restores the lock. */
export const install = defineCommand({
  fields,
  positionals: ['source', 'more'],
  output: InstallOutcome,
  effect: 'write',
  writes: ['stores', 'runtime directories', 'agent directories', 'cache', 'state'],
  touches: { skills: 'inspect' },
  about:
    'Before anything is written you see where each skill comes from, what the scan found, and why to trust it. On a terminal you choose from a list if the source has several skills. Agents, scope and method are asked once and remembered; flags and --yes skip the questions.\nWithout a source, skc restores the exact files in `.skillc/lock.json`, from the cache if possible. A lock with git conflict markers is merged first, skill by skill.',
  examples: {
    'skc install anthropics/skills --skill pdf': 'install one skill of a repository',
    'skc install ./team-skills --all --target claude,cursor': 'install a directory of skills for two agents',
    'skc install ./pdf ./docx': 'install from two sources',
    'skc install': 'restore the skills in the lock',
  },
  async run(request, context) {
    const outcome =
      request.source === undefined
        ? await restore(request, context)
        : await installFrom(request.source, request, context);
    if (!request.dry_run) await settleDeployed(context);
    return outcome;
  },
  text({ source, skills, failed, installed, declined }) {
    if (declined) return skills.map(({ name }) => `${name}: not installed, as you chose`);
    if (skills.length + failed.length === 0)
      return ["no skills installed; 'skc install <source>' installs some"];
    const isSame = failed.length === 0 && skills.every(({ status }) => status === 'unchanged');
    if (source === null && isSame)
      return [`everything matches the lock (${formatCount(skills.length, 'skill')})`];
    return [
      skills.map((skill) => describeInstalled(skill, installed)),
      failed.map(({ name, code, message }) => `${name}: failed: ${message} (${code})`),
    ];
  },
  failed: ({ failed }) => failed.length > 0,
});

async function installFrom(source: string, request: Input, context: CommandContext): Promise<InstallOutcome> {
  if (request.take !== undefined)
    throw SkillwrightError.of(
      'E100',
      { why: '--take is for the lock, not for a source' },
      { help: 'to resolve a lock that git could not merge: skc install --take ours' },
    );
  const [{ installSkills }, { readSource }, { spellInstall }] = await Promise.all([
    import('../../ship/install/install-skills.ts'),
    import('../../ship/install/source/read-source.ts'),
    import('../../ship/install/plan/choose-skills.ts'),
  ]);
  const { workspace } = context;
  const sources = [source, ...request.more];
  const options = { cwd: workspace.cwd, home: workspace.home, config: await workspace.config() };
  // A source that does not exist fails before anything is fetched or asked.
  for (const one of sources.length > 1 ? sources : []) {
    try {
      readSource(one, options);
    } catch (error) {
      const isName = one !== source && error instanceof SkillwrightError && error.code === 'E239';
      if (!isName) throw error;
      const from = spellInstall({ ...optionsOf(request), source, skills: [], all: false });
      const help = `for skills of one source: ${from} --skill ${request.more.join(',')}`;
      throw SkillwrightError.of('E239', { name: one }, { help, data: error.data });
    }
  }
  const isSilent = request.yes || request.dry_run || context.ask?.pick === undefined;
  let answers: ReturnType<typeof settleChoices> | undefined;
  const settle = async () => {
    answers ??= settleChoices(request, context, { again: request.ask });
    const { target: targets, scope, copy } = await answers;
    return { targets, scope, copy };
  };
  const { skill: skills, all } = request;
  const fixed = { ...optionsOf(request), skills, all, settle: isSilent ? undefined : settle };
  const outcomes: InstallOutcome[] = [];
  const failed: InstallOutcome['failed'] = [];
  for (const one of sources) {
    try {
      outcomes.push(await installSkills({ ...fixed, source: one }, context));
    } catch (error) {
      if (sources.length === 1 || !(error instanceof SkillwrightError)) throw error;
      const { code, message, help = null, data = null } = diagnosticOf(error);
      context.report(diagnosticOf(error));
      failed.push({ name: one, code, message, help, data });
    }
  }
  const [first] = outcomes;
  if (first === undefined || sources.length === 1)
    return (
      first ?? {
        scope: workspace.store(request.scope).scope,
        source: sources.join(', '),
        skills: [],
        installed: false,
        declined: false,
        failed,
      }
    );
  return {
    scope: first.scope,
    source: sources.join(', '),
    skills: outcomes.flatMap((one) => one.skills),
    installed: outcomes.some(({ installed }) => installed),
    declined: outcomes.every(({ declined }) => declined),
    failed: [...outcomes.flatMap((one) => one.failed), ...failed],
  };
}

function optionsOf(request: Input) {
  const { target, scope, copy, pin, yes, force, offline, dry_run, accept_moved } = request;
  const options = { targets: target, scope, copy, pin, yes, force, offline, dryRun: dry_run };
  return { ...options, acceptMoved: accept_moved, ...consentOf(request) };
}

async function restore(request: Input, context: CommandContext) {
  const unfit = (['skill', 'target'] as const).find((name) => request[name].length > 0);
  const flag = unfit ?? (['all', 'copy', 'pin'] as const).find((name) => request[name]);
  if (flag !== undefined)
    throw SkillwrightError.of(
      'E100',
      { why: `--${flag} needs a source` },
      { help: 'name a source to install from' },
    );
  const [{ placeOf }, { restoreSkills }, { existsSync }] = await Promise.all([
    import('../../ship/install/place/install-place.ts'),
    import('../../ship/install/restore-skills.ts'),
    import('node:fs'),
  ]);
  const place = placeOf(request.scope, context);
  if (place.project === undefined || !existsSync(place.store.lock)) {
    const { adoptSkillsCliLock } = await import('../../ship/install/adopt-skills-cli-lock.ts');
    const adopted = await adoptSkillsCliLock(place, optionsOf(request), context);
    if (adopted !== undefined) return adopted;
  }
  const { offline, force, dry_run, scope, take } = request;
  return restoreSkills({ scope, offline, force, take, dryRun: dry_run, ...consentOf(request) }, context);
}

const done = {
  new: 'installed',
  update: 'updated',
  replace: 'installed, replacing another skill',
  unchanged: 'already installed',
  restored: 'restored',
  linked: 'compiled and linked again',
  removed: 'removed, because it is no longer in the lock',
} as const;

const wouldBe = {
  new: 'would be installed',
  update: 'would be updated',
  replace: 'would replace another skill',
  unchanged: 'already installed',
  restored: 'would be restored',
  linked: 'would be compiled and linked again',
  removed: 'would be removed, because it is no longer in the lock',
} as const;

function describeInstalled(skill: InstallOutcome['skills'][number], isDone: boolean): string[] {
  const { name, status, agents, deployments, backup, pinned } = skill;
  // A restored lock says where it writes: somebody else may have written the lock.
  const isWritten = status === 'restored' || status === 'linked';
  const places = isWritten && agents.length > 0 ? ` for ${agents.map(makeVisible).join(', ')}` : '';
  return [
    `${name}: ${(isDone ? done : wouldBe)[status]}${places}${pinned ? ', pinned' : ''}`,
    ...deployments.slice(0, 1).map(describeForm),
    ...deployments.map(({ target, path, method }) => `  ${makeVisible(target)}: ${path} (${method})`),
    ...(backup === null ? [] : [`  backup: ${backup}`]),
  ];
}

// Questions of install on a terminal, besides the skills: agents, scope and method. It asks once and remembers.

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
async function settleChoices(
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
