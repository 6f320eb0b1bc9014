// What a script can do: what it says at its beginning, else what it prints when it is asked.

import { findInterpreter } from './find-interpreter.ts';
import type { Limits } from './limits.ts';
import { describeScript, openScript } from './list-scripts.ts';
import type { Sandbox } from './sandbox.ts';
import { type AccessContext, readSkillGrants, skillAccess } from './skill-access.ts';

/** Where a help text comes from. */
export interface ScriptHelp {
  readonly path: string;
  readonly source: 'comment' | '--help' | 'none';
  readonly text: string;
}

/** How to ask a script. */
export interface ScriptHelpOptions extends AccessContext {
  /** Opened only when the script has to be run. */
  readonly openSandbox: () => Promise<Sandbox>;
  readonly limits: Limits;
  readonly signal?: AbortSignal | undefined;
}

const HELP_SECONDS = 10;
const HELP_BYTES = 64 * 1024;

/** The help of a script. To print it the script is run without any grant. E012, E070 when there is no such script. */
export async function scriptHelp(dir: string, word: string, options: ScriptHelpOptions): Promise<ScriptHelp> {
  const skill = readSkillGrants(dir, options);
  const { path, file, bytes } = openScript(skill.dir, word);
  const comment = describeScript(skill.dir, path);
  if (comment !== '') return { path, source: 'comment', text: comment };
  const [sandbox, interpreter] = [await options.openSandbox(), await findInterpreter(path, options.env)];
  const access = skillAccess({ ...skill, granted: [] }, options);
  const { exitCode, stdout, stderr } = await sandbox.run({
    ...access,
    argv: [...interpreter.argv, file, '--help'],
    env: { ...access.env, ...interpreter.env },
    readable: [...interpreter.readable, ...access.readable],
    checked: [{ path: file, bytes }],
    limits: { ...options.limits, seconds: HELP_SECONDS, outputBytes: HELP_BYTES },
    signal: options.signal,
  });
  const text = (stdout.trim() === '' ? stderr : stdout).trim();
  return exitCode === 0 && text !== ''
    ? { path, source: '--help', text }
    : { path, source: 'none', text: '' };
}
