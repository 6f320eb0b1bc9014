// Takes over the terminal for a while: raw keys, the alternate screen, signals.

import { openSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { ReadStream } from 'node:tty';
import type { PickerTerminal, TerminalListener } from './run-picker.ts';

/** Alternate screen, no line wrapping, and bracketed paste. */
const ENTER = '\u001b[?1049h\u001b[?7l\u001b[?2004h';
/** The reverse, with the alternate screen cleared: some terminals mix both screens after a resize. */
const LEAVE = '\u001b[?2026l\u001b[0m\u001b[2J\u001b[?2004l\u001b[?7h\u001b[?25h\u001b[?1049l';

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * Takes over the terminal: standard input and output if they are one, otherwise the controlling terminal, so that pipes
 * on either side do not matter. Undefined when there is none. `write` writes to a descriptor at once.
 */
export function ownTerminal(
  write: (descriptor: number, text: string) => unknown,
): PickerTerminal | undefined {
  const input = openInput();
  if (input === undefined) return undefined;
  const screen = process.stdout.isTTY ? process.stdout : process.stderr;
  const output = process.stdout.isTTY ? 1 : (openTerminal('w') ?? 2);
  let listener: TerminalListener | undefined;
  let isOpen = true;
  let endedBy: (typeof endings)[number] | undefined;

  const send = (text: string): void => {
    try {
      write(output, text);
    } catch {
      // The terminal is gone, and nobody is left to tell.
      listener?.gone();
    }
  };
  const setRaw = (isRaw: boolean): void => {
    try {
      input.setRawMode(isRaw);
    } catch {
      listener?.gone();
    }
  };
  const onInput = (bytes: Uint8Array) => listener?.input(bytes);
  const onGone = () => listener?.gone();
  const onResize = () => listener?.resized();

  /** Takes over the terminal again after the shell had it. */
  const take = (): void => {
    if (!isOpen) return;
    setRaw(false);
    setRaw(true);
    send(ENTER);
    listener?.lost();
    // The window may have been resized; only foreground jobs are notified.
    process.kill(process.pid, 'SIGWINCH');
  };

  /** Restores the terminal and stops this process or its whole job; returns when it continues. */
  const stop = (target: number): void => {
    send(LEAVE);
    setRaw(false);
    process.off('SIGTSTP', onStop);
    process.kill(target, 'SIGTSTP');
    process.on('SIGTSTP', onStop);
    take();
  };
  const onStop = () => stop(process.pid);

  const handlers = endings.map((name) => {
    const handle = () => {
      endedBy = name;
      listener?.gone();
    };
    return [name, handle] as const;
  });

  const restore = (): void => {
    if (!isOpen) return;
    isOpen = false;
    send(LEAVE);
    setRaw(false);
  };

  const close = (): void => {
    listener = undefined;
    restore();
    input.off('data', onInput).off('end', onGone).off('close', onGone).pause();
    screen.off('resize', onResize);
    process.off('exit', restore).off('SIGCONT', take).off('SIGTSTP', onStop);
    for (const [name, handle] of handlers) process.off(name, handle);
    // Let the parent process see which signal ended this one.
    if (endedBy !== undefined) process.kill(process.pid, endedBy);
  };

  return {
    size: () => ({ columns: screen.columns || 80, rows: screen.rows || 24 }),
    write: send,
    listen(wanted) {
      listener = wanted;
      // For an unexpected exit.
      process.on('exit', restore).on('SIGCONT', take).on('SIGTSTP', onStop);
      for (const [name, handle] of handlers) process.on(name, handle);
      // A terminal that disappears is an error of the stream, later ones included.
      input.on('error', onGone);
      screen.on('error', onGone).on('resize', onResize);
      setRaw(true);
      send(ENTER);
      input.on('data', onInput).on('end', onGone).on('close', onGone).resume();
    },
    suspend() {
      if (isShellsOwn()) return false;
      // Stop the other processes of the pipeline too, as with any Ctrl-Z.
      stop(0);
      return true;
    },
    close,
  };
}

function openInput(): ReadStream | undefined {
  if (process.stdin.isTTY) return process.stdin;
  const descriptor = openTerminal('r');
  return descriptor === undefined ? undefined : new ReadStream(descriptor);
}

function openTerminal(flags: 'r' | 'w'): number | undefined {
  try {
    return openSync('/dev/tty', flags);
  } catch {
    // The process has no terminal, or the system has no such file.
    return undefined;
  }
}

/**
 * Whether the job is the shell's own, as in `$(skc skills)`: stopping it would leave the shell waiting for ever. Such a
 * shell leads the process group and ignores the signal.
 */
function isShellsOwn(): boolean {
  try {
    const [, group] = /^.*\) \S+ \S+ (\d+) /s.exec(readFileSync('/proc/self/stat', 'latin1'))!;
    const [, ignored] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${group}/status`, 'latin1'))!;
    return ((BigInt(`0x${ignored}`) >> BigInt(constants.signals.SIGTSTP - 1)) & 1n) === 1n;
  } catch {
    // Other systems do not tell; with a pipe for output it is likely.
    return !process.stdout.isTTY;
  }
}
