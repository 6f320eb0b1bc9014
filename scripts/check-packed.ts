// Installs the tarballs as users do, with a separate home, prefix and PATH, and checks what runs.

import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { currentVersion, type Tarballs } from './pack-all.ts';
import { nameOf, ownPlatform } from './platforms.ts';
import { runProgram } from './run-program.ts';

/** Runs every check; throws on the first failure. */
export function checkPacked({ main, native, registry }: Tarballs): void {
  const place = mkdtempSync(join(tmpdir(), 'skc-packed-'));
  const carrier = ownPlatform && native.get(nameOf(ownPlatform));
  try {
    checkProject(join(place, 'project'), { main, carrier });
    checkRegistry(join(place, 'registry'), { main, registry });
    for (const [node, isNewEnough] of nodesOfThisMachine())
      checkGlobal(mkdtempSync(join(place, 'user-')), { main, carrier, node, isNewEnough });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** In a project, native and as JavaScript, and as a library. */
function checkProject(
  project: string,
  { main, carrier }: { readonly main: string; readonly carrier: string | undefined },
): void {
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}\n');
  const tarballs = carrier === undefined ? [main] : [main, carrier];
  runProgram('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...tarballs], {
    cwd: project,
  });
  const runtime = (command: string, words: readonly string[] = []) =>
    (
      JSON.parse(runProgram(command, [...words, 'version', '--json'], { cwd: project })) as {
        runtime: string;
      }
    ).runtime;
  const skc = join(project, 'node_modules/.bin/skc');
  if (carrier !== undefined) {
    expect('in a project', runtime(skc), 'native');
    expect('npx skillwright', runtime('npx', ['skillwright']), 'native');
  }
  rmSync(join(project, 'node_modules/@skillwright'), { recursive: true, force: true });
  expect('in a project, without the executable', runtime(skc), 'node');
  expect('npx skillwright, without the executable', runtime('npx', ['skillwright']), 'node');
  const script =
    "import { createClient } from 'skillwright'; const { version } = await createClient().version(); console.log(version);";
  const found = runProgram('node', ['--input-type=module', '-e', script], { cwd: project }).trim();
  expect('as a library', found, currentVersion());
  for (const name of ['frontmatter', 'configuration', 'lock', 'eval-queries', 'eval-questions']) {
    const line = `console.log(import.meta.resolve('skillwright/schemas/${name}.json'))`;
    const url = runProgram('node', ['--input-type=module', '-e', line], { cwd: project }).trim();
    if (!existsSync(new URL(url))) throw new Error(`no schema at ${url}`);
  }
}

/** `npx @skillwright/registry` in a directory of its own: it makes a database, and gives out a token. */
function checkRegistry(
  directory: string,
  { main, registry }: { readonly main: string; readonly registry: string },
): void {
  mkdirSync(directory);
  writeFileSync(join(directory, 'package.json'), '{"private":true}\n');
  runProgram('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', main, registry], {
    cwd: directory,
  });
  const help = runProgram('npx', ['@skillwright/registry', '--help'], { cwd: directory });
  expect('npx @skillwright/registry --help', help.split('\n')[0]!, 'skillwright-registry [command] [flags]');
  const token = runProgram('npx', ['@skillwright/registry', 'admin', 'token'], { cwd: directory }).trim();
  expect('npx @skillwright/registry', token.slice(0, 5), 'skwr_');
}

/** The current Node, and the system's if it differs. */
function nodesOfThisMachine(): [path: string, isNewEnough: boolean][] {
  const found = ['/usr/bin/node', '/usr/local/bin/node'].filter((path) => existsSync(path)).slice(0, 1);
  const isNewEnough = (path: string) => {
    const [major = 0, minor = 0] = runProgram(path, ['-p', 'process.versions.node'], { cwd: '/' })
      .split('.')
      .map(Number);
    return major > 22 || (major === 22 && minor >= 18);
  };
  return [process.execPath, ...found].map((path) => [path, isNewEnough(path)]);
}

/** `npm install -g` for a user who has only this Node. */
function checkGlobal(
  user: string,
  given: {
    readonly main: string;
    readonly carrier: string | undefined;
    readonly node: string;
    readonly isNewEnough: boolean;
  },
): void {
  const { main, carrier, node, isNewEnough } = given;
  const programs = join(user, 'programs');
  mkdirSync(programs);
  symlinkSync(node, join(programs, 'node'));
  const prefix = join(user, 'prefix');
  // Keep the machine's network settings; everything else is the user's own.
  const network = Object.entries(process.env).filter(([name]) =>
    /^(?:npm_config_|node_extra_ca|ssl_cert|https?_proxy|no_proxy)/i.test(name),
  );
  const env = {
    npm_config_userconfig: join(process.env.HOME ?? user, '.npmrc'),
    npm_config_cache: join(process.env.HOME ?? user, '.npm'),
    ...Object.fromEntries(network),
    npm_config_prefix: prefix,
    npm_config_fetch_retries: '0',
    HOME: join(user, 'home'),
    PATH: [join(prefix, 'bin'), programs, '/usr/bin', '/bin'].join(delimiter),
  };
  const version = runProgram(node, ['--version'], { cwd: user }).trim();
  const install = (...tarballs: string[]) =>
    runProgram('npm', ['install', '-g', '--no-audit', '--no-fund', '--prefer-offline', ...tarballs], {
      cwd: user,
      env,
    });
  install(main);
  const outcome = (command: string) => {
    try {
      const printed = runProgram(command, ['version', '--json'], { cwd: user, env });
      return (JSON.parse(printed) as { runtime: string }).runtime;
    } catch (error) {
      return (
        /skc: needs Node 22\.18 or later.*/.exec(String(error))?.[0].replaceAll(user, '~') ?? String(error)
      );
    }
  };
  // Without a registry that has it, the platform package is missing.
  const refusal = `skc: needs Node 22.18 or later, or Bun; ~/programs/node is ${version}`;
  for (const command of ['skc', 'skillwright'])
    expect(`npm i -g with Node ${version}, ${command}`, outcome(command), isNewEnough ? 'node' : refusal);
  if (carrier === undefined) return;
  putInside(carrier, join(prefix, 'lib/node_modules/skillwright/node_modules'), user);
  for (const command of ['skc', 'skillwright'])
    expect(`with the executable, Node ${version}, ${command}`, outcome(command), 'native');
}

/** Puts the platform package where npm puts an optional dependency of a global package. */
function putInside(carrier: string, directory: string, user: string): void {
  const beside = join(user, 'carrier');
  mkdirSync(beside);
  writeFileSync(join(beside, 'package.json'), '{"private":true}\n');
  runProgram('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', carrier], { cwd: beside });
  const scope = join(beside, 'node_modules/@skillwright');
  for (const name of readdirSync(scope))
    cpSync(join(scope, name), join(directory, '@skillwright', name), { recursive: true });
}

function expect(what: string, found: string, wanted: string): void {
  if (found !== wanted) throw new Error(`${what}: ${found} instead of ${wanted}`);
  console.log(`${what}: ${found}`);
}
