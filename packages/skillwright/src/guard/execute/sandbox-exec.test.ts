import { expect, test } from 'vitest';
import { smallLimits } from '../../../test/sandbox-contract.ts';
import { sandboxProfile } from './private-sandbox.ts';

const command = { argv: ['true'] as [string], cwd: '/s', readable: ['/s'], limits: smallLimits };

test('the profile allows the named paths and refuses the rest', () => {
  expect(sandboxProfile(command, '/private/tmp/own')).toMatchInlineSnapshot(`
    "(version 1)
    (deny default)
    (import "system.sb")
    (allow process-exec process-fork)
    (allow process-info* signal (target same-sandbox))
    (allow sysctl-read)
    (allow file-read-metadata)
    (allow file-read* (literal "/") (literal "/dev/null") (literal "/dev/zero") (literal "/dev/random") (literal "/dev/urandom"))
    (allow file-write-data (literal "/dev/null") (literal "/dev/zero"))
    (allow file-read* (subpath "/bin") (subpath "/sbin") (subpath "/usr") (subpath "/System") (subpath "/Library/Apple") (subpath "/Library/Developer/CommandLineTools") (subpath "/private/var/select") (subpath "/private/var/db/timezone") (subpath "/private/etc/localtime") (subpath "/s") (subpath "/private/tmp/own"))
    (allow file-write* (subpath "/private/tmp/own"))
    (deny network*)
    "
  `);
});

test('grants extend it, and masked paths come last', () => {
  const granted = {
    ...command,
    network: true,
    shown: [{ from: '/d/out', at: '/d/out', writable: true }],
    masked: ['/s/.git'],
  };
  const lines = sandboxProfile(granted, '/o').split('\n').slice(-5);
  expect(lines).toMatchInlineSnapshot(`
    [
      "(allow file-read* (subpath "/bin") (subpath "/sbin") (subpath "/usr") (subpath "/System") (subpath "/Library/Apple") (subpath "/Library/Developer/CommandLineTools") (subpath "/private/var/select") (subpath "/private/var/db/timezone") (subpath "/private/etc/localtime") (subpath "/private/etc/hosts") (subpath "/private/etc/resolv.conf") (subpath "/private/etc/ssl") (subpath "/s") (subpath "/d/out") (subpath "/o"))",
      "(allow file-write* (subpath "/o") (subpath "/d/out"))",
      "(deny file-read* file-write* (subpath "/s/.git"))",
      "(allow network* system-socket)",
      "",
    ]
  `);
});

test('a path cannot break out of its string', () => {
  const hostile = { ...command, readable: ['/a"))(allow default)\\'] };
  expect(sandboxProfile(hostile, '/o')).toContain('(subpath "/a\\"))(allow default)\\\\")');
});
