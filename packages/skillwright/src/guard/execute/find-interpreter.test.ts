import { chmodSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { findInterpreter } from './find-interpreter.ts';

const node = realpathSync.native(process.execPath);

/** A directory of programs. */
function programs(files: Record<string, string | { link: string }>): string {
  const directory = makeDirectory(files);
  for (const [name, content] of Object.entries(files))
    if (typeof content === 'string') chmodSync(join(directory, name), 0o755);
  return directory;
}

test('a system program needs no more paths', async () => {
  expect(await findInterpreter('x.sh', { PATH: '/bin:/usr/bin' })).toEqual({
    name: expect.stringMatching(/^(?:ba)?sh$/),
    argv: [expect.stringMatching(/^(?:\/usr)?\/bin\/(?:ba)?sh$/)],
    env: {},
    readable: [],
  });
});

test('a program elsewhere adds its own files, not the home directory around it', async () => {
  const home = makeDirectory({ 'bin/node': { link: node }, 'secret.txt': 'x', 'lib/x': '' });
  const found = await findInterpreter('x.js', { PATH: join(home, 'bin'), HOME: home });
  expect(found.argv[0]).toBe(node);
  const around = dirname(dirname(node));
  expect(found.readable.filter((path) => path !== node && path !== join(around, 'lib'))).toEqual([]);
});

test('the shim of a version manager is resolved to the real program', async () => {
  const directory = programs({ node: `#!/bin/sh\nexec ${node} "$@"\n` });
  expect((await findInterpreter('x.mjs', { PATH: directory })).argv[0]).toBe(node);
});

test('a shim that reports a wrong path does not count', async () => {
  const lying = programs({ python3: '#!/bin/sh\necho /nowhere/python3\n' });
  await expect(findInterpreter('x.py', { PATH: lying })).rejects.toMatchObject({
    code: 'E074',
    message: "sandbox unavailable: no program for 'x.py' is installed",
    help: 'install python3',
  });
});

test('TypeScript needs a recent Node, otherwise this one', async () => {
  const old = programs({});
  writeFileSync(
    join(old, 'node'),
    `#!/bin/sh\nif [ "$1" = -p ]; then echo "$0.bin"; else echo v20.1.0; fi\n`,
    { mode: 0o755 },
  );
  writeFileSync(join(old, 'node.bin'), '#!/bin/sh\necho v20.1.0\n', { mode: 0o755 });
  expect((await findInterpreter('x.ts', { PATH: old })).argv[0]).toBe(node);
  expect((await findInterpreter('x.js', { PATH: old })).argv[0]).toBe(join(old, 'node.bin'));
});

test('a virtual environment is used as such', async () => {
  const venv = makeDirectory({
    'pyvenv.cfg': 'home = /usr/bin\n',
    'bin/python3': { link: node },
    'lib/x': '',
  });
  expect(await findInterpreter('x.py', { PATH: join(venv, 'bin') })).toMatchObject({
    argv: [join(venv, 'bin/python3')],
    readable: expect.arrayContaining([
      join(venv, 'bin/python3'),
      join(venv, 'lib'),
      join(venv, 'pyvenv.cfg'),
    ]),
  });
});

test('without a JavaScript runtime on the PATH, this one runs it', async () => {
  expect(await findInterpreter('x.js', { PATH: '' })).toMatchObject({ name: 'node', env: {} });
});
