// The access log of a session: what it gives to a model leaves the same rows as the same operations of the command line.

import { basename } from 'node:path';
import { type Diagnostic, diagnose, SkillwrightError } from '../../base/diagnostics/index.ts';
import { estimateTokens } from '../../base/tokens/index.ts';
import { findRuntimeOf, recordAt, recordsNamed, type SkillReference } from '../../read/access/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import { renderAnswers, servedAnswers } from '../../skill/quiz/index.ts';
import { SKILL_FILE } from '../../skill/skill/index.ts';
import { openWorkspace } from '../../skill/workspace/index.ts';
import type { Session } from './session.ts';

/** Where a session works, for its rows. */
export interface SessionLogOptions {
  readonly cwd: string;
  readonly home: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether the project's configuration has a say in whether there is a log. Default: no. */
  readonly trust?: boolean;
  readonly now?: () => Date;
  /** Told when a row could not be written. */
  readonly report?: (diagnostic: Diagnostic) => void;
}

/** What was served: its text for counting, the files it is from, and more for the row. `dir` is the skill's, where it is told. */
interface Served {
  readonly text: string;
  readonly files: readonly string[];
  readonly more?: Readonly<Record<string, unknown>>;
  readonly dir?: string;
}

interface Operation<Result> {
  readonly command: string;
  readonly reference: SkillReference;
  readonly args: Readonly<Record<string, unknown>>;
  readonly run: () => Promise<Result>;
  readonly served: (result: Result) => Served;
}

/**
 * The same session, whose loads, plans, reads and answers each leave a row in the access log of their skill, as far as the user
 * wants one. What fails leaves a row too when it is known which skill was meant. Logging never fails an operation.
 */
export function logSession(session: Session, options: SessionLogOptions): Session {
  const logged = async <Result>(operation: Operation<Result>): Promise<Result> => {
    const { command, reference, args, run, served } = operation;
    const started = performance.now();
    let result: Result | undefined;
    let failure: unknown;
    try {
      result = await run();
    } catch (error) {
      failure = error;
    }
    const milliseconds = performance.now() - started;
    const outcome = failure === undefined ? served(result as Result) : undefined;
    await writeRow(session, { command, reference, args, outcome, failure, milliseconds }, options);
    if (failure !== undefined) throw failure;
    return result as Result;
  };
  return {
    ...session,
    load: (reference, how) =>
      logged({
        command: 'load',
        reference,
        args: { ...reference },
        run: () => session.load(reference, how),
        // A quiz that is given instead is no part of the file.
        served: ({ text, quiz, metadata: { dir } }) => ({
          text,
          dir,
          files: quiz === undefined ? [SKILL_FILE] : [],
        }),
      }),
    plan: (reference, args, how) =>
      logged({
        command: 'plan',
        reference,
        args: { ...reference, by: how?.by ?? 'user' },
        run: () => session.plan(reference, args, how),
        served: ({ body: text, quiz, skill: { dir } }) => ({
          text,
          dir,
          files: quiz === null ? [SKILL_FILE] : [],
        }),
      }),
    readResource: (request, how) =>
      logged({
        command: 'open',
        reference: request,
        args: { ...request },
        run: () => session.readResource(request, how),
        served: ({ content: text, path: file }) => ({ text, files: [file] }),
      }),
    answerQuiz: (reference, choices, how) =>
      logged({
        command: 'quiz',
        reference,
        args: { ...reference },
        run: () => session.answerQuiz(reference, choices, how),
        served: ({ answers, quiz }) => ({
          text: renderAnswers(answers),
          files: [],
          more: { ...servedAnswers(answers, quiz) },
        }),
      }),
  };
}

interface Finished {
  readonly command: string;
  readonly reference: SkillReference;
  readonly args: Readonly<Record<string, unknown>>;
  readonly outcome: Served | undefined;
  readonly failure: unknown;
  readonly milliseconds: number;
}

async function writeRow(session: Session, finished: Finished, options: SessionLogOptions): Promise<void> {
  const { cwd, home, env = {}, trust = false, now = () => new Date(), report = () => {} } = options;
  // An untrusted project has no say, and nothing is written into it.
  const workspace = await openWorkspace({ cwd: trust ? cwd : home, home, env });
  const { command, reference, args, outcome, failure, milliseconds } = finished;
  if (env.SKC_NO_LOG) return;
  try {
    const dir = outcome?.dir ?? (await meantSkill(session, reference, options))?.dir;
    if (dir === undefined) return;
    const { traceAccess } = await import('../../read/usage/log-access.ts');
    const runtime = await findRuntimeOf({ dir, scope: undefined }, workspace);
    const { text = '', files = [] } = outcome ?? {};
    const access = {
      command,
      skill: basename(runtime),
      skill_path: dir,
      args: { ...args, ...outcome?.more, ...(files.length === 0 ? {} : { files }) },
      error: failure === undefined ? null : failure instanceof SkillwrightError ? failure.code : 'E999',
      bytes: Buffer.byteLength(text),
      tokens: estimateTokens(text),
      duration_ms: Math.round(milliseconds * 1000) / 1000,
    };
    const context = { workspace, cwd, now, report };
    await traceAccess(access, { runtime, resource: files[0] }, context);
  } catch (error) {
    report(diagnose('W002', { why: error instanceof Error ? error.message : String(error) }));
  }
}

/** The one skill a reference means, whether it may be used or not. */
async function meantSkill(
  session: Session,
  { name = '', path }: SkillReference,
  { cwd, home }: SessionLogOptions,
): Promise<SkillRecord | undefined> {
  const { skills, hidden } = await session.catalog();
  for (const known of [{ skills }, { skills: hidden.map(({ skill }) => skill) }]) {
    const found = path ? [recordAt(known, path, { cwd, home })] : recordsNamed(known, name);
    if (found.length === 1 && found[0] !== undefined) return found[0];
  }
  return undefined;
}
