// A client of `skc rpc` as a host would write it: the types are those of the protocol's specification, nothing is imported
// from the server.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { processEnvironment } from './process-environment.ts';
import { skcScript, skcStart } from './skc-program.ts';

export type SkillScope = 'repo' | 'user' | 'bundled';

export type SkillMetadata = {
  id: string;
  name: string;
  description: string;
  path: string;
  dir: string;
  scope: SkillScope;
  mtimeMs: number;
};

export type SkillLoadError = { path: string; message: string };

export type SkillCatalog = { skills: SkillMetadata[]; errors: SkillLoadError[]; truncated: boolean };

export type SkillSearchResult = {
  skill: SkillMetadata;
  score: number;
  reason: 'exact_name' | 'exact_path' | 'prefix' | 'token_overlap';
};

export type LoadedVersion = { path: string; mtime_ms: number; in_context: boolean };

/** Params and result of each method. */
type Methods = {
  initialize: [
    {
      cwd?: string;
      trust?: boolean;
      session_id?: string;
      watch?: boolean;
      client?: { name: string; version: string };
    },
    { cwd: string; trusted: boolean; session_id: string; methods: string[] },
  ];
  'skills.list': [
    { cwd?: string; force_reload?: boolean },
    SkillCatalog & { hidden: { name: string; reason: string }[] },
  ];
  'skills.search': [
    { query: string; limit?: number; scope?: SkillScope },
    { results: SkillSearchResult[]; count: number; truncated: boolean; incomplete: boolean },
  ];
  'skills.load': [
    { name?: string; path?: string },
    {
      status: string;
      text: string;
      metadata: { skill_id: string; name: string; path: string; dir: string; mtime_ms: number };
    },
  ];
  'skills.read': [
    { name?: string; path?: string; file: string; offset?: number; limit?: number },
    { content: string; truncated: boolean; next_offset: number | null },
  ];
  'skills.resources': [
    { name?: string; path?: string; directory?: string; limit?: number },
    { files: string[]; total: number; truncated: boolean },
  ];
  'scripts.list': [{ name?: string; path?: string }, { scripts: { name: string; summary: string }[] }];
  'scripts.run': [
    {
      name?: string;
      path?: string;
      script: string;
      args?: string[];
      stdin?: string;
      timeout?: number;
      json?: boolean;
    },
    { ok: boolean; stdout: string; stderr: string; data?: unknown },
  ];
  'tools.activate': [
    { name?: string; path?: string },
    { tools: { name: string; tool: string; skill: string }[]; diagnostics: { code: string }[] },
  ];
  'tools.list': [Record<string, never>, { tools: { name: string }[] }];
  'tools.call': [{ tool: string; skill?: string; input?: object }, { result: unknown }];
  'tools.deactivate': [{ name?: string; path?: string }, { deactivated: boolean }];
  'hooks.dispatch': [
    { event: string; payload?: object },
    { decision: 'block' | 'ask' | 'allow' | null; reasons: string[] },
  ];
  'context.prompt': [
    { renderer?: string; budgets?: { entries?: number; bytes?: number; tokens?: number } },
    { text: string; shown: number; missing: number },
  ];
  'requests.cancel': [{ id: string | number }, { cancelled: boolean }];
  'skills.plan': [
    { name?: string; path?: string; arguments?: string | string[]; by?: 'user' | 'model' },
    { body: string; mode: string; allowed_tools: string[]; dynamic: { command: string }[] },
  ];
  'skills.mentions': [
    { text: string },
    { mentions: { name: string; skill: SkillMetadata | null; problem: string | null }[] },
  ];
  'skills.triggers': [
    { text: string },
    { matches: { skill: SkillMetadata; score: number; reasons: { kind: string; value: string }[] }[] },
  ];
  'skills.quiz': [
    { name?: string; path?: string },
    {
      gate: string;
      quizzes: { questions: { question: number; options: { option: number; text: string }[] }[] }[];
    },
  ];
  'skills.answerQuiz': [
    { name?: string; path?: string; choices: { question: number; options: number[] }[] },
    { answers: { correct: boolean }[]; quiz: { gate: string } },
  ];
  'skills.setEnabled': [
    { names: string[]; enabled: boolean; scope?: 'repo' | 'user' },
    {
      scope: string;
      path: string;
      changed: string[];
      still_disabled: string[];
      unknown: string[];
      settled?: Record<string, unknown>[];
    },
  ];
  'context.inspect': [
    { include_skills?: boolean },
    { loadedSkillVersions: LoadedVersion[]; skillsCatalogByCwd?: Record<string, SkillCatalog> },
  ];
  'context.compacted': [
    { kept?: string[] },
    { skills: LoadedVersion[]; kept: LoadedVersion[]; unknown: string[]; text: string },
  ];
  'session.save': [Record<string, never>, Record<string, unknown>];
  'session.resume': [
    { saved: unknown },
    Record<'unchanged' | 'changed' | 'vanished' | 'added', { name: string }[]>,
  ];
  'permissions.check': [
    { tool?: string; name?: string; path?: string },
    { effect: 'allow' | 'deny' | 'confirm'; layer: string; rule: unknown },
  ];
  'permissions.remember': [{ name?: string; path?: string; persist?: boolean }, { remembered: boolean }];
};

/** Everything that came back, as it came. */
export type Message = {
  jsonrpc: string;
  id?: unknown;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; data?: unknown };
};

/** A running server and the client's end of it. */
export interface RpcClient {
  readonly process: ChildProcessWithoutNullStreams;
  /** Sends a request and waits for its answer. Rejects with the `error` of the answer. */
  call<Name extends keyof Methods>(method: Name, params?: Methods[Name][0]): Promise<Methods[Name][1]>;
  /** Sends bytes as they are. */
  send(text: string): void;
  /** The next answer that belongs to no call. */
  receive(): Promise<Message | Message[]>;
  /** All lines of standard output so far. */
  readonly lines: readonly string[];
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
  stderr(): string;
}

/** Where and how the server runs. */
export interface ServerPlace {
  readonly cwd: string;
  readonly home: string;
  /** Words for Node, which runs the script then. */
  readonly runtime?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts `skc rpc`; it ends with the test. */
export function startRpc({ cwd, home, runtime, env = {} }: ServerPlace): RpcClient {
  const [program, words] =
    runtime === undefined ? skcStart(['rpc']) : [process.execPath, [...runtime, skcScript, 'rpc']];
  const child = spawn(program, words, {
    cwd,
    env: { ...processEnvironment, SKC_HOME: home, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.on('error', () => {});
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk;
  });
  const lines: string[] = [];
  const waiting = new Map<unknown, PromiseWithResolvers<never>>();
  const others: (Message | Message[])[] = [];
  const readers: ((message: Message | Message[]) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    const message = JSON.parse(line) as Message | Message[];
    const call = Array.isArray(message) ? undefined : waiting.get(message.id);
    if (Array.isArray(message) || call === undefined) {
      const reader = readers.shift();
      if (reader === undefined) others.push(message);
      else reader(message);
    } else if (message.error === undefined) call.resolve(message.result as never);
    else call.reject(message.error);
  });
  let next = 1;
  return {
    process: child,
    call(method, params) {
      const id = `call-${next++}`;
      const answer = Promise.withResolvers<never>();
      waiting.set(id, answer);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      return answer.promise;
    },
    send: (text) => void child.stdin.write(text),
    receive: () => {
      const message = others.shift();
      return message === undefined
        ? new Promise((resolve) => readers.push(resolve))
        : Promise.resolve(message);
    },
    lines,
    exited: new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal }))),
    stderr: () => errors,
  };
}
