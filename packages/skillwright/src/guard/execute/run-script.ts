// Runs scripts of a skill, and commands in its text, in the sandbox.

import { join, relative } from 'node:path';
import { type Diagnostic, diagnose, messageOf, SkillwrightError } from '../../base/diagnostics/index.ts';
import { findProgram, formatBytes } from '../../base/files/index.ts';
import type { Reach } from '../../skill/judge/index.ts';
import { findInterpreter } from './find-interpreter.ts';
import type { Limits } from './limits.ts';
import { openScript } from './list-scripts.ts';
import { runInCopy } from './prepare-skill.ts';
import type { RunResult, Sandbox, SandboxName } from './sandbox.ts';
import { spellGrant } from './sandbox-grants.ts';
import { type AccessContext, grantToSkill, placeInside } from './skill-access.ts';

/** Options for running a script. */
export interface RunScriptOptions extends AccessContext {
  readonly sandbox: Sandbox;
  readonly limits: Limits;
  readonly args?: readonly string[];
  readonly stdin?: string | Uint8Array | undefined;
  /** Parse its output as JSON. */
  readonly json?: boolean;
  /** New grants of the user for this skill, which are remembered. */
  readonly grant?: readonly string[];
  readonly signal?: AbortSignal | undefined;
  /** Receives warnings about missing grants. */
  readonly report?: (diagnostic: Diagnostic) => void;
}

/** Result of a script. */
export interface ScriptEnvelope {
  /** True when it ended by itself with status 0. */
  readonly ok: boolean;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** True when the script was stopped because of its output limit. */
  readonly truncated: boolean;
  readonly timedOut: boolean;
  readonly durationMs: number;
  readonly sandbox: SandboxName;
  /** Its parsed output, when JSON was requested. */
  readonly data?: unknown;
}

const MAX_ARGUMENTS = 100;
const MAX_ARGUMENT_LENGTH = 4096;

/**
 * Runs a script and returns its result, even when it failed. Runs exactly the checked files. E012 or E070 when there is
 * no such script, E075 for bad arguments, E074 when it cannot start, E073 when its output should be JSON and is not.
 */
export async function runScript(
  dir: string,
  word: string,
  options: RunScriptOptions,
): Promise<ScriptEnvelope> {
  const { sandbox, limits, args = [], grant = [], env = process.env, report = () => {} } = options;
  checkArguments(args);
  // Report a link that leads out here; in the copy it is just broken.
  openScript(dir, word);
  let name = word;
  const result = await runInCopy(dir, { ...options, bound: grant.length > 0 }, async (copy, accessOf) => {
    const script = openScript(copy.root, word);
    name = script.name;
    const skill = grantToSkill(copy, grant, options);
    const missing = skill.declared.filter((wanted) => !skill.granted.includes(wanted)).map(spellGrant);
    if (missing.length > 0) {
      const help = `the user can grant it on the command line: --grant '${missing.join(' ')}'`;
      report(diagnose('W070', { grants: missing.join(' ') }, { help, data: { missing } }));
    }
    const interpreter = await findInterpreter(script.path, env);
    const access = accessOf(skill);
    const file = join(placeInside(skill, sandbox), relative(skill.root, script.file));
    return {
      ...access,
      // Windows starts a batch file by itself.
      argv: interpreter.name === 'cmd' ? [file, ...args] : [...interpreter.argv, file, ...args],
      env: { ...access.env, ...interpreter.env },
      readable: [...interpreter.readable, ...access.readable],
    };
  });
  const envelope = envelopeOf(result, { sandbox: sandbox.name, limits });
  return options.json && envelope.ok ? withData(envelope, name) : envelope;
}

/** The coded error for a failed script, with its output; undefined for success. `hint` names a possible reason. */
export function scriptFailure(
  envelope: ScriptEnvelope,
  script: string,
  { hint }: { hint?: string | undefined } = {},
): SkillwrightError | undefined {
  if (envelope.ok) return undefined;
  const details = { detail: shownOutput(envelope), data: { ...envelope } };
  if (envelope.timedOut) {
    const help = `it was stopped after ${(envelope.durationMs / 1000).toFixed(1)} s; --timeout sets a longer limit`;
    return SkillwrightError.of('E071', { script }, { ...details, help });
  }
  if (envelope.truncated) {
    const help = 'it was stopped there; its output up to then is kept';
    return SkillwrightError.of('E072', { script }, { ...details, help });
  }
  return SkillwrightError.of(
    'E073',
    { script },
    { ...details, help: [`it ended with status ${envelope.exitCode}`, hint].filter(Boolean).join('; ') },
  );
}

function checkArguments(args: readonly string[]): void {
  const refuse = (why: string) => SkillwrightError.of('E075', { why });
  if (args.length > MAX_ARGUMENTS) throw refuse(`${args.length} arguments; the limit is ${MAX_ARGUMENTS}`);
  for (const [index, argument] of args.entries()) {
    if (argument.includes('\0')) throw refuse(`argument ${index + 1} contains a NUL character`);
    if ([...argument].length > MAX_ARGUMENT_LENGTH)
      throw refuse(`argument ${index + 1} is longer than ${MAX_ARGUMENT_LENGTH} characters`);
  }
}

function envelopeOf(
  result: RunResult,
  { sandbox, limits }: { sandbox: SandboxName; limits: Limits },
): ScriptEnvelope {
  const { exitCode, stopped, stdout, durationMs } = result;
  const reasons: Partial<Record<string, string>> = {
    memory: `it used more than ${formatBytes(limits.memoryBytes)} of memory`,
    processes: `it had more than ${limits.processes} processes`,
  };
  const reason = stopped === undefined ? undefined : reasons[stopped];
  return {
    ok: exitCode === 0 && stopped === undefined,
    exitCode,
    stdout,
    stderr:
      reason === undefined ? result.stderr : `${endLine(result.stderr)}skc: stopped, because ${reason}\n`,
    truncated: stopped === 'output',
    timedOut: stopped === 'time',
    durationMs,
    sandbox,
  };
}

function withData(envelope: ScriptEnvelope, script: string): ScriptEnvelope {
  try {
    return { ...envelope, data: JSON.parse(envelope.stdout.replace(/^\ufeff/, '')) };
  } catch (error) {
    const help = `its output is not JSON: ${messageOf(error)}`;
    const failed = { ...envelope, ok: false };
    throw SkillwrightError.of('E073', { script }, { help, detail: shownOutput(failed), data: failed });
  }
}

/** Characters of each stream to print under an error; its data has the rest. */
const SHOWN_CHARACTERS = 4000;

function shownOutput({ stdout, stderr }: ScriptEnvelope): string {
  const shown = (name: string, text: string) => {
    if (text.trim() === '') return [];
    const cut = text.length > SHOWN_CHARACTERS;
    return [`--- ${name}${cut ? ' (its end)' : ''}`, text.slice(-SHOWN_CHARACTERS).trimEnd()];
  };
  return [...shown('stdout', stdout), ...shown('stderr', stderr)].join('\n');
}

const endLine = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

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
  skill: { readonly dir: string; reach?(manifests: Iterable<string>): Promise<Pick<Reach, 'fenced'>> },
) => Promise<{ ok: boolean; output: string }> {
  if (sandbox.name === 'none')
    throw SkillwrightError.of('E074', { why: 'commands in the text of a skill run only in a sandbox' });
  const shell = findProgram('bash', options.env ?? process.env) === undefined ? 'sh' : 'bash';
  const limits = { ...options.limits, outputBytes: Math.min(options.limits.outputBytes, DYNAMIC_BYTES) };
  return async ({ command, env = {} }, { dir, reach }) => {
    const fencedIn: AccessContext['fencedIn'] =
      reach === undefined ? options.fencedIn : async (_, manifests) => (await reach(manifests)).fenced;
    const how = { ...options, sandbox, limits, fencedIn };
    const result = await runInCopy(dir, how, async (copy, accessOf) => {
      const access = accessOf(copy);
      // Use the path of the skill inside the sandbox.
      return { ...access, argv: [shell, '-c', command], env: { ...env, ...access.env } };
    });
    const ok = result.stopped === 'output' || (result.stopped === undefined && result.exitCode === 0);
    return { ok, output: result.stdout };
  };
}
