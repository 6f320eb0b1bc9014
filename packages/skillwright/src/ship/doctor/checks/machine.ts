// Checks of the programs on this machine.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { quoteWord } from '../../../base/diagnostics/index.ts';
import { findProgram } from '../../../base/files/index.ts';
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

/** In the order of their findings. */
export const machine = checksOf('this machine', [missingProgram, unreachableSkc]);
