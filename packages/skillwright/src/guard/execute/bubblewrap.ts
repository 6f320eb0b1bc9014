// The sandbox on Linux: bubblewrap, which gives a process namespaces of its own and a file system made of what it may see.

import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { release } from 'node:os';
import { joinWords } from '../../base/files/index.ts';
import { launcherOf } from './limits.ts';
import { openMemoryGroup } from './memory-group.ts';
import { runToEnd } from './run-to-end.ts';
import type { Sandbox, SandboxedCommand } from './sandbox.ts';
import { PRIVATE_HOME, sandboxVariables } from './sandbox-variables.ts';
import { seccompFilter } from './seccomp-filter.ts';
import { type ProcessPlan, startProcess } from './start-process.ts';

/** What is particular about the machine. */
interface LinuxMachine {
  /** The executable of bubblewrap. */
  readonly program: string;
  /** Words that bring the programs of the system in. */
  readonly system: readonly string[];
  /** Words that cover what the kernel tells of the whole machine. */
  readonly kernel: readonly string[];
  /** For a network of its own, and for that of the machine. */
  readonly filters: { readonly own: Uint8Array | undefined; readonly shared: Uint8Array | undefined };
  /** Whether a limit on processes counts those of the sandbox alone, as it does from Linux 5.14 on. */
  readonly countsOwnProcesses: boolean;
}

/** The sandbox made with the bubblewrap at `program`. */
export function createBubblewrap(program: string): Sandbox {
  const machine = lookAtMachine(program);
  const start = (command: SandboxedCommand) =>
    startProcess({
      ...plan(command, machine),
      memoryGroup: () => openMemoryGroup(command.limits.memoryBytes),
    });
  return {
    name: 'bubblewrap',
    relocates: true,
    start,
    run: async (command) => runToEnd(start(command), command),
  };
}

const NOBODY = 65534;
const passwd = Buffer.from(`nobody:x:${NOBODY}:${NOBODY}:nobody:${PRIVATE_HOME}:/bin/sh\n`);
const group = Buffer.from(`nobody:x:${NOBODY}:\n`);
const TEMPORARY_BYTES = 256 * 1024 * 1024;
const SHARED_MEMORY_BYTES = 64 * 1024 * 1024;

/** How bubblewrap is started for a command. */
function plan(command: SandboxedCommand, machine: LinuxMachine): ProcessPlan {
  const { masked = [], network = false, shown = [], limits } = command;
  const filter = network ? machine.filters.shared : machine.filters.own;
  const inputs: Uint8Array[] = [];
  const given = (bytes: Uint8Array) => String(3 + inputs.push(bytes));
  const variables = { ...sandboxVariables, ...command.env };
  const words = [
    ...['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...['--uid', String(NOBODY), '--gid', String(NOBODY), '--hostname', 'sandbox', '--clearenv'],
    ...(network ? ['--share-net'] : []),
    ...machine.system,
    ...(network ? networkFiles.flatMap((path) => ['--ro-bind-try', path, path]) : []),
    ...['--ro-bind-data', given(passwd), '/etc/passwd', '--ro-bind-data', given(group), '/etc/group'],
    // Who starts this as root owns the settings of the kernel, inside too: there is nothing in /proc to be written.
    ...[
      '--proc',
      '/proc',
      ...machine.kernel,
      '--remount-ro',
      '/proc',
      '--dev',
      '/dev',
      // It reads the same, and cannot be mapped: memory got that way belongs to no process that could be asked.
      ...['--dev-bind', '/dev/full', '/dev/zero'],
      '--size',
      String(SHARED_MEMORY_BYTES),
      '--tmpfs',
      '/dev/shm',
    ],
    ...['--size', String(TEMPORARY_BYTES), '--tmpfs', '/tmp', '--dir', PRIVATE_HOME],
    ...command.readable.flatMap((path) => ['--ro-bind', path, path]),
    ...shown.flatMap(({ from, at, writable }) => [writable ? '--bind' : '--ro-bind', from, at]),
    ...masked.flatMap(mask),
    // What bubblewrap has put together belongs to the one who runs in it.
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
    ...(filter === undefined ? [] : ['--seccomp', given(filter)]),
    ...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--chdir', command.cwd, '--json-status-fd', '3'],
  ];
  // Not on the command line, which every user of the machine can read: there are values of variables in it.
  const hidden = given(joinWords(words));
  const args = ['--args', hidden, '--', ...launcherOf(limits, machine), ...command.argv];
  const own = { memoryDirectories: ['/tmp', '/dev/shm'], network: !network };
  const { signal } = command;
  return { file: machine.program, args, env: {}, cwd: '/', limits, inputs, reports: true, own, signal };
}

/** An empty directory, or an empty file, in the place of a path. */
function mask(path: string): string[] {
  const isFile = !lstatSync(path, { throwIfNoEntry: false })?.isDirectory();
  return isFile ? ['--ro-bind', '/dev/null', path] : ['--tmpfs', path, '--remount-ro', path];
}

/** What names and certificates are looked up in. */
const networkFiles = [
  '/etc/resolv.conf',
  '/etc/hosts',
  '/etc/nsswitch.conf',
  '/etc/gai.conf',
  '/etc/services',
  '/etc/ssl/certs',
  '/etc/ssl/cert.pem',
  '/etc/ssl/openssl.cnf',
  '/etc/ca-certificates',
  '/etc/pki/tls/certs',
  '/etc/pki/ca-trust',
];

/** Where the programs of a system are. Directories that may hold anything, such as /opt, are not among them. */
const systemDirectories = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store'];

/** What programs need besides: where libraries are, which of several programs a name means, the time zone. */
const systemFiles = [
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/alternatives',
  '/etc/localtime',
  '/etc/mime.types',
  '/etc/os-release',
];

/** What is no business of a script's, and is readable for root. */
const kernelFiles = [
  '/proc/acpi',
  '/proc/asound',
  '/proc/scsi',
  '/proc/kallsyms',
  '/proc/kcore',
  '/proc/keys',
  '/proc/key-users',
  '/proc/kmsg',
  '/proc/kpagecgroup',
  '/proc/kpagecount',
  '/proc/kpageflags',
  '/proc/latency_stats',
  '/proc/sched_debug',
  '/proc/slabinfo',
  '/proc/sysrq-trigger',
  '/proc/timer_list',
  '/proc/vmallocinfo',
];

function lookAtMachine(program: string): LinuxMachine {
  const directories = systemDirectories.flatMap((path) => {
    const status = lstatSync(path, { throwIfNoEntry: false });
    if (status === undefined) return [];
    return status.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
  });
  const files = systemFiles.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', path, path]);
  const kernel = kernelFiles.filter((path) => existsSync(path)).flatMap((path) => mask(path));
  return {
    program,
    system: [...directories, ...files],
    kernel,
    filters: {
      own: seccompFilter(process.arch, { ownNetwork: true }),
      shared: seccompFilter(process.arch, { ownNetwork: false }),
    },
    countsOwnProcesses: isAtLeast(release(), [5, 14]),
  };
}

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}
