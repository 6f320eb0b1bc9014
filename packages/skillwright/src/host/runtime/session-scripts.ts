// Scripts of a session's skills: finds, judges and runs them.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { Diagnostic } from '../../base/diagnostics/index.ts';
import type { Script, ScriptEnvelope } from '../../guard/execute/index.ts';
import type { SkillReference } from '../../read/access/index.ts';
import { neutralise, type SkillRecord } from '../../read/catalog/index.ts';
import { Remark, ScriptResult } from '../answers/index.ts';
import { relativePath } from './read-resource.ts';
import type { LoadOptions } from './session.ts';
import { aboutSkill, method, readsSkill, renderRemarks, runsSkill, withReference } from './session-method.ts';
import { openFor, type SessionState } from './session-state.ts';

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

export const runScript = method({
  rpc: 'scripts.run',
  summary: 'Run a script of a skill in a sandbox',
  input: withReference({
    script: z.string().min(1).describe('Name of the script, such as fill.py'),
    args: z.array(z.string()).default([]).describe('Arguments, passed unchanged'),
    stdin: z.string().optional().describe('Text for standard input'),
    timeout: z.number().positive().optional().describe('Time limit in seconds, up to the configured limit'),
    json: z.boolean().default(false).describe('Parse the output as JSON'),
  }),
  output: ScriptResult.extend({
    data: z.unknown().optional().describe('With json: the parsed output'),
    diagnostics: z.array(Remark).describe('What the script had to run without'),
  }),
  ...runsSkill,
  async wire({ name, path, script, ...how }, run, { signal }) {
    const diagnostics: Diagnostic[] = [];
    const report = (diagnostic: Diagnostic) => void diagnostics.push(diagnostic);
    return { ...(await run({ name, path }, script, { ...how, signal, report })), diagnostics };
  },
  recorded: (spell, reference, script) => aboutSkill(`runScript ${script} of`)(spell, reference),
  tool: {
    name: 'skill_run',
    description:
      'Run a script of a skill in a sandbox and return its output. Use it when the instructions of the skill tell you to run a script.',
    without: ['json'],
    async answer({ name, path, script, args, stdin, timeout }, run, { signal }) {
      const diagnostics: Diagnostic[] = [];
      const report = (diagnostic: Diagnostic) => void diagnostics.push(diagnostic);
      const how = { args, stdin, timeout, signal, report };
      const { ok, exitCode, stdout, stderr, truncated, timedOut } = await run({ name, path }, script, how);
      const ending = timedOut ? 'it ran too long' : truncated ? 'it printed too much' : `status ${exitCode}`;
      const parts = [
        ...(ok ? [] : [`[The script failed: ${ending}.]`]),
        ...shownStream(stdout, 'standard output'),
        ...(stderr === '' ? [] : ['[Standard error:]', ...shownStream(stderr, 'standard error')]),
        ...renderRemarks({ diagnostics }),
      ];
      return parts.length === 0 ? '[The script printed nothing.]' : neutralise(parts.join('\n'));
    },
  },
  async run(
    state: SessionState,
    reference: SkillReference,
    name: string,
    how: RunOptions = {},
  ): Promise<ScriptEnvelope> {
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
  },
});

/** Leaves out the summaries of scripts that may not be read. */
export const listScripts = method({
  rpc: 'scripts.list',
  summary: 'List the scripts of a skill',
  input: withReference({}),
  output: z.strictObject({
    scripts: z.array(
      z.strictObject({
        name: z.string(),
        path: z.string().describe('Path relative to the skill'),
        interpreters: z.array(z.string()).describe('Programs that can run it, preferred first'),
        summary: z.string().describe('First line of its own description'),
      }),
    ),
  }),
  ...readsSkill,
  wire: async (reference, run) => ({ scripts: await run(reference) }),
  async run(
    state: SessionState,
    reference: SkillReference,
    how: LoadOptions = {},
  ): Promise<readonly Script[]> {
    const skill = await openFor(state, reference, how);
    const { gate, allowsName, allowsFile } = await skill.reach(skill.files());
    const { listScripts } = await import('../../guard/execute/list-scripts.ts');
    return listScripts(skill.dir).flatMap((script) => {
      if (!allowsName(script.path)) return [];
      return gate === undefined && allowsFile(script.path) ? [script] : [{ ...script, summary: '' }];
    });
  },
});

/** Longest stream a model gets, in characters. */
const MAX_STREAM = 50_000;

function shownStream(text: string, name: string): string[] {
  if (text.length <= MAX_STREAM) return text === '' ? [] : [text.trimEnd()];
  return [
    text.slice(0, MAX_STREAM),
    `[The rest of ${name} is left out: ${text.length} characters in total.]`,
  ];
}

/** Whether a skill may have scripts, without searching for them. */
export function hasScripts({ dir }: Pick<SkillRecord, 'dir'>): boolean {
  return existsSync(join(dir, 'scripts'));
}
