// The sandbox on Linux: bubblewrap, which runs a process in its own namespaces with a file system of allowed paths.

import { existsSync, readlinkSync } from 'node:fs';
import { release } from 'node:os';
import { joinWords, statusAt } from '../../base/files/index.ts';
import { openControlGroup } from './control-group.ts';
import { launcherOf } from './limits.ts';
import { isOpenToNobody, NOBODY } from './nobody.ts';
import { runToEnd } from './run-to-end.ts';
import { PRIVATE_HOME, type Sandbox, type SandboxedCommand, sandboxVariables } from './sandbox.ts';
import { seccompFilter } from './seccomp-filter.ts';
import { type ProcessPlan, startProcess } from './start-process.ts';

/** Facts about the machine. */
interface LinuxMachine {
  /** Path of bubblewrap. */
  readonly program: string;
  /** Arguments that mount the system's programs. */
  readonly system: readonly string[];
  /** Arguments that hide kernel data about the whole machine. */
  readonly kernel: readonly string[];
  /** Filters for a sandbox that is alone, and for one that shares the machine's network or directories of the user. */
  readonly filters: { readonly alone: Uint8Array | undefined; readonly sharing: Uint8Array | undefined };
  /** Whether a limit on processes counts only those of the sandbox, as from Linux 5.14 on. */
  readonly countsOwnProcesses: boolean;
}

/**
 * The sandbox that uses the bubblewrap at `program`. With `leavesRoot`, root starts it as another user, as far as that user may
 * read what the command needs: the kernel ignores limits for root, whom namespaces do not make anybody else.
 */
export function createBubblewrap(program: string, { leavesRoot = false } = {}): Sandbox {
  const machine = lookAtMachine(program);
  const isRoot = process.getuid?.() === 0;
  const start = (command: SandboxedCommand) => {
    const { processes, memoryBytes } = command.limits;
    const processGroup = isRoot ? openControlGroup('pids', processes + OWN_PROCESSES) : undefined;
    const countsOwnProcesses = machine.countsOwnProcesses && processGroup === undefined;
    return startProcess({
      ...plan(command, { ...machine, countsOwnProcesses }),
      processGroup,
      memoryGroup: () => openControlGroup('memory', memoryBytes),
      user: leavesRoot && mayLeaveRoot(command) ? NOBODY : undefined,
    });
  };
  return {
    name: 'bubblewrap',
    relocates: true,
    start,
    run: async (command) => runToEnd(start(command), command),
  };
}

/** Bubblewrap itself, its first process inside, and one that ends while another starts. */
const OWN_PROCESSES = 3;

/** Whether another user than root may read everything a command needs, and it writes nowhere. */
const mayLeaveRoot = ({ alone = false, readable, shown = [] }: SandboxedCommand): boolean =>
  alone && [...readable, ...shown.map(({ from }) => from)].every((path) => isOpenToNobody(path));

const passwd = Buffer.from(`nobody:x:${NOBODY}:${NOBODY}:nobody:${PRIVATE_HOME}:/bin/sh\n`);
const group = Buffer.from(`nobody:x:${NOBODY}:\n`);
const TEMPORARY_BYTES = 256 * 1024 * 1024;
const SHARED_MEMORY_BYTES = 64 * 1024 * 1024;

/** Arguments and input of bubblewrap for a command. */
function plan(command: SandboxedCommand, machine: LinuxMachine): ProcessPlan {
  const { masked = [], network = false, shown = [], limits } = command;
  const filter = network || !command.alone ? machine.filters.sharing : machine.filters.alone;
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
    // As root, the process could change kernel settings even inside, so /proc is read-only.
    ...[
      '--proc',
      '/proc',
      ...machine.kernel,
      '--remount-ro',
      '/proc',
      '--dev',
      '/dev',
      // Reads work as usual, but it cannot be mapped: such memory would not count for any process.
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
    // The process owns the directories that bubblewrap creates, so they become read-only.
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
    ...(filter === undefined ? [] : ['--seccomp', given(filter)]),
    ...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--chdir', command.cwd, '--json-status-fd', '3'],
  ];
  // Not on the command line, which every user of the machine can read: it contains values of variables.
  const hidden = given(joinWords(words));
  const args = ['--args', hidden, '--', ...launcherOf(limits, machine), ...command.argv];
  const own = { memoryDirectories: ['/tmp', '/dev/shm'], network: !network };
  const { signal } = command;
  return { file: machine.program, args, env: {}, cwd: '/', limits, inputs, reports: true, own, signal };
}

/** Replaces a path with an empty directory or file. */
function mask(path: string): string[] {
  const isFile = !statusAt(path)?.isDirectory();
  return isFile ? ['--ro-bind', '/dev/null', path] : ['--tmpfs', path, '--remount-ro', path];
}

/** Files for name resolution and certificates. */
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

/** The system's program directories. Directories with arbitrary content, such as /opt, are left out. */
const systemDirectories = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store'];

/** Other files that programs need: library paths, alternatives, the time zone. */
const systemFiles = [
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/alternatives',
  '/etc/localtime',
  '/etc/mime.types',
  '/etc/os-release',
];

/** Files that root could read and a script must not. */
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
    const status = statusAt(path);
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
      alone: seccompFilter(process.arch, { unixSockets: true }),
      sharing: seccompFilter(process.arch, { unixSockets: false }),
    },
    countsOwnProcesses: isAtLeast(release(), [5, 14]),
  };
}

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}
