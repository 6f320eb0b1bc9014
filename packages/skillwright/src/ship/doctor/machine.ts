// Programs on this machine that skc can use.

import { makeVisible, SkillwrightError } from '../../base/diagnostics/index.ts';
import { askProgram, findProgram } from '../../base/files/index.ts';
import { toolVersion } from '../../base/version.ts';
import { openSandbox } from '../../guard/execute/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import type { DoctorContext } from './survey.ts';

/** Facts about the machine. */
export interface Machine {
  readonly skc: string;
  /** Null when not installed. */
  readonly git: { readonly path: string; readonly version: string } | null;
  readonly sandbox: {
    /** Null when none works. */
    readonly name: string | null;
    readonly why: string | null;
    readonly fix: string | null;
  };
}

const GIT_TIMEOUT_MS = 5000;

/** Looks for the programs skc uses, and tries them. */
export async function lookAtMachine({
  workspace: { env },
}: Pick<DoctorContext, 'workspace'>): Promise<Machine> {
  const [git, sandbox] = await Promise.all([findGit(env), trySandbox(env)]);
  return { skc: toolVersion, git, sandbox };
}

async function findGit(env: Workspace['env']): Promise<Machine['git']> {
  const path = findProgram('git', env);
  if (path === undefined) return null;
  const answer = await askProgram(path, ['--version'], {
    env: { ...env, LC_ALL: 'C' },
    timeoutMs: GIT_TIMEOUT_MS,
  });
  // A program that does not work does not count.
  if (answer === undefined) return null;
  return { path, version: /\d+(?:\.\d+)+/.exec(answer)?.[0] ?? makeVisible(answer) };
}

async function trySandbox(env: Workspace['env']): Promise<Machine['sandbox']> {
  try {
    const { name } = await openSandbox({ env });
    return { name, why: null, fix: null };
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    return { name: null, why: error.message.replace(/^sandbox unavailable: /, ''), fix: error.help ?? null };
  }
}
