// Attacks by a hostile script, tried in the real sandbox through `skc run`.

import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openControlGroup } from '../src/guard/execute/control-group.ts';
import { makeWorld, skillText, type World } from './make-world.ts';
import { requireProgram } from './required-program.ts';
import { probeSkill } from './sandbox-probes.ts';
import { skcStart } from './skc-program.ts';

beforeEach((context) => {
  requireProgram(context, 'bwrap');
  requireProgram(context, 'python3');
});

const { PATH = '', HOME = '' } = process.env;

function makeProbeWorld(): World {
  return makeWorld({
    ...Object.fromEntries(
      Object.entries(probeSkill).map(([path, text]) => [`.skillc/skills/probe/${path}`, text]),
    ),
    '.skillc/skills/other/SKILL.md': skillText('other', 'nobody else may read this\n'),
    '~/notes.txt': 'private',
    '~/.ssh/id_ed25519': 'key',
    'work.txt': 'work',
  });
}

interface Outcome {
  readonly code?: string;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a probe and gives its code, if it failed, and what it printed. */
async function probe(
  world: World,
  script: string,
  options: { args?: readonly string[]; flags?: readonly string[]; env?: Record<string, string> } = {},
): Promise<Outcome> {
  const { args = [], flags = [], env } = options;
  const words = ['run', 'probe', script, '--json', ...flags, '--', ...args];
  const result = await world.run(words, { env: { PATH, HOME, ...env } });
  const answer = result.json() as { error?: { code: string; data: Outcome }; stdout: string; stderr: string };
  const { stdout, stderr } = answer.error?.data ?? answer;
  return answer.error === undefined ? { stdout, stderr } : { code: answer.error.code, stdout, stderr };
}

describe('files', () => {
  const notThere = 'FileNotFoundError 2\n';

  test('of the system, the home directory, a key, another skill, the project cannot be read', async () => {
    const world = makeProbeWorld();
    const paths = [
      '/etc/shadow',
      '/root/.bashrc',
      join(world.home, 'notes.txt'),
      join(world.home, '.ssh/id_ed25519'),
      join(world.project, '.skillc/skills/other/SKILL.md'),
      join(world.project, 'work.txt'),
      '../other/SKILL.md',
      '/proc/1/root/etc/shadow',
      '/proc/self/root/etc/shadow',
    ];
    const { stdout, ...rest } = await probe(world, 'read.py', { args: paths });
    expect(rest).toEqual({ stderr: '' });
    // The first process may not be looked into at all.
    const lines = stdout.split('\n').slice(0, -1);
    expect(lines.map((line) => (line.startsWith('PermissionError') ? notThere.trim() : line))).toEqual(
      paths.map(() => notThere.trim()),
    );
  });

  test('of others are not even listed', async () => {
    const world = makeProbeWorld();
    const { stdout } = await probe(world, 'list.py', {
      args: [
        world.root,
        join(world.project, '.skillc/skills'),
        world.home,
        '/home',
        '/run',
        '/var',
        '/sys',
        '/mnt',
      ],
    });
    expect(stdout).toBe(`LEAK ['project']\nLEAK ['probe']\n${notThere.repeat(6)}`);
  });

  test('outside and in the skill cannot be written', async () => {
    const world = makeProbeWorld();
    const before = world.list();
    const { stdout } = await probe(world, 'write.py', {
      args: [
        join(world.home, 'notes.txt'),
        '/new',
        '/usr/new',
        '/etc/passwd',
        '/dev/new',
        'SKILL.md',
        'scripts/write.py',
        'new.txt',
      ],
    });
    expect(stdout).toBe(`${notThere}${'OSError 30\n'.repeat(7)}`);
    expect(world.list()).toEqual(before);
  });

  test("beside the skill are nobody else's", async () => {
    const world = makeProbeWorld();
    const before = world.list();
    // The directories above a skill in /tmp are part of the private /tmp.
    const paths = [join(world.project, 'new.txt'), join(world.project, '.skillc/skills/new')];
    await probe(world, 'write.py', { args: paths });
    expect(world.list()).toEqual(before);
  });

  test('cannot be written through a link made inside', async () => {
    const world = makeProbeWorld();
    const before = world.list();
    const { stdout } = await probe(world, 'write-through-link.py', { args: [join(world.home, 'notes.txt')] });
    expect(stdout).toBe(notThere.repeat(2));
    expect(world.list()).toEqual(before);
  });
});

describe('the network', () => {
  /** A server that must not be reached, and how often it was. */
  async function listenOn(
    place: { port: number; host: string } | { path: string },
  ): Promise<[Server, () => number]> {
    let visits = 0;
    const server = createServer((socket) => {
      visits++;
      socket.on('error', () => {}).end('reached');
    }).listen(place);
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    return [server, () => visits];
  }

  test('is not reached by TCP', async () => {
    const [server, visits] = await listenOn({ port: 0, host: '127.0.0.1' });
    const { port } = server.address() as AddressInfo;
    const { stdout } = await probe(makeProbeWorld(), 'connect-tcp.py', { args: [String(port)] });
    expect(stdout).toMatch(/^ConnectionRefusedError 111\nOSError 101\n\w+Error \d+\n$/);
    expect(visits()).toBe(0);
  });

  test('is not reached by UDP', async () => {
    let packets = 0;
    const socket = createSocket('udp4', () => packets++);
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    onTestFinished(() => void socket.close());
    const { stdout } = await probe(makeProbeWorld(), 'connect-udp.py', {
      args: [String(socket.address().port)],
    });
    expect(stdout).toBe('ConnectionRefusedError 111\nOSError 101\n');
    expect(packets).toBe(0);
  });

  test('is not reached by Unix sockets, with a path or without', async () => {
    const world = makeProbeWorld();
    const path = join(world.home, 'socket');
    const name = `skc-probe-${process.pid}`;
    const [, visits] = await listenOn({ path });
    const [, abstractVisits] = await listenOn({ path: `\0${name}` });
    const { stdout } = await probe(world, 'connect-unix.py', { args: [path, name] });
    expect(stdout).toBe(
      'FileNotFoundError 2\nConnectionRefusedError 111\nFileNotFoundError 2\nFileNotFoundError 2\n',
    );
    expect([visits(), abstractVisits()]).toEqual([0, 0]);
  });

  test('is not reached by other kinds of sockets', async () => {
    const { stdout } = await probe(makeProbeWorld(), 'other-sockets.py');
    expect(stdout).toBe('OSError 97\nOSError 97\nPermissionError 1\n');
  });

  test('has no names', async () => {
    const { stdout } = await probe(makeProbeWorld(), 'resolve.py');
    expect(stdout).toMatch(/^gaierror -?\d+\nFileNotFoundError 2\n$/);
  });

  test('does not come in either', async () => {
    const [server] = await listenOn({ port: 0, host: '127.0.0.1' });
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    let isOver = false;
    const running = probe(makeProbeWorld(), 'listen.py', { args: ['0.0.0.0', String(port)] }).finally(() => {
      isOver = true;
    });
    let answered = 0;
    while (!isOver) {
      const socket = connect(port, '127.0.0.1');
      const [event] = await Promise.race([
        once(socket, 'connect').then(() => ['connect']),
        once(socket, 'close').then(() => ['close']),
      ]).catch(() => ['refused']);
      socket.destroy();
      if (event === 'connect') answered++;
      await new Promise(setImmediate);
    }
    expect(await running).toEqual({ stdout: 'listening\nTimeoutError \n', stderr: '' });
    expect(answered).toBe(0);
  });
});

describe('the machine', () => {
  test('other processes are neither seen nor signalled', async () => {
    const { stdout } = await probe(makeProbeWorld(), 'processes.py', { args: [String(process.pid)] });
    expect(stdout).toBe('True\nProcessLookupError 3\nProcessLookupError 3\n');
  });

  test('the environment of the user is not visible', async () => {
    const canary = 'secret-of-the-parent';
    process.env.SKC_TEST_CANARY = canary;
    onTestFinished(() => void delete process.env.SKC_TEST_CANARY);
    const { stdout } = await probe(makeProbeWorld(), 'environment.py', {
      args: [[...canary].reverse().join('')],
      env: { SECRET: canary },
    });
    const [verdict, variables] = stdout.split('\n');
    expect(verdict).toBe('clean');
    expect(variables).toBe(
      "['CLAUDE_SKILL_DIR', 'HOME', 'LANG', 'LOGNAME', 'PATH', 'PWD', 'PYTHONDONTWRITEBYTECODE', 'PYTHONUNBUFFERED', 'SKILL_DIR', 'SKILL_NAME', 'TMPDIR', 'USER']",
    );
  });

  test('the kernel refuses what ways out are built from', async () => {
    const { stdout } = await probe(makeProbeWorld(), 'kernel.py');
    expect(stdout.split('\n')).toEqual([
      ...Array.from({ length: 4 }, () => 'PermissionError 1'),
      ...Array.from({ length: 2 }, () => 'OSError 38'),
      "['/dev/full', '/dev/null', '/dev/pts/ptmx', '/dev/random', '/dev/urandom', '/dev/zero']",
      "True ['CapEff:\\t0000000000000000\\n', 'CapBnd:\\t0000000000000000\\n', 'NoNewPrivs:\\t1\\n']",
      '',
    ]);
  });

  test('no file is made to run with the rights of its owner', async () => {
    const { stdout } = await probe(makeProbeWorld(), 'owner-rights.py');
    expect(stdout).toBe(`0o100700\n${'PermissionError 1\n'.repeat(6)}`);
  });

  test('sockets of others without a path are not reached with the network either', async () => {
    const flags = ['--grant', 'network'];
    const { stdout } = await probe(makeProbeWorld(), 'unnamed-sockets.py', { flags });
    expect(stdout).toBe("OSError 97\nb'x' True\n");
  });

  test('sockets below a shared directory are not reached', async () => {
    const world = makeProbeWorld();
    const { stdout } = await probe(world, 'unnamed-sockets.py', { flags: ['--read', world.project] });
    expect(stdout).toBe("OSError 97\nb'x' True\n");
  });

  test('calls that are newer than the filter are unknown', async () => {
    const { stdout } = await probe(makeProbeWorld(), 'new-calls.py');
    // open_tree_attr, file_setattr, the next ones, and the same call in the second range of x64.
    expect(stdout).toBe('38\n38\n38\n38\n');
  });

  test('open files of the caller are not passed on', async () => {
    const world = makeProbeWorld();
    const line = 'exec 9< "$1"; shift; exec "$@"';
    const words = skcStart(['run', 'probe', 'descriptors.py']).flat();
    const { stdout } = spawnSync('/bin/sh', ['-c', line, 'sh', join(world.home, 'notes.txt'), ...words], {
      cwd: world.project,
      env: { PATH, HOME, SKC_HOME: world.home, SKC_NO_LOG: '1' },
      encoding: 'utf8',
    });
    expect(stdout).toBe('[]\n');
  });
});

describe('limits', () => {
  const memory = { SKC_SCRIPTS_MAX_MEMORY: String(192 * 1024 * 1024) };
  const stoppedFor = (reason: string) => `skc: stopped, because it ${reason}\n`;

  test('4 GiB of memory at once are refused', async () => {
    expect(await probe(makeProbeWorld(), 'memory.py')).toEqual({ stdout: 'MemoryError \n', stderr: '' });
  });

  test.for([
    'memory-by-pieces.py',
    'memory-of-many.py',
    'memory-of-a-thread.py',
    'memory-of-tables.py',
    'memory-of-sockets.py',
    'memory-of-pipes.py',
    'memory-of-names.py',
  ])('too much memory ends it: %s', async (script) => {
    const outcome = await probe(makeProbeWorld(), script, { env: memory });
    const stderr = stoppedFor('used more than 192 MiB of memory');
    expect(outcome).toEqual({ code: 'E073', stdout: '', stderr });
  });

  test('memory that would outlive its mapping is refused', async () => {
    const { stdout } = await probe(makeProbeWorld(), 'memory-shared.py');
    expect(stdout).toBe("PermissionError 1\nOSError 19\nb'\\x00\\x00\\x00\\x00'\n");
  });

  test('memory is not moved into pipes, and programs copy instead', async () => {
    const { stdout } = await probe(makeProbeWorld(), 'moved-pages.py');
    expect(stdout).toBe('OSError 38\nOSError 38\nOSError 22\nOSError 22\nPermissionError 1\nTrue\n');
  });

  test('memory of the kernel ends it where a control group can be had', async (context) => {
    const group = openControlGroup('memory', 2 ** 30);
    if (group === undefined) return context.skip('no control group can be had here');
    group.remove();
    const { code, stderr } = await probe(makeProbeWorld(), 'memory-of-maps.py', { env: memory });
    expect([code, stderr]).toEqual(['E073', stoppedFor('used more than 192 MiB of memory')]);
  });

  test('memory that processes share counts once', async () => {
    const outcome = await probe(makeProbeWorld(), 'memory-shared-by-many.py', { env: memory });
    expect(outcome).toEqual({ stdout: 'done\n', stderr: '' });
  });

  test('memory in files ends with the space for them', async () => {
    const { stdout } = await probe(makeProbeWorld(), 'memory-in-files.py');
    expect(stdout).toBe('OSError 28\nfull 28 True\n');
  });

  test.for(['fork-bomb.py', 'thread-bomb.py'])('too many processes end it: %s', async (script) => {
    const { code, stdout, stderr } = await probe(makeProbeWorld(), script);
    // Root is stopped when the kernel refuses another process; everybody else goes on without it.
    const reasons = ['had more than 128 processes', 'used more than 512 MiB of memory'].map(stoppedFor);
    const isContained = reasons.some((reason) => stderr.endsWith(reason)) || /Error/.test(stderr);
    expect({ code, stdout, isContained }).toEqual({ code: 'E073', stdout: '', isContained: true });
  });

  const flooded = { SKC_SCRIPTS_MAX_OUTPUT: '100000' };
  test.for([
    ['stdout', { stdout: 100_000, stderr: 0 }],
    ['stderr', { stdout: 0, stderr: 100_000 }],
  ] as const)('endless output on %s is cut while it runs', async ([stream, kept]) => {
    const { code, stdout, stderr } = await probe(makeProbeWorld(), 'flood.py', {
      args: [stream],
      env: flooded,
    });
    expect({ code, stdout: stdout.length, stderr: stderr.length }).toEqual({ code: 'E072', ...kept });
  });

  test('both streams count together', async () => {
    const { code, stdout, stderr } = await probe(makeProbeWorld(), 'flood-both.py', { env: flooded });
    expect([code, stdout.length + stderr.length]).toEqual(['E072', 100_000]);
  });

  test('what ignores every signal is stopped in time', async () => {
    const world = makeProbeWorld();
    // On a busy machine the script may not even have begun when its time is over.
    for (let seconds = 0.5; ; seconds *= 4) {
      const outcome = await probe(world, 'ignore-term.py', { flags: ['--timeout', String(seconds)] });
      if (outcome.stdout === '' && seconds < 30) continue;
      expect(outcome).toEqual({ code: 'E071', stdout: 'started\n', stderr: '' });
      return;
    }
  });

  test('nothing is left behind', async () => {
    const seconds = `9${String(process.pid).padStart(8, '0')}`;
    expect(await probe(makeProbeWorld(), 'daemon.py', { args: [seconds] })).toEqual({
      stdout: 'left\n',
      stderr: '',
    });
    const alive = readdirSync('/proc').filter((name) => {
      try {
        return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(seconds);
      } catch {
        return false;
      }
    });
    expect(alive).toEqual([]);
  });
});

describe('arguments', () => {
  test('reach the script as they are', async () => {
    const args = [
      '; rm -rf /',
      '$(id)',
      '`id`',
      'a\nb',
      '',
      '--help',
      '-',
      '*',
      '\'"\\',
      '\u202e',
      'x'.repeat(4096),
    ];
    const { stdout } = await probe(makeProbeWorld(), 'arguments.py', { args });
    expect(JSON.parse(stdout)).toEqual(args);
  });

  const refused: [string, string[]][] = [
    ['a NUL character', ['a\0b']],
    ['one too long', ['x'.repeat(4097)]],
    ['too many', Array.from({ length: 101 }, () => 'x')],
  ];
  test.for(refused)('are refused: %s', async ([, args]) => {
    const world = makeProbeWorld();
    const { json } = await world.run(['run', 'probe', 'arguments.py', '--json', '--', ...args], {
      env: { PATH, HOME },
    });
    expect(json()).toMatchObject({ error: { code: 'E075' } });
  });
});

describe('the script itself', () => {
  test.for([
    ['a link out', 'link.py', 'E012'],
    ['a path out', '../other/SKILL.md', 'E012'],
    ['an absolute path', '/bin/sh', 'E012'],
    ['none at all', 'none.py', 'E070'],
    ['no script', 'data.txt', 'E070'],
  ] as const)('%s is refused', async ([, script, code]) => {
    const world = makeProbeWorld();
    world.write({
      'outside.py': 'print("outside")\n',
      '.skillc/skills/probe/scripts/link.py': { link: '../../../../outside.py' },
      '.skillc/skills/probe/scripts/data.txt': 'data',
    });
    const { json, status } = await world.run(['run', 'probe', script, '--json'], { env: { PATH, HOME } });
    expect([status, json()]).toMatchObject([1, { error: { code } }]);
  });
});
