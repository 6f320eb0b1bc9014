// Checks of the programs on this machine.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { quoteWord } from '../../../base/diagnostics/index.ts';
import { askProgram, findProgram } from '../../../base/files/index.ts';
import { checksOf, defineCheck } from '../check.ts';
import { lookAtMachine, type Survey } from '../survey.ts';

/** Reports git and the sandbox when they are needed but missing. */
const missingProgram = defineCheck({
  id: 'missing-program',
  summary: 'git is installed for skills from repositories, and a sandbox for skills with scripts.',
  async find({ skills, context }) {
    const { git, sandbox } = await lookAtMachine(context);
    const cloned = skills.filter(({ entry }) => entry?.resolution.commit !== undefined);
    const scripted = skills.filter(
      ({ source }) => source !== undefined && existsSync(join(source, 'scripts')),
    );
    return [
      ...(git !== null || cloned.length === 0
        ? []
        : [
            {
              severity: 'warning' as const,
              subject: 'git',
              message: 'git is not installed',
              why: `${cloned[0]!.name} comes from a repository and cannot be updated or restored without git.`,
              fix: 'install git',
            },
          ]),
      ...(sandbox.name !== null || scripted.length === 0
        ? []
        : [
            {
              severity: 'info' as const,
              subject: 'sandbox',
              message: `there is no sandbox: ${sandbox.why}`,
              why: `'skc run' refuses the scripts of ${scripted[0]!.name}.`,
              fix: sandbox.fix ?? 'install bubblewrap',
            },
          ]),
    ];
  },
});

/** Directories that are on the PATH of only one command or project. */
const PASSING = /[\\/](?:_npx|dlx-[^\\/]*|node_modules)[\\/]/;

/** Usual directories for programs that a PATH may lack. */
const usualDirectories = (home: string) => [
  '/usr/local/bin',
  '/usr/bin',
  '/opt/homebrew/bin',
  ...['.local/bin', '.npm-global/bin', '.bun/bin', 'bin'].map((below) => join(home, below)),
];

/**
 * Reports stubs on a machine whose PATH has no permanent `skc`. Runs nothing: it assumes that the agent's shell has the PATH
 * of this process, without the directories that npx and package scripts add.
 */
const unreachableSkc = defineCheck({
  id: 'unreachable-skc',
  summary: 'Agents can run skc, which stubs tell them to call.',
  *find({ skills, context }) {
    const stubs = skills.filter(isStub);
    const { env, home } = context.workspace;
    const path = Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1];
    // Without a PATH there is nothing to check.
    if (stubs.length === 0 || path === undefined) return;
    const separator = process.platform === 'win32' ? ';' : ':';
    const lasting = path.split(separator).filter((directory) => !PASSING.test(`${directory}/`));
    if (findProgram('skc', { ...env, PATH: lasting.join(separator) }) !== undefined) return;
    const elsewhere = findProgram('skc', { PATH: usualDirectories(home).join(separator) });
    const passing = findProgram('skc', env);
    const amount = stubs.length === 1 ? `'${stubs[0]!.name}' is` : `${stubs.length} skills are`;
    yield {
      severity: 'warning',
      subject: 'skc',
      message: 'skc is not on the PATH',
      why: `${amount} deployed as a stub, which tells agents to call skc. ${whereIs(elsewhere ?? passing)}`,
      fix:
        elsewhere === undefined
          ? 'npm install --global skillwright'
          : `export PATH=${quoteWord(dirname(elsewhere))}:"$PATH"`,
    };
  },
});

function whereIs(found: string | undefined): string {
  if (found === undefined) return 'Their shells will not find it.';
  return PASSING.test(found)
    ? `Only npx or a package script finds it: ${found}`
    : `It is in ${dirname(found)}. Add that directory to the PATH in your shell's profile.`;
}

function isStub({ runtime }: Survey['skills'][number]): boolean {
  const { manifest, deployed } = runtime;
  return manifest !== undefined && (manifest.form ?? 'stub') !== 'whole' && deployed.length > 0;
}

const TIMEOUT_MS = 5000;
/** The same version as in the launcher `skc`. */
const OLDEST = [22, 18] as const;

/** Reports a Node that is too old for the fallback. */
const oldNode = defineCheck({
  id: 'old-node',
  summary: 'Node, if installed, can run skc.',
  async find({ context }) {
    const { env } = context.workspace;
    const path = findProgram('node', env);
    if (path === undefined || findProgram('bun', env) !== undefined) return [];
    const answer = await askProgram(path, ['--version'], { env, timeoutMs: TIMEOUT_MS });
    const [, major, minor] = /^v(\d+)\.(\d+)\./.exec(answer ?? '') ?? [];
    if (major === undefined || isNewEnough(Number(major), Number(minor))) return [];
    return [
      {
        severity: 'info' as const,
        subject: path,
        message: `Node ${major}.${minor} is too old for skc without its native executable`,
        why: `Where the native executable is missing, skc needs Node ${OLDEST.join('.')} or later.`,
        fix: `install Node ${OLDEST.join('.')} or later`,
      },
    ];
  },
});

const isNewEnough = (major: number, minor: number) =>
  major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);

/** In the order of their findings. */
export const machine = checksOf('this machine', [missingProgram, unreachableSkc, oldNode]);
