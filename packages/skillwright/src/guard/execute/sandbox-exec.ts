// The sandbox on macOS: sandbox-exec with a profile that refuses everything it does not name.

import { createPrivateSandbox } from './private-sandbox.ts';
import type { Sandbox, SandboxedCommand } from './sandbox.ts';

const PROGRAM = '/usr/bin/sandbox-exec';

/** The sandbox of macOS. */
export function createSandboxExec(): Sandbox {
  return createPrivateSandbox({
    name: 'sandbox-exec',
    wrap: (command, own) => [PROGRAM, '-p', sandboxProfile(command, own)],
  });
}

/** The system's program directories. */
const systemPaths = [
  '/bin',
  '/sbin',
  '/usr',
  '/System',
  '/Library/Apple',
  '/Library/Developer/CommandLineTools',
  '/private/var/select',
  '/private/var/db/timezone',
  '/private/etc/localtime',
];

const networkPaths = ['/private/etc/hosts', '/private/etc/resolv.conf', '/private/etc/ssl'];

/** The profile for a command whose private directory is `own`. Later lines win over earlier ones. */
export function sandboxProfile(command: SandboxedCommand, own: string): string {
  const { masked = [], network = false, readable, shown = [] } = command;
  const places = shown.map(({ from }) => from);
  const writable = shown.flatMap((place) => (place.writable ? [place.from] : []));
  const seen = [...systemPaths, ...(network ? networkPaths : []), ...readable, ...places, own];
  const lines = [
    '(version 1)',
    '(deny default)',
    '(import "system.sb")',
    '(allow process-exec process-fork)',
    '(allow process-info* signal (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow file-read-metadata)',
    '(allow file-read* (literal "/") (literal "/dev/null") (literal "/dev/zero") (literal "/dev/random") (literal "/dev/urandom"))',
    '(allow file-write-data (literal "/dev/null") (literal "/dev/zero"))',
    `(allow file-read* ${seen.map(subpath).join(' ')})`,
    `(allow file-write* ${[own, ...writable].map(subpath).join(' ')})`,
    ...(masked.length === 0 ? [] : [`(deny file-read* file-write* ${masked.map(subpath).join(' ')})`]),
    network ? '(allow network* system-socket)' : '(deny network*)',
  ];
  return `${lines.join('\n')}\n`;
}

function subpath(path: string): string {
  return `(subpath "${path.replace(/[\\"]/g, '\\$&')}")`;
}
