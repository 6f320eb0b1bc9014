// The same walls for an ordinary user. Where the tests run as one, the probes themselves have shown it.

import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, test } from 'vitest';
import { makeDirectory, writeTree } from './make-directory.ts';
import { requireProgram } from './required-program.ts';
import { probeSkill } from './sandbox-probes.ts';
import { skcStart } from './skc-program.ts';

const NOBODY = 65534;

beforeEach((context) => {
  requireProgram(context, 'bwrap');
  requireProgram(context, 'python3');
  if (process.getuid?.() !== 0) context.skip('only root can become somebody else');
});

/** Runs a probe. `timeout` is a guard against hanging, except where the probe sleeps until its time is up. */
async function probeAsNobody(script: string, { args = [] as string[], timeout = 60 } = {}) {
  const root = makeDirectory();
  chmodSync(root, 0o755);
  writeTree(
    root,
    Object.fromEntries(Object.entries(probeSkill).map(([path, content]) => [`probe/${path}`, content])),
  );
  const home = join(root, 'home');
  mkdirSync(home);
  chownSync(home, NOBODY, NOBODY);
  const words = ['run', './probe', script, '--json', '--timeout', String(timeout), '--', ...args];
  const child = spawn(...skcStart(words), {
    cwd: root,
    uid: NOBODY,
    gid: NOBODY,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home, SKC_HOME: home, SKC_NO_LOG: '1' },
  });
  const printed = JSON.parse(await text(child.stdout)) as {
    error?: { code: string; data: { stdout: string; stderr: string } };
    stdout: string;
    stderr: string;
  };
  const { stdout, stderr } = printed.error?.data ?? printed;
  return { code: printed.error?.code, stdout, stderr };
}

test('a fork bomb is refused more processes', async () => {
  const { code, stderr } = await probeAsNobody('fork-until-refused.py');
  expect([code, stderr]).toEqual(['E073', expect.stringContaining('BlockingIOError: [Errno 11]')]);
});

test('4 GiB of memory are refused, at once and by pieces', async () => {
  expect(await probeAsNobody('memory.py')).toEqual({ code: undefined, stdout: 'MemoryError \n', stderr: '' });
  expect(await probeAsNobody('memory-by-pieces.py')).toEqual({
    code: 'E073',
    stdout: '',
    stderr: 'skc: stopped, because it used more than 512 MiB of memory\n',
  });
});

test.for(['memory-of-sockets.py', 'memory-of-names.py', 'memory-of-pipes.py'])(
  'what the kernel keeps counts too: %s',
  async (script) => {
    expect(await probeAsNobody(script)).toEqual({
      code: 'E073',
      stdout: '',
      stderr: 'skc: stopped, because it used more than 512 MiB of memory\n',
    });
  },
);

test('memory that processes share counts once', async () => {
  expect(await probeAsNobody('memory-shared-by-many.py')).toEqual({
    code: undefined,
    stdout: 'done\n',
    stderr: '',
  });
});

test('files of others and the network are not there', async () => {
  const missing = 'FileNotFoundError 2\n';
  expect((await probeAsNobody('read.py', { args: ['/etc/shadow', '/etc/hostname'] })).stdout).toBe(
    missing.repeat(2),
  );
  expect((await probeAsNobody('connect-tcp.py', { args: ['22'] })).stdout).toMatch(
    /^ConnectionRefusedError 111\nOSError 101\n/,
  );
});
