// Opens the sandbox of this machine. It counts only after a successful test run.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { type Environment, findProgram, isPathGiven } from '../../base/files/index.ts';
import type { Sandbox } from './sandbox.ts';

/** Options for finding a sandbox. */
interface SandboxOptions {
  /** Default: the environment of this process. */
  readonly env?: Environment | undefined;
  /** Default: the environment of this process. */
  readonly platform?: NodeJS.Platform;
  /** Run without a sandbox. Only the user may set it: on the command line or in their own configuration. */
  readonly unsandboxed?: boolean;
  /** Run without a sandbox when none works. Also only for the user to set. */
  readonly orWithout?: boolean;
}

const working = new Map<string, Promise<Sandbox>>();

/** The sandbox of this machine, tested once per process. E074 with a remedy when none works. */
export async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { env = process.env, platform = process.platform, unsandboxed = false, orWithout = false } = options;
  if (unsandboxed) {
    const { createUnsandboxed } = await import('./private-sandbox.ts');
    return createUnsandboxed(env);
  }
  if (orWithout) return openSandbox({ env, platform }).catch(() => openSandbox({ env, unsandboxed: true }));
  const program = platform === 'linux' ? findProgram('bwrap', env) : undefined;
  const key = `${platform}\0${program}`;
  const known = working.get(key);
  if (known !== undefined) return known;
  if (platform === 'linux' && program === undefined && !isPathGiven(env)) throw noPath();
  const opened = openOn(platform, program);
  working.set(key, opened);
  // Do not remember a failure: a package may be installed while a server runs.
  opened.catch(() => working.delete(key));
  return opened;
}

const OTHERWISE = 'or allow unsandboxed runs in your own configuration, if you trust every skill you use';

function noPath(): SkillwrightError {
  const why = 'no PATH was given to look for bubblewrap (bwrap)';
  const help = 'pass an env that has PATH, or leave env out to use the environment of the process';
  return SkillwrightError.of('E074', { why }, { help });
}

/** The sandbox that works. Root's runs as another user where the machine lets that user have one. */
async function openOn(platform: NodeJS.Platform, program: string | undefined): Promise<Sandbox> {
  if (platform === 'linux' && program !== undefined && process.getuid?.() === 0) {
    const { createBubblewrap } = await import('./bubblewrap.ts');
    const sandbox = createBubblewrap(program, { leavesRoot: true });
    if ((await complaintOf(sandbox)) === undefined) return sandbox;
  }
  return tryOut(await createFor(platform, program));
}

async function createFor(platform: NodeJS.Platform, program: string | undefined): Promise<Sandbox> {
  if (platform === 'darwin') return (await import('./private-sandbox.ts')).createSandboxExec();
  if (platform !== 'linux') {
    const why = platform === 'win32' ? 'there is none for Windows' : `no sandbox for ${platform}`;
    throw SkillwrightError.of(
      'E074',
      { why },
      { help: `add --unsandboxed if you trust this skill, ${OTHERWISE}` },
    );
  }
  if (program !== undefined) return (await import('./bubblewrap.ts')).createBubblewrap(program);
  const help = `install it, for example with 'apt-get install bubblewrap', ${OTHERWISE}`;
  throw SkillwrightError.of('E074', { why: 'bubblewrap (bwrap) is not installed' }, { help });
}

async function tryOut(sandbox: Sandbox): Promise<Sandbox> {
  const why = await complaintOf(sandbox);
  if (why === undefined) return sandbox;
  const remedy = why.includes('nknown option')
    ? 'install bubblewrap 0.7 or newer'
    : 'allow user namespaces on this machine';
  const help = `${sandbox.name === 'bubblewrap' ? `${remedy}, ` : ''}${OTHERWISE}`.replace(/^or /, '');
  throw SkillwrightError.of('E074', { why: `${sandbox.name} does not work here: ${why}` }, { help });
}

/** Runs a minimal program. The reason when it fails, otherwise undefined. */
async function complaintOf(sandbox: Sandbox): Promise<string | undefined> {
  const limits = { seconds: 10, outputBytes: 4096, memoryBytes: 2 ** 28, processes: 16, fileBytes: 4096 };
  try {
    const command = {
      argv: ['/bin/sh', '-c', 'exit 0'],
      cwd: '/',
      readable: [],
      alone: true,
      limits,
    } as const;
    const { exitCode, stderr } = await sandbox.run(command);
    return exitCode === 0 ? undefined : stderr.trim().split('\n')[0] || `it ended with ${exitCode}`;
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    return error.message.replace(/^sandbox unavailable: /, '');
  }
}
