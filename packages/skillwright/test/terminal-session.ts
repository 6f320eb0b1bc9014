// A shell in a real terminal, driven through tmux.

import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { onTestFinished, type TestContext, vi } from 'vitest';
import { processEnvironment } from './process-environment.ts';
import { requireProgram } from './required-program.ts';

/** Where the shell runs and how large its window is. */
export interface SessionOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

/** A terminal with a shell in it; gone when the test is over. */
export interface TerminalSession {
  /** Types text as it is. */
  type(text: string): void;
  /** Presses keys by tmux's names: `Enter`, `Down`, `C-c`. */
  press(...keys: string[]): void;
  /** Pastes text as a terminal does. */
  paste(text: string): void;
  resize(columns: number, rows: number): void;
  /** The lines on the screen; with styles when asked for. */
  screen(options?: { styled: boolean }): string;
  /** Waits until the screen shows something, and gives it. Fails with what it shows instead. */
  shows(wanted: string | RegExp): Promise<string>;
  /** Whether the cursor is visible, the other screen is on, and long lines wrap: `1 0 1` in a shell. */
  modes(): string;
  /** Closes the window, as a person does. */
  hangUp(): void;
}

/** Opens a terminal; ends the test here when there is no tmux. */
export function openSession(context: TestContext, options: SessionOptions): TerminalSession {
  requireProgram(context, 'tmux');
  const server = `skc-test-${randomUUID()}`;
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-u', '-L', server, '-f', '/dev/null', ...args], {
      cwd: options.cwd,
      encoding: 'utf8',
      env: { ...processEnvironment, LANG: 'C.UTF-8', ...options.env },
    });
  onTestFinished(() => {
    spawnSync('tmux', ['-L', server, 'kill-server'], { stdio: 'ignore' });
  });
  const { columns = 80, rows = 24 } = options;
  tmux(
    'new-session',
    '-d',
    '-x',
    `${columns}`,
    '-y',
    `${rows}`,
    "PS1='READY> ' exec bash --norc --noprofile",
  );
  const screen = ({ styled } = { styled: false }) => tmux('capture-pane', '-p', ...(styled ? ['-e'] : []));
  return {
    type: (text) => tmux('send-keys', '-l', '--', text),
    press: (...keys) => tmux('send-keys', ...keys),
    paste(text) {
      tmux('set-buffer', '--', text);
      tmux('paste-buffer', '-p');
    },
    resize: (width, height) => tmux('resize-window', '-x', `${width}`, '-y', `${height}`),
    screen,
    shows: (wanted) =>
      vi.waitFor(
        () => {
          const text = screen();
          const isThere = typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
          if (!isThere) throw new Error(`the screen does not show ${wanted}:\n${text}`);
          return text;
        },
        { timeout: 60_000, interval: 50 },
      ),
    modes: () => tmux('display-message', '-p', '#{cursor_flag} #{alternate_on} #{wrap_flag}').trim(),
    hangUp: () => tmux('kill-pane'),
  };
}
