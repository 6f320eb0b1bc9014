// A question or a task with a model, under each condition.

import { decodeText, readInside, resolvePart } from '../../base/files/index.ts';
import {
  add,
  checkAnswer,
  converse,
  gradeAnswer,
  type Model,
  type ModelRequest,
  type RunnableTool,
} from '../../host/models/index.ts';
import {
  beginningOf,
  type EvalTask,
  type Located,
  type SectionQuestion,
  type TaskCheck,
} from '../../make/evals/index.ts';
import type { ModelWorld } from './model-world.ts';
import {
  type Condition,
  caseOf,
  type Once,
  type PlanOptions,
  repeat,
  secondsSince,
  type Trial,
  type TrialResult,
  type TrialSubject,
} from './trial.ts';

const TASK =
  'You are an agent that works for a user. Do what the user asks and reply with the result alone. Nobody can answer questions.';

/** The system prompt of a task or a question. */
function taskPrompt(skill: { readonly text: string; readonly how: string } | undefined): string {
  return skill === undefined ? TASK : `${TASK}\n\nThis skill is loaded. ${skill.how}\n\n${skill.text}`;
}

/** How a stub is read on. */
const readingHints = {
  tools: 'Read what you need of it with the tools.',
  program: 'Read what you need of it with the program skc, which is on your PATH.',
  whole: (files: string | undefined) =>
    files === undefined
      ? 'It is complete; its other files, if any, are where it says.'
      : `It is complete; its other files are in ${files}.`,
} as const;

type Prompted =
  | { readonly kind: 'question'; readonly given: Located<SectionQuestion> }
  | { readonly kind: 'task'; readonly given: Located<EvalTask> };

/** Plans one question or task. Cases that cannot be run or judged are noted. */
export async function planPrompt(
  skill: TrialSubject,
  prompted: Prompted,
  options: PlanOptions,
): Promise<Trial[]> {
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
      system: taskPrompt({ text: whole, how: readingHints.whole(hasTools ? undefined : places.files) }),
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
  { dir }: TrialSubject,
  { model, judge, budget, signal, check: contextOf }: PlanOptions,
): Promise<TrialResult> {
  const started = performance.now();
  const conversation = await converse(
    { system, turns: [{ role: 'user', text: prompt }], tools, place, signal },
    (request) => budget.ask(model, request),
  );
  const { turns, answer, unfinished, isTextCall, inputTokens, outputTokens, cost } = conversation;
  const result = {
    error: null,
    as_text: isTextCall,
    answer,
    system,
    turns,
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

function assertionsOf({ assertions, expected_output: expected }: EvalTask): readonly string[] {
  if (assertions.length > 0 || expected === undefined) return assertions;
  return [`The answer fits this description: ${expected}`];
}

const MAX_FILE_BYTES = 256 * 1024;

/** The prompt with the texts of its files. */
function withFiles(dir: string, { prompt, files }: EvalTask): string | { readonly why: string } {
  const parts = [prompt];
  for (const file of files) {
    let bytes: Uint8Array | undefined;
    try {
      // Somebody else wrote the list, and hidden files of a project hold its secrets.
      const isPart = resolvePart(dir, file) !== undefined;
      bytes = isPart ? readInside(dir, file, { maxBytes: MAX_FILE_BYTES }) : undefined;
    } catch (error) {
      return { why: (error as Error).message };
    }
    if (bytes === undefined) return { why: `the file '${file}' does not exist in the skill` };
    const { text, binary, valid } = decodeText(bytes);
    if (binary || !valid) return { why: `the file '${file}' is not text, and only text can be sent` };
    parts.push(`File ${file}:\n\n${text}`);
  }
  return parts.join('\n\n');
}
