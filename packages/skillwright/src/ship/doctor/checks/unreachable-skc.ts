// Stubs that do not work because the agent's shell does not find skc.

import { dirname, join } from 'node:path';
import { quoteWord } from '../../../base/diagnostics/index.ts';
import { findProgram } from '../../../base/files/index.ts';
import { defineCheck } from '../check.ts';
import type { Survey } from '../survey.ts';

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
export const unreachableSkc = defineCheck({
  id: 'unreachable-skc',
  group: 'this machine',
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
