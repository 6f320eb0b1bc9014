// Does the work of a server in this process.

import { ProtocolError } from '@modelcontextprotocol/server';
import type { Session } from '../../host/runtime/index.ts';
import { recordAccess } from '../../read/usage/index.ts';
import { PermissionRule } from '../../skill/config/index.ts';
import { digestSkill, openQuizStateFile } from '../../skill/quiz/index.ts';
import { rememberPermission, type Workspace } from '../../skill/workspace/index.ts';
import { type CommandContext, type FrontContext, logContext } from '../commands/index.ts';
import type { Backend, Caller } from './backend.ts';
import { callTool } from './call-tool.ts';
import { completeReference } from './complete-reference.ts';
import type { Answered, PersonAnswer, PersonQuestion } from './person-question.ts';
import { describePrompts, renderPrompt } from './prompts.ts';
import type { ServerState } from './server-state.ts';
import { createSkillSource } from './skill-source.ts';
import { watchServed } from './watch-served.ts';

/** Most connections remembered; the oldest are forgotten, and texts are sent to them again. */
const MAX_CONNECTIONS = 128;

type OpenSession = (context: CommandContext) => Promise<Session>;

/** Creates a backend on the state of a server. */
export function createLocalBackend(state: ServerState): Backend {
  const connections = new Map<string, OpenSession>();
  const sessionOf = (connection: string): OpenSession => {
    const session = connections.get(connection) ?? keepSessions();
    connections.delete(connection);
    connections.set(connection, session);
    for (const oldest of [...connections.keys()].slice(0, -MAX_CONNECTIONS)) connections.delete(oldest);
    return session;
  };
  const deskOf = ({ person, cwd }: Caller): PersonDesk | undefined =>
    person && openDesk(person, () => state.workspace(cwd));
  const frontOf = async (
    { connection, cwd, quizzes, client, run, signal = state.context.signal }: Caller,
    desk?: PersonDesk | undefined,
  ): Promise<FrontContext> => ({
    ...state.context,
    ...desk?.front,
    ...{ cwd, client, run, signal },
    session: sessionOf(connection),
    quizMemory: quizzes ?? openQuizStateFile(await state.workspace(cwd), () => state.context.now()),
  });
  const listSkills = async (caller: Caller) => state.listSkills(await frontOf(caller));
  const sourceOf = (caller: Caller, desk?: PersonDesk | undefined) =>
    createSkillSource({
      list: () => listSkills(caller),
      reader: state.reader,
      front: () => frontOf(caller, desk),
      async served(dir, path, text) {
        const context = await state.open(await frontOf(caller, desk));
        const opened = await context.access.openAt(dir, { operation: 'read' });
        const skill = { dir: opened.dir, runtime: await opened.runtime() };
        const row = { command: 'open', skill, args: { path }, text, served: { parts: [{ file: path }] } };
        await recordAccess({ ...row, failure: undefined, milliseconds: 0 }, logContext(context));
      },
    });
  return {
    async callTool(caller, { name, args, hears }) {
      const desk = deskOf(caller);
      const front = await frontOf(caller, desk);
      const result = await callTool({ tool: state.tools.get(name)!, tools: state.tools, hears }, args, front);
      const question = desk?.question();
      // Leave out skills that nobody confirmed, and report that in the result.
      const isWanted = question?.kind === 'quiz' || codeOf(result.structuredContent) === 'E061';
      return { result, ...(question !== undefined && isWanted ? { question } : {}) };
    },
    listPrompts: async (caller) => describePrompts(await listSkills(caller)),
    async getPrompt(caller, { name, values }) {
      const desk = deskOf(caller);
      return orQuestion(desk, async () =>
        renderPrompt(await listSkills(caller), {
          name,
          values,
          context: await state.open(await frontOf(caller, desk)),
        }),
      );
    },
    read: (caller, uri) => {
      const desk = deskOf(caller);
      return orQuestion(desk, () => sourceOf(caller, desk).read(uri));
    },
    complete: async (caller, request) =>
      completeReference(request, {
        skills: await listSkills(caller),
        reader: state.reader,
        front: await frontOf(caller),
      }),
    stamp: (caller, uris) => sourceOf(caller).stamp(uris),
    source(caller, name, args) {
      const method = sourceOf(caller)[name] as (...args: readonly unknown[]) => Promise<unknown>;
      return method(...args);
    },
    watch: (cwd, tell) => watchServed(state, cwd, tell),
    close: async () => state.close(),
  };
}

const codeOf = (structure: unknown) => (structure as { error?: { code?: string } } | undefined)?.error?.code;

/** The result, or the question to answer first. */
async function orQuestion<Result>(
  desk: PersonDesk | undefined,
  work: () => Promise<Result | undefined>,
): Promise<Answered<Result>> {
  try {
    const result = await work();
    return result === undefined ? {} : { result };
  } catch (error) {
    const question = desk?.question();
    const isUnconfirmed = error instanceof ProtocolError && error.message.startsWith('E061: ');
    if (question === undefined || !isUnconfirmed) throw error;
    return { refusal: error.message, question };
  }
}

/** One session per working directory of a connection, created on first use. */
function keepSessions(): OpenSession {
  const sessions = new Map<string, { session: Promise<Session>; latest: CommandContext }>();
  return async (context) => {
    const { cwd } = context.workspace;
    const known = sessions.get(cwd);
    if (known !== undefined) {
      known.latest = context;
      const session = await known.session;
      // Skills and rules may have changed since the last call; apply both at once.
      await session.catalog({ reload: true });
      return session;
    }
    const { openSession } = await import('../commands/open-session.ts');
    const session = openSession({ ...context, session: undefined }, () => kept.latest);
    const kept = { session, latest: context };
    sessions.set(cwd, kept);
    // Try again after a session could not be opened.
    session.catch(() => sessions.delete(cwd));
    return session;
  };
}

/** Questions and answers of one call. */
interface PersonDesk {
  /** Asks on behalf of the call. */
  readonly front: Pick<FrontContext, 'ask' | 'confirm'>;
  /** The first unanswered question. */
  question(): PersonQuestion | undefined;
}

/** Creates a desk with these answers. Opens the workspace only to remember one. */
function openDesk(answers: readonly PersonAnswer[], workspace: () => Promise<Workspace>): PersonDesk {
  let missing: PersonQuestion | undefined;
  return {
    question: () => missing,
    front: {
      async confirm({ skill: { name, dir }, tool }) {
        const digest = digestSkill(dir);
        const known = answers.find(
          (answer) => answer.kind === 'confirm' && answer.tool === tool && isAbout(answer, { dir, digest }),
        );
        // Only loading can be allowed permanently.
        const permission = { tool: 'skill_load', skill_name: name };
        const remembers = tool === permission.tool && PermissionRule.safeParse(permission).success;
        if (known === undefined) {
          missing ??= { kind: 'confirm', skill: name, dir, digest, tool, remembers };
          return false;
        }
        if (known.kind === 'confirm' && known.span === 'always' && remembers)
          rememberPermission((await workspace()).user, { ...permission, path: dir, digest });
        return true;
      },
      ask: {
        // Questions are asked on a form or not at all.
        choose: async () => undefined,
        confirm: async () => false,
        async chooseAll({ dir, title, questions }) {
          const digest = digestSkill(dir);
          const known = answers.find((answer) => answer.kind === 'quiz' && isAbout(answer, { dir, digest }));
          if (known?.kind === 'quiz' && known.chosen.length === questions.length) return known.chosen;
          missing ??= {
            kind: 'quiz',
            skill: title,
            dir,
            digest,
            questions: questions.map(({ text, choices }) => ({
              text,
              options: choices.map(({ label }) => label),
            })),
          };
          return undefined;
        },
      },
    },
  };
}

function isAbout(
  answer: Pick<PersonAnswer, 'dir' | 'digest'>,
  { dir, digest }: Pick<PersonAnswer, 'dir' | 'digest'>,
): boolean {
  return answer.dir === dir && answer.digest === digest;
}
