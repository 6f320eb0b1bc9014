// One run of the command line, from words to exit status. Independent of the process: the caller passes streams and surroundings.

import {
  countedFacts,
  countFacts,
  type Diagnostic,
  diagnosticOf,
  failureJson,
  internalError,
  invalidOption,
  makeVisible,
  plainPaint,
  renderDiagnostic,
  SkillwrightError,
  suggest,
  unknownOption,
} from '../../base/diagnostics/index.ts';
import { readVariable } from '../../base/variables.ts';
import { describeRuntime, toolVersion } from '../../base/version.ts';
import {
  type AnyDeclaration,
  type Asker,
  COMPLETE_WORD,
  DEPUTY_WORD,
  type FrontContext,
  type View,
} from '../commands/index.ts';
import type { PickerTerminal } from '../picker/index.ts';
import { type CliName, cliNames, cliTable, isCliName } from './cli-table.ts';
import { createProgressLine } from './progress-line.ts';
import { isCapable, paintFor } from './terminal-look.ts';
import { terminalText, terminalValue, wrapLines } from './terminal-text.ts';

/** An output stream. */
export interface CliStream {
  write(text: string): void;
  readonly isTerminal: boolean;
  readonly columns: number;
}

/** The surroundings of a run. */
export interface CliSurroundings
  extends Pick<FrontContext, 'cwd' | 'home' | 'env' | 'now' | 'signal' | 'launch'> {
  readonly stdout: CliStream;
  readonly stderr: CliStream;
  /** Whether standard input is a terminal, where a person can be asked. */
  readonly isInteractive?: boolean;
  /** Standard input, for the answers to questions. */
  readonly stdin?: () => NodeJS.ReadableStream;
  /** Opens the terminal of the process for the picker; undefined if there is none. */
  readonly openTerminal?: () => Promise<PickerTerminal | undefined>;
}

/** 0 for success, 1 for every error, 130 when the person left without a choice. */
export type ExitStatus = 0 | 1 | 130;

/** Runs `skc <words>` and returns the exit status. Never throws. */
export async function runCli(words: readonly string[], surroundings: CliSurroundings): Promise<ExitStatus> {
  const run = new CliRun(words, surroundings);
  const isDebugging = readVariable(surroundings.env, 'DEBUG') !== undefined;
  if (isDebugging) countFacts();
  try {
    return await run.go();
  } catch (error) {
    run.fail(error);
    return 1;
  } finally {
    if (isDebugging) for (const line of countedFacts()) run.note(line);
  }
}

class CliRun {
  readonly words: readonly string[];
  readonly surroundings: CliSurroundings;
  progressShown = false;
  progressLine: ReturnType<typeof createProgressLine> | undefined;
  /** The command and its skill, for help lines that name them. */
  about: { command?: CliName; skill?: string } = {};

  constructor(words: readonly string[], surroundings: CliSurroundings) {
    this.words = words;
    this.surroundings = surroundings;
  }

  async go(): Promise<ExitStatus> {
    const { stdout } = this.surroundings;
    const [first, ...rest] = flagsLast(this.words);
    if (first === '--version' || first === '-V') {
      stdout.write(`skc ${toolVersion} (${describeRuntime().runtime})\n`);
      return 0;
    }
    if (first === DEPUTY_WORD) return this.workFor(rest[0]);
    if (first === COMPLETE_WORD) return this.complete(rest);
    if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
      const asked = rest.filter((word) => !isFormatFlag(word));
      if (first === undefined && rest.length > asked.length) throw missingCommand();
      return this.help(asked[0]);
    }
    if (isFormatFlag(first)) throw missingCommand();
    const name = this.commandNamed(first);
    this.about.command = name;
    if (wantsHelp(rest)) return this.help(name);
    const [{ parseArguments }, { answerCommand }, command] = await Promise.all([
      import('./parse-arguments.ts'),
      import('../commands/run-command.ts'),
      cliTable[name].declared(),
    ]);
    // Commands that serve content end at once; all others may run long enough to be worth compiling.
    if (command.served === undefined) compileEagerly();
    const { input, format } = await parseArguments(command, rest).catch((error: unknown) => {
      throw error instanceof SkillwrightError ? error.withHelp(`run 'skc ${name} --help'`) : error;
    });
    if (typeof input.skill === 'string') this.about.skill = input.skill;
    // With an explicit format, print instead of opening the list.
    const interaction = asksFor('text', rest) || format !== 'text' ? undefined : cliTable[name].interaction;
    if (interaction?.accepts(input)) {
      const terminal = await this.screen();
      if (terminal !== undefined) {
        const { openContext } = await import('../commands/run-command.ts');
        const context = await openContext(this.context());
        const shown = await interaction.run(input, {
          context,
          paint: paintFor({ isTerminal: true }, this.surroundings.env),
          terminal,
        });
        if (shown === undefined) return 130;
        stdout.write(stdout.isTerminal ? terminalText(shown) : shown);
        return 0;
      }
    }
    const { output, text } = await answerCommand(name, command, {
      input,
      // Without a terminal, the reader may be an agent.
      context: this.context({ isBudgeted: format === 'text' && !stdout.isTerminal, format }),
    });
    this.clearProgress();
    // A server has no result to print: standard output belonged to its clients.
    if (output === undefined) return 0;
    const view = this.view();
    // Forced colour in a pipe usually ends up on a terminal.
    const isShown = view.isTerminal || (format === 'text' && view.paint !== plainPaint);
    const isPlain = format === 'text' && !isShown;
    const written = isPlain ? text() : render(command, { output, format, view, isTerminal: isShown });
    // The text of a skill has lines of its own.
    const isOwn = view.isTerminal && format === 'text' && command.served === undefined;
    stdout.write(isOwn ? wrapLines(written, view.columns) : written);
    return command.failed?.(output) ? 1 : 0;
  }

  /** Runs as a deputy of a server. */
  async workFor(server: string | undefined): Promise<0> {
    compileEagerly();
    const serve =
      server === 'rpc'
        ? (await import('../rpc/deputy-answerer.ts')).serveRpcDeputy
        : (await import('../mcp/deputy-backend.ts')).serveAsDeputy;
    const { openContext } = await import('../commands/run-command.ts');
    await serve(await openContext(this.context()));
    return 0;
  }

  /**
   * The terminal for a full-screen list. A person is there if standard error is a terminal, or both other streams are; an
   * agent that runs skc reads all of them.
   */
  async screen(): Promise<PickerTerminal | undefined> {
    const { isInteractive, stdout, stderr, env, openTerminal } = this.surroundings;
    const isWatched = stderr.isTerminal || (isInteractive && stdout.isTerminal);
    return isWatched && env.TERM !== 'dumb' ? openTerminal?.() : undefined;
  }

  /** Completes a line for a shell: one offer per line, never an error. */
  async complete(words: readonly string[]): Promise<0> {
    const { completeWords } = await import('./complete-words.ts');
    const { openContext } = await import('../commands/run-command.ts');
    const silent = { ...this.context(), report() {}, note() {}, progress() {}, ask: undefined };
    this.surroundings.stdout.write(await completeWords(words, () => openContext(silent)));
    return 0;
  }

  async help(word: string | undefined): Promise<0> {
    const { helpFor } = await import('./help-for.ts');
    this.surroundings.stdout.write(await helpFor(word, this.view()));
    return 0;
  }

  commandNamed(word: string): CliName {
    if (isCliName(word)) return word;
    const candidate = otherWords[word] ?? suggest(word, cliNames)[0];
    const help =
      candidate === undefined ? "run 'skc --help' for the commands" : `did you mean 'skc ${candidate}'?`;
    throw word.startsWith('-') ? unknownOption(word, help) : invalidOption(`unknown command '${word}'`, help);
  }

  context({ isBudgeted = false, format = 'text' } = {}): FrontContext {
    const { surroundings } = this;
    const { cwd, home, env, now } = surroundings;
    return {
      cwd,
      home,
      env,
      now,
      get launch() {
        return surroundings.launch;
      },
      report: (diagnostic) => this.tell(diagnostic),
      by: 'user',
      isBudgeted,
      format: format === 'text' ? undefined : format,
      note: (text) => this.note(text),
      progress: (text) => this.progress(text),
      ask: this.asker(),
      readInput: surroundings.stdin && (({ maxBytes }) => readStream(surroundings.stdin!(), maxBytes)),
      get signal() {
        return surroundings.signal;
      },
    };
  }

  /** Asks on the terminal, if there is one; loads the code with the first question. */
  asker(): Asker | undefined {
    const { stdin, stderr, isInteractive, env } = this.surroundings;
    if (stdin === undefined || !isInteractive || !stderr.isTerminal) return undefined;
    const open = async () => {
      const { askInTerminal } = await import('./ask-in-terminal.ts');
      this.clearProgress();
      const paint = paintFor(stderr, env);
      const { signal } = this.surroundings;
      return askInTerminal({ input: stdin(), write: (text) => stderr.write(text), paint, signal });
    };
    const pick: Asker['pick'] = async (question, choices) => {
      const { pickChoices } = await import('../picker/pick-choices.ts');
      this.clearProgress();
      const terminal = await this.screen();
      return (
        terminal &&
        pickChoices(question, choices, {
          paint: paintFor({ isTerminal: true }, this.surroundings.env),
          terminal,
        })
      );
    };
    return {
      ...(this.hasScreen() ? { pick } : {}),
      choose: async (...question) => (await open()).choose(...question),
      confirm: async (question) => (await open()).confirm(question),
    };
  }

  /** Whether a list may use the screen: input and output are both the terminal. */
  hasScreen(): boolean {
    const { stdin, stdout, env } = this.surroundings;
    const input = stdin?.() as { readonly isTTY?: boolean } | undefined;
    const { openTerminal } = this.surroundings;
    return openTerminal !== undefined && input?.isTTY === true && isCapable(stdout, env);
  }

  view(): View {
    const { stdout, env } = this.surroundings;
    const { isTerminal, columns } = stdout;
    return { paint: paintFor({ isTerminal }, env), columns, by: 'user', isTerminal };
  }

  tell(diagnostic: Diagnostic): void {
    this.clearProgress();
    const { stderr, env } = this.surroundings;
    this.write(renderDiagnostic(diagnostic, paintFor(stderr, env)));
  }

  note(text: string): void {
    this.clearProgress();
    this.write(`${terminalText(text)}\n`);
  }

  /** Writes to standard error. */
  write(text: string): void {
    const { stderr } = this.surroundings;
    stderr.write(stderr.isTerminal ? wrapLines(text, stderr.columns) : text);
  }

  /** A progress line that the next one overwrites; only on a terminal. */
  progress(text: string): void {
    const { stderr, env } = this.surroundings;
    if (!isCapable(stderr, env)) return;
    this.progressLine ??= createProgressLine(() => performance.now());
    const line = this.progressLine(text, stderr.columns - 1);
    if (line === undefined) return;
    stderr.write(`\r\u001b[2K${makeVisible(line).slice(0, stderr.columns - 1)}`);
    this.progressShown = true;
  }

  clearProgress(): void {
    if (this.progressShown) this.surroundings.stderr.write('\r\u001b[2K');
    this.progressShown = false;
  }

  fail(error: unknown): void {
    this.clearProgress();
    const expected = error instanceof SkillwrightError;
    const known = expected ? error : internalError(error, 'please report this; SKC_DEBUG=1 prints the stack');
    // The list of candidates already says what to do.
    const diagnostic = diagnosticOf(
      known.detail === undefined ? known.withHelp(known.nextStep(this.about)) : known,
    );
    this.tell(diagnostic);
    if (!expected && readVariable(this.surroundings.env, 'DEBUG') && error instanceof Error) {
      this.surroundings.stderr.write(`${terminalText(`${error.stack}`)}\n`);
    }
    if (asksFor('json', this.words) || beforeTerminator(this.words).includes('--json')) {
      const { stdout } = this.surroundings;
      const text = `${JSON.stringify(failureJson(diagnostic), null, 2)}\n`;
      stdout.write(stdout.isTerminal ? terminalText(text) : text);
    }
  }
}

/** Names other tools use for a command. */
const otherWords: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  '-v': '--version',
  add: 'install',
  adduser: 'login',
  audit: 'scan',
  cat: 'show',
  check: 'lint',
  compile: 'build',
  create: 'init',
  i: 'install',
  ls: 'list',
  new: 'init',
  remove: 'uninstall',
  rm: 'uninstall',
  serve: 'mcp',
  unpublish: 'yank',
  upgrade: 'update',
});

interface Rendering {
  readonly output: unknown;
  readonly format: string;
  readonly view: View;
  readonly isTerminal: boolean;
}

/** The text of a result. Only `text` is coloured; for a terminal, untrusted text is made safe first. */
function render(command: AnyDeclaration, { output, format, view, isTerminal }: Rendering): string {
  if (format === 'text') return command.text(isTerminal ? terminalValue(output) : output, view);
  const plain = { ...view, paint: plainPaint };
  const text =
    format === 'json' ? `${JSON.stringify(output, null, 2)}\n` : command.formats![format]!(output, plain);
  return isTerminal ? terminalText(text) : text;
}

async function readStream(stream: NodeJS.ReadableStream, maxBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > maxBytes)
      throw SkillwrightError.of('E015', { path: 'standard input', why: `more than ${maxBytes} bytes` });
    chunks.push(part);
  }
  return Buffer.concat(chunks);
}

const missingCommand = () => invalidOption('missing <command>', "run 'skc --help' for the commands");

// Flags every command has are read from the raw words, because they must also work on a line that cannot be parsed.

/** Moves `--json` and `--format` from before the command to after it. */
function flagsLast(words: readonly string[]): readonly string[] {
  let at = 0;
  while (at < words.length && isFormatFlag(words[at]!)) at += words[at] === '--format' ? 2 : 1;
  return at >= words.length ? words : [words[at]!, ...words.slice(0, at), ...words.slice(at + 1)];
}

/** True for a word that chooses the format. */
const isFormatFlag = (word: string) =>
  word === '--json' || word === '--format' || word.startsWith('--format=');

const beforeTerminator = (words: readonly string[]) => {
  const end = words.indexOf('--');
  return end === -1 ? words : words.slice(0, end);
};

/** True when help is asked for. */
function wantsHelp(words: readonly string[]): boolean {
  return beforeTerminator(words).some((word) => word === '--help' || word === '-h');
}

/** True when a format is asked for by name. */
function asksFor(format: string, words: readonly string[]): boolean {
  return beforeTerminator(words).some(
    (word, index, all) => word === `--format=${format}` || (word === '--format' && all[index + 1] === format),
  );
}

interface WithPolicy {
  readonly Bun?: { readonly unsafe?: { setJITPolicy?(scale: number): void } };
}

/**
 * Restores the compiler's usual thresholds, for commands that run longer than a start takes. The executable starts with a
 * delayed just-in-time compiler, which makes short runs shorter and long ones longer.
 */
function compileEagerly(): void {
  (globalThis as WithPolicy).Bun?.unsafe?.setJITPolicy?.(1);
}
