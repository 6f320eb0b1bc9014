// Checks the answer to a task as its author says: by text, by a pattern, by a JSON schema, or by a command in the sandbox.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { Environment } from '../../base/files/index.ts';
import {
  type AccessContext,
  findClosedParts,
  type Limits,
  prepareSkill,
  readJsonSchema,
  type Sandbox,
  skillAccess,
} from '../../guard/execute/index.ts';
import type { TaskCheck } from '../../make/evals/index.ts';

/** The verdict; `passed` is null when the check itself cannot be run. */
export interface CheckedAnswer {
  readonly passed: boolean | null;
  readonly why: string;
}

/** The skill whose check it is, and the sandbox for a command. */
export interface CheckContext extends Pick<AccessContext, 'fencedIn'> {
  readonly dir: string;
  readonly home: string;
  /** Without the keys of models: a check never gets them, not even by a grant. */
  readonly env: Environment;
  readonly limits: Limits;
  sandbox(): Promise<Sandbox>;
  /** Asks the judge whether commands of the skill may run. E060, E061 when they may not. */
  admit(): Promise<unknown>;
  readonly signal?: AbortSignal | undefined;
}

/** Checks one answer. */
export async function checkAnswer(
  answer: string,
  check: TaskCheck,
  context: CheckContext,
): Promise<CheckedAnswer> {
  if ('contains' in check) {
    const missing = check.contains.find((text) => !answer.includes(text));
    return missing === undefined ? passed : checkFailed(`the answer does not contain '${missing}'`);
  }
  if ('matches' in check) return matchAnswer(answer, check.matches);
  if ('json_schema' in check) return checkJson(answer, check.json_schema);
  return runCheck(answer, check.command, context);
}

const passed: CheckedAnswer = { passed: true, why: '' };
const checkFailed = (why: string): CheckedAnswer => ({ passed: false, why });
const badCheck = (why: string): CheckedAnswer => ({ passed: null, why });

async function matchAnswer(answer: string, pattern: string): Promise<CheckedAnswer> {
  const { RE2JS } = await import('re2js');
  try {
    return RE2JS.compile(pattern).matcher(answer).find()
      ? passed
      : checkFailed(`the answer does not match ${pattern}`);
  } catch (error) {
    return badCheck(`the pattern of the check cannot be used: ${(error as Error).message}`);
  }
}

/** JSON on its own, or in the only code block of the answer. */
function jsonIn(answer: string): string {
  const blocks = [...answer.matchAll(/^```[^\n]*\n([\s\S]*?)^```/gm)];
  return blocks.length === 1 ? blocks[0]![1]! : answer;
}

async function checkJson(answer: string, given: Record<string, unknown>): Promise<CheckedAnswer> {
  const schema = await readJsonSchema(given);
  if ('why' in schema) return badCheck(`the schema of the check cannot be used: ${schema.why}`);
  let value: unknown;
  try {
    value = JSON.parse(jsonIn(answer));
  } catch {
    return checkFailed('the answer is not JSON');
  }
  const why = schema.whyNot(value);
  return why === undefined ? passed : checkFailed(`the answer does not fit the schema: ${why}`);
}

async function runCheck(
  answer: string,
  command: readonly string[],
  { dir, home, env, limits, signal, sandbox: open, admit, fencedIn }: CheckContext,
): Promise<CheckedAnswer> {
  try {
    await admit();
    const sandbox = await open();
    const closed = await findClosedParts(dir, { fencedIn });
    const skill = prepareSkill(dir, { home, sandbox, closed });
    try {
      const { exitCode, stopped, stdout, stderr } = await sandbox.run({
        ...skillAccess(skill, { home, env, sandbox }),
        argv: command as [string, ...string[]],
        limits,
        stdin: answer,
        signal,
      });
      if (exitCode === 0 && stopped === undefined) return passed;
      const said = `${stdout}\n${stderr}`.replace(/\s+/g, ' ').trim().slice(0, 300).toWellFormed();
      const how = stopped === undefined ? `ended with status ${exitCode}` : `was stopped (${stopped})`;
      return checkFailed(`the check ${how}${said === '' ? '' : `: ${said}`}`);
    } finally {
      skill.remove();
    }
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    return badCheck(`the check cannot be run: ${error.message}`);
  }
}
