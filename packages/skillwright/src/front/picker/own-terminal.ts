// The terminal the process runs in, taken for a while: raw keys, the alternate screen, signals.

import type { PickerTerminal, TerminalListener } from './run-picker.ts';

/** The other screen, no wrapping of lines that are too long, pasted text in brackets. */
const ENTER = '\u001b[?1049h\u001b[?7l\u001b[?2004h';
/** The reverse, with nothing left on the other screen: some terminals mix the two when they were resized in between. */
const LEAVE = '\u001b[?2026l\u001b[0m\u001b[2J\u001b[?2004l\u001b[?7h\u001b[?25h\u001b[?1049l';

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** Takes the terminal of standard input and output. `write` writes to standard output at once. */
export function ownTerminal(write: (text: string) => void): PickerTerminal {
  const { stdin, stdout } = process;
  let listener: TerminalListener | undefined;
  let isOpen = true;
  let endedBy: (typeof endings)[number] | undefined;

  const send = (text: string): void => {
    try {
      write(text);
    } catch {
      // The terminal has gone; there is nobody left to tell.
      listener?.gone();
    }
  };
  const setRaw = (isRaw: boolean): void => {
    try {
      stdin.setRawMode(isRaw);
    } catch {
      listener?.gone();
    }
  };
  const onInput = (bytes: Uint8Array) => listener?.input(bytes);
  const onGone = () => listener?.gone();
  const onResize = () => listener?.resized();
  // Stopped and continued: the shell has had the terminal in between.
  const onContinue = () => {
    setRaw(false);
    setRaw(true);
    send(ENTER);
    listener?.lost();
  };
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
    stdin.off('data', onInput).off('end', onGone).off('close', onGone).pause();
    stdout.off('resize', onResize);
    process.off('exit', restore).off('SIGCONT', onContinue);
    for (const [name, handle] of handlers) process.off(name, handle);
    // Whoever waits for this process learns what ended it.
    if (endedBy !== undefined) process.kill(process.pid, endedBy);
  };

  return {
    size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
    write: send,
    listen(wanted) {
      listener = wanted;
      // For an end that nobody foresaw.
      process.on('exit', restore).on('SIGCONT', onContinue);
      for (const [name, handle] of handlers) process.on(name, handle);
      // A terminal that goes away is an error of the stream, later ones included.
      stdin.on('error', onGone);
      stdout.on('error', onGone).on('resize', onResize);
      setRaw(true);
      send(ENTER);
      stdin.on('data', onInput).on('end', onGone).on('close', onGone).resume();
    },
    close,
  };
}
