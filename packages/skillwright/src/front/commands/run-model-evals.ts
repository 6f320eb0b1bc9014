// Runs the cases of skills with a model of the user.

import { resolve } from 'node:path';
import * as z from 'zod';
import { diagnose, formatCount, invalidOption, SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  decodeText,
  displayPath,
  isEvalFile,
  listFiles,
  makePrivateDirectory,
  readRegularFile,
  writeFileAtomic,
} from '../../base/files/index.ts';
import { limitsOf, openSandbox } from '../../guard/execute/index.ts';
import {
  hideKeysIn,
  type Model,
  modelKeys,
  openBudget,
  openModel,
  withoutKeys,
} from '../../host/models/index.ts';
import type { Access, OpenedSkill } from '../../read/access/index.ts';
import { fitCatalog, renderSkillsContext, type SkillRecord } from '../../read/catalog/index.ts';
import type { LoadedConfig } from '../../skill/config/index.ts';
import { openSkill } from '../../skill/skill/index.ts';
import type { CommandContext } from './command-context.ts';
import { conditions, type ModelReport } from './model-report.ts';
import { type ModelWorld, openModelWorld } from './model-world.ts';
import { planPrompt } from './plan-prompt.ts';
import { planQuery } from './plan-query.ts';
import type { Tested } from './run-evals.ts';
import { runTrials } from './run-trials.ts';
import { summarizeTrials } from './summarize-trials.ts';
import {
  type DoneTrial,
  type PlanOptions,
  repeat,
  type Trial,
  TrialResult,
  type TrialSubject,
} from './trial.ts';

/** The user's wishes. */
interface ModelRun {
  readonly model: string;
  readonly judge?: string | undefined;
  /** All when empty. */
  readonly condition: readonly (typeof conditions)[number][];
  readonly runs: number;
  readonly threshold: number;
  readonly max_calls: number;
  readonly max_cost?: number | undefined;
  readonly jobs: number;
  readonly output?: string | undefined;
  readonly resume: boolean;
  readonly dry_run: boolean;
}

/** Plans the runs, does them, and reports. With `dry_run` nothing is sent. */
export async function runModelEvals(
  tested: Tested,
  wish: ModelRun,
  context: CommandContext,
): Promise<ModelReport> {
  const { workspace, signal } = context;
  const source = { config: await workspace.config(), env: workspace.env };
  const { variables, hide } = modelKeys(source);
  const configuration = await workspace.configuration();
  const open = (name: string) => {
    refuseUnknownKeys(name, configuration);
    return withoutKeys(openModel(name, source), hide);
  };
  const model = open(wish.model);
  const judge = wish.judge === undefined ? undefined : open(wish.judge);
  const unpriced = [model, ...(judge === undefined ? [] : [judge])].find(
    ({ prices }) => prices === undefined,
  );
  if (wish.max_cost !== undefined && unpriced !== undefined)
    throw invalidOption(
      `--max-cost needs the prices of '${unpriced.name}'`,
      `set models.${unpriced.name}.input_price and models.${unpriced.name}.output_price`,
    );
  // Before anything is spent: a file that is not ours is never replaced.
  const kept = wish.output === undefined ? new Map() : readResults(workspace.cwd, wish.output);
  const known = wish.resume ? kept : new Map();
  const budget = openBudget({ maxCalls: wish.max_calls, maxCost: wish.max_cost });
  const notes: string[] = notesAbout(model);
  const empty = makePrivateDirectory();
  const worlds: ModelWorld[] = [];
  const env = Object.fromEntries(Object.entries(workspace.env).filter(([name]) => !variables.includes(name)));
  const options: PlanOptions = {
    model,
    judge,
    budget,
    conditions:
      wish.condition.length === 0 ? conditions : conditions.filter((name) => wish.condition.includes(name)),
    runs: wish.runs,
    isKept: wish.output !== undefined,
    place: { cwd: empty.path },
    check: (dir) => ({
      dir,
      home: workspace.home,
      env,
      limits: limitsOf(source.config),
      admit: () => context.access.openAt(dir, { operation: 'run' }),
      fencedIn: context.access.fencedIn,
      sandbox: () => openSandbox({ env, orWithout: source.config.scripts.unsandboxed }),
      signal,
    }),
    signal,
    note: (text) => void notes.push(text),
  };
  try {
    const { trials, problems } = await planSkills(tested, { options, context, worlds });
    const report = (done: readonly DoneTrial[], stopped: string | null): ModelReport =>
      hideKeysIn(
        {
          name: model.name,
          kind: model.kind,
          model: model.label,
          judge: judge?.name ?? null,
          runs: wish.runs,
          threshold: wish.threshold,
          planned: trials.length,
          done: done.length,
          resumed: done.filter(({ key }) => known.has(key)).length,
          calls: budget.calls,
          stopped,
          notes: [...new Set([...notes, ...notesOnText(done)])],
          problems,
          ...summarizeTrials(done, wish.threshold),
          output: wish.output ?? null,
        },
        hide,
      );
    if (wish.dry_run) return report([], null);
    const keep = (done: readonly DoneTrial[], final?: ModelReport) => {
      if (wish.output !== undefined)
        writeResults(workspace.cwd, wish.output, {
          trials: hideKeysIn(done, hide),
          ...(final ? { report: final } : {}),
        });
    };
    const { done, stopped } = await runTrials(inRounds(trials), {
      jobs: wish.jobs,
      known,
      signal,
      onDone(all) {
        context.progress(`${model.name}: run ${all.length} of ${trials.length}`);
        if (all.length % KEEP_EVERY === 0) keep(all);
      },
    });
    const final = report(done, stopped);
    keep(done, final);
    if (stopped !== null) context.report(diagnose('W265', { why: hide(stopped) }));
    return final;
  } finally {
    for (const world of worlds) world.remove();
    empty.remove();
  }
}

/** Answers are kept after this many runs, in case the process is killed. */
const KEEP_EVERY = 20;

/** All first runs, then all second runs: an early stop leaves something of every case. */
const inRounds = (trials: readonly Trial[]): Trial[] => trials.toSorted((a, b) => a.run - b.run);

function notesAbout({ kind, name, prices }: Model): string[] {
  if (kind === 'command')
    return [
      `${name} is a command: its tokens and cost are not counted, and it may use skills that are installed for it`,
    ];
  return prices === undefined ? [`${name} has no prices, so the cost is not known`] : [];
}

/** A model that cannot call tools is read all the same, and the result says so. */
function notesOnText(done: readonly DoneTrial[]): string[] {
  const count = done.filter(({ result }) => result.as_text).length;
  return count === 0
    ? []
    : [`${count} of ${formatCount(done.length, 'answer')} had the tool call as text; it was read as a call`];
}

/** Keys of the model's entry that mean nothing: a typing error would change the run without a word. */
function refuseUnknownKeys(name: string, { diagnostics }: LoadedConfig): void {
  const beginning = `: models.${name}.`;
  const wrong = diagnostics.find(({ code, message }) => code === 'W110' && message.includes(beginning));
  if (wrong === undefined) return;
  const key = wrong.message.slice(wrong.message.lastIndexOf(beginning) + beginning.length);
  throw SkillwrightError.of('E265', { name, why: `it has an unknown key '${key}'` }, { help: wrong.help });
}

async function planSkills(
  { skills, catalog }: Tested,
  {
    options,
    context,
    worlds,
  }: { readonly options: PlanOptions; readonly context: CommandContext; readonly worlds: ModelWorld[] },
): Promise<{ trials: Trial[]; problems: string[] }> {
  const { workspace } = context;
  const { confirm, ask } = context;
  // The text goes to a model, so the judge is asked for one.
  const access = context.access.as(
    'model',
    confirm ?? (ask && (({ skill }) => ask.confirm(`Send ${skill.name} to ${options.model.name}?`))),
  );
  const { visible } = await access.view(catalog);
  const listed = visible.skills.filter((skill) => skill.enabled && skill.available);
  const config = await workspace.config();
  const fitted = fitCatalog(listed, {
    render: renderSkillsContext,
    budget: { entries: config.catalog.max_entries, bytes: config.catalog.max_bytes },
  });
  const text = fitted.text;
  const names = listed.map(({ name }) => name).filter((name) => text.includes(`<name>${name}</name>`));
  const trials: Trial[] = [];
  const problems: string[] = [];
  for (const { skill: opened, record, read } of skills) {
    const { dir } = opened;
    const evals = read();
    if (record === undefined || evals.queries.length + evals.questions.length + evals.tasks.length === 0)
      continue;
    const refusal = await whyRefused(dir, record, { access, listed });
    if (refusal !== undefined) {
      problems.push(`${record.name}: not given to a model: ${refusal}`);
      continue;
    }
    let made: Promise<ModelWorld> | undefined;
    const world = () => {
      made ??= openModelWorld({ dir, name: record.name, isGated: openSkill(dir).gated }, context).then(
        (own) => {
          worlds.push(own);
          return own;
        },
      );
      return made;
    };
    const path = displayPath(workspace.cwd, dir);
    trials.push(
      ...(await planTrials(
        { name: record.name, path, dir, evals, catalog: { text, names }, world },
        options,
      )),
    );
  }
  return { trials, problems };
}

/** Why a model may not have the skill; undefined when it may have all of it. */
async function whyRefused(
  dir: string,
  record: SkillRecord,
  { access, listed }: { access: Access; listed: readonly SkillRecord[] },
): Promise<string | undefined> {
  let opened: OpenedSkill;
  try {
    opened = await access.openAt(dir, { operation: 'read' });
  } catch (error) {
    if (error instanceof SkillwrightError) return error.message;
    throw error;
  }
  if (!listed.includes(record)) return 'no agent sees it from here';
  const files = listFiles(dir).filter((path) => !isEvalFile(path));
  const { gate, allowsFile } = await opened.reach(files);
  if (gate !== undefined) return 'a quiz locks it; pass the quiz first';
  const closed = files.find((path) => !allowsFile(path));
  return closed === undefined ? undefined : `a model may not read '${closed}' in it`;
}

// Plans the runs of a skill's cases with a model.

/** The runs of one skill: every case under every condition, once per run. */
async function planTrials(skill: TrialSubject, options: PlanOptions): Promise<Trial[]> {
  const { queries, questions, tasks } = skill.evals;
  const trials: Trial[] = [];
  for (const query of queries) trials.push(...repeat(planQuery(skill, query, options), options));
  for (const question of questions)
    trials.push(...(await planPrompt(skill, { kind: 'question', given: question }, options)));
  for (const task of tasks) trials.push(...(await planPrompt(skill, { kind: 'task', given: task }, options)));
  return trials;
}

// The file of `--output`: every answer of a run with a model, so that it can be looked at and resumed.

const MARK = 'skc test results 1';
const MAX_BYTES = 512 * 1024 * 1024;

const ResultsFile = z.object({
  format: z.literal(MARK),
  trials: z.array(z.object({ key: z.string(), result: TrialResult })),
});

/** Results in a file by key; empty when there is no file. E267 for a file that skc test did not write. */
function readResults(cwd: string, output: string): Map<string, TrialResult> {
  const path = resolve(cwd, output);
  const refuse = (why: string) => SkillwrightError.of('E267', { path: output, why });
  let value: unknown;
  try {
    const bytes = readRegularFile(path, { maxBytes: MAX_BYTES });
    if (bytes === undefined) return new Map();
    value = JSON.parse(decodeText(bytes).text);
  } catch (error) {
    throw refuse((error as Error).message);
  }
  const read = ResultsFile.safeParse(value);
  if (!read.success) throw refuse('skc test did not write it');
  // A run without an answer is tried again.
  return new Map(
    read.data.trials.flatMap(({ key, result }) => (result.error === null ? [[key, result] as const] : [])),
  );
}

/** Writes the file. */
function writeResults(
  cwd: string,
  output: string,
  { trials, report }: { readonly trials: readonly DoneTrial[]; readonly report?: ModelReport },
): void {
  const rows = trials.map(({ of: { skill, source, position }, condition, run, key, result }) => ({
    skill,
    source,
    position,
    condition,
    run,
    key,
    result,
  }));
  const value = { format: MARK, report: report ?? null, trials: rows };
  writeFileAtomic(resolve(cwd, output), `${JSON.stringify(value, null, 2)}\n`);
}
