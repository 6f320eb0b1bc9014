// Runs git without a shell, hooks or prompts, within limits of time and size.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { hideSecrets, makeVisible, SkillwrightError } from '../../../../base/diagnostics/index.ts';
import {
  formatBytes,
  killGroup,
  startChild,
  systemErrorCode,
  targetAt,
} from '../../../../base/files/index.ts';
import type { FetchContext } from '../../source/fetched-source.ts';

/** A bare repository of our own, and git's settings for it. */
export interface GitWorkplace {
  readonly dir: string;
  /** The remote. */
  readonly url: string;
  readonly context: FetchContext;
  /** Settings for this repository alone. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

/** Options of one run. */
interface GitRun {
  readonly input?: string;
  /** Limit of git's output, in bytes. */
  readonly maxOutput?: number;
}

const TOTAL_TIMEOUT_MS = 600_000;
const WATCH_MS = 200;
const MAX_OUTPUT = 256 * 1024 * 1024;
const MAX_ERROR_LENGTH = 64 * 1024;

/** Variables that would point git away from the workplace. */
const foreignVariables =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|TEMPLATE_DIR|CONFIG|CONFIG_(?:COUNT|KEY_\d+|VALUE_\d+|PARAMETERS)|EXTERNAL_DIFF|EXEC_PATH|TRACE\w*|ALLOW_PROTOCOL|SHALLOW_FILE|QUARANTINE_PATH)$/;

const settings: Readonly<Record<string, string>> = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'protocol.ext.allow': 'never',
  'transfer.fsckObjects': 'true',
  // Harmless, and common in the history of good repositories.
  'fetch.fsck.zeroPaddedFilemode': 'ignore',
  'fetch.fsck.badTimezone': 'ignore',
  'fetch.fsck.missingSpaceBeforeDate': 'ignore',
  // No redirects: the target is not the named repository, nor the one the lock would record.
  'http.followRedirects': 'false',
  'fetch.recurseSubmodules': 'false',
  'submodule.recurse': 'false',
  // Everything stays in one pack, whose size can be watched.
  'fetch.unpackLimit': '1',
  'transfer.unpackLimit': '1',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'credential.interactive': 'never',
};

/**
 * Runs git and returns its output. E200, E201, E202 or E214 by its message when it fails, E207 when more arrives than
 * the configuration allows.
 */
export function runGit(words: readonly string[], workplace: GitWorkplace, run: GitRun = {}): Promise<Buffer> {
  const { context, dir, url } = workplace;
  const { timeout, max_bytes: maxBytes } = context.config.network;
  const slow = { 'http.lowSpeedLimit': '1', 'http.lowSpeedTime': String(Math.max(timeout, 30)) };
  const options = Object.entries({ ...settings, ...slow, ...workplace.settings }).flatMap(([key, value]) => [
    '-c',
    `${key}=${value}`,
  ]);
  return new Promise((resolve, reject) => {
    // A process group without a terminal: its children cannot prompt, and all of them can be stopped.
    const child = startChild('git', [...options, ...words], {
      cwd: dir,
      env: environmentFor(workplace),
      detached: process.platform !== 'win32',
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const output: Buffer[] = [];
    let printed = 0;
    let said = '';
    let failure: unknown;
    const stop = (error: unknown): void => {
      failure ??= error;
      killGroup(child.pid);
    };
    const onAbort = () => stop(context.signal.reason);
    const clock = setTimeout(
      () => stop(SkillwrightError.of('E200', { url }, { help: 'git took too long' })),
      TOTAL_TIMEOUT_MS,
    );
    const weigh = (): void => {
      if (failure === undefined && measurePacks(dir) > maxBytes)
        stop(SkillwrightError.of('E207', { what: `${url}, more than ${formatBytes(maxBytes)}` }));
    };
    const watch = setInterval(weigh, WATCH_MS);
    context.signal.addEventListener('abort', onAbort, { once: true });
    if (context.signal.aborted) onAbort();

    child.stdout!.on('data', (chunk: Buffer) => {
      printed += chunk.length;
      if (failure !== undefined) return;
      if (printed > (run.maxOutput ?? MAX_OUTPUT)) stop(SkillwrightError.of('E207', { what: url }));
      else output.push(chunk);
    });
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-MAX_ERROR_LENGTH);
      const step = /((?:Receiving|Resolving) [a-z]+: +\d+%[^\r\n]*)[\r\n]*$/.exec(text)?.[1];
      if (step !== undefined) context.progress(makeVisible(`${url}: ${step.trim()}`));
    });
    // If git ends before it has read everything, its exit status gives the reason.
    child.stdin!.on('error', () => {});
    child.stdin!.end(run.input ?? '');

    const settle = (work: () => void): void => {
      clearTimeout(clock);
      clearInterval(watch);
      context.signal.removeEventListener('abort', onAbort);
      work();
    };
    child.on('error', (error) =>
      settle(() => reject(systemErrorCode(error) === 'ENOENT' ? notInstalled() : error)),
    );
    child.on('close', (status) =>
      settle(() => {
        weigh();
        if (failure !== undefined) reject(failure);
        else if (status !== 0) reject(explainGitFailure(said, { url, words }));
        else resolve(Buffer.concat(output));
      }),
    );
  });
}

/** The user's own environment, so that credentials work, without variables that redirect git. */
function environmentFor({ context, dir, url }: GitWorkplace): Record<string, string> {
  const own = Object.entries(context.env).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && !foreignVariables.test(pair[0]),
  );
  return {
    ...Object.fromEntries(own),
    GIT_DIR: dir,
    GIT_TERMINAL_PROMPT: '0',
    // A local repository is read only if the source names one.
    GIT_ALLOW_PROTOCOL: url.startsWith('file:') ? 'file' : 'https:http:ssh',
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GCM_INTERACTIVE: 'never',
    LC_ALL: 'C',
    LANGUAGE: 'C',
  };
}

/** Bytes of the received packs, including the one in transfer. */
function measurePacks(dir: string): number {
  try {
    const packs = join(dir, 'objects', 'pack');
    const sizes = readdirSync(packs).map((name) => targetAt(join(packs, name))?.size);
    return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  } catch {
    return 0;
  }
}

function notInstalled(): SkillwrightError {
  return SkillwrightError.of(
    'E214',
    { command: 'git', why: 'git is not installed' },
    { help: 'install git, or name an archive instead' },
  );
}

const unknownRef =
  /couldn't find remote ref|not our ref|no such remote ref|unadvertised object|not a valid ref/i;
const unauthorised =
  /could not read (?:username|password)|authentication failed|permission denied \(|access denied|terminal prompts disabled|returned error: 40[13]|invalid credentials/i;
const missing =
  /repository not found|returned error: 404|does not appear to be a git repository|repository .* not found|project you were looking for/i;
const unreachable =
  /could not resolve host|connection (?:refused|timed out|reset)|failed to connect|network is unreachable|operation (?:timed out|too slow)|no route to host|unexpected disconnect|early eof|ssl|the remote end hung up|couldn't connect/i;

/** Whether a failure means that the remote has no such branch, tag or commit. */
export function isUnknownRef(error: unknown): boolean {
  return error instanceof SkillwrightError && error.data?.reason === 'unknown ref';
}

/** Whether a failure means that the repository uses another hash algorithm. */
export function isOtherHash(error: unknown): boolean {
  return error instanceof SkillwrightError && error.data?.reason === 'other hash';
}

/** The coded error for a failed git, from its output. */
export function explainGitFailure(
  said: string,
  { url, words }: { url: string; words: readonly string[] },
): SkillwrightError {
  const lines = hideSecrets(said)
    .split(/[\r\n]+/)
    .map((line) => line.trim());
  const told = lines.filter(
    (line) => /^(?:fatal|error|remote|ERROR|ssh|git@)/.test(line) || /denied|failed/i.test(line),
  );
  const text = told.join('\n');
  const detail = told
    .slice(-5)
    .map((line) => `  ${line.slice(0, 300)}`)
    .join('\n');
  const details = detail === '' ? {} : { detail };
  if (unknownRef.test(text))
    return SkillwrightError.of('E201', { what: url }, { ...details, data: { reason: 'unknown ref' } });
  if (/host key verification failed/i.test(text))
    return SkillwrightError.of(
      'E214',
      { command: 'git', why: 'the host key is not known' },
      { ...details, help: 'connect once with ssh to accept its key' },
    );
  if (unauthorised.test(text))
    return SkillwrightError.of(
      'E202',
      { url },
      { ...details, help: 'there is no such repository, or your git has no credentials for it' },
    );
  if (/returned error: 30\d/.test(text))
    return SkillwrightError.of(
      'E214',
      { command: 'git', why: 'the repository has moved to another address' },
      { ...details, help: 'find its new address and use that, so that the lock records it' },
    );
  if (missing.test(text)) return SkillwrightError.of('E201', { what: url }, details);
  if (/mismatched algorithms|object format/i.test(text))
    return SkillwrightError.of(
      'E214',
      { command: 'git', why: 'the repository uses another hash algorithm' },
      { ...details, data: { reason: 'other hash' } },
    );
  const broken = /^error: object [0-9a-f]+: ([^\n]+)/m.exec(text)?.[1];
  if (broken !== undefined && /fsck error/.test(text))
    return SkillwrightError.of('E205', { why: `git refuses the repository: ${broken}` }, details);
  if (unreachable.test(text)) return SkillwrightError.of('E200', { url }, details);
  const why = told.at(-1) ?? lines.findLast((line) => line !== '') ?? 'it did not say why';
  return SkillwrightError.of('E214', { command: `git ${words[0] ?? ''}`.trim(), why }, details);
}
