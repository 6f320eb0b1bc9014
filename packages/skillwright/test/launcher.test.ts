// Other ways to start skc: `npx skillwright`, a global install, and Windows as far as it can be simulated.

import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { toolVersion } from '../src/base/version.ts';
import { hasNative, layOut, nativeSkc, runProcess } from './built-package.ts';
import { makeDirectory } from './make-directory.ts';

const bin = fileURLToPath(new URL('../bin/', import.meta.url));

/** The package as `npm install -g` lays it out: the package for the platform lies inside. */
function layOutGlobally(): string {
  const prefix = makeDirectory();
  const home = join(prefix, 'lib/node_modules/skillwright');
  const carrier = join(home, 'node_modules/@skillwright/skc-linux-x64');
  mkdirSync(carrier, { recursive: true });
  cpSync(bin, join(home, 'bin'), { recursive: true });
  symlinkSync(nativeSkc, join(carrier, 'skc'));
  mkdirSync(join(prefix, 'bin'));
  for (const [name, file] of Object.entries({ skc: 'skc', skillwright: 'skillwright.js' }))
    symlinkSync(`../lib/node_modules/skillwright/bin/${file}`, join(prefix, 'bin', name));
  return join(prefix, 'bin');
}

describe('installed globally', () => {
  test.runIf(hasNative).each(['skc', 'skillwright'])(
    '%s starts the executable that npm put inside',
    (name) => {
      expect(runProcess(join(layOutGlobally(), name), ['--version'])).toEqual({
        status: 0,
        stdout: `skc ${toolVersion} (native)\n`,
        stderr: '',
      });
    },
  );
});

describe('skillwright', () => {
  const start = () =>
    join(dirname(layOut({ parts: ['dist'] })), '../../packages/skillwright/bin/skillwright.js');

  test('is skc: words, status and both streams', () => {
    const { status, stdout, stderr } = runProcess(start(), ['validate', 'no such place']);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^error\[E\d+\]/);
  });

  test('passes a signal on and ends as skc did', async () => {
    const child = spawn(start(), ['mcp'], { cwd: makeDirectory(), stdio: ['pipe', 'pipe', 'ignore'] });
    const ended = new Promise((resolve) => child.on('exit', (status, signal) => resolve({ status, signal })));
    const request = { jsonrpc: '2.0', id: 1, method: 'ping' };
    child.stdin.write(`${JSON.stringify(request)}\n`);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ signal: null });
  });
});

describe('what Windows starts', async () => {
  const { planLaunch } = await import(new URL('../bin/plan-launch.js', import.meta.url).href);
  const directory = String.raw`C:\npm\node_modules\skillwright`;
  const node = String.raw`C:\nodejs\node.exe`;
  const plan = (files: string[], more: object = {}) =>
    planLaunch(
      { directory, platform: 'win32', arch: 'x64', node, version: '24.1.0', ...more },
      (file: string) => files.includes(file),
    );
  const script = String.raw`C:\npm\node_modules\skillwright\dist\skc\main.js`;
  const inside = String.raw`C:\npm\node_modules\skillwright\node_modules\@skillwright\skc-win32-x64\skc.exe`;
  const beside = String.raw`C:\npm\node_modules\@skillwright\skc-win32-x64\skc.exe`;
  const own = String.raw`C:\npm\node_modules\@skillwright\skc-win32-arm64\skc.exe`;

  test.each([
    ['the executable inside', [inside, beside, script], {}, { command: inside, args: [] }],
    ['the executable next to it', [beside, script], {}, { command: beside, args: [] }],
    ['the one for x64 on ARM', [beside, script], { arch: 'arm64' }, { command: beside, args: [] }],
    ['the one for ARM on ARM', [own, beside, script], { arch: 'arm64' }, { command: own, args: [] }],
    ['the JavaScript', [script], {}, { command: node, args: [script] }],
    [
      'nothing on an old Node',
      [script],
      { version: '20.20.2' },
      {
        refusal:
          'skc: needs Node 22.18 or later, or Bun; C:\\nodejs\\node.exe is v20.20.2\nhelp: install a newer Node from https://nodejs.org',
      },
    ],
    [
      'nothing that is not built',
      [],
      {},
      { refusal: "skc: not built yet; run 'npm ci' or 'npm run build' in the repository" },
    ],
  ])('%s', (_, files, more, expected) => {
    expect(plan(files, more)).toEqual(expected);
  });

  test('skc.cmd hands everything to the same launcher', () => {
    const lines = readFileSync(join(bin, 'skc.cmd'), 'utf8').split('\r\n');
    expect(lines.at(-2)).toBe('node "%~dp0skillwright.js" %*');
  });
});
