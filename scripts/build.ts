// Builds the packages: types with tsc, the library, skc and the registry as bundles with Rolldown, the executable of skc from
// that with Bun.
//   build.ts             JavaScript and types
//   build.ts --native    the executable; add a Bun target and a file to compile for another platform
//   build.ts --if-stale  only those older than the sources

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CodeSplittingOptions, type OutputChunk, type OutputOptions, rolldown } from 'rolldown';
import { isStale } from './is-stale.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const home = join(root, 'packages/skillwright');
const script = join(home, 'dist/skc/main.js');
const executable = join(home, 'native/skc');
const registryHome = join(root, 'packages/registry');
const registry = {
  main: join(registryHome, 'src/main.ts'),
  // Threads start from files of their own.
  'embedded-worker': join(registryHome, 'src/store/embedded-worker.ts'),
  'import-worker': join(registryHome, 'src/import/import-worker.ts'),
  'inspect-worker': join(registryHome, 'src/skills/inspect-worker.ts'),
};

function run(command: string, args: string[]): boolean {
  const path = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`;
  return (
    spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, PATH: path } }).status ===
    0
  );
}

async function buildScripts(): Promise<boolean> {
  rmSync(join(home, 'dist'), { recursive: true, force: true });
  if (!run('tsc', ['-p', home, '--emitDeclarationOnly'])) return false;
  await bundle(published(), { dir: join(home, 'dist'), packages: 'external' });
  await bundle(skc, { dir: dirname(script), packages: 'external' });
  await buildRegistry();
  return true;
}

/** All files in one directory: a thread finds its program next to the code that starts it. */
async function buildRegistry(): Promise<void> {
  const dir = join(registryHome, 'dist');
  rmSync(dir, { recursive: true, force: true });
  const build = await rolldown({
    input: registry,
    platform: 'node',
    external: (id) => id.startsWith('node:') || !own.test(id),
  });
  await build.write({ dir, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' });
  chmodSync(join(dir, 'main.js'), 0o755);
}

/** Modules of a package itself, as opposed to those of other packages. */
const own = /^(?:\.{0,2}\/|[A-Za-z]:)/;

const skc = { main: join(home, 'src/front/cli/main.ts') };

/** Import paths of the library: `read/index` for dist/read/index.js. */
function published(): Record<string, string> {
  const { exports } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { default: string }>;
  };
  const names = Object.values(exports).flatMap((entry) =>
    typeof entry === 'string' ? [] : [entry.default.replace(/^\.\/dist\/(.*)\.js$/, '$1')],
  );
  return Object.fromEntries(names.map((name) => [name, join(home, 'src', `${name}.ts`)]));
}

/**
 * Writes a few files that load only what is needed: modules are taken out of the rooms they are imported from, no matter
 * what else those rooms export.
 */
async function bundle(
  input: Record<string, string>,
  { dir, packages }: { dir: string; packages: 'external' | 'included' },
): Promise<void> {
  const build = await rolldown({
    input,
    platform: 'node',
    // The parts are joined below; an entry may then export more than its source does.
    preserveEntrySignatures: input === skc ? 'allow-extension' : 'exports-only',
    treeshake: { moduleSideEffects: false },
    // A module that a room loads on demand may be in the start of the library.
    checks: { ineffectiveDynamicImport: false },
    external: (id) => id.startsWith('node:') || (packages === 'external' && !own.test(id)),
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    // Otherwise the bundler puts its own helpers, which every file uses, next to the rules of the scanner.
    experimental: { chunkOptimization: input === skc },
  });
  const output: OutputOptions = {
    dir,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: input === skc ? '[name]-[hash].js' : 'parts/[name]-[hash].js',
  };
  if (input !== skc) await build.write(output);
  else {
    const { output: modules } = await build.generate({ ...output, preserveModules: true });
    await build.write({
      ...output,
      codeSplitting: joinModules(modules.filter((module) => module.type === 'chunk')),
    });
  }
}

/** Loaded by every command that serves content. */
const reading = [
  'front/cli/parse-arguments',
  'front/commands/run-command',
  'front/commands/outline',
  'front/commands/show',
  'front/commands/search',
  'front/commands/open',
  'front/commands/sources',
  'read/usage/write-access',
];

/**
 * Each extra file costs a start 0.1 ms, and by default the bundler makes eighty for `skc show`. So there is one file for
 * the start of `skc`, and one for all reading commands: these modules and the ones they use, no others.
 */
function joinModules(modules: readonly OutputChunk[]): CodeSplittingOptions {
  const byFile = new Map(modules.map((module) => [module.fileName, module]));
  const taken = new Set<string>();
  const groupOf = (name: string, first: readonly string[]) => {
    const group = new Set<string>();
    const take = (module: OutputChunk | undefined): void => {
      if (module === undefined || taken.has(module.fileName)) return;
      taken.add(module.fileName);
      // The bundler names an entry itself.
      for (const id of module.moduleIds) if (id !== skc.main) group.add(id);
      for (const file of module.imports) take(byFile.get(file));
    };
    const ids = first.map((path) => join(home, 'src', `${path}.ts`));
    for (const id of ids) take(modules.find(({ moduleIds }) => moduleIds.includes(id)));
    return { name, test: (id: string) => group.has(id) };
  };
  return {
    includeDependenciesRecursively: false,
    groups: [groupOf('start', ['front/cli/main']), groupOf('read', reading)],
  };
}

/** Compiles for this machine or for the target; Bun downloads its runtime for another platform once. */
async function buildExecutable({
  target,
  file = executable,
}: {
  target?: string | undefined;
  file?: string | undefined;
} = {}): Promise<boolean> {
  mkdirSync(dirname(file), { recursive: true });
  // Bun adds .exe to a name that lacks it.
  const fresh = file.endsWith('.exe') ? file.replace(/exe$/, 'new.exe') : `${file}.new`;
  const parts = join(dirname(file), 'parts');
  rmSync(parts, { recursive: true, force: true });
  await bundle(skc, { dir: parts, packages: 'included' });
  const entry = join(parts, 'main.js');
  const flags = [
    '--compile',
    '--bytecode',
    '--splitting',
    '--minify',
    '--format=esm',
    // Files in the directory skc is started in must not affect what it runs.
    '--no-compile-autoload-dotenv',
    '--no-compile-autoload-bunfig',
    // The same for BUN_OPTIONS, which Bun adds to its own options: after this one they no longer count as options.
    '--compile-exec-argv=--',
    // Most runs end before compiled code pays off; longer commands request the usual thresholds.
    '--compile-jit-policy=20',
    ...(target === undefined ? [] : [`--target=${target}`]),
  ];
  if (!run('bun', ['build', ...flags, entry, '--outfile', fresh])) return false;
  chmodSync(fresh, 0o755);
  // Rename over the old one, which may be running.
  renameSync(fresh, file);
  rmSync(parts, { recursive: true, force: true });
  return true;
}

const [mode, target, file] = process.argv.slice(2);
let done: boolean;
if (mode === '--native') done = await buildExecutable({ target, file });
else if (mode === '--if-stale') {
  done = !isStale(script, home) || (await buildScripts());
  if (done && isStale(join(registryHome, 'dist/main.js'), registryHome)) await buildRegistry();
  // Without Bun for this platform skc still runs, as JavaScript.
  if (done && isStale(executable, home) && !(await buildExecutable()))
    console.warn('no native executable; skc runs as JavaScript');
} else done = await buildScripts();
process.exit(done ? 0 : 1);
