// The package as it is published, in a project of somebody else: every compiler, every runtime, the oldest zod and the
// newest. The older ones are dependencies of this workspace, so that the tools of the repository stay as they are.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { makeSharedDirectory } from '../../skillwright/test/make-directory.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const consumers = join(root, 'packages/consumers');
const skillwright = join(root, 'packages/skillwright');
const newest = join(root, 'node_modules');
const oldest = join(consumers, 'node_modules');

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
}

const readManifest = (directory: string) =>
  JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest;
const manifest = readManifest(skillwright);

/** Everything that can be imported: `skillwright`, `skillwright/base` and so on. */
const paths = Object.keys(manifest.exports)
  .filter((name) => !name.endsWith('.json'))
  .map((name) => name.replace(/^\./, 'skillwright'));

const everyExport = [
  ...paths.map((path, at) => `import * as part${at} from '${path}';`),
  `const parts = [${paths.map((_, at) => `part${at}`).join(', ')}];`,
  'process.stdout.write(JSON.stringify(parts.map((part) => Object.keys(part).length > 0)));',
  '',
].join('\n');

const skill =
  '---\nname: greeting\ndescription: Greets people. Use when somebody arrives.\n---\n\nSay hello.\n';

function run(program: string, args: readonly string[], cwd: string) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', SKILLC_HOME: cwd, HOME: cwd, SKC_NO_LOG: '1' },
  });
  return { status, output: stdout + stderr, stdout };
}

/** The package as `npm pack` makes it, unpacked. */
function packOnce(): string {
  const place = makeSharedDirectory({});
  const npm = spawnSync('npm', ['pack', '--ignore-scripts', '--pack-destination', place], {
    cwd: skillwright,
    encoding: 'utf8',
  });
  const tarball = readdirSync(place).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error(`npm pack failed:\n${npm.stdout}${npm.stderr}`);
  const { status, output } = run('tar', ['-xzf', tarball], place);
  if (status !== 0) throw new Error(output);
  return join(place, 'package');
}

/** A project that has the package installed; its dependencies are linked from this repository. */
function makeProject(packed: string, zod: string): string {
  const project = makeSharedDirectory({
    'package.json': '{"private": true, "type": "module"}\n',
    'every-export.ts': everyExport,
    'host.ts': readFileSync(join(consumers, 'project/host.ts'), 'utf8'),
    '.agents/skills/greeting/SKILL.md': skill,
  });
  cpSync(packed, join(project, 'node_modules/skillwright'), { recursive: true });
  for (const name of [...Object.keys(manifest.dependencies), '@types/node']) {
    const place = join(project, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(name === 'zod' ? zod : newest, name), place);
  }
  return project;
}

const compilers = {
  '5.6.3': join(oldest, '.bin/tsc'),
  '7.0.2': join(newest, '.bin/tsc'),
} as const;
const runtimes = [
  ['Node 22', join(oldest, '.bin/node'), /^22\./],
  ['Node 24', join(newest, '.bin/node'), /^24\./],
  ['Bun', join(newest, '.bin/bun'), /^1\./],
] as const;

/** As strict as a compiler gets, declarations of packages included. */
const strictest = {
  target: 'es2022',
  lib: 'es2022',
  types: 'node',
  strict: 'true',
  exactOptionalPropertyTypes: 'true',
  noUncheckedIndexedAccess: 'true',
  skipLibCheck: 'false',
};

function compile(project: string, version: keyof typeof compilers, flags: Readonly<Record<string, string>>) {
  const words = Object.entries({ ...strictest, ...flags }).flatMap(([name, value]) => [`--${name}`, value]);
  const { status, output } = run(compilers[version], [...words, 'host.ts', 'every-export.ts'], project);
  return { status, output };
}

test('the versions under test are those that are named here', () => {
  for (const [version, tsc] of Object.entries(compilers))
    expect(run(tsc, ['--version'], root).stdout).toBe(`Version ${version}\n`);
  for (const [, program, version] of runtimes)
    expect(run(program, ['--version'], root).stdout.replace(/^v/, '')).toMatch(version);
  expect(manifest.dependencies.zod).toBe(`^${readManifest(join(oldest, 'zod')).version}`);
});

test('every dependency is a range', () => {
  const pinned = Object.entries(manifest.dependencies).filter(
    ([, range]) => !/^\^\d+\.\d+\.\d+$/.test(range),
  );
  expect(pinned).toEqual([]);
});

const packed = packOnce();

describe.each([
  ['the newest zod', newest],
  ['the oldest zod', oldest],
])('with %s', (_, zod) => {
  const project = makeProject(packed, zod);

  // With Node's resolution the newest compiler checks it below. The older one is slow, so it checks one project.
  const ways: [keyof typeof compilers, string, string][] =
    zod === newest
      ? [
          ['5.6.3', 'nodenext', 'nodenext'],
          ['5.6.3', 'bundler', 'preserve'],
          ['7.0.2', 'bundler', 'preserve'],
        ]
      : [];

  test.each(ways)('TypeScript %s checks it, resolving as %s', (version, moduleResolution, module) => {
    expect(compile(project, version, { module, moduleResolution, noEmit: 'true' })).toEqual({
      status: 0,
      output: '',
    });
  });

  test('checked by TypeScript 7, it runs on Node 22, Node 24 and Bun', () => {
    expect(compile(project, '7.0.2', { module: 'nodenext' })).toEqual({ status: 0, output: '' });
    for (const [, program, version] of runtimes) {
      expect(JSON.parse(run(program, ['every-export.js'], project).stdout)).toEqual(paths.map(() => true));
      expect(JSON.parse(run(program, ['host.js'], project).stdout)).toEqual({
        prompt: true,
        tools: expect.arrayContaining(['skill_load', 'skill_read', 'skill_search']),
        checked: true,
        refused: false,
        loaded: true,
        missing: 'E001',
        mistake: 'string',
        version: manifest.version,
      });
      const skc = run(program, ['node_modules/skillwright/dist/skc/main.js', 'version', '--json'], project);
      expect(JSON.parse(skc.stdout)).toMatchObject({
        version: manifest.version,
        runtime_version: expect.stringMatching(version),
      });
    }
  });

  test('bin/skc starts on the Node of the PATH', () => {
    for (const [, program, version] of runtimes.slice(0, 2)) {
      const bin = join(project, 'node_modules/skillwright/bin/skc');
      const { stdout } = spawnSync(bin, ['version', '--json'], {
        cwd: project,
        encoding: 'utf8',
        env: { PATH: `${dirname(program)}:/usr/bin:/bin` },
      });
      expect(JSON.parse(stdout)).toMatchObject({
        runtime: 'node',
        runtime_version: expect.stringMatching(version),
      });
    }
  });
});
