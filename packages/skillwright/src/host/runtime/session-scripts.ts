// Scripts of a session's skills: finds, judges and runs them.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic } from '../../base/diagnostics/index.ts';
import type { Sandbox, Script, ScriptEnvelope } from '../../guard/execute/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import type { Config } from '../../skill/config/index.ts';
import type { LoadOptions } from './session.ts';

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

/** Environment scripts run in. */
interface ScriptSurroundings {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>> | undefined;
  readonly config: Pick<Config, 'scripts'>;
  /** The host's sandbox; otherwise the machine's. */
  readonly sandbox: Sandbox | undefined;
}

/** Runs a script of a skill that may be run. */
export async function runSkillScript(
  { dir }: Pick<SkillRecord, 'dir'>,
  script: string,
  options: RunOptions & ScriptSurroundings,
): Promise<ScriptEnvelope> {
  const { home, env, config, timeout, args, stdin, signal, report, json = false } = options;
  const { limitsOf, openSandbox, runScript } = await import('../../guard/execute/index.ts');
  const limits = limitsOf(config);
  const sandbox = options.sandbox ?? (await openSandbox({ env, orWithout: config.scripts.unsandboxed }));
  return runScript(dir, script, {
    home,
    env,
    sandbox,
    limits: { ...limits, seconds: Math.min(timeout ?? limits.seconds, limits.seconds) },
    json,
    stdin,
    signal,
    ...(args === undefined ? {} : { args }),
    ...(report === undefined ? {} : { report }),
  });
}

/** Whether a skill may have scripts, without searching for them. */
export function hasScripts({ dir }: Pick<SkillRecord, 'dir'>): boolean {
  return existsSync(join(dir, 'scripts'));
}

/** The scripts of a skill. Their summaries are withheld while a quiz locks the skill. */
export async function listSkillScripts(
  { dir }: Pick<SkillRecord, 'dir'>,
  { closed }: { readonly closed: boolean },
): Promise<Script[]> {
  const { listScripts } = await import('../../guard/execute/list-scripts.ts');
  return listScripts(dir).map((script) => (closed ? { ...script, summary: '' } : script));
}
