// Asks the person at the client. The server itself sends the question, and no process works on the call meanwhile, so
// the person can take their time. The answer arrives on a channel that tool arguments cannot reach.

import { join } from 'node:path';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { sha256 } from '../../base/files/index.ts';
import { SKILL_FILE } from '../../skill/skill/index.ts';
import { formOf, type Refusal, readReply } from './person-form.ts';
import type { Answered, PersonAnswer, PersonQuestion } from './person-question.ts';

/** Time limit for one question. */
const ANSWER_MS = 10 * 60 * 1000;

/** Most questions per request. */
const MAX_QUESTIONS = 8;

/** Most confirmations remembered per connection; the oldest are asked again. */
const MAX_KEPT = 256;

/** First protocol revision with multiple choice in forms. */
const MULTIPLE_CHOICE = '2025-11-25';
const MODERN = '2026-07-28';

/** State sealed into a question for a client of the newer revision; it comes back with the answer. */
interface AskedState {
  /** Id of the question: each answer counts once. */
  readonly id: string;
  /** The request it belongs to. */
  readonly request: string;
  readonly question: PersonQuestion;
  /** Earlier answers. */
  readonly given: readonly PersonAnswer[];
}

/** State shared by all connections. */
export interface AskedStates {
  readonly codec: RequestStateCodec<AskedState>;
  /** True for the first answer to a question. */
  takeOnce(id: string): boolean;
}

/** One request that may need the person. */
interface PersonRequest<Result> {
  readonly context: ServerContext;
  /** Identifies the request: an answer counts for this request only. */
  readonly about: unknown;
  /** Does the work with the answers so far; undefined when nobody can be asked. */
  work(answers: readonly PersonAnswer[] | undefined): Promise<Answered<Result>>;
  /** Result when nobody confirmed. */
  refuse(error: SkillwrightError): Result;
}

/** The person behind one connection. */
export interface Person {
  ask<Result>(request: PersonRequest<Result>): Promise<Result | InputRequiredResult>;
}

/** A person without answers yet. `lasts`: the connection remembers answers. */
export function createPerson(
  { server }: McpServer,
  { states, lasts }: { states: AskedStates; lasts: boolean },
): Person {
  const kept = new Map<string, PersonAnswer>();
  const keep = (answer: PersonAnswer): void => {
    if (answer.kind !== 'confirm' || answer.span !== 'connection') return;
    kept.set(JSON.stringify(answer), answer);
    for (const oldest of [...kept.keys()].slice(0, -MAX_KEPT)) kept.delete(oldest);
  };
  return {
    async ask({ context, about, work, refuse }) {
      const { mcpReq } = context;
      const version = server.getNegotiatedProtocolVersion() ?? '';
      const isModern = version >= MODERN;
      const capabilities = isModern
        ? envelopeOf(mcpReq)[CLIENT_CAPABILITIES_META_KEY]
        : server.getClientCapabilities();
      if (!hasForms(capabilities)) return settleAnswer(await work(undefined));
      const refuseFor = (question: PersonQuestion, why: Refusal) => refuse(unanswered(question, why));
      const given: PersonAnswer[] = [];
      const take = (question: PersonQuestion, reply: unknown): Refusal | undefined => {
        const answer = readReply(question, reply, { lasts });
        if (typeof answer === 'string') return answer;
        keep(answer);
        given.push(answer);
        return undefined;
      };
      const state = isModern ? mcpReq.requestState<AskedState>() : undefined;
      if (state !== undefined) {
        if (state.request !== fingerprint(mcpReq.method, about))
          throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The answer belongs to another request');
        given.push(...state.given);
        // Ignore a second answer to the same question, and ask again.
        const refusal = states.takeOnce(state.id)
          ? take(state.question, mcpReq.inputResponses?.[FIELD])
          : undefined;
        if (refusal !== undefined) return refuseFor(state.question, refusal);
      }
      for (;;) {
        const answered = await work([...kept.values(), ...given]);
        const { question } = answered;
        const isForm = question?.kind !== 'quiz' || version >= MULTIPLE_CHOICE;
        if (question === undefined || !isForm || given.length >= MAX_QUESTIONS) return settleAnswer(answered);
        const form = formOf(question, { lasts });
        if (isModern) {
          const request = fingerprint(mcpReq.method, about);
          const asked = { id: crypto.randomUUID(), request, question, given };
          const requestState = await states.codec.mint(asked, context);
          return inputRequired({ inputRequests: { [FIELD]: inputRequired.elicit(form) }, requestState });
        }
        const options = { timeout: ANSWER_MS, signal: mcpReq.signal };
        const { mode: _, ...params } = form;
        const reply = await mcpReq.send({ method: 'elicitation/create', params }, options).catch((error) => {
          if (mcpReq.signal.aborted) throw error;
          return undefined;
        });
        const refusal = take(question, reply);
        if (refusal !== undefined) return refuseFor(question, refusal);
      }
    },
  };
}

/** Capabilities of the client in a request of the newer revision. */
const envelopeOf = ({ envelope }: ServerContext['mcpReq']) =>
  (envelope ?? {}) as { readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities };

/** Name of the form's only question in an answer. */
const FIELD = 'person';

/** The result; a refusal becomes a protocol error. */
function settleAnswer<Result>({ result, refusal }: Answered<Result>): Result {
  if (refusal !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, refusal);
  return result as Result;
}

/** Whether a client supports forms; one that names no mode does. */
function hasForms(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

const fingerprint = (method: string, about: unknown) => sha256(JSON.stringify([method, about]));

function unanswered({ skill, dir }: PersonQuestion, why: Refusal): SkillwrightError {
  const help = why === 'not answered' ? 'the user did not answer' : `the user ${why}`;
  return SkillwrightError.of('E061', { skill }, { help, data: { path: join(dir, SKILL_FILE), reason: why } });
}

/** How long an answer is accepted. */
const TTL_SECONDS = 600;

/** Most answers remembered. A forgotten one has expired, unless the server is under attack. */
const MAX_TAKEN = 10_000;

/** Sealed with a key known only to this process. */
export function createAskedStates(): AskedStates {
  const key = crypto.getRandomValues(new Uint8Array(32));
  const taken = new Set<string>();
  return {
    codec: createRequestStateCodec<AskedState>({
      key,
      ttlSeconds: TTL_SECONDS,
      bind: ({ mcpReq }) => mcpReq.method,
    }),
    takeOnce(id) {
      if (taken.has(id)) return false;
      taken.add(id);
      for (const oldest of [...taken].slice(0, -MAX_TAKEN)) taken.delete(oldest);
      return true;
    },
  };
}
