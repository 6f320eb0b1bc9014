// Scripts of a session's skills: finds, judges and runs them.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic } from '../../base/diagnostics/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import { relativePath } from './read-resource.ts';
import type { LoadOptions, SessionMethods } from './session.ts';
import { openFor } from './session-state.ts';

/** How to run a script. A model chooses only arguments, time limit and input. */
export interface RunOptions extends LoadOptions {
  readonly args?: readonly string[] | undefined;
  /** Seconds, up to the configured limit. */
  readonly timeout?: number | undefined;
  readonly stdin?: string | undefined;
  /** Parse the output as JSON. */
  readonly json?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called for each thing the script has to do without. */
  readonly report?: (diagnostic: Diagnostic) => void;
}

export const runScript: SessionMethods['runScript'] = async (state, reference, name, how = {}) => {
  const { openScript } = await import('../../guard/execute/list-scripts.ts');
  const runs = (dir: string) => void openScript(dir, relativePath({ dir }, name));
  const skill = await openFor(state, reference, { ...how, operation: 'run', runs });
  const { timeout, args, stdin, signal, report, json = false } = how;
  for (const warning of skill.warnings) report?.(warning);
  const script = relativePath(skill, name);
  const { path } = openScript(skill.dir, script);
  const { allowsFile, refusal } = await skill.reach([path]);
  if (!allowsFile(path)) throw refusal(skill.name, path);
  const { home, env, sandbox: own } = state.options;
  const { config } = state.settings;
  const { limitsOf, openSandbox, runScript } = await import('../../guard/execute/index.ts');
  const limits = limitsOf(config);
  return runScript(skill.dir, script, {
    home,
    env,
    sandbox: own ?? (await openSandbox({ env, orWithout: config.scripts.unsandboxed })),
    limits: { ...limits, seconds: Math.min(timeout ?? limits.seconds, limits.seconds) },
    json,
    stdin,
    signal,
    fencedIn: async (_, manifests) => (await skill.reach(manifests)).fenced,
    ...(args === undefined ? {} : { args }),
    ...(report === undefined ? {} : { report }),
  });
};

/** The scripts of a skill, without the summaries of those that may not be read. */
export const listScripts: SessionMethods['listScripts'] = async (state, reference, how = {}) => {
  const skill = await openFor(state, reference, how);
  const { gate, allowsName, allowsFile } = await skill.reach(skill.files());
  const { listScripts } = await import('../../guard/execute/list-scripts.ts');
  return listScripts(skill.dir).flatMap((script) => {
    if (!allowsName(script.path)) return [];
    return gate === undefined && allowsFile(script.path) ? [script] : [{ ...script, summary: '' }];
  });
};

/** Whether a skill may have scripts, without searching for them. */
export function hasScripts({ dir }: Pick<SkillRecord, 'dir'>): boolean {
  return existsSync(join(dir, 'scripts'));
}
