// `npm start` shows everything on a machine without a sandbox too.

import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runProcess } from './built-package.ts';
import { makeDirectory } from './make-directory.ts';

const tour = fileURLToPath(new URL('../../../scripts/tour.ts', import.meta.url));

test.runIf(process.platform === 'linux')('without bubblewrap the script is skipped, and says why', () => {
  const path = makeDirectory({});
  for (const name of ['sh', 'git', 'readlink'])
    symlinkSync(
      ['/bin', '/usr/bin'].map((place) => join(place, name)).find((file) => existsSync(file))!,
      join(path, name),
    );
  symlinkSync(process.execPath, join(path, 'node'));
  const { status, stdout, stderr } = runProcess(process.execPath, [tour], { env: { PATH: path } });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('" region amount\nskipped: install bubblewrap to see it\n');
  expect(stdout).not.toMatch(/error\[|warning\[W112/);
  expect(stdout).not.toContain('node_modules/.bin');
});
