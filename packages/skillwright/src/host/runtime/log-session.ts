// Writes the access log of a session. Its rows match those of the same operations on the command line.

import { type Diagnostic, diagnose, messageOf } from '../../base/diagnostics/index.ts';
import { splitLines } from '../../base/files/index.ts';
import { readVariable } from '../../base/variables.ts';
import { findRuntimeOf, recordAt, recordsNamed, type SkillReference } from '../../read/access/index.ts';
import type { Served } from '../../read/usage/index.ts';
import { renderAnswers, servedAnswers } from '../../skill/quiz/index.ts';
import { SKILL_FILE } from '../../skill/skill/index.ts';
import { keepWorkspace } from '../../skill/workspace/index.ts';
import type { Session } from './session.ts';
import { renderHeadings } from './session-sections.ts';
import { type SessionState, viewOf } from './session-state.ts';

/** Options of the log. */
export interface SessionLog {
  readonly now?: () => Date;
  /** Called when a row could not be written. */
  readonly report?: (diagnostic: Diagnostic) => void;
}

/** The text that was served, and its parts. `dir` is the skill's directory if known. */
interface ServedText extends Served {
  readonly text: string;
  readonly dir?: string;
}

type LoggedName = 'load' | 'plan' | 'readResource' | 'outline' | 'section' | 'findIn' | 'answerQuiz';

/** The row of a method: its name in the log, its arguments besides the reference, and what it served. */
interface LoggedMethod<Name extends LoggedName> {
  readonly command: string;
  more?(...given: Parameters<Session[Name]>): Readonly<Record<string, unknown>>;
  served(result: Awaited<ReturnType<Session[Name]>>, ...given: Parameters<Session[Name]>): ServedText;
}

/** Methods that are logged. The first parameter of each is a reference to a skill. */
const loggedMethods: { readonly [Name in LoggedName]: LoggedMethod<Name> } = {
  load: {
    command: 'load',
    // A quiz, a stub or a reminder is not the file.
    served: ({ text, status, next_offset: next, metadata: { dir } }, _reference, { offset = 0 } = {}) => ({
      ...{ text, dir },
      parts: status === 'loaded' ? [{ file: SKILL_FILE, bytes: [offset, next], ofBody: true }] : [],
    }),
  },
  plan: {
    command: 'plan',
    more: (_reference, _args, how) => ({ by: how?.by ?? 'user' }),
    served: ({ body: text, quiz, skill: { dir } }) => ({
      text,
      dir,
      // A quiz returned instead is not part of the file.
      parts: quiz === null ? [{ file: SKILL_FILE }] : [],
    }),
  },
  readResource: {
    command: 'open',
    served: ({ content: text, path: file, kind, offset, next_offset }) => ({
      text,
      parts: kind === 'directory' ? [] : [{ file, bytes: [offset, next_offset] }],
    }),
  },
  outline: {
    command: 'outline',
    served: (outline) => ({ text: renderHeadings(outline).join('\n') }),
  },
  section: {
    command: 'show',
    served: ({ content: text, file, section, anchor, start_line: from }) => ({
      text,
      parts: [{ file, section, anchor, lines: [from, from + splitLines(text).length - 1] }],
    }),
  },
  findIn: {
    command: 'search',
    served: ({ results }) => ({
      text: results.map(({ section, snippet }) => `${section}\n${snippet}`).join('\n'),
      results: results.length,
    }),
  },
  answerQuiz: {
    command: 'quiz',
    served: ({ answers, quiz }) => ({
      text: renderAnswers(answers),
      ...servedAnswers(answers, quiz),
    }),
  },
};

/** One call: what is run, and how its row is written. */
interface LoggedCall<Result> {
  readonly command: string;
  readonly reference: SkillReference;
  readonly args: Readonly<Record<string, unknown>>;
  run(): Promise<Result>;
  served(result: Result): ServedText;
}

/**
 * Wraps a session so that loads, plans, reads and answers each add a row to the access log of their skill, unless the
 * user turned the log off. A failure is logged too when the skill is known. Logging never fails an operation.
 */
export function logSession(session: Session, state: SessionState): Session {
  const write = createWriter(state);
  const logged = async <Result>(call: LoggedCall<Result>): Promise<Result> => {
    const started = performance.now();
    let result: Result | undefined;
    let failure: unknown;
    try {
      result = await call.run();
    } catch (error) {
      failure = error;
    }
    const milliseconds = performance.now() - started;
    const served = failure === undefined ? call.served(result as Result) : undefined;
    await write({ ...call, outcome: served, failure, milliseconds });
    if (failure !== undefined) throw failure;
    return result as Result;
  };
  const wrap = <Name extends LoggedName>(name: Name): Session[Name] => {
    const { command, more, served } = loggedMethods[name] as LoggedMethod<LoggedName>;
    const run = session[name] as (...given: Parameters<Session[LoggedName]>) => Promise<never>;
    return ((...given: Parameters<Session[LoggedName]>) =>
      logged({
        command,
        reference: given[0],
        args: { ...given[0], ...more?.(...given) },
        run: () => run(...given),
        served: (result) => served(result, ...given),
      })) as Session[Name];
  };
  const names = Object.keys(loggedMethods) as LoggedName[];
  return {
    ...session,
    get id() {
      return session.id;
    },
    ...(Object.fromEntries(names.map((name) => [name, wrap(name)])) as Pick<Session, LoggedName>),
    // The provider's third tier reads through this session.
    async provider(options) {
      const provider = await session.provider(options);
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
          served: (text) => ({ text: text ?? '', dir, parts: text === null ? [] : [{ file: SKILL_FILE }] }),
        });
      };
      return Object.assign(provider, { getTier2Context });
    },
  };
}

interface FinishedCall extends Pick<LoggedCall<unknown>, 'command' | 'reference' | 'args'> {
  readonly outcome: ServedText | undefined;
  readonly failure: unknown;
  readonly milliseconds: number;
}

function createWriter(state: SessionState): (finished: FinishedCall) => Promise<void> {
  const { cwd, home, env, trust = false, log } = state.options;
  const { now = () => new Date(), report = () => {} } = typeof log === 'object' ? log : {};
  // An untrusted project's configuration is ignored, and nothing is written into it.
  const openWorkspace = keepWorkspace({ cwd: trust ? cwd : home, home, env });
  return async ({ command, reference, args, outcome, failure, milliseconds }) => {
    if (readVariable(env, 'NO_LOG')) return;
    try {
      const dir = outcome?.dir ?? (await findMeantDir(state, reference));
      if (dir === undefined) return;
      const workspace = await openWorkspace();
      const { recordAccess } = await import('../../read/usage/write-access.ts');
      const { text = '', dir: _dir, ...served } = outcome ?? {};
      await recordAccess(
        {
          command,
          skill: { dir, runtime: await findRuntimeOf({ dir, scope: undefined }, workspace) },
          args,
          text,
          served,
          failure,
          milliseconds,
        },
        {
          workspace,
          cwd,
          now,
          report,
          async trace(call, how) {
            const { exportSpan } = await import('../../ship/network/export-span.ts');
            await exportSpan(call, how);
          },
        },
      );
    } catch (error) {
      report(diagnose('W002', { why: messageOf(error) }));
    }
  };
}

/** Directory of the one skill a reference matches, whether or not it may be used. */
async function findMeantDir(
  state: SessionState,
  { name = '', path }: SkillReference,
): Promise<string | undefined> {
  const { visible, hidden } = await viewOf(state);
  for (const known of [visible, { skills: hidden.map(({ skill }) => skill) }]) {
    const found = path ? [recordAt(known, path, state.options)] : recordsNamed(known, name);
    if (found.length === 1 && found[0] !== undefined) return found[0].dir;
  }
  return undefined;
}
