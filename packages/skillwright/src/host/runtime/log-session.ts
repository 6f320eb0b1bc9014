// Writes the access log of a session. Its rows match those of the same operations on the command line.

import { basename } from 'node:path';
import { type Diagnostic, diagnose, SkillwrightError } from '../../base/diagnostics/index.ts';
import { estimateTokens } from '../../base/tokens/index.ts';
import { readVariable } from '../../base/variables.ts';
import { findRuntimeOf, recordAt, recordsNamed, type SkillReference } from '../../read/access/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import { renderAnswers, servedAnswers } from '../../skill/quiz/index.ts';
import { SKILL_FILE } from '../../skill/skill/index.ts';
import { openWorkspace } from '../../skill/workspace/index.ts';
import type { Session, SessionOptions } from './session.ts';

/** Options of the log. */
export interface SessionLog {
  readonly now?: () => Date;
  /** Called when a row could not be written. */
  readonly report?: (diagnostic: Diagnostic) => void;
}

/** Where the session works. The project's configuration decides about logging only when `trust` is set. */
type LogOptions = SessionLog & Pick<SessionOptions, 'cwd' | 'home' | 'env' | 'trust'>;

/** The text that was served, the files it came from, and further columns. `dir` is the skill's directory if known. */
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
 * Wraps a session so that loads, plans, reads and answers each add a row to the access log of their skill, unless the
 * user turned the log off. A failure is logged too when the skill is known. Logging never fails an operation.
 */
export function logSession(session: Session, options: LogOptions): Session {
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
    // Resuming a saved session changes the id.
    get id() {
      return session.id;
    },
    load: (reference, how) =>
      logged({
        command: 'load',
        reference,
        args: { ...reference },
        run: () => session.load(reference, how),
        // A quiz returned instead is not part of the file.
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
    // The provider's third tier reads through this session.
    async provider() {
      const provider = await session.provider();
      const read = provider.getTier2Context.bind(provider);
      const getTier2Context = async (name: string) => {
        const skill = provider.getSkill(name);
        if (skill === undefined) return read(name);
        const { path, dir } = skill;
        return logged({
          command: 'load',
          reference: { path },
          args: { name },
          run: () => read(name),
          served: (text) => ({ text: text ?? '', dir, files: text === null ? [] : [SKILL_FILE] }),
        });
      };
      return Object.assign(provider, { getTier2Context });
    },
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

async function writeRow(session: Session, finished: Finished, options: LogOptions): Promise<void> {
  const { cwd, home, env = process.env, trust = false, now = () => new Date(), report = () => {} } = options;
  // An untrusted project's configuration is ignored, and nothing is written into it.
  const workspace = await openWorkspace({ cwd: trust ? cwd : home, home, env });
  const { command, reference, args, outcome, failure, milliseconds } = finished;
  if (readVariable(env, 'NO_LOG')) return;
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

/** The one skill a reference matches, whether or not it may be used. */
async function meantSkill(
  session: Session,
  { name = '', path }: SkillReference,
  { cwd, home }: LogOptions,
): Promise<SkillRecord | undefined> {
  const { skills, hidden } = await session.catalog();
  for (const known of [{ skills }, { skills: hidden.map(({ skill }) => skill) }]) {
    const found = path ? [recordAt(known, path, { cwd, home })] : recordsNamed(known, name);
    if (found.length === 1 && found[0] !== undefined) return found[0];
  }
  return undefined;
}
