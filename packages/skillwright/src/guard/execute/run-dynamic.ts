// Runs commands in the text of a skill for their output.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { findProgram } from '../../base/files/index.ts';
import type { Limits } from './limits.ts';
import { prepareSkill } from './prepare-skill.ts';
import type { Sandbox } from './sandbox.ts';
import { type AccessContext, skillAccess } from './skill-access.ts';

/** Limit of the output. */
const DYNAMIC_BYTES = 64 * 1024;

/**
 * A `runDynamic` function for a session. Each command runs in a shell inside the sandbox, with the grants
 * of the skill. Output over the limit is cut; a command that fails is not ok. E074 without a sandbox.
 */
export function runDynamicIn(
  sandbox: Sandbox,
  options: AccessContext & { readonly limits: Limits; readonly signal?: AbortSignal | undefined },
): (
  command: { readonly command: string; readonly env?: Readonly<Record<string, string>> },
  skill: { readonly dir: string },
) => Promise<{ ok: boolean; output: string }> {
  if (sandbox.name === 'none')
    throw SkillwrightError.of('E074', { why: 'commands in the text of a skill run only in a sandbox' });
  const shell = findProgram('bash', options.env ?? process.env) === undefined ? 'sh' : 'bash';
  const limits = { ...options.limits, outputBytes: Math.min(options.limits.outputBytes, DYNAMIC_BYTES) };
  return async ({ command, env = {} }, { dir }) => {
    const skill = prepareSkill(dir, { ...options, sandbox });
    try {
      const access = skillAccess(skill, { ...options, sandbox });
      const result = await sandbox.run({
        ...access,
        argv: [shell, '-c', command],
        // Use the path of the skill inside the sandbox.
        env: { ...env, ...access.env },
        limits,
        signal: options.signal,
      });
      const ok = result.stopped === 'output' || (result.stopped === undefined && result.exitCode === 0);
      return { ok, output: result.stdout };
    } finally {
      skill.remove();
    }
  };
}
