// skc run: runs a script of a skill in the sandbox.

import * as z from 'zod';
import { quoteWord, SkillwrightError } from '../../base/diagnostics/index.ts';
import { defineCommand } from './define-command.ts';
import { author } from './field-schema.ts';

const MAX_SECONDS = 24 * 60 * 60;
const MAX_INPUT_BYTES = 64 * 1024 * 1024;

/** Runs a script and returns its output; if it fails, the error carries the output in its data. */
export const run = defineCommand({
  input: z.strictObject({
    skill: z.string().describe('A skill by name or path'),
    script: z.string().describe('One of its scripts'),
    args: z
      .array(z.string())
      .default([])
      .describe('Arguments for the script; put those with a dash after --'),
    timeout: z.number().positive().max(MAX_SECONDS).optional().describe('Stop it after this many seconds'),
    stdin: z.string().optional().describe('Its standard input; on the command line, - means piped input'),
    json_output: z.boolean().default(false).describe('Parse its output as JSON'),
    grant: z
      .array(z.string())
      .default([])
      .describe('Grant something the skill asks for: network, write(directory), env(NAME)'),
    read: z.array(z.string()).default([]).describe('Let it read this file or directory in this run'),
    write: z.array(z.string()).default([]).describe('Let it change this file or directory in this run'),
    cwd: z.string().optional().describe('Run it in this directory, and let it read that'),
    unsandboxed: z.boolean().default(false).describe('Run it without a sandbox, with all your rights'),
    author,
  }),
  positionals: ['skill', 'script', 'args'],
  output: z.object({
    ok: z.boolean(),
    exitCode: z.number().int(),
    stdout: z.string(),
    stderr: z.string(),
    truncated: z.boolean().describe('True when it was stopped for printing too much'),
    timedOut: z.boolean(),
    durationMs: z.number(),
    sandbox: z.enum(['bubblewrap', 'sandbox-exec', 'none']),
    data: z.unknown().optional().describe('With json_output: the parsed output'),
  }),
  effect: 'destructive',
  writes: ['granted directories'],
  usersOwn: { unsandboxed: false, grant: [], read: [], write: [], cwd: undefined, author: false },
  touches: { skill: 'skill', operation: 'run' },
  served: () => ({}),
  about:
    'The script sees the programs of the system, its skill (read-only) and a private /tmp. It has no network, no home directory and none of your environment variables. `--read`, `--write` and `--cwd` share your files for this run.\nA skill asks for more access in `metadata.sandbox`, and you grant it; the grant ends when the skill changes. Directories it may write are kept outside the skill; `skc scripts` shows where.\nIf a script fails or is stopped, the error carries its output.',
  examples: [
    { line: 'skc run pdf-forms fill.py form.pdf', note: 'pass an argument' },
    { line: 'skc run pdf-forms fill.py --timeout 10 -- --strict', note: 'pass an option of the script' },
    {
      line: 'skc run xlsx recalc.py out.xlsx --write out.xlsx',
      note: 'let it change a file',
    },
    { line: 'skc run csv-report profile.py --stdin - < data.csv', note: 'pipe a file in' },
    {
      line: 'skc run issues list.sh --grant network',
      note: 'let it use the network until the skill changes',
    },
  ],
  async run(input, context) {
    const execute = await import('../../guard/execute/index.ts');
    const sharing = await import('../../guard/execute/share-paths.ts');
    const { workspace, signal } = context;
    const { home, env } = workspace;
    const { dir, reach } = context.skill!;
    const { path } = execute.openScript(dir, input.script);
    const { allowsFile, refusal } = await reach([path]);
    if (!allowsFile(path)) throw refusal(input.skill, path);
    const config = await workspace.config();
    const limits = execute.limitsOf(config);
    // For a model, the user's configuration sets the limits.
    const most = context.by === 'user' ? MAX_SECONDS : limits.seconds;
    // Only the user may share their files.
    const request = context.by === 'user' ? input : { read: [], write: [], cwd: undefined };
    const shared = sharing.readShared({ ...request, cwd: request.cwd }, workspace);
    const sandbox = await execute.openSandbox({
      env,
      unsandboxed: input.unsandboxed,
      orWithout: config.scripts.unsandboxed,
    });
    const running = execute.runScript(dir, input.script, {
      home,
      env,
      signal,
      sandbox: sharing.shareWith(sandbox, shared),
      limits: { ...limits, seconds: Math.min(input.timeout ?? limits.seconds, most) },
      args: sharing.spellArguments(input.args, { ...request, cwd: request.cwd }, workspace),
      stdin:
        input.stdin === '-' && context.readInput !== undefined
          ? await context.readInput({ maxBytes: MAX_INPUT_BYTES })
          : input.stdin,
      json: input.json_output,
      grant: input.grant,
      fencedIn: async (_, manifests) => (await reach(manifests)).fenced,
      report: (diagnostic) => context.report(diagnostic),
    });
    const envelope = await running.catch((error: unknown) => {
      if (!signal.aborted) throw error;
      throw SkillwrightError.of('E073', { script: input.script }, { help: 'it was interrupted' });
    });
    const { cwd } = workspace;
    const isBlind = context.by === 'user' && envelope.sandbox !== 'none';
    const unseen = isBlind ? sharing.unseenArguments(input.args, { shared, skill: dir, cwd }) : [];
    const hint =
      unseen.length === 0
        ? undefined
        : `${input.script} could not see ${unseen.map(quoteWord).join(', ')}: pass --read or --write`;
    const failure = execute.scriptFailure(envelope, input.script, { hint });
    if (failure !== undefined) throw failure;
    if (envelope.stderr !== '') context.note(envelope.stderr.trimEnd());
    if (input.grant.length > 0) {
      const kept = execute.keptDirectories(execute.readSkillGrants(dir, { home }), { home });
      for (const [directory, place] of Object.entries(kept))
        context.note(`files in ${directory}/ are kept in ${place}`);
    }
    return { ...envelope };
  },
  text: ({ stdout }) => stdout,
});
