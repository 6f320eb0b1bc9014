import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { requireProgram } from '../../../test/required-program.ts';
import { describeSandbox } from '../../../test/sandbox-contract.ts';
import { openSandbox } from './open-sandbox.ts';

const { env } = process;

const native = process.platform === 'darwin' ? 'sandbox-exec' : 'bubblewrap';

describe(native, () => {
  beforeEach((context) => {
    if (native === 'bubblewrap') requireProgram(context, 'bwrap');
  });
  test('uses the sandbox of this machine, tested once', async () => {
    const sandbox = await openSandbox({ env });
    expect(sandbox.name).toBe(native);
    expect(await openSandbox({ env })).toBe(sandbox);
  });
  describeSandbox(() => openSandbox({ env }));
});

describe('no sandbox, on request of the user', () => {
  describeSandbox(() => openSandbox({ env, unsandboxed: true }));
});

test('without a PATH, the error asks for one', async () => {
  for (const nothing of [{}, { PATH: '' }])
    await expect(openSandbox({ env: nothing, platform: 'linux' })).rejects.toMatchObject({
      code: 'E074',
      message: 'sandbox unavailable: no PATH was given to look for bubblewrap (bwrap)',
      help: 'pass an env that has PATH, or leave env out to use the environment of the process',
    });
});

describe('a machine without a sandbox', () => {
  const otherwise = 'allow unsandboxed runs in your own configuration, if you trust every skill you use';
  const broken = '#!/bin/sh\necho "bwrap: setting up uid map: Permission denied" >&2\nexit 1\n';
  const old = '#!/bin/sh\necho "bwrap: Unknown option --size" >&2\nexit 1\n';

  const refusals: [string, NodeJS.Platform, string | undefined, string, string][] = [
    [
      'no bubblewrap',
      'linux',
      undefined,
      'sandbox unavailable: bubblewrap (bwrap) is not installed',
      `install it, for example with 'apt-get install bubblewrap', or ${otherwise}`,
    ],
    [
      'no user namespaces',
      'linux',
      broken,
      'sandbox unavailable: bubblewrap does not work here: setting up uid map: Permission denied',
      `allow user namespaces on this machine, or ${otherwise}`,
    ],
    [
      'an old bubblewrap',
      'linux',
      old,
      'sandbox unavailable: bubblewrap does not work here: Unknown option --size',
      `install bubblewrap 0.7 or newer, or ${otherwise}`,
    ],
    [
      'a bubblewrap that runs nothing and reports success',
      'linux',
      '#!/bin/sh\nexit 0\n',
      'sandbox unavailable: bubblewrap does not work here: it ended before the program started',
      `allow user namespaces on this machine, or ${otherwise}`,
    ],
    [
      'Windows',
      'win32',
      undefined,
      'sandbox unavailable: there is none for Windows',
      `add --unsandboxed if you trust this skill, or ${otherwise}`,
    ],
  ];
  test.for(refusals)('%s', async ([, platform, program, message, help]) => {
    const directory = makeDirectory();
    if (program !== undefined) writeFileSync(join(directory, 'bwrap'), program, { mode: 0o755 });
    const opened = openSandbox({ env: { PATH: directory }, platform });
    await expect(opened).rejects.toMatchObject({ code: 'E074', message, help });
  });

  test('runs without one when the user allows it', async () => {
    const sandbox = await openSandbox({ env: {}, platform: 'linux', orWithout: true });
    expect(sandbox.name).toBe('none');
  });

  test('relative directories of the PATH are skipped', async () => {
    await expect(openSandbox({ env: { PATH: '.:bin' }, platform: 'linux' })).rejects.toMatchObject({
      code: 'E074',
    });
  });
});
