// A whole run of skc in a temporary directory, without a process.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isAbsolute, join, sep } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { cliTable, isCliName } from '../src/front/cli/cli-table.ts';
import { runCli } from '../src/front/cli/run-cli.ts';
import type { PickerTerminal } from '../src/front/picker/run-picker.ts';
import { makeDirectory, type Tree, writeTree } from './make-directory.ts';
import { faultsIn } from './pasted-commands.ts';

/** Where and how to run; everything may be left out. */
export interface SkcOptions {
  /** Content of the working directory; paths that start with `~/` are in the home directory. */
  readonly files?: Tree;
  /** An existing directory instead of a new one, or a path inside the new one. */
  readonly cwd?: string;
  /** An existing home directory instead of a new one. */
  readonly home?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** How another skc would be started. */
  readonly launch?: { readonly command: string; readonly args: readonly string[] };
  /** Interrupts the run. */
  readonly signal?: AbortSignal;
  /** Standard input. */
  readonly stdin?: string;
  /** As if both streams were a terminal. */
  readonly terminal?: boolean;
  /** Typed into a list that takes the screen, piece by piece, while messages go to a terminal and the result to a pipe. */
  readonly keys?: string | readonly string[];
  /** Gets what such a list draws. */
  readonly drawn?: string[];
}

/** Result of a run. Its texts show the two directories as `<cwd>` and `<home>`. */
export interface SkcResult {
  readonly status: 0 | 1 | 130;
  readonly stdout: string;
  readonly stderr: string;
  /** The directory that `files` went into. */
  readonly dir: string;
  readonly home: string;
  /** Standard output, parsed. */
  json(): unknown;
}

/** Runs an executable to its end. */
async function runProgram(
  program: string,
  words: readonly string[],
  { cwd, home, env, stdin = '' }: SkcOptions & { readonly cwd: string; readonly home: string },
): Promise<Pick<SkcResult, 'status' | 'stdout' | 'stderr'>> {
  const child = spawn(program, words, { cwd, env: { ...env, SKC_HOME: home } });
  child.stdin.on('error', () => {}); // It may end before it has read everything.
  child.stdin.end(stdin);
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { status: status as SkcResult['status'], stdout, stderr };
}

/** Runs `skc <words>`. A result printed as JSON is checked against the command's own output schema. */
export async function skc(words: readonly string[], options: SkcOptions = {}): Promise<SkcResult> {
  const dir =
    options.cwd !== undefined && isAbsolute(options.cwd)
      ? options.cwd
      : join(makeDirectory({ work: { directory: true } }), 'work');
  const home = options.home ?? join(makeDirectory({ home: { directory: true } }), 'home');
  for (const [path, content] of Object.entries(options.files ?? {})) {
    const inHome = path.startsWith('~/');
    writeTree(inHome ? home : dir, { [inHome ? path.slice(2) : path]: content });
  }
  const written = { stdout: '', stderr: '' };
  const streamOf = (name: keyof typeof written) => ({
    write: (text: string) => {
      written[name] += text;
    },
    isTerminal: options.terminal ?? (name === 'stderr' && options.keys !== undefined),
    columns: 80,
  });
  const cwd = options.cwd === undefined ? dir : join(isAbsolute(options.cwd) ? '' : dir, options.cwd);
  const isPlain = [options.terminal, options.keys, options.launch, options.signal].every(
    (one) => one === undefined,
  );
  // The executable to run instead: `npm run probes` tries the one that was built.
  const built = process.env.SKC_TEST_PROGRAM;
  // No process gets a NUL character in an argument.
  const canStart = isPlain && !words.some((word) => word.includes('\0'));
  const runBuilt =
    built === undefined || !canStart ? undefined : runProgram(built, words, { ...options, cwd, home });
  if (runBuilt !== undefined) Object.assign(written, await runBuilt);
  const status = await (runBuilt?.then((ended) => ended.status) ??
    runCli(words, {
      cwd,
      home,
      env: options.env ?? {},
      now: () => new Date('2026-01-02T03:04:05.000Z'),
      stdout: streamOf('stdout'),
      stderr: streamOf('stderr'),
      signal: options.signal ?? new AbortController().signal,
      launch: options.launch,
      ...(options.keys === undefined ? {} : { openTerminal: async () => typingTerminal(options) }),
      ...(options.stdin === undefined ? {} : { stdin: () => Readable.from([options.stdin!]) }),
    }));
  const shown = (text: string) => showPlaces(text, { cwd: dir, home });
  const result = { status, stdout: shown(written.stdout), stderr: shown(written.stderr), dir, home };
  // A help line that cannot be pasted is a bug, wherever it is printed.
  expect(await faultsIn(written.stderr)).toEqual([]);
  const [name = ''] = words.filter((word) => !word.startsWith('--'));
  if (asksForJson(words)) await checkOutput(name, JSON.parse(written.stdout));
  return { ...result, json: () => JSON.parse(result.stdout) };
}

/** The text with names for directories, and `/` in the paths below them on every platform. */
function showPlaces(text: string, places: Readonly<Record<string, string>>): string {
  let shown = text;
  for (const [name, dir] of Object.entries(places))
    for (const spelled of [dir.replaceAll('\\', '\\\\'), dir]) shown = shown.replaceAll(spelled, `<${name}>`);
  if (sep === '/') return shown;
  return shown.replace(/<(?:cwd|home)>[^\s'"`]*/g, (path) => path.replace(/\\+/g, '/'));
}

/** A terminal at which somebody types at once. */
function typingTerminal({ keys = '', drawn = [] }: SkcOptions): PickerTerminal {
  return {
    size: () => ({ columns: 100, rows: 24 }),
    write: (text) => void drawn.push(text),
    listen: ({ input }) =>
      queueMicrotask(() => [keys].flat().forEach((typed) => void input(Buffer.from(typed)))),
    suspend: () => false,
    close: () => {},
  };
}

function asksForJson(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return words[0] !== '--complete' && words.slice(0, end === -1 ? undefined : end).includes('--json');
}

async function checkOutput(name: string, output: Record<string, unknown>): Promise<void> {
  if ('error' in output) {
    expect(Object.keys(output)).toEqual(['error']);
    expect(Object.keys(output.error as object)).toEqual(['code', 'message', 'help', 'data']);
  } else if (isCliName(name)) {
    const { output: schema } = await cliTable[name].load();
    expect(schema.parse(output), `skc ${name} --json keeps to its schema`).toEqual(output);
  }
}
