// skc run: runs a script of a skill in the sandbox.

import { quoteWord, SkillwrightError } from '../../base/diagnostics/index.ts';
import { defineCommand } from './define-command.ts';
import { author, flag, own, text, texts } from './fields.ts';

const MAX_SECONDS = 24 * 60 * 60;
const MAX_INPUT_BYTES = 64 * 1024 * 1024;

/** Runs a script and returns its output; if it fails, the error carries the output in its data. */
export const run = defineCommand({
  fields: {
    skill: text('A skill by name or path', { required: true }),
    script: text('One of its scripts', { required: true }),
    args: texts('Arguments for the script; put those with a dash after --'),
    timeout: { type: 'number', about: 'Stop it after this many seconds', positive: true, max: MAX_SECONDS },
    stdin: text('Its standard input; on the command line, - means piped input'),
    json_output: flag('Parse its output as JSON'),
    grant: own(texts('Grant something the skill asks for: network, write(directory), env(NAME)')),
    read: own(texts('Let it read this file or directory in this run')),
    write: own(texts('Let it change this file or directory in this run')),
    cwd: own(text('Run it in this directory, and let it read that')),
    unsandboxed: own(flag('Run it without a sandbox, with all your rights')),
    author,
  },
  positionals: ['skill', 'script', 'args'],
  output: async () => (await import('../../host/answers/skill-answers.ts')).ScriptResult,
  effect: 'destructive',
  writes: ['granted directories'],
  touches: { skill: 'skill', operation: 'run' },
  served: () => ({}),
  about:
    'The script sees the programs of the system, its skill (read-only) and a private /tmp. It has no network, no home directory and none of your environment variables. `--read`, `--write` and `--cwd` share your files for this run.\nA skill asks for more access in `metadata.sandbox`, and you grant it; the grant ends when the skill changes. Directories it may write are kept outside the skill; `skc scripts` shows where.\nIf a script fails or is stopped, the error carries its output.',
  examples: {
    'skc run pdf-forms fill.py form.pdf': 'pass an argument',
    'skc run pdf-forms fill.py --timeout 10 -- --strict': 'pass an option of the script',
    'skc run xlsx recalc.py out.xlsx --write out.xlsx': 'let it change a file',
    'skc run csv-report profile.py --stdin - < data.csv': 'pipe a file in',
    'skc run issues list.sh --grant network': 'let it use the network until the skill changes',
  },
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
