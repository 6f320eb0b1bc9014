// skc install: installs skills from a source, or restores the lock.

import * as z from 'zod';
import { diagnosticOf, makeVisible, SkillwrightError } from '../../base/diagnostics/index.ts';
import { InstallOutcome } from '../../ship/results/index.ts';
import type { CommandContext } from './command-context.ts';
import { defineCommand } from './define-command.ts';
import { describeForm } from './describe-build.ts';
import { settleChoices } from './install-answers.ts';
import { consentInput, consentOf, ScopeInput } from './install-input.ts';

const input = z.strictObject({
  source: z
    .string()
    .optional()
    .describe(
      'A directory, git URL, owner/repo, npm:package, archive, domain or name; without one, the lock is restored',
    ),
  more: z.array(z.string()).default([]).describe('More sources, installed one after the other'),
  skill: z.array(z.string()).default([]).describe('Install these skills of the source, such as pdf,docx'),
  all: z.boolean().default(false).describe('Install every skill of the source'),
  target: z
    .array(z.string())
    .default([])
    .describe(
      'Agents to install for, such as claude,cursor; a value with / is a directory; none for no agent',
    ),
  scope: ScopeInput.describe(
    'Install into the project, or for you; without it, the project if you are in one',
  ),
  copy: z.boolean().default(false).describe("Copy into the agents' directories instead of linking"),
  pin: z.boolean().default(false).describe('Keep this version when you update'),
  yes: z.boolean().default(false).describe('Ask nothing'),
  ask: z.boolean().default(false).describe('Ask again for agents, scope and method'),
  ...consentInput,
  accept_moved: z.boolean().default(false).describe('Accept a tag or version that has moved'),
  force: z.boolean().default(false).describe('Replace files that are in the way; a backup is kept'),
  take: z
    .enum(['ours', 'theirs'])
    .optional()
    .describe('Which side wins for skills that both sides of a git merge changed in the lock'),
  offline: z.boolean().default(false).describe('Never use the network'),
  dry_run: z.boolean().default(false).describe('Show what would be installed, and write nothing'),
});

type Input = z.output<typeof input>;

/** Installs skills of a source, or restores the lock. */
export const install = defineCommand({
  input,
  positionals: ['source', 'more'],
  output: InstallOutcome,
  effect: 'write',
  writes: ['stores', 'runtime directories', 'agent directories', 'cache', 'state'],
  touches: { skills: 'inspect' },
  about:
    'Before anything is written you see where each skill comes from, what the scan found, and why to trust it. On a terminal you choose from a list if the source has several skills. Agents, scope and method are asked once and remembered; flags and --yes skip the questions.\nWithout a source, skc restores the exact files in `.skillc/lock.json`, from the cache if possible. A lock with git conflict markers is merged first, skill by skill.',
  examples: [
    { line: 'skc install anthropics/skills --skill pdf', note: 'install one skill of a repository' },
    {
      line: 'skc install ./team-skills --all --target claude,cursor',
      note: 'install a directory of skills for two agents',
    },
    { line: 'skc install ./pdf ./docx', note: 'install from two sources' },
    { line: 'skc install', note: 'restore the skills in the lock' },
  ],
  async run(request, context) {
    return request.source === undefined
      ? restore(request, context)
      : installFrom(request.source, request, context);
  },
  text({ source, skills, failed, installed, declined }) {
    if (declined) return skills.map(({ name }) => `${name}: not installed, as you chose\n`).join('');
    const lines = skills.flatMap((skill) => describeInstalled(skill, installed));
    lines.push(...failed.map(({ name, code, message }) => `${name}: failed: ${message} (${code})`));
    if (lines.length === 0) return "no skills installed; 'skc install <source>' installs some\n";
    if (
      source === null &&
      skills.length > 0 &&
      skills.every(({ status }) => status === 'unchanged') &&
      failed.length === 0
    )
      return `everything matches the lock (${skills.length} ${skills.length === 1 ? 'skill' : 'skills'})\n`;
    return `${lines.join('\n')}\n`;
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
  const [{ installSkills }, { readSource }] = await Promise.all([
    import('../../ship/install/install-skills.ts'),
    import('../../ship/install/source/read-source.ts'),
  ]);
  const { workspace } = context;
  const sources = [source, ...request.more];
  const options = { cwd: workspace.cwd, home: workspace.home, config: await workspace.config() };
  // A source that does not exist fails before anything is fetched or asked.
  for (const one of sources) readSource(one, options);
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
