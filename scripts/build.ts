// Builds the package: JavaScript and types with tsc, the executable with Bun.
//   build.ts             JavaScript and types
//   build.ts --native    the executable
//   build.ts --if-stale  whichever of the two is older than the sources

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const home = join(root, 'packages/skillwright');
const script = join(home, 'dist/cli/main.js');
const executable = join(home, 'native/skc');

function run(command: string, args: string[]): boolean {
  const path = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`;
  return (
    spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, PATH: path } }).status ===
    0
  );
}

function newestSource(): number {
  const sources = readdirSync(join(home, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  );
  const paths = [
    ...sources.map((path) => join(home, 'src', path)),
    join(home, 'package.json'),
    join(home, 'tsconfig.json'),
  ];
  return Math.max(...paths.map((path) => statSync(path).mtimeMs));
}

function isStale(output: string): boolean {
  return (statSync(output, { throwIfNoEntry: false })?.mtimeMs ?? 0) < newestSource();
}

function buildScripts(): boolean {
  rmSync(join(home, 'dist'), { recursive: true, force: true });
  return run('tsc', ['-p', home]);
}

function buildExecutable(): boolean {
  mkdirSync(dirname(executable), { recursive: true });
  const fresh = `${executable}.new`;
  const entry = join(home, 'src/cli/main.ts');
  const flags = [
    '--compile',
    '--bytecode',
    '--splitting',
    '--minify',
    '--format=esm',
    // Files of the directory skc is started in must not decide what it runs.
    '--no-compile-autoload-dotenv',
    '--no-compile-autoload-bunfig',
    // Most runs are over before compiled code pays; commands that go on longer ask for the usual thresholds.
    '--compile-jit-policy=20',
    '--define',
    'process.env.NODE_ENV="production"',
  ];
  if (!run('bun', ['build', ...flags, entry, '--outfile', fresh])) return false;
  chmodSync(fresh, 0o755);
  // Renamed over the old one, which may be running.
  renameSync(fresh, executable);
  return true;
}

const [mode] = process.argv.slice(2);
let done: boolean;
if (mode === '--native') done = buildExecutable();
else if (mode === '--if-stale') {
  done = !isStale(script) || buildScripts();
  // Without Bun for this platform skc still runs, as JavaScript.
  if (done && isStale(executable) && !buildExecutable())
    console.warn('no native executable; skc runs as JavaScript');
} else done = buildScripts();
process.exit(done ? 0 : 1);
