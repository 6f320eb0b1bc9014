// Contract of every sandbox, for tests.

import { realpathSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Limits } from '../src/guard/execute/limits.ts';
import type { RunResult, Sandbox, SandboxedCommand } from '../src/guard/execute/sandbox.ts';

/** Limits that a test reaches soon. */
export const smallLimits: Limits = {
  seconds: 10,
  outputBytes: 1000,
  memoryBytes: 256 * 1024 * 1024,
  processes: 64,
  fileBytes: 1024 * 1024,
};

const root = realpathSync.native('/');

function shell(text: string, more: Partial<SandboxedCommand> = {}): SandboxedCommand {
  return { argv: ['/bin/sh', '-c', text], cwd: root, readable: [], limits: smallLimits, ...more };
}

/** A result without its time. */
function seen({ durationMs, ...rest }: RunResult): Omit<RunResult, 'durationMs'> {
  expect(durationMs).toBeGreaterThanOrEqual(0);
  return rest;
}

/** The suite. */
export function describeSandbox(open: () => Promise<Sandbox>): void {
  test('gives both streams and the status', async () => {
    const sandbox = await open();
    const result = await sandbox.run(shell('echo out; echo err >&2; exit 3'));
    expect(seen(result)).toEqual({ exitCode: 3, stdout: 'out\n', stderr: 'err\n', stopped: undefined });
  });

  test('passes arguments as they are', async () => {
    const sandbox = await open();
    const words = ['a b', '; exit 9', '$(id)', '`id`', "'", '"', '\n', '*', '', '--', '\\', 'ü🙂'];
    const argv = ['/bin/sh', '-c', 'for word; do printf "[%s]" "$word"; done', 'sh', ...words] as const;
    const { stdout } = await sandbox.run({ ...shell(''), argv: [...argv] });
    expect(stdout).toBe(words.map((word) => `[${word}]`).join(''));
  });

  test('gives the input, and an end of it where there is none', async () => {
    const sandbox = await open();
    expect((await sandbox.run({ ...shell('cat'), stdin: 'some\ninput' })).stdout).toBe('some\ninput');
    expect((await sandbox.run(shell('cat; echo end'))).stdout).toBe('end\n');
  });

  test('a program that does not read its input does no harm', async () => {
    const sandbox = await open();
    const { exitCode } = await sandbox.run({ ...shell('exit 0'), stdin: 'x'.repeat(1024 * 1024) });
    expect(exitCode).toBe(0);
  });

  test('inherits no variable, and passes on those that are given', async () => {
    const sandbox = await open();
    process.env.SKC_TEST_SECRET = 'secret';
    const { stdout } = await sandbox.run(
      shell('echo "[$SKC_TEST_SECRET][$GIVEN]"', { env: { GIVEN: 'x y' } }),
    );
    delete process.env.SKC_TEST_SECRET;
    expect(stdout).toBe('[][x y]\n');
  });

  test('has a home and a temporary directory of its own', async () => {
    const sandbox = await open();
    const { stdout } = await sandbox.run(
      shell(
        'ls -A "$HOME"; cd "$HOME" && echo x > file && cat file; cd "$TMPDIR" && echo y > file && cat file',
      ),
    );
    expect(stdout).toBe('x\ny\n');
  });

  for (const [stream, redirect] of [
    ['standard output', ''],
    ['standard error', '>&2'],
  ] as const) {
    test(`stops a flood on ${stream}, and keeps what came before`, async () => {
      const sandbox = await open();
      const flood = `while :; do echo 123456789 ${redirect}; done`;
      const result = await sandbox.run(shell(flood));
      expect(seen(result)).toEqual({
        exitCode: 137,
        stopped: 'output',
        stdout: stream === 'standard output' ? '123456789\n'.repeat(100) : '',
        stderr: stream === 'standard error' ? '123456789\n'.repeat(100) : '',
      });
    });
  }

  test('stops what runs too long, also when it will not hear of it', async () => {
    const sandbox = await open();
    const stubborn = 'trap "" TERM INT HUP; echo started; while :; do sleep 1; done';
    const result = await sandbox.run(shell(stubborn, { limits: { ...smallLimits, seconds: 5 } }));
    expect(seen(result)).toEqual({ exitCode: 137, stopped: 'time', stdout: 'started\n', stderr: '' });
  });

  test('limits the size of a file', async () => {
    const sandbox = await open();
    const { stdout } = await sandbox.run(
      shell('cd "$TMPDIR"; dd if=/dev/zero of=big bs=1024 count=2048 2>/dev/null; wc -c < big | tr -d " "'),
    );
    expect(stdout).toBe(`${smallLimits.fileBytes}\n`);
  });

  test('an aborted run rejects with the reason', async () => {
    const sandbox = await open();
    const controller = new AbortController();
    const running = sandbox.run(shell('sleep 60', { signal: controller.signal }));
    controller.abort(new Error('no longer wanted'));
    await expect(running).rejects.toThrow('no longer wanted');
    await expect(sandbox.run(shell('sleep 60', { signal: controller.signal }))).rejects.toThrow(
      'no longer wanted',
    );
  });

  test('a process can be talked with', async () => {
    const sandbox = await open();
    const process = sandbox.start(
      shell('while read -r line; do echo "heard $line"; done; echo bye >&2; exit 4'),
    );
    const heard: string[] = [];
    process.stdout.setEncoding('utf8').on('data', (text: string) => {
      heard.push(text);
      if (heard.join('').endsWith('heard one\n')) process.input.write('two\n');
      if (heard.join('').endsWith('heard two\n')) process.input.end();
    });
    process.input.write('one\n');
    expect(await process.exited).toEqual({ exitCode: 4, stopped: undefined, failure: undefined });
    expect([heard.join(''), process.stderr()]).toEqual(['heard one\nheard two\n', 'bye\n']);
    // All of this is too late, and harmless.
    process.input.write('three\n');
    process.input.end();
    process.kill();
  });

  test('a process that floods waits until it is read, and keeps the start of its errors', async () => {
    const sandbox = await open();
    const flood =
      'i=0; while [ $i -lt 20000 ]; do echo 123456789 >&2; i=$((i+1)); done; while :; do echo x; done';
    const process = sandbox.start(shell(flood));
    await new Promise((resolve) => process.stdout.once('readable', resolve));
    process.kill();
    expect(await process.exited).toEqual({ exitCode: 137, stopped: 'asked', failure: undefined });
    expect(process.stderr()).toBe('123456789\n'.repeat(6554).slice(0, 64 * 1024));
  });
}
