// One run of the command line, from words to exit status. Knows no process: the caller gives streams and surroundings.

import {
  catchCoded,
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
import { describeRuntime, toolVersion } from '../../base/version.ts';
import {
  type AnyCommand,
  type Asker,
  COMPLETE_WORD,
  DEPUTY_WORD,
  type FrontContext,
  type View,
} from '../commands/index.ts';
import { type CliName, cliNames, cliTable, isCliName } from './cli-table.ts';
import { compileEagerly } from './compile-eagerly.ts';
import { isCapable, paintFor } from './terminal-look.ts';
import { terminalText, terminalValue } from './terminal-text.ts';

/** Where text goes. */
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
}

/** Runs `skc <words>` and gives the exit status: 0, or 1 for every error. Never throws. */
export async function runCli(words: readonly string[], surroundings: CliSurroundings): Promise<0 | 1> {
  const run = new CliRun(words, surroundings);
  const isDebugging = Boolean(surroundings.env.SKC_DEBUG);
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

  constructor(words: readonly string[], surroundings: CliSurroundings) {
    this.words = words;
    this.surroundings = surroundings;
  }

  async go(): Promise<0 | 1> {
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
    if (wantsHelp(rest)) return this.help(name);
    const [{ parseArguments }, { runCommand }, command] = await Promise.all([
      import('./parse-arguments.ts'),
      import('../commands/run-command.ts'),
      cliTable[name].load(),
    ]);
    // What serves content is over in a moment; everything else may have work worth compiling for.
    if (command.served === undefined) compileEagerly();
    const { input, format } = catchCoded(
      () => parseArguments(command, rest),
      (error) => {
        throw error.withHelp(`run 'skc ${name} --help'`);
      },
    );
    if (format === 'text') {
      const shown = await this.interact(name, input);
      if (shown !== undefined) {
        stdout.write(shown);
        return 0;
      }
    }
    const output = await runCommand(name, command, {
      input,
      // Where nobody sits at a terminal, an agent may be reading.
      context: this.context({ isBudgeted: format === 'text' && !stdout.isTerminal }),
    });
    this.clearProgress();
    // A server has no result: standard output belonged to its clients.
    if (output === undefined) return 0;
    const view = this.view();
    // Colour that was forced into a pipe ends up on a terminal.
    const isShown = stdout.isTerminal || (format === 'text' && view.paint !== plainPaint);
    stdout.write(render(command, { output, format, view, isTerminal: isShown }));
    return command.failed?.(output) ? 1 : 0;
  }

  /** Works for a server, in a process that it has started. */
  async workFor(server: string | undefined): Promise<0> {
    compileEagerly();
    const serve =
      server === 'rpc'
        ? (await import('../rpc/serve-as-deputy.ts')).serveRpcDeputy
        : (await import('../mcp/serve-as-deputy.ts')).serveAsDeputy;
    const { openContext } = await import('../commands/run-command.ts');
    await serve(await openContext(this.context()));
    return 0;
  }

  /** What a command says at the end of its own dialogue; undefined where it has none, or there is nobody to talk to. */
  async interact(name: CliName, input: Record<string, unknown>): Promise<string | undefined> {
    const { interact } = cliTable[name];
    const { isInteractive, stdout, env } = this.surroundings;
    if (interact === undefined || !isInteractive || !isCapable(stdout, env)) return undefined;
    const { paint } = this.view();
    const { openContext } = await import('../commands/run-command.ts');
    return interact(input, {
      context: await openContext(this.context()),
      paint,
      write: (text) => stdout.write(text),
    });
  }

  /** Completes the words of a line for a shell: offers one a line, and never complains. */
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

  context({ isBudgeted = false } = {}): FrontContext {
    const { surroundings } = this;
    const { cwd, home, env, now, launch } = surroundings;
    return {
      cwd,
      home,
      env,
      now,
      launch,
      report: (diagnostic) => this.tell(diagnostic),
      by: 'user',
      isBudgeted,
      note: (text) => this.note(text),
      progress: (text) => this.progress(text),
      ask: this.asker(),
      readInput: surroundings.stdin && (({ maxBytes }) => readStream(surroundings.stdin!(), maxBytes)),
      get signal() {
        return surroundings.signal;
      },
    };
  }

  /** Asks on the terminal, where there is one; the questions' own code is loaded with the first question. */
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
      const [{ pickChoices }, { ownTerminal }] = await Promise.all([
        import('../picker/pick-choices.ts'),
        import('../picker/own-terminal.ts'),
      ]);
      this.clearProgress();
      const openTerminal = () => ownTerminal((text) => this.surroundings.stdout.write(text));
      return pickChoices(question, choices, { paint: this.view().paint, openTerminal });
    };
    return {
      ...(this.hasScreen() ? { pick } : {}),
      choose: async (...question) => (await open()).choose(...question),
      confirm: async (question) => (await open()).confirm(question),
    };
  }

  /** Whether a list may take the screen: both ends of the terminal are ours. */
  hasScreen(): boolean {
    const { stdin, stdout, env } = this.surroundings;
    const input = stdin?.() as { readonly isTTY?: boolean } | undefined;
    return input?.isTTY === true && isCapable(stdout, env);
  }

  view(): View {
    const { stdout, env } = this.surroundings;
    return {
      paint: paintFor(stdout, env),
      columns: stdout.columns,
      by: 'user',
      isTerminal: stdout.isTerminal,
    };
  }

  tell(diagnostic: Diagnostic): void {
    const { stderr, env } = this.surroundings;
    this.clearProgress();
    stderr.write(renderDiagnostic(diagnostic, paintFor(stderr, env)));
  }

  note(text: string): void {
    this.clearProgress();
    this.surroundings.stderr.write(`${terminalText(text)}\n`);
  }

  /** One line that is written over by the next one, on a terminal alone. */
  progress(text: string): void {
    const { stderr, env } = this.surroundings;
    if (!isCapable(stderr, env)) return;
    stderr.write(`\r\u001b[2K${makeVisible(text).slice(0, stderr.columns - 1)}`);
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
    const diagnostic = diagnosticOf(known);
    this.tell(diagnostic);
    if (!expected && this.surroundings.env.SKC_DEBUG && error instanceof Error) {
      this.surroundings.stderr.write(`${terminalText(`${error.stack}`)}\n`);
    }
    if (wantsJson(this.words)) {
      const { stdout } = this.surroundings;
      const text = `${JSON.stringify(failureJson(diagnostic), null, 2)}\n`;
      stdout.write(stdout.isTerminal ? terminalText(text) : text);
    }
  }
}

/** What other tools call a command. */
const otherWords: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  '-v': '--version',
  add: 'install',
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
  upgrade: 'update',
});

interface Rendering {
  readonly output: unknown;
  readonly format: string;
  readonly view: View;
  readonly isTerminal: boolean;
}

/** The text of a result. Only `text` is painted, and for a terminal it is made from texts that are harmless already. */
function render(command: AnyCommand, { output, format, view, isTerminal }: Rendering): string {
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

/** The words with `--json` and `--format` that stand before the command put behind it. */
function flagsLast(words: readonly string[]): readonly string[] {
  let at = 0;
  while (at < words.length && isFormatFlag(words[at]!)) at += words[at] === '--format' ? 2 : 1;
  return at >= words.length ? words : [words[at]!, ...words.slice(0, at), ...words.slice(at + 1)];
}

const isFormatFlag = (word: string) =>
  word === '--json' || word === '--format' || word.startsWith('--format=');

const missingCommand = () => invalidOption('missing <command>', "run 'skc --help' for the commands");

const beforeTerminator = (words: readonly string[]) => {
  const end = words.indexOf('--');
  return end === -1 ? words : words.slice(0, end);
};

function wantsHelp(words: readonly string[]): boolean {
  return beforeTerminator(words).some((word) => word === '--help' || word === '-h');
}

/** Looks at the words themselves, because a command line that cannot be parsed must fail as JSON too. */
function wantsJson(words: readonly string[]): boolean {
  return beforeTerminator(words).some(
    (word, index, all) =>
      word === '--json' || word === '--format=json' || (word === '--format' && all[index + 1] === 'json'),
  );
}
