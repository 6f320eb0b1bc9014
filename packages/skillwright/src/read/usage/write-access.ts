// Records a served operation: a row in the log of its skill, else in the local log, and a span when an endpoint is
// configured. Never fails a command.
//
// The local log is a file of lines in `<cwd>/.skillc/logs/<skill>/`. Lines are appended atomically and each has an id, so
// that `sync` can merge every row exactly once, even when a process is killed.

import { closeSync, fstatSync, mkdirSync, openSync, readSync, rmdirSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  type Diagnostic,
  diagnose,
  hideSecretsIn,
  messageOf,
  SkillwrightError,
} from '../../base/diagnostics/index.ts';
import {
  anyName,
  describeSystemError,
  type Environment,
  findLink,
  isMissing,
  namesIn,
  refuseLinks,
  removePath,
  renamePath,
  statusAt,
  targetAt,
} from '../../base/files/index.ts';
import { estimateTokens } from '../../base/tokens/index.ts';
import { readVariable } from '../../base/variables.ts';
import type { ServedAnswers } from '../../skill/quiz/index.ts';
import { isReadingPlace } from '../../skill/skill/index.ts';
import { keepOutOfGit, LOCAL_LOGS, OWN_DIRECTORY, type Workspace } from '../../skill/workspace/index.ts';
import type { IndexCache } from '../index/index.ts';
import { type AccessRow, appendToLog, type LastRow, type LoggedAccess, logPath } from './access-log.ts';
import { type ServedPart, servedSections } from './served-sections.ts';

/** Time and place of an access. */
export interface AccessPlace {
  /** Its run; without one, the run of this process. */
  readonly run?: string | undefined;
  readonly runtime: string;
  readonly cwd: string;
  readonly env: Environment;
  readonly now: Date;
  /** The home directory, which holds the record of files skc made. */
  readonly home?: string | undefined;
  /** Whether the log is in the user's cache: then nothing is written below the working directory. */
  readonly isCached?: boolean;
}

const STALE_AFTER_MS = 60 * 60_000;

/** Writes one row. W002 when no log can be written, W003 when local rows have waited for an hour. */
export function writeAccess(access: LoggedAccess, place: AccessPlace): Diagnostic[] {
  const { runtime, cwd, env, now, home, isCached = false } = place;
  const diagnostics: Diagnostic[] = [];
  const row = (last?: LastRow) => {
    const run_id = runIdOf(env, now, { ...place, last });
    return { ...access, timestamp: now.toISOString(), run_id, cwd };
  };
  const local = localLogDirectory(cwd, access.skill);
  try {
    appendToLog(logPath(runtime), row, { now, home, report: (diagnostic) => diagnostics.push(diagnostic) });
  } catch (failure) {
    // A link is an attack or a mistake: falling back to the local log would hide it.
    if (failure instanceof SkillwrightError && failure.code === 'E017')
      return [diagnose('W002', { why: failure.message })];
    try {
      if (isCached) throw failure;
      appendLocally(local, row());
    } catch {
      // Report the first failure: it is the one to fix.
      return [diagnose('W002', { why: describeSystemError(failure) })];
    }
  }
  const oldest = oldestLocalRow(local);
  const isStale = oldest !== undefined && now.getTime() - Date.parse(oldest) > STALE_AFTER_MS;
  return isStale ? [...diagnostics, diagnose('W003', {})] : diagnostics;
}

// Id shared by the accesses of one run.

const MAX_LENGTH = 200;

/** Accesses of one directory belong to one run until nothing happens for so long. */
const RUN_GAP_MS = 30 * 60_000;
const generated = /^\d{8}T\d{6}Z-[0-9a-f]{4}$/;

let ownRun: string | undefined;

/**
 * `SKC_RUN_ID`, else the run of the connection, else one of this process. An agent with a shell starts a process for every
 * read, so that a process goes on with the run that last read the skill from the same directory.
 */
export function runIdOf(
  env: Environment,
  now: Date,
  place: {
    readonly run?: string | undefined;
    readonly cwd?: string;
    readonly last?: LastRow | undefined;
  } = {},
): string {
  const { run, cwd, last } = place;
  const given = readVariable(env, 'RUN_ID')?.slice(0, MAX_LENGTH) ?? run;
  if (given !== undefined) return given;
  const gap = last === undefined ? Number.NaN : now.getTime() - Date.parse(last.timestamp);
  const goesOn = last?.cwd === cwd && generated.test(last?.run_id ?? '') && gap >= 0 && gap < RUN_GAP_MS;
  ownRun ??= (goesOn ? last?.run_id : undefined) ?? newRunId(now);
  return ownRun;
}

/** A fresh id: `20260102T030405Z-1a2b`. */
export function newRunId(now: Date): string {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const random = Math.floor(Math.random() * 0x10000);
  return `${time}-${random.toString(16).padStart(4, '0')}`;
}

/** Context of a served operation. */
export interface LogContext {
  readonly workspace: Workspace;
  /** Indexes that are open already. */
  readonly indexes?: IndexCache | undefined;
  /** The program that reads, such as the name of an MCP client. */
  readonly client?: string | undefined;
  readonly run?: string | undefined;
  /** Working directory, when different from the workspace's. */
  readonly cwd?: string | undefined;
  now(): Date;
  /** Called when no row could be written, with the reason. */
  report(diagnostic: Diagnostic): void;
  /** Sends a span. Called when the environment names an endpoint; without it, nothing is sent. */
  readonly trace?:
    | ((call: TracedCall, how: { env: Workspace['env']; now: Date }) => Promise<void>)
    | undefined;
}

/** A finished operation, and the one file that was read. */
interface TracedCall extends LoggedAccess {
  readonly resource: string | undefined;
}

/** Content an operation served or received. */
export interface Served extends Partial<ServedAnswers> {
  readonly parts?: readonly ServedPart[];
  /** Number of search results. */
  readonly results?: number;
}

/** A finished operation. */
export interface FinishedAccess {
  readonly command: string;
  /** Its directory, and that of its index and log. */
  readonly skill: { readonly dir: string; readonly runtime: string };
  readonly args: Readonly<Record<string, unknown>>;
  /** The text that was served; empty after a failure. */
  readonly text: string;
  readonly served: Served | undefined;
  /** Undefined after a success. */
  readonly failure: unknown;
  readonly milliseconds: number;
}

/** Writes the row of an operation and sends its span. Never fails: problems become warnings. */
export async function recordAccess(finished: FinishedAccess, context: LogContext): Promise<void> {
  const { command, skill, args, text, failure, milliseconds } = finished;
  const { runtime } = skill;
  const { env, home } = context.workspace;
  const { parts = [], ...more } = finished.served ?? {};
  const asked = parts.flatMap(({ file, section }) => (section === undefined ? [] : [{ file, section }]));
  const whole = parts.flatMap(({ file, section }) => (section === undefined ? [file] : []));
  const isOff = isLogOff(env);
  const read =
    parts.length === 0 || isOff
      ? undefined
      : await servedSections(parts, { dir: skill.dir, runtime, home, indexes: context.indexes });
  const access: LoggedAccess = {
    command,
    skill: basename(runtime),
    skill_path: skill.dir,
    args: {
      ...args,
      ...more,
      ...(asked.length === 0 ? {} : { sections: asked }),
      ...(whole.length === 0 ? {} : { files: [...new Set(whole)] }),
      ...(read === undefined ? {} : { read }),
      ...(context.client === undefined ? {} : { client: context.client }),
    },
    error: failure === undefined ? null : failure instanceof SkillwrightError ? failure.code : 'E999',
    bytes: Buffer.byteLength(text),
    tokens: estimateTokens(text),
    duration_ms: Math.round(milliseconds * 1000) / 1000,
  };
  if (!isOff) await writeLogged(access, runtime, context);
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT && !env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return;
  const [resource, ...others] = new Set(parts.map(({ file }) => file));
  await context.trace?.(
    { ...access, resource: others.length === 0 ? resource : undefined },
    { env, now: context.now() },
  );
}

const isLogOff = (env: Environment) => readVariable(env, 'NO_LOG') !== undefined;

/** Writes a row, unless the user disabled the log. Never fails. */
export async function logAccess(access: LoggedAccess, runtime: string, context: LogContext): Promise<void> {
  if (!isLogOff(context.workspace.env)) await writeLogged(access, runtime, context);
}

async function writeLogged(access: LoggedAccess, runtime: string, context: LogContext): Promise<void> {
  const { env, home } = context.workspace;
  const { cwd = context.workspace.cwd } = context;
  try {
    if (!(await context.workspace.config()).usage.enabled) return;
  } catch (error) {
    // The user's setting is unknown, so write no log.
    context.report(diagnose('W002', { why: messageOf(error) }));
    return;
  }
  const hidden = { ...access, args: hideSecretsIn(access.args) };
  const isCached = isReadingPlace(runtime, context.workspace);
  const place = { runtime, cwd, env, home, run: context.run, now: context.now(), isCached };
  for (const diagnostic of writeAccess(hidden, place)) context.report(diagnostic);
}

const LINES_FILE = 'access.jsonl';
const MAX_ATTEMPTS = 20;

/** Path of the local log of a skill below a working directory. */
export function localLogDirectory(base: string, skill: string): string {
  return join(base, OWN_DIRECTORY, LOCAL_LOGS, skill);
}

/** The working directory that has a local log. */
const baseOf = (directory: string) => dirname(dirname(dirname(directory)));

/** Adds a row; throws file system errors, E017 when a link is on the path. */
export function appendLocally(directory: string, row: AccessRow): void {
  // Starts with a line break, in case a full disk cut off the previous line.
  const line = Buffer.from(`\n${JSON.stringify({ uid: crypto.randomUUID(), ...row })}\n`);
  const path = join(directory, LINES_FILE);
  refuseLinks(baseOf(directory), path);
  for (let attempt = 1; ; attempt++) {
    if (mkdirSync(directory, { recursive: true }) !== undefined) keepOutOfGit(dirname(directory));
    try {
      const inode = appendTo(path, line);
      // A sync may have moved the file before the line was in it. Then write it again, with the same id.
      if (targetAt(path)?.ino === inode) return;
    } catch (error) {
      // Otherwise a sync has just removed the empty directory.
      if (!isMissing(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

function appendTo(path: string, line: Buffer): number {
  const descriptor = openSync(path, 'a');
  try {
    if (writeSync(descriptor, line) < line.length) throw new Error('the disk is full');
    return fstatSync(descriptor).ino;
  } finally {
    closeSync(descriptor);
  }
}

/** Time of the oldest row of a local log; undefined when there is none. */
function oldestLocalRow(directory: string): string | undefined {
  const times = linesFiles(directory).flatMap((path) => {
    const [first] = /"timestamp":"[^"]+"/.exec(readStart(path)) ?? [];
    return first === undefined ? [] : [first.slice('"timestamp":"'.length, -1)];
  });
  return times.sort()[0];
}

function readStart(path: string): string {
  try {
    const descriptor = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(1024);
      return bytes.toString('utf8', 0, readSync(descriptor, bytes));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
}

/** Skills with a local log below a working directory, in bytewise order. */
export function listLocalLogs(base: string): string[] {
  const logs = join(base, OWN_DIRECTORY, LOCAL_LOGS);
  return namesIn(logs, anyName).filter((name) => linesFiles(join(logs, name)).length > 0);
}

/** The files of a local log, oldest first. */
export function linesFiles(directory: string): string[] {
  return namesIn(directory, anyName)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(directory, name))
    .filter((path) => findLink(baseOf(directory), path) === undefined && statusAt(path)?.isFile() === true);
}

/** Moves the files away from their writers and returns them, with those of a killed sync. */
export function takeLocalLog(directory: string, now: Date): string[] {
  refuseLinks(baseOf(directory), directory);
  const taken = `taken-${now.getTime().toString().padStart(15, '0')}-${crypto.randomUUID()}.jsonl`;
  try {
    renamePath(join(directory, LINES_FILE), join(directory, taken));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return linesFiles(directory).filter((path) => path !== join(directory, LINES_FILE));
}

/** Removes merged files, and directories that are now empty. */
export function removeLocalLog(directory: string, files: readonly string[]): void {
  for (const file of files) removePath(file, { force: true });
  const logs = dirname(directory);
  if (!removeIfEmpty(directory) || namesIn(logs, anyName).some((name) => name !== '.gitignore')) return;
  removePath(join(logs, '.gitignore'), { force: true });
  // Without its logs, the directory would count as a project.
  if (removeIfEmpty(logs)) removeIfEmpty(dirname(logs));
}

function removeIfEmpty(directory: string): boolean {
  try {
    rmdirSync(directory);
    return true;
  } catch {
    return false;
  }
}
