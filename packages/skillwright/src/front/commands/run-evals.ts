// Runs the evals of skills among all skills an agent sees.

import { resolve } from 'node:path';
import { type Diagnostic, diagnose } from '../../base/diagnostics/index.ts';
import { displayPath } from '../../base/files/index.ts';
import {
  EVAL_FILES,
  judgeQueries,
  judgeQuestion,
  loadRivals,
  type Rivals,
  readEvals,
} from '../../make/evals/index.ts';
import { findMeant, type OpenedSkill } from '../../read/access/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import { openSkill } from '../../skill/skill/index.ts';
import { ownSkills, pathsOf } from './ci-report.ts';
import type { CommandContext } from './command-context.ts';
import type { TestReport } from './test-report.ts';

/** Skills to test, and their rivals. */
export interface Tested extends Rivals {
  readonly skills: readonly OpenedSkill[];
}

type SkillResult = TestReport['skills'][number];

/** Opens the named skills, or those written in this project. */
export async function chooseTested(
  {
    skills: words,
    against,
    author,
  }: Pick<RunOptions, 'author'> & { readonly skills: readonly string[]; readonly against: readonly string[] },
  context: CommandContext,
): Promise<Tested> {
  const { access, workspace, report } = context;
  const paths = words.length > 0 ? words : await ownSkills(pathsOf([], context), context);
  const skills = new Map<string, OpenedSkill>();
  for await (const meant of findMeant(paths, access, { operation: 'inspect', author }))
    if (meant.kind === 'skill') skills.set(meant.skill.dir, meant.skill);
    else if (meant.kind === 'problem') throw meant.error;
  const places = [...against.map((path) => resolve(workspace.cwd, path)), ...skills.keys()];
  const rivals = await loadRivals(places, access);
  if (rivals.catalog.truncated)
    report(diagnose('W007', { root: workspace.cwd, why: 'the search for skills stopped early' }));
  return { skills: [...skills.values()], ...rivals };
}

interface RunOptions {
  readonly context: CommandContext;
  readonly author: boolean;
  readonly write: boolean;
  readonly dry_run: boolean;
}

/** Runs every case. */
export async function runEvals(tested: Tested, options: RunOptions): Promise<TestReport> {
  const skills: SkillResult[] = [];
  for (const skill of tested.skills) skills.push(await runSkill(skill, tested, options));
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
    model: null,
  };
}

async function runSkill(
  opened: OpenedSkill,
  { catalog, accept, skills }: Tested,
  { context, write, dry_run: dryRun }: RunOptions,
): Promise<SkillResult> {
  const { dir } = opened;
  const isOnly = skills.length === 1;
  const record = catalog.skills.find((skill) => skill.dir === dir);
  const result = {
    name: record?.name ?? opened.word,
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
  const evals = readEvals(dir);
  const hasEvals =
    evals.queries.length + evals.questions.length + evals.tasks.length + evals.diagnostics.length > 0;
  if (!hasEvals && !write) return result;
  const { gate, allowsFile } = await opened.reach(EVAL_FILES);
  // The questions say what is in the skill.
  if (gate !== undefined || !EVAL_FILES.every(allowsFile))
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
  const { queries, questions, tasks, diagnostics } = written.length > 0 ? readEvals(dir) : evals;
  return {
    ...result,
    queries: judgeQueries(record, queries, { catalog, accept }),
    questions: await askQuestions(record, questions, context),
    tasks: tasks.length,
    problems: diagnostics.map(({ message }: Diagnostic) => message),
    written,
  };
}

async function askQuestions(
  skill: SkillRecord,
  questions: ReturnType<typeof readEvals>['questions'],
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
