// A system call filter in classic BPF, in addition to namespaces. It blocks calls used in known escapes,
// socket families that network namespaces do not isolate, memory that no limit counts, and
// setuid and setgid files.

import { endianness } from 'node:os';

const EPERM = 1;
const EINVAL = 22;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** The number of a call on x64 and on arm64. */
type CallNumbers = readonly [x64: number, arm64: number];
/** The architecture lacks the call. */
const NONE = -1;

/** removexattrat, the newest call that was looked at. Later ones fail as on an older kernel. */
const LAST_CALL = 466;

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

/** Calls that programs can do without: they fail as unknown to the kernel (ENOSYS). */
const unknown: readonly CallNumbers[] = [
  [425, 425], // io_uring_setup
  [426, 426], // io_uring_enter
  [427, 427], // io_uring_register
  [435, 435], // clone3, whose flags a filter cannot see
  [319, 279], // memfd_create
  [447, 447], // memfd_secret
  [278, 75], // vmsplice
  [276, 77], // tee
  [437, 437], // openat2, whose mode a filter cannot see
  [29, 194], // shmget
  [64, 190], // semget
  [68, 186], // msgget
];

/** Calls that move pages instead of copying them; programs fall back to copying. */
const unmoved: readonly CallNumbers[] = [
  [275, 76], // splice
  [40, 71], // sendfile
];

/** Calls that set a file mode, and the index of that argument; for some only when the flags create a file. */
const modes: readonly { readonly call: CallNumbers; readonly mode: number; readonly flags?: number }[] = [
  { call: [90, NONE], mode: 1 }, // chmod
  { call: [91, 52], mode: 1 }, // fchmod
  { call: [268, 53], mode: 2 }, // fchmodat
  { call: [452, 452], mode: 2 }, // fchmodat2
  { call: [85, NONE], mode: 1 }, // creat
  { call: [133, NONE], mode: 1 }, // mknod
  { call: [259, 33], mode: 2 }, // mknodat
  { call: [2, NONE], mode: 2, flags: 1 }, // open
  { call: [257, 56], mode: 3, flags: 2 }, // openat
];
/** S_ISUID and S_ISGID. */
const RIGHTS_OF_OWNER = 0o6000;
/** O_CREAT, and the bit unique to O_TMPFILE. */
const NEW_FILE = 0o20000100;

const clone: CallNumbers = [56, 220];
const socket: CallNumbers = [41, 198];
const socketpair: CallNumbers = [53, 199];
const mmap: CallNumbers = [9, 222];
const fcntl: CallNumbers = [72, 25];
const CLONE_NEWUSER = 0x1000_0000;
const CLONE_THREAD = 0x1_0000;
/** A thread without it has open files that nothing lists. */
const CLONE_FILES = 0x400;
/** A pipe must not be enlarged. */
const F_SETPIPE_SZ = 1031;
/** MAP_SHARED and MAP_ANONYMOUS: such pages can outlive their mapping, and then nothing counts them. */
const SHARED_ANONYMOUS = 0x21;
const AF_UNIX = 1;
/** Bits of a type of socket besides its flags. The kernel makes a datagram socket of SOCK_RAW. */
const SOCKET_TYPE = 0xf;
/** SOCK_STREAM and SOCK_SEQPACKET: a pair of these reaches nobody else. A datagram socket sends anywhere. */
const pairTypes = [1, 5];
/** Unix sockets, IPv4, IPv6 and netlink. */
const socketFamilies = [AF_UNIX, 2, 10, 16];

const machines = {
  x64: { column: 0, audit: 0xc000_003e },
  arm64: { column: 1, audit: 0xc000_00b7 },
} as const;

/**
 * The filter for an architecture; undefined where there is none. Other programs listen on Unix sockets: abstract ones in the
 * machine's network, and files in directories the user shares. Without `unixSockets`, only connected pairs can be created.
 */
export function seccompFilter(
  arch: string,
  { unixSockets }: { readonly unixSockets: boolean },
): Uint8Array | undefined {
  if (!(arch === 'x64' || arch === 'arm64') || endianness() !== 'LE') return undefined;
  const { column, audit } = machines[arch];
  const refuse = (error: number) => statement(RETURN, 0x0005_0000 | error);
  const when = (value: number, then: Buffer[]) => [jump(EQUAL, value, { no: then.length }), ...then];
  const load = (offset: number) => statement(LOAD, offset);
  const argument = (index: number) => load(16 + 8 * index);
  const families = socketFamilies.filter((family) => unixSockets || family !== AF_UNIX);
  const program = [
    load(4),
    ...[jump(EQUAL, audit, { yes: 1 }), refuse(ENOSYS)],
    load(0),
    // Calls this table does not know, and on x64 a second range of numbers (x32) that reaches the same calls.
    ...[jump(AT_LEAST, LAST_CALL + 1, { no: 1 }), refuse(ENOSYS)],
    ...refused.flatMap((numbers) => when(numbers[column], [refuse(EPERM)])),
    ...unknown.flatMap((numbers) => when(numbers[column], [refuse(ENOSYS)])),
    ...unmoved.flatMap((numbers) => when(numbers[column], [refuse(EINVAL)])),
    ...when(fcntl[column], [argument(1), ...when(F_SETPIPE_SZ, [refuse(EPERM)]), allow]),
    ...when(clone[column], [
      argument(0),
      ...[jump(ANY_BIT, CLONE_NEWUSER, { no: 1 }), refuse(EPERM)],
      ...[jump(ANY_BIT, CLONE_THREAD, { no: 2 }), jump(ANY_BIT, CLONE_FILES, { yes: 1 }), refuse(EPERM)],
      allow,
    ]),
    ...when(socket[column], [
      argument(0),
      ...families.flatMap((family) => when(family, [allow])),
      refuse(EAFNOSUPPORT),
    ]),
    ...when(socketpair[column], [
      ...(unixSockets
        ? []
        : [
            argument(1),
            statement(AND, SOCKET_TYPE),
            ...pairTypes.flatMap((type) => when(type, [allow])),
            refuse(EPERM),
          ]),
      allow,
    ]),
    ...when(mmap[column], [
      argument(3),
      statement(AND, SHARED_ANONYMOUS),
      ...when(SHARED_ANONYMOUS, [refuse(EPERM)]),
      allow,
    ]),
    ...modes
      .filter(({ call }) => call[column] !== NONE)
      .flatMap(({ call, mode, flags }) =>
        when(call[column], [
          ...(flags === undefined ? [] : [argument(flags), jump(ANY_BIT, NEW_FILE, { yes: 1 }), allow]),
          argument(mode),
          jump(ANY_BIT, RIGHTS_OF_OWNER, { no: 1 }),
          refuse(EPERM),
          allow,
        ]),
      ),
    allow,
  ];
  return Buffer.concat(program);
}

const LOAD = 0x20;
const RETURN = 0x06;
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const ANY_BIT = 0x45;
const AND = 0x54;

const allow = statement(RETURN, 0x7fff_0000);

function statement(code: number, value: number): Buffer {
  return instruction({ code, yes: 0, no: 0, value });
}

/** Skips a number of instructions if true, another if false. */
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
