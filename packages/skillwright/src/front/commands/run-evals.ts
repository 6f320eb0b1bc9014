// Runs the evals of skills among all skills an agent sees.

import { basename, dirname, join, resolve } from 'node:path';
import { type Diagnostic, diagnose, invalidOption } from '../../base/diagnostics/index.ts';
import { canonicalPath, displayPath, isInside, isThere, realPath } from '../../base/files/index.ts';
import {
  type ConfusedQuery,
  confusionOf,
  createQueryJudge,
  type FoundEvals,
  hashRequest,
  holdOut,
  judgeQuestion,
  keepRun,
  loadRivals,
  type QueryJudge,
  type Rivals,
  readEvals,
  readLastRun,
} from '../../make/evals/index.ts';
import { findMeant, type OpenedSkill } from '../../read/access/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import { findSkills, namesOfSkill, openSkill } from '../../skill/skill/index.ts';
import { installedDirectories, ownSkills, pathsOf } from './ci-report.ts';
import type { CommandContext } from './command-context.ts';
import type { TestReport } from './test-report.ts';

/** A skill to test, with its evals. */
interface SkillTest {
  readonly skill: OpenedSkill;
  /** Undefined if no agent sees it from here. */
  readonly record: SkillRecord | undefined;
  /** Read again after `--write`. */
  readonly read: () => FoundEvals;
}

/** Skills to test, and their rivals. */
export interface Tested extends Rivals {
  readonly skills: readonly SkillTest[];
  readonly judge: QueryJudge;
}

type SkillResult = TestReport['skills'][number];

/** Opens the named skills, or those written in this project. */
export async function chooseTested(
  {
    skills: words,
    against,
    author,
    write,
    all = false,
  }: Pick<RunOptions, 'author' | 'write' | 'all'> & {
    readonly skills: readonly string[];
    readonly against: readonly string[];
  },
  context: CommandContext,
): Promise<Tested> {
  const { access, workspace, report } = context;
  const own = words.length > 0 ? words : await ownSkills(pathsOf([], context), context);
  const seen = all && words.length === 0 ? (await access.view(await access.catalog())).visible.skills : [];
  const paths = [...own, ...seen.map(({ dir }) => dir)];
  const skills = new Map<string, OpenedSkill>();
  for await (const meant of findMeant(paths, access, { operation: 'inspect', author }))
    if (meant.kind === 'skill') skills.set(meant.skill.dir, meant.skill);
    else if (meant.kind === 'problem') throw meant.error;
  const places = [...against.map((path) => resolve(workspace.cwd, path)), ...skills.keys()];
  const rivals = await loadRivals(places, access);
  if (rivals.catalog.truncated)
    report(diagnose('W007', { root: workspace.cwd, why: 'the search for skills stopped early' }));
  if (write) refuseInstalled([...skills.values()], '--write', context);
  const known = new Set(
    rivals.catalog.skills.flatMap(({ name, dir }) => [name.toLowerCase(), basename(dir).toLowerCase()]),
  );
  const repositories = new Map<string, ReadonlySet<string>>();
  return {
    skills: [...skills.values()].map((skill) => {
      const { dir } = skill;
      const record = rivals.catalog.skills.find((one) => one.dir === dir);
      const repository = repositoryOf(dir, context);
      const names = [...(record === undefined ? [] : namesOfSkill(record)), basename(dir)];
      return {
        skill,
        record,
        read: () => {
          const inside = repository === undefined ? new Set<string>() : namesInside(repository, repositories);
          return readEvals({
            dir,
            names,
            known: new Set([...known, ...inside]),
            repository: repository === undefined ? undefined : { dir: repository, isOnly: inside.size === 1 },
          });
        },
      };
    }),
    judge: createQueryJudge(rivals),
    ...rivals,
  };
}

/** Refuses to write into installed skills: the next update would overwrite it. */
export function refuseInstalled(skills: readonly OpenedSkill[], flag: string, context: CommandContext): void {
  const installed = installedDirectories(context).map((dir) => realPath(dir));
  const found = skills.find(({ dir }) => installed.some((place) => isInside(place, dir)));
  if (found === undefined) return;
  throw invalidOption(
    `${flag} is for skills that you write, and '${found.word}' is installed: an update would undo it`,
    `run it without ${flag}`,
  );
}

/** The repository of a skill, else the project or the working directory around it. */
function repositoryOf(dir: string, { workspace }: CommandContext): string | undefined {
  for (let place = dir; dirname(place) !== place; place = dirname(place))
    if (isThere(join(place, '.git'))) return place;
  const around = [workspace.project?.dir, workspace.cwd].map((place) => place && canonicalPath(place));
  return around.find((place) => place !== undefined && isInside(place, dir));
}

/** More skills are not looked for: only their names matter here. */
const MAX_NAMES = 5000;

/** Names of the directories of skills in a repository, each once in however many copies. */
function namesInside(repository: string, known: Map<string, ReadonlySet<string>>): ReadonlySet<string> {
  const before = known.get(repository);
  if (before !== undefined) return before;
  const names = new Set<string>();
  for (const found of findSkills(repository)) {
    if (found.kind === 'skill') names.add(basename(found.dir).toLowerCase());
    if (names.size === MAX_NAMES) break;
  }
  known.set(repository, names);
  return names;
}

interface RunOptions {
  readonly context: CommandContext;
  readonly author: boolean;
  readonly write: boolean;
  readonly dry_run: boolean;
  /** Also tell which skill is chosen in place of which. */
  readonly all?: boolean | undefined;
}

/** Runs every case. */
export async function runEvals(tested: Tested, options: RunOptions): Promise<TestReport> {
  const skills: SkillResult[] = [];
  const around = new Set<string>();
  for (const skill of tested.skills) skills.push(await runSkill(skill, tested, { ...options, around }));
  skills[0]?.problems.push(...around);
  const cases = skills.flatMap(({ queries, questions }) => [...queries, ...questions]);
  const counted = cases.filter(({ proposed }) => !proposed);
  const passed = counted.filter((one) => one.passed).length;
  return {
    skills,
    rivals: tested.catalog.skills.filter(tested.accept).length,
    passed,
    failed: counted.length - passed,
    proposed: cases.length - counted.length,
    dry_run: options.dry_run,
    ...(options.all ? confuse(skills, options) : { confusion: null, trend: null }),
    improved: [],
    model: null,
  };
}

/** The matrix over all skills, and what changed since the last one, which it replaces. */
function confuse(
  skills: readonly SkillResult[],
  { context: { workspace, now }, dry_run: isDry }: RunOptions,
): Pick<TestReport, 'confusion' | 'trend'> {
  const queries = skills.flatMap(confusedIn);
  const confusion = confusionOf(queries);
  const before = readLastRun(workspace);
  const hashed = queries.map((one) => ({ ...one, hash: hashRequest(one.owner, one.query) }));
  const hashes = (isPassed: boolean) =>
    hashed.filter(({ passed }) => passed === isPassed).map(({ hash }) => hash);
  if (!isDry)
    keepRun(workspace, {
      at: now().toISOString(),
      confusion,
      passed: hashes(true),
      failed: hashes(false),
    });
  if (before === undefined) return { confusion, trend: null };
  const passedBefore = new Set(before.passed);
  return {
    confusion,
    trend: {
      since: before.at,
      newly_passed: hashes(true).filter((hash) => before.failed.includes(hash)).length,
      newly_failed: hashed
        .filter(({ passed, hash }) => !passed && passedBefore.has(hash))
        .map(({ owner, query }) => ({ skill: owner, query })),
      precision: before.confusion.precision,
      recall: before.confusion.recall,
    },
  };
}

/** The requests of a skill that count, each with the skill it should lead to. */
function confusedIn({ name, queries }: SkillResult): ConfusedQuery[] {
  return queries.flatMap((query) =>
    query.proposed ? [] : [{ ...query, owner: name, expected: query.should_trigger ? name : query.instead }],
  );
}

/** Whether a skill has evals, readable or not. */
export function hasCases({ queries, questions, tasks, diagnostics }: FoundEvals): boolean {
  return queries.length + questions.length + tasks.length + diagnostics.length > 0;
}

async function runSkill(
  { skill: opened, record, read }: SkillTest,
  { judge, skills }: Tested,
  { context, write, dry_run: dryRun, around }: RunOptions & { readonly around: Set<string> },
): Promise<SkillResult> {
  const { dir } = opened;
  const isOnly = skills.length === 1;
  const result = {
    name: record?.name ?? basename(dir),
    path: displayPath(context.workspace.cwd, dir),
    queries: [],
    questions: [],
    tasks: 0,
    problems: [],
    written: [],
  };
  // Without a usable skill, its evals say nothing.
  const { problem } = openSkill(dir);
  if (problem !== undefined) {
    if (isOnly) throw problem;
    return { ...result, problems: [`${problem.code}: ${problem.message}`] };
  }
  const evals = read();
  for (const { path, why } of evals.around)
    around.add(diagnose('W260', { file: displayPath(context.workspace.cwd, path), why }).message);
  if (!hasCases(evals) && !write) return result;
  const { gate, allowsFile } = await opened.reach(evals.files);
  // The questions say what is in the skill.
  if (gate !== undefined || !evals.files.every(allowsFile))
    return {
      ...result,
      problems: ['a quiz locks the skill and its evals; if you are its author, use --author'],
    };
  if (record === undefined)
    return {
      ...result,
      problems: ['no agent sees the skill from here: another of its name is used instead'],
    };
  const written = write
    ? await (await import('./propose-evals.ts')).proposeEvals(opened, { record, evals, dryRun, context })
    : [];
  const { queries, questions, tasks, diagnostics } = written.length > 0 ? read() : evals;
  return {
    ...result,
    queries: judge.judge(record, holdOut(queries)),
    questions: await askQuestions(record, questions, context),
    tasks: tasks.length,
    problems: diagnostics.map(({ message }: Diagnostic) => message),
    written,
  };
}

async function askQuestions(
  skill: SkillRecord,
  questions: FoundEvals['questions'],
  context: CommandContext,
): Promise<SkillResult['questions']> {
  if (questions.length === 0) return [];
  const { withStubWorld } = await import('./stub-world.ts');
  const judged: SkillResult['questions'] = [];
  await withStubWorld(skill, context, async (world) => {
    for (const [index, question] of questions.entries()) {
      context.progress(`${skill.name}: question ${index + 1} of ${questions.length}`);
      judged.push(await judgeQuestion(question, world));
    }
  });
  return judged;
}
