// skc build: from sources to stubs in agents' directories.

import { basename, resolve } from 'node:path';
import * as z from 'zod';
import {
  diagnose,
  diagnosticOf,
  formatCount,
  makeVisible,
  quoteWord,
  SkillwrightError,
} from '../../base/diagnostics/index.ts';
import { BuildOutcome, type BuildRequest, type buildAndDeploy } from '../../make/compile/index.ts';
import { findMeant } from '../../read/access/index.ts';
import { type Config, defaultConfig } from '../../skill/config/index.ts';
import { findSkills, isSkill } from '../../skill/skill/index.ts';
import { isInRuntime, type Workspace } from '../../skill/workspace/index.ts';
import type { CommandContext } from './command-context.ts';
import { defineCommand } from './define-command.ts';
import { choice, flag, own, texts } from './fields.ts';

/** Result of a build: the outcome, and the diagnostics to report. */
type Outcome = ReturnType<typeof buildAndDeploy>;

const Failure = z.object({ skill: z.string(), code: z.string(), message: z.string() });

/** Compiles skills and deploys them. */
export const build = defineCommand({
  fields: {
    skills: texts('Skills by name or path; with --all, directories of skills'),
    all: flag('Build every skill skc manages, or every skill below the directories'),
    global: own(flag("Compile into your runtime directory instead of the project's")),
    target: own(
      texts(
        'Agents to link it into, such as claude,cursor; a value with / is a directory; none for no agent',
      ),
    ),
    scope: own(
      choice(
        ['user', 'project'],
        "Link it into the project's agent directories, or into yours; without it build.scope, or the place of the skill",
      ),
    ),
    copy: own(flag('Copy instead of linking')),
    force: own(flag('Replace files skc did not make; a backup goes to .skillc/backups')),
    import: own(flag("Copy the skill into skc's store first, the project's or yours by its place")),
    release: own(flag('Undo an import or a forced build: put back what agents had before')),
    stub: own(flag('Always deploy a stub; without it build.deploy')),
    whole: own(flag('Always deploy the whole skill')),
    dry_run: own(flag('Show what would be built, and write nothing')),
    watch: own(flag('Rebuild when a file changes, until Ctrl-C')),
  },
  positionals: ['skills'],
  aliases: { skill: 'skills' },
  output: z.object({
    dry_run: z.boolean(),
    built: z.array(BuildOutcome),
    failed: z.array(Failure),
    released: z
      .array(z.object({ skill: z.string(), restored: z.array(z.string()) }))
      .optional()
      .describe('With --release: what agents have again'),
  }),
  effect: 'write',
  writes: ['runtime directories', 'agent directories'],
  excludes: [
    ['stub', 'whole'],
    ['dry_run', 'watch'],
    ['release', 'import'],
    ['release', 'watch'],
    ['release', 'all'],
  ],
  touches: { skills: 'make' },
  about:
    'A skill goes to agents in one of three forms: a stub, which points at `skc show`; a stub with links to the scripts and assets its text refers to; or whole. Whole is used when a stub would lose hooks, arguments, dynamic context or `context: fork`, or would save nothing. Without --stub or --whole, skc takes the first form that loses nothing.',
  examples: {
    'skc build pdf-forms': 'compile it and link it into Claude',
    'skc build ./my-skill --target claude,cursor': 'build a directory for two agents',
    'skc build --all': 'build every skill of the project and yours',
    'skc build pdf-forms --dry-run': 'see what would be built',
  },
  async run(input, context) {
    const [{ buildAndDeploy, previewBuild }, { configuredTargets }, { hideNested }] = await Promise.all([
      import('../../make/compile/build-and-deploy.ts'),
      import('../../make/compile/configured-targets.ts'),
      import('../../make/compile/build-skill.ts'),
    ]);
    const { workspace, access } = context;
    const config = await workspace.config();
    const hides = await hideNested(workspace);
    const settings = access.by === 'model' ? await usersBuildSettings(workspace) : config.build;
    const targets =
      input.target.length > 0
        ? input.target
        : access.by === 'model'
          ? settings.targets
          : await configuredTargets(workspace, context.ask);
    const deploy = input.stub ? 'stub' : input.whole ? 'whole' : config.build.deploy;
    const scope = input.scope ?? settings.scope;
    if (input.release) return releaseEach(input, context);
    const request = (): BuildRequest => ({
      global: input.global,
      targets,
      scope,
      isPlaced: input.target.length > 0 || input.scope !== undefined,
      importScope: input.scope,
      copy: input.copy,
      force: input.force,
      import: input.import,
      tokenizer: config.search.tokenizer,
      now: context.now(),
      hides,
      deploy,
    });
    const wanted = await skillsToBuild(input, context);
    const one = async ({ word, global }: Wanted) => {
      const skill = await access.open(word, { operation: 'make' }).catch((error: unknown) => {
        throw holdsSkills(error, resolve(workspace.cwd, word))
          ? error.withHelp(`to build the skills inside it, run 'skc build ${quoteWord(word)} --all'`)
          : error;
      });
      const make = input.dry_run ? previewBuild : buildAndDeploy;
      return make(skill, { ...request(), global }, workspace);
    };
    const result = await buildEach(wanted, { one, context, single: !input.all && wanted.length === 1 });
    const { dry_run } = input;
    if (!dry_run) await logBuilds(result, context);
    if (input.watch) await keepBuilding(result.built, { one, global: input.global, context });
    return {
      dry_run,
      built: result.built.map(({ diagnostics: _, ...outcome }) => outcome),
      failed: result.failed,
    };
  },
  text({ dry_run, built, failed, released }) {
    if (released !== undefined)
      return released.map(({ skill, restored }) =>
        restored.map((path) => `${skill}: ${dry_run ? 'would put back' : 'put back'} ${path}`),
      );
    const total = built.length + failed.length;
    if (total === 0) return ["no skills to build; 'skc init <name>' creates one"];
    const done = dry_run ? 'to build' : 'built';
    return [
      built.map((outcome) => describeOutcome(outcome, { dryRun: dry_run })),
      total > 1 && `${total} skills: ${built.length} ${done}, ${failed.length} failed`,
    ];
  },
  failed: ({ failed }) => failed.length > 0,
});

/** Build settings for a model: the user's configuration, never the project's. */
async function usersBuildSettings(workspace: Workspace): Promise<Pick<Config['build'], 'targets' | 'scope'>> {
  const { layers } = await workspace.configuration();
  const users = layers.filter(({ origin }) => origin.layer !== 'project');
  const settingOf = (key: string) => users.findLast(({ values }) => values.has(key))?.values.get(key);
  return {
    targets: (settingOf('build.targets') as Config['build']['targets']) ?? defaultConfig.build.targets,
    scope: (settingOf('build.scope') as Config['build']['scope']) ?? defaultConfig.build.scope,
  };
}

/** Puts back what agents had before an import or a forced build of these skills. */
async function releaseEach(
  { skills, dry_run }: { readonly skills: readonly string[]; readonly dry_run: boolean },
  { access, workspace }: CommandContext,
) {
  const { cleanSkill } = await import('../../make/compile/clean-skill.ts');
  const released: { skill: string; restored: string[] }[] = [];
  for (const word of skills.length > 0 ? skills : ['.']) {
    const skill = await access.open(word, { operation: 'make' });
    const { restored } = cleanSkill({ skill }, workspace, { dryRun: true });
    if (restored.length === 0)
      throw SkillwrightError.of(
        'E100',
        { why: `nothing to release: '${word}' replaced nothing that agents had` },
        { help: `to delete what a build made: skc clean ${quoteWord(word)}` },
      );
    if (!dry_run) cleanSkill({ skill }, workspace);
    released.push({ skill: basename(skill.dir), restored });
  }
  return { dry_run, built: [], failed: [], released };
}

/** A skill to build; `global` as the flag of that name. */
interface Wanted {
  readonly word: string;
  readonly global: boolean;
}

/** True for the error about a directory that is not a skill but has skills inside. */
function holdsSkills(error: unknown, directory: string): error is SkillwrightError {
  if (!(error instanceof SkillwrightError) || error.code !== 'E010') return false;
  for (const { kind } of findSkills(directory)) if (kind === 'skill') return true;
  return false;
}

async function skillsToBuild(
  { skills, all, global }: { skills: string[]; all: boolean; global: boolean },
  context: CommandContext,
): Promise<Wanted[]> {
  const { workspace, access } = context;
  if (!all && skills.length === 0 && !isSkill(workspace.cwd)) {
    const help = "name a skill, or build all of them with 'skc build --all'";
    throw SkillwrightError.of('E010', { path: workspace.cwd }, { help });
  }
  if (!all) return (skills.length > 0 ? skills : ['.']).map((word) => ({ word, global }));
  if (skills.length === 0) {
    const { listManagedSkills } = await import('../../make/compile/list-skills.ts');
    const managed: Wanted[] = [];
    for (const { source_path, scope } of listManagedSkills(workspace, { checkObsolete: false }))
      if (isSkill(source_path) && (await access.isVisible(source_path)))
        managed.push({ word: source_path, global: global || scope === 'user' });
    return managed;
  }
  const wanted: Wanted[] = [];
  for await (const meant of findMeant(skills, access, { operation: 'make' })) {
    if (meant.kind === 'problem') context.report(diagnosticOf(meant.error));
    // A skill that may not be built fails in its turn, like any other failure.
    else if (meant.kind !== 'skipped') wanted.push({ word: meant.dir, global });
  }
  return wanted;
}

interface EachOptions {
  readonly one: (wanted: Wanted) => Promise<Outcome>;
  readonly context: CommandContext;
  /** Builds a single skill; its error is the command's error. */
  readonly single: boolean;
}

async function buildEach(all: readonly Wanted[], { one, context, single }: EachOptions) {
  const built: Outcome[] = [];
  const failed: z.output<typeof Failure>[] = [];
  const milliseconds: number[] = [];
  const started = context.now().getTime();
  for (const [index, wanted] of all.entries()) {
    try {
      const before = performance.now();
      const outcome = await one(wanted);
      built.push(outcome);
      milliseconds.push(performance.now() - before);
      warnOf(outcome, context);
    } catch (error) {
      if (single || !(error instanceof SkillwrightError)) throw error;
      // Among many skills, a message that says SKILL.md needs the skill's name.
      const detail = [`  in ${wanted.word}`, error.detail].filter(Boolean).join('\n');
      context.report({ ...diagnosticOf(error), detail });
      failed.push({ skill: wanted.word, code: error.code, message: error.message });
    }
    if (context.now().getTime() - started > 500) context.progress(`building ${index + 1} of ${all.length}`);
  }
  return { built, failed, milliseconds };
}

/** Writes a row to the log of each skill that was built. Never fails. */
async function logBuilds(
  { built, milliseconds }: Awaited<ReturnType<typeof buildEach>>,
  context: CommandContext,
): Promise<void> {
  const { logAccess } = await import('../../read/usage/write-access.ts');
  for (const [index, { name, source_path, runtime_path, status, indexed }] of built.entries()) {
    const nothingRead = { error: null, bytes: 0, tokens: 0 };
    const duration_ms = Math.round(milliseconds[index]! * 1000) / 1000;
    const row = {
      command: 'build',
      skill: name,
      skill_path: source_path,
      args: { status, indexed },
      duration_ms,
    };
    await logAccess({ ...row, ...nothingRead }, runtime_path, context);
  }
}

/** Notes warnings about the skill, and links that were replaced. */
function warnOf({ deployments, diagnostics, runtime_path: runtime }: Outcome, context: CommandContext): void {
  for (const diagnostic of diagnostics) context.report(diagnostic);
  for (const { fallback, path, replaced } of deployments) {
    if (fallback) context.note(`warning: links are not possible at ${path}; copied instead`);
    if (replaced !== null && isInRuntime(replaced))
      context.report(diagnose('W008', { link: path, runtime, before: replaced }));
  }
}

async function keepBuilding(
  built: readonly Outcome[],
  options: { one: (wanted: Wanted) => Promise<Outcome>; global: boolean; context: CommandContext },
): Promise<void> {
  const { one, global, context } = options;
  const { watchSources } = await import('../../make/compile/watch-sources.ts');
  // The result comes at the end; a person who watches wants to see each build now.
  for (const outcome of built) context.note(describeOutcome(outcome).join('\n'));
  const told = new Map<string, string>();
  const fail = (dir: string, error: unknown, { mayBe }: { mayBe: boolean }): void => {
    if (!(error instanceof SkillwrightError)) throw error;
    // The second look repeats known findings.
    if (!mayBe || told.get(dir) !== error.message) context.report(diagnosticOf(error));
    told.set(dir, error.message);
  };
  await watchSources(
    built.map(({ source_path }) => source_path),
    {
      signal: context.signal,
      started: () => context.note(`watching ${formatCount(built.length, 'skill')}; press Ctrl-C to stop`),
      async changed(dir, change) {
        try {
          const { name, status, indexed } = await one({ word: dir, global });
          told.delete(dir);
          if (status !== 'unchanged') context.note(`${name}: ${status} (${indexed} indexed)`);
        } catch (error) {
          fail(dir, error, change);
        }
      },
      failed: (dir, error) => fail(dir, error, { mayBe: false }),
    },
  );
}

// The text of a build: the skill, its form, the files left out, and every place it was deployed to.

const forms = { stub: 'a stub', files: 'a stub with files', whole: 'whole' } as const;

/** How many names of a list are spelled out. */
const MAX_NAMES = 8;

/** One line for the skill, one for its form, and one for each place it was deployed to. */
function describeOutcome(outcome: BuildOutcome, { dryRun = false } = {}): string[] {
  const { name, form, why, left_out, not_searched, deployments, backups, notes } = outcome;
  // Agents read the source itself.
  const isSource = notes.length > 0 && deployments.length === 0;
  return [
    `${makeVisible(name)}: ${headline(outcome, dryRun)}`,
    ...(isSource ? [] : [describeForm({ form, why }), ...describeLeftOut(left_out)]),
    ...(not_searched.length === 0 ? [] : [`  not searched: ${listNames(not_searched)}`]),
    ...backups.map((path) => `  backup: ${path}`),
    ...deployments.map(({ target, path, method, changed, backup, replaced }) => {
      const state = changed ? (dryRun ? '; would be created' : '') : '; already there';
      const kept = backup === null ? '' : `; backup: ${backup}`;
      const before = replaced === null ? '' : `; before: ${replaced}`;
      return `  ${target}: ${path} (${method}${state}${kept}${before})`;
    }),
    ...notes.map((note) => `  ${makeVisible(note)}`),
  ];
}

/** The form a skill is deployed in, and why. */
export function describeForm({ form, why }: Pick<BuildOutcome, 'form' | 'why'>): string {
  return `  form: ${forms[form]} (${makeVisible(why)})`;
}

function headline({ status, indexed, files, deployments }: BuildOutcome, dryRun: boolean): string {
  const amount = formatCount(files, 'file');
  const isDeployed = deployments.some(({ changed }) => changed);
  if (status === 'unchanged') return `${isDeployed ? 'already compiled' : 'up to date'} (${amount})`;
  if (dryRun) return `would be ${status} (${amount})`;
  return `${status} (${indexed} of ${amount} indexed)`;
}

/** Entries left out, grouped by reason. */
function describeLeftOut(leftOut: BuildOutcome['left_out']): string[] {
  return Array.from(
    Map.groupBy(leftOut, ({ why }) => why),
    ([why, entries]) => `  left out: ${listNames(entries.map(({ path }) => path))} (${why})`,
  );
}

function listNames(paths: readonly string[]): string {
  const names = paths.slice(0, MAX_NAMES).map(makeVisible).join(', ');
  return paths.length > MAX_NAMES ? `${names} and ${paths.length - MAX_NAMES} more` : names;
}
