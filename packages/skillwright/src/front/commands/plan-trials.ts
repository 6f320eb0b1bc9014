// Plans the runs of a skill's cases with a model.

import { decodeText, readInside, sha256 } from '../../base/files/index.ts';
import {
  add,
  type CheckContext,
  checkAnswer,
  converse,
  gradeAnswer,
  type Model,
  type ModelBudget,
  type ModelRequest,
  type RunnableTool,
} from '../../host/models/index.ts';
import {
  beginningOf,
  type EvalTask,
  type Located,
  type SectionQuestion,
  type SkillEvals,
  type TaskCheck,
  type TriggerQuery,
} from '../../make/evals/index.ts';
import { choicePrompt, choiceTool, readChoice, readingHints, taskPrompt } from './model-prompts.ts';
import type { conditions } from './model-report.ts';
import type { Trial, TrialCase, TrialResult } from './model-trial.ts';
import type { ModelWorld } from './model-world.ts';

type Condition = (typeof conditions)[number];

/** A skill with its cases. */
export interface PlannedSkill {
  readonly name: string;
  /** As it is shown. */
  readonly path: string;
  readonly dir: string;
  readonly evals: SkillEvals;
  /** The list of skills in the prompt, and the names in it. */
  readonly catalog: { readonly text: string; readonly names: readonly string[] };
  world(): Promise<ModelWorld>;
}

/** How cases are run. */
export interface PlanOptions {
  readonly model: Model;
  readonly judge: Model | undefined;
  readonly budget: ModelBudget;
  readonly conditions: readonly Condition[];
  readonly runs: number;
  /** Where a command runs that needs no skill. */
  readonly place: ModelRequest['place'];
  /** Runs cases that nothing judges, too. */
  readonly isKept: boolean;
  readonly check: (dir: string) => CheckContext;
  readonly signal: AbortSignal;
  note(text: string): void;
}

/** The runs of one skill: every case under every condition, once per run. */
export async function planTrials(skill: PlannedSkill, options: PlanOptions): Promise<Trial[]> {
  const { queries, questions, tasks } = skill.evals;
  const trials: Trial[] = [];
  for (const query of queries) trials.push(...repeat(planQuery(skill, query, options), options));
  for (const question of questions)
    trials.push(...(await planPrompt(skill, { kind: 'question', given: question }, options)));
  for (const task of tasks) trials.push(...(await planPrompt(skill, { kind: 'task', given: task }, options)));
  return trials;
}

type Once = Omit<Trial, 'run' | 'key'> & { readonly identity: object };

function repeat({ identity, ...trial }: Once, { model, judge, runs }: PlanOptions): Trial[] {
  return Array.from({ length: runs }, (_, index) => ({
    ...trial,
    run: index + 1,
    key: sha256(
      JSON.stringify({
        ...identity,
        condition: trial.condition,
        run: index + 1,
        model: model.settings,
        judge: judge?.settings,
      }),
    ),
  }));
}

function planQuery(
  { name, path, catalog }: PlannedSkill,
  wanted: Located<TriggerQuery>,
  { model, budget, place, signal }: PlanOptions,
): Once {
  const { query, should_trigger: isWanted, source, position } = wanted;
  const system = choicePrompt(catalog.text, model);
  const of = caseOf('request', { name, path }, { title: query, source, position, proposed: wanted.proposed });
  return {
    of,
    condition: 'catalog',
    identity: { system, query, isWanted, skill: wanted.skill, name },
    async execute() {
      const started = performance.now();
      const turns = [{ role: 'user' as const, text: query }];
      const { text, calls, cost, ...counts } = await budget.ask(model, {
        system,
        turns,
        ...(model.hasTools ? { tools: [choiceTool] } : {}),
        place,
        signal,
      });
      const call = calls.find((candidate) => candidate.name === choiceTool.name);
      const said = readChoice(text, catalog.names);
      const chosen =
        call !== undefined ? String(call.input.name ?? '') : model.hasTools ? (said ?? null) : said;
      const expected = isWanted ? name : wanted.skill;
      const passed = chosen !== undefined && (expected === undefined ? chosen !== name : chosen === expected);
      return {
        passed,
        judged_by: 'choice',
        why: passed
          ? ''
          : whyNotChosen(chosen, { text, expected, name, isListed: catalog.names.includes(name) }),
        error: null,
        answer: call === undefined ? text : (chosen ?? ''),
        system,
        turns: [
          ...turns,
          { role: 'assistant', text, calls: calls.map((one) => ({ ...one, input: { ...one.input } })) },
        ],
        input_tokens: counts.inputTokens,
        output_tokens: counts.outputTokens,
        cost,
        seconds: secondsSince(started),
      };
    },
  };
}

function whyNotChosen(
  chosen: string | null | undefined,
  {
    text,
    expected,
    name,
    isListed,
  }: { text: string; expected: string | undefined; name: string; isListed: boolean },
): string {
  if (chosen === undefined) return `the answer names no skill: ${text.slice(0, 200)}`;
  if (expected === name && !isListed) return 'the list of skills in the prompt has no room for it';
  const what = chosen === null ? 'no skill' : `'${chosen}'`;
  return expected === undefined ? `it chose ${what}` : `it chose ${what}, not '${expected}'`;
}

type Prompted =
  | { readonly kind: 'question'; readonly given: Located<SectionQuestion> }
  | { readonly kind: 'task'; readonly given: Located<EvalTask> };

async function planPrompt(skill: PlannedSkill, prompted: Prompted, options: PlanOptions): Promise<Trial[]> {
  const { kind, given } = prompted;
  const { source, position, check } = given;
  const place = `${skill.name}: ${source}#${position}`;
  const assertions = kind === 'task' ? assertionsOf(given) : [];
  const title = kind === 'task' ? given.prompt : given.question;
  const isJudged = check !== undefined || (options.judge !== undefined && assertions.length > 0);
  // Without a check, a question is right when a model with the stub reads the section.
  const isRead = kind === 'question' && !isJudged;
  if (kind === 'task' && !isJudged && !options.isKept) {
    options.note(
      `${place}: no check${assertions.length > 0 ? '; --judge lets a model grade its assertions' : ''}`,
    );
    return [];
  }
  if (isRead && !options.model.hasTools) {
    options.note(`${place}: no check, and a command does not tell which sections it reads`);
    return [];
  }
  const prompt = kind === 'task' ? withFiles(skill.dir, given) : given.question;
  if (typeof prompt !== 'string') {
    options.note(`${place}: ${prompt.why}`);
    return [];
  }
  const world = await skill.world();
  const section = isRead ? await world.textOf(given.section, given.file) : undefined;
  if (isRead && section === undefined) {
    options.note(`${place}: the skill has no section '${given.section}'`);
    return [];
  }
  const proposed = kind === 'question' && given.proposed === true;
  const of = caseOf(kind, skill, { title, source, position, proposed });
  const wanted = isRead ? options.conditions.filter((name) => name === 'stub') : options.conditions;
  return wanted.flatMap((condition) => {
    const asked = askedUnder(condition, world, options.model);
    if (asked === undefined) {
      options.note(`${place}: not run with the stub: skc cannot be given to the command here`);
      return [];
    }
    const { system, tools, place: where } = asked;
    const once: Once = {
      of,
      condition,
      identity: {
        system,
        prompt,
        tools: tools.map(({ name }) => name),
        check,
        assertions,
        section: section?.text,
      },
      execute: () =>
        runPrompt(
          { system, tools, prompt, place: where, check, assertions, section: section?.text },
          skill,
          options,
        ),
    };
    return repeat(once, options);
  });
}

interface Asked {
  readonly system: string;
  readonly tools: readonly RunnableTool[];
  readonly place: ModelRequest['place'];
}

function askedUnder(condition: Condition, world: ModelWorld, { hasTools }: Model): Asked | undefined {
  const { stub, whole, tools, fileTools, places } = world;
  if (condition === 'without') return { system: taskPrompt(undefined), tools: [], place: places.without };
  if (condition === 'whole')
    return {
      system: taskPrompt({ text: whole, how: readingHints.whole }),
      tools: hasTools ? fileTools : [],
      place: places.whole,
    };
  if (!hasTools && places.stub === undefined) return undefined;
  const how = hasTools ? readingHints.tools : readingHints.program;
  return { system: taskPrompt({ text: stub, how }), tools: hasTools ? tools : [], place: places.stub };
}

interface PromptRun extends Asked {
  readonly prompt: string;
  readonly check: TaskCheck | undefined;
  readonly assertions: readonly string[];
  /** Text of the section to be read, for a question without a check. */
  readonly section: string | undefined;
}

async function runPrompt(
  { system, tools, prompt, place, check, assertions, section }: PromptRun,
  { dir }: PlannedSkill,
  { model, judge, budget, signal, check: contextOf }: PlanOptions,
): Promise<TrialResult> {
  const started = performance.now();
  const conversation = await converse(
    { system, turns: [{ role: 'user', text: prompt }], tools, place, signal },
    (request) => budget.ask(model, request),
  );
  const { turns, answer, unfinished, inputTokens, outputTokens, cost } = conversation;
  const result = {
    error: null,
    answer,
    system,
    turns: turns.map((turn) =>
      turn.role === 'assistant'
        ? { ...turn, calls: turn.calls.map((call) => ({ ...call, input: { ...call.input } })) }
        : turn,
    ),
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    cost,
    seconds: secondsSince(started),
  };
  if (section !== undefined) {
    const start = beginningOf(section);
    const isFound = turns.some((turn) => turn.role === 'tool' && turn.text.includes(start));
    return {
      ...result,
      passed: isFound,
      judged_by: 'reading',
      why: isFound ? '' : 'it did not read the section',
    };
  }
  if (unfinished !== undefined) return { ...result, passed: false, judged_by: 'check', why: unfinished };
  if (check !== undefined) {
    const checked = await checkAnswer(answer, check, contextOf(dir));
    return { ...result, ...checked, judged_by: checked.passed === null ? null : 'check' };
  }
  if (judge === undefined || assertions.length === 0)
    return { ...result, passed: null, judged_by: null, why: 'no check' };
  const graded = await gradeAnswer(
    { prompt, answer, assertions },
    { ask: (request) => budget.ask(judge, request), signal, place },
  );
  return {
    ...result,
    passed: graded.passed,
    why: graded.why,
    judged_by: graded.passed === null ? null : 'model',
    cost: add(cost, graded.conversation.cost),
  };
}

function caseOf(
  kind: TrialCase['kind'],
  { name, path }: Pick<PlannedSkill, 'name' | 'path'>,
  given: { title: string; source: string; position: number; proposed: boolean | undefined },
): TrialCase {
  return { skill: name, path, kind, ...given, proposed: given.proposed === true };
}

function assertionsOf({ assertions, expectations, expected_output: expected }: EvalTask): string[] {
  const own = [...(assertions ?? []), ...(expectations ?? [])];
  if (own.length > 0 || expected === undefined) return own;
  return [`The answer fits this description: ${expected}`];
}

const MAX_FILE_BYTES = 256 * 1024;

/** The prompt with the texts of its files. */
function withFiles(dir: string, { prompt, files }: EvalTask): string | { readonly why: string } {
  const parts = [prompt];
  for (const file of files) {
    let bytes: Uint8Array | undefined;
    try {
      bytes = readInside(dir, file, { maxBytes: MAX_FILE_BYTES });
    } catch (error) {
      return { why: (error as Error).message };
    }
    if (bytes === undefined) return { why: `the file '${file}' does not exist` };
    const { text, binary, valid } = decodeText(bytes);
    if (binary || !valid) return { why: `the file '${file}' is not text, and only text can be sent` };
    parts.push(`File ${file}:\n\n${text}`);
  }
  return parts.join('\n\n');
}

const secondsSince = (started: number) => Number(((performance.now() - started) / 1000).toFixed(3));
