// `npm run test:container`: builds the registry's container as packages/registry/deploy/Containerfile says, and starts it twice
// on the same data. As root, with buildah; where no image registry can be reached, mmdebstrap makes the image it begins with.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const BASE = 'docker.io/library/node:24-bookworm-slim';
const IMAGE = 'localhost/skillwright-registry:test';
const PORT = '48731';
const address = `http://127.0.0.1:${PORT}`;
const place = mkdtempSync(join(tmpdir(), 'skw-container-'));
/** Files with which this machine reaches package registries. */
const network = [join(homedir(), '.npmrc'), '/etc/apt/apt.conf.d'].filter((path) => existsSync(path));
const environment = ['NODE_EXTRA_CA_CERTS', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].flatMap((name) =>
  process.env[name] ? ['--env', `${name}=${process.env[name]}`] : [],
);

function run(program: string, args: readonly string[], cwd = place): string {
  const { status, stdout, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${program} ${args[0]} failed: ${error?.message ?? status}`);
  return stdout.trim();
}

const buildah = (command: string, ...args: string[]) =>
  run('buildah', ['--storage-driver', 'vfs', command, ...args]);

/** The image of the first line, from its registry or from packages of the distribution and the Node of this repository. */
function findBase(): void {
  if (spawnSync('buildah', ['--storage-driver', 'vfs', 'pull', '--policy', 'missing', BASE]).status === 0)
    return;
  console.log(`making ${BASE}`);
  run('mmdebstrap', ['--variant=minbase', '--include=ca-certificates,passwd', 'bookworm', 'base.tar']);
  const container = buildah('from', 'scratch');
  const files = buildah('mount', container);
  run('tar', ['xf', 'base.tar', '-C', files]);
  cpSync(join(root, 'node_modules/node/bin/node'), join(files, 'usr/local/bin/node'));
  const npm = realpathSync(run('sh', ['-c', 'command -v npm']));
  cpSync(dirname(dirname(npm)), join(files, 'usr/local/lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(files, 'usr/local/bin/npm'));
  run('chroot', [files, 'useradd', '--uid', '1000', '--create-home', 'node']);
  // The certificates of this machine: its network may have some of its own.
  cpSync('/etc/ssl/certs/ca-certificates.crt', join(files, 'etc/ssl/certs/ca-certificates.crt'));
  buildah('umount', container);
  buildah('config', '--env', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', container);
  buildah('commit', '--rm', container, BASE);
}

function build(): string {
  run('sh', ['-c', `git -C '${root}' archive HEAD | tar x --one-top-level=source -C '${place}'`]);
  run(
    'buildah',
    [
      ...['--storage-driver', 'vfs', 'build', '--isolation', 'chroot', '--network', 'host', '--pull-never'],
      ...network.flatMap((path) => ['--volume', `${path}:${path}:ro`]),
      ...environment,
      ...['--file', 'packages/registry/deploy/Containerfile', '--tag', IMAGE, '.'],
    ],
    join(place, 'source'),
  );
  return buildah('from', '--pull-never', IMAGE);
}

const inside = (container: string, ...words: string[]) => [
  ...['--storage-driver', 'vfs', 'run', '--isolation', 'chroot', '--network', 'host', container, '--'],
  ...words,
];

/** Starts the registry, waits until it listens, and returns what it printed. */
async function start(container: string): Promise<{ child: ChildProcess; lines: readonly string[] }> {
  // The shell says which process gets the signal.
  const words = inside(container, 'sh', '-c', `echo $$; id -un; exec skillwright-registry --port ${PORT}`);
  const child = spawn('buildah', words, { stdio: ['ignore', 'pipe', 'ignore'] });
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  for (let turn = 0; turn < 120; turn++) {
    if (
      await fetch(`${address}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return { child, lines };
    await pause(500);
  }
  throw new Error(`the registry does not answer: ${lines.join('\n')}`);
}

async function stop({ child, lines }: { child: ChildProcess; lines: readonly string[] }): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.kill(Number(lines[0]), 'SIGTERM');
  await ended;
}

function expect(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(`not so: ${what}`);
  console.log(`✓ ${what}`);
}

try {
  findBase();
  const container = build();
  try {
    const first = await start(container);
    expect(first.lines[1] === 'node', 'it runs as the user node');
    expect(
      first.lines.some((line) => line.startsWith('Admin token')),
      'the first start prints a token',
    );
    const health = spawnSync(
      'buildah',
      inside(
        container,
        'node',
        '-e',
        `fetch('${address}/healthz').then(({ ok }) => process.exit(ok ? 0 : 1))`,
      ),
    );
    expect(health.status === 0, 'the check of its health passes');
    const home = await fetch(address);
    expect(home.status === 200, 'it serves pages');
    await fetch(`${address}/log/checkpoint`);
    await stop(first);
    const kept = spawnSync('buildah', inside(container, 'ls', '/data'), { encoding: 'utf8' }).stdout;
    expect(kept.includes('log-high-water'), 'the newest checkpoint is in /data');
    const second = await start(container);
    expect(
      !second.lines.some((line) => line.startsWith('Admin token')),
      'a second start goes on with the data',
    );
    await stop(second);
  } finally {
    buildah('rm', container);
  }
} finally {
  rmSync(place, { recursive: true, force: true });
}
