// A filter of system calls in the kernel's own form (classic BPF), on top of what namespaces keep away: calls that ways
// out have been built from, kinds of sockets that no network namespace holds back, memory that no limit counts.

import { endianness } from 'node:os';

const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** The number of a call on x64 and on arm64. */
type CallNumbers = readonly [x64: number, arm64: number];

const refused: readonly CallNumbers[] = [
  [101, 117], // ptrace
  [310, 270], // process_vm_readv
  [311, 271], // process_vm_writev
  [438, 438], // pidfd_getfd
  [165, 40], // mount
  [166, 39], // umount2
  [155, 41], // pivot_root
  [161, 51], // chroot
  [428, 428], // open_tree
  [429, 429], // move_mount
  [430, 430], // fsopen
  [431, 431], // fsconfig
  [432, 432], // fsmount
  [433, 433], // fspick
  [442, 442], // mount_setattr
  [272, 97], // unshare
  [308, 268], // setns
  [303, 264], // name_to_handle_at
  [304, 265], // open_by_handle_at
  [248, 217], // add_key
  [249, 218], // request_key
  [250, 219], // keyctl
  [321, 280], // bpf
  [298, 241], // perf_event_open
  [323, 282], // userfaultfd
  [103, 116], // syslog
  [163, 89], // acct
  [167, 224], // swapon
  [168, 225], // swapoff
  [169, 142], // reboot
  [179, 60], // quotactl
  [175, 105], // init_module
  [313, 273], // finit_module
  [176, 106], // delete_module
  [246, 104], // kexec_load
  [320, 294], // kexec_file_load
];

/** Calls that programs try first and do without: they are told that the kernel does not know them. */
const unknown: readonly CallNumbers[] = [
  [425, 425], // io_uring_setup
  [426, 426], // io_uring_enter
  [427, 427], // io_uring_register
  [435, 435], // clone3, whose flags a filter cannot see
  [319, 279], // memfd_create
  [447, 447], // memfd_secret
  [29, 194], // shmget
];

const clone: CallNumbers = [56, 220];
const socket: CallNumbers = [41, 198];
const CLONE_NEWUSER = 0x1000_0000;
/** Unix, IPv4, IPv6, netlink. */
const socketFamilies = [1, 2, 10, 16];

const machines = {
  x64: { column: 0, audit: 0xc000_003e },
  arm64: { column: 1, audit: 0xc000_00b7 },
} as const;

/** The filter for a kind of machine; undefined where there is none. */
export function seccompFilter(arch: string): Uint8Array | undefined {
  if (!(arch === 'x64' || arch === 'arm64') || endianness() !== 'LE') return undefined;
  const { column, audit } = machines[arch];
  const refuse = (error: number) => statement(RETURN, 0x0005_0000 | error);
  const when = (value: number, then: Buffer[]) => [jump(EQUAL, value, { no: then.length }), ...then];
  const load = (offset: number) => statement(LOAD, offset);
  const program = [
    load(4),
    ...[jump(EQUAL, audit, { yes: 1 }), refuse(ENOSYS)],
    load(0),
    // On x64 a second set of numbers reaches the same calls.
    ...(arch === 'x64' ? [jump(AT_LEAST, 0x4000_0000, { no: 1 }), refuse(ENOSYS)] : []),
    ...refused.flatMap((numbers) => when(numbers[column], [refuse(EPERM)])),
    ...unknown.flatMap((numbers) => when(numbers[column], [refuse(ENOSYS)])),
    ...when(clone[column], [load(16), jump(ANY_BIT, CLONE_NEWUSER, { no: 1 }), refuse(EPERM), allow]),
    ...when(socket[column], [
      load(16),
      ...socketFamilies.flatMap((family) => when(family, [allow])),
      refuse(EAFNOSUPPORT),
    ]),
    allow,
  ];
  return Buffer.concat(program);
}

const LOAD = 0x20;
const RETURN = 0x06;
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const ANY_BIT = 0x45;

const allow = statement(RETURN, 0x7fff_0000);

function statement(code: number, value: number): Buffer {
  return instruction({ code, yes: 0, no: 0, value });
}

/** Skips as many instructions as said, on yes or on no. */
function jump(code: number, value: number, { yes = 0, no = 0 }: { yes?: number; no?: number }): Buffer {
  return instruction({ code, yes, no, value });
}

function instruction(parts: { code: number; yes: number; no: number; value: number }): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(parts.code, 0);
  bytes.writeUInt8(parts.yes, 2);
  bytes.writeUInt8(parts.no, 3);
  bytes.writeUInt32LE(parts.value, 4);
  return bytes;
}
