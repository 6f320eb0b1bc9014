// Packs what is published: `skillwright`, and one package per platform that carries the executable.
//   pack.ts           writes the tarballs into `out/`
//   pack.ts --check   installs them into an empty project and runs them, native and as JavaScript

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const home = join(root, 'packages/skillwright');
const out = join(root, 'out');

/** Platforms the executable is published for. npm installs the one whose `os` and `cpu` fit. */
const platforms = [
  { os: 'linux', cpu: 'x64' },
  { os: 'linux', cpu: 'arm64' },
  { os: 'darwin', cpu: 'x64' },
  { os: 'darwin', cpu: 'arm64' },
  { os: 'win32', cpu: 'x64' },
];

const packageOf = ({ os, cpu }: { os: string; cpu: string }) => `@skillwright/skc-${os}-${cpu}`;

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly [field: string]: unknown;
}

function run(command: string, args: string[], cwd: string, path = process.env.PATH): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, PATH: path },
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout;
}

/** Stages the two packages of this machine and packs them. */
function pack(): { main: string; native: string } {
  rmSync(out, { recursive: true, force: true });
  const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as Manifest;
  const main = join(out, 'skillwright');
  for (const part of ['bin', 'dist']) cpSync(join(home, part), join(main, part), { recursive: true });
  for (const name of ['README.md', 'LICENSE-MIT', 'LICENSE-APACHE'])
    cpSync(join(root, name), join(main, name));
  const optionalDependencies = Object.fromEntries(
    platforms.map((platform) => [packageOf(platform), manifest.version]),
  );
  writeFileSync(
    join(main, 'package.json'),
    `${JSON.stringify({ ...manifest, optionalDependencies }, null, 2)}\n`,
  );

  const own = { os: process.platform, cpu: process.arch };
  const native = join(out, `skc-${own.os}-${own.cpu}`);
  mkdirSync(native, { recursive: true });
  cpSync(join(home, 'native/skc'), join(native, 'skc'));
  const description = `The skc executable for ${own.os} ${own.cpu}.`;
  const nativeManifest = {
    name: packageOf(own),
    version: manifest.version,
    description,
    license: manifest.license,
  };
  writeFileSync(
    join(native, 'package.json'),
    `${JSON.stringify({ ...nativeManifest, os: [own.os], cpu: [own.cpu], files: ['skc'] }, null, 2)}\n`,
  );
  for (const directory of [main, native]) run('npm', ['pack', '--pack-destination', out], directory);
  const tarball = (start: string) =>
    join(out, readdirSync(out).find((name) => name.startsWith(start) && name.endsWith('.tgz'))!);
  return { main: tarball('skillwright-0'), native: tarball('skillwright-skc-') };
}

/** Installs the tarballs as a user would and looks at which form of skc answers. */
function check({ main, native }: { main: string; native: string }): void {
  const project = mkdtempSync(join(tmpdir(), 'skc-packed-'));
  try {
    writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}\n');
    run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', main, native], project);
    const skc = join(project, 'node_modules/.bin/skc');
    const runtime = () =>
      (JSON.parse(run(skc, ['version', '--json'], project)) as { runtime: string }).runtime;
    expect('with the platform package', runtime(), 'native');
    rmSync(join(project, 'node_modules/@skillwright'), { recursive: true });
    expect('without it', runtime(), 'node');
    const script =
      "import { createClient } from 'skillwright'; const { version } = await createClient().version(); console.log(version);";
    const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as Manifest;
    expect('as a library', run('node', ['--input-type=module', '-e', script], project).trim(), version);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

function expect(what: string, found: string, wanted: string): void {
  if (found !== wanted) throw new Error(`${what}: ${found} instead of ${wanted}`);
  console.log(`${what}: ${found}`);
}

const tarballs = pack();
if (process.argv.includes('--check')) check(tarballs);
