// Stages and packs the main package, the platform packages and the registry.

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { executableOf, nameOf, ownPlatform, type Platform, packageOf, platforms } from './platforms.ts';
import { runProgram } from './run-program.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const home = join(root, 'packages/skillwright');
const registryHome = join(root, 'packages/registry');

/** Files written, by content. */
export interface Tarballs {
  readonly main: string;
  readonly registry: string;
  /** By name of the platform. */
  readonly native: ReadonlyMap<string, string>;
}

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly [field: string]: unknown;
}

/** The version in package.json. */
export const currentVersion = (): string => readManifest().version;

const readManifest = (): Manifest => JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as Manifest;

/** Packs into an emptied directory. `version` overrides the version in package.json. */
export function packAll(
  wanted: readonly Platform[],
  { out, version = currentVersion() }: { readonly out: string; readonly version?: string },
): Tarballs {
  rmSync(out, { recursive: true, force: true });
  const staged = join(out, 'staged');
  const main = packDirectory(stageMain(join(staged, 'skillwright'), version), out);
  const registry = packDirectory(stageRegistry(join(staged, 'registry'), version), out);
  const native = wanted.map((platform): [string, string] => [
    nameOf(platform),
    packDirectory(stagePlatform(platform, { directory: join(staged, nameOf(platform)), version }), out),
  ]);
  return { main, registry, native: new Map(native) };
}

function stageMain(directory: string, version: string): string {
  for (const part of ['bin', 'dist', 'man', 'schemas'])
    cpSync(join(home, part), join(directory, part), { recursive: true });
  for (const name of ['README.md', 'LICENSE-MIT', 'LICENSE-APACHE'])
    cpSync(join(root, name), join(directory, name));
  const optionalDependencies = Object.fromEntries(
    platforms.map((platform) => [packageOf(platform), version]),
  );
  return writeManifest(directory, { ...readManifest(), version, optionalDependencies });
}

/** Needs exactly the library it was built with. */
function stageRegistry(directory: string, version: string): string {
  cpSync(join(registryHome, 'dist'), join(directory, 'dist'), { recursive: true });
  for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) cpSync(join(root, name), join(directory, name));
  const manifest = JSON.parse(readFileSync(join(registryHome, 'package.json'), 'utf8')) as Manifest & {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const dependencies = { ...manifest.dependencies, skillwright: version };
  return writeManifest(directory, { ...manifest, version, dependencies });
}

function stagePlatform(
  platform: Platform,
  { directory, version }: { readonly directory: string; readonly version: string },
): string {
  const name = executableOf(platform);
  mkdirSync(directory, { recursive: true });
  const built = join(home, 'native/skc');
  // `npm run build:native` builds the one for this machine, which is tested.
  if (platform === ownPlatform && existsSync(built)) cpSync(built, join(directory, name));
  else
    runProgram(process.execPath, ['scripts/build.ts', '--native', platform.target, join(directory, name)], {
      cwd: root,
    });
  return writeManifest(directory, {
    name: packageOf(platform),
    version,
    description: `The skc executable for ${platform.os} ${platform.cpu}.`,
    license: readManifest().license,
    os: [platform.os],
    cpu: [platform.cpu],
    files: [name],
  });
}

function writeManifest(directory: string, manifest: object): string {
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return directory;
}

/** Uses npm's own name for the tarball. */
function packDirectory(directory: string, out: string): string {
  const printed = runProgram('npm', ['pack', '--json', '--pack-destination', out], { cwd: directory });
  const [packed] = JSON.parse(printed) as { filename: string }[];
  return join(out, packed!.filename);
}
