// skc scripts: the scripts of a skill, or the help of one.

import * as z from 'zod';
import { makeVisible } from '../../base/diagnostics/index.ts';
import { defineCommand } from './define-command.ts';
import { author, flag, own, text } from './fields.ts';
import { renderTable } from './render-table.ts';

const Script = z.object({
  name: z.string(),
  path: z.string(),
  interpreters: z.array(z.string()).describe('Programs that can run it, the preferred one first'),
  summary: z.string(),
});

/** Lists scripts and the access their sandbox allows, or shows the help of one. */
export const scripts = defineCommand({
  fields: {
    skill: text('A skill by name or path', { required: true }),
    script: text('Show the help of this script'),
    revoke: own(flag('Revoke what you granted to the skill')),
    author,
  },
  positionals: ['skill', 'script'],
  output: z.object({
    skill: z.string(),
    scripts: z.array(Script),
    sandbox: z.object({
      declared: z.array(z.string()).describe('Access the skill asks for'),
      granted: z.array(z.string()).describe('Access you granted'),
      kept: z
        .record(z.string(), z.string())
        .describe('Where the files of each writable directory are stored'),
      problems: z.array(z.string()),
    }),
    help: z
      .object({ path: z.string(), source: z.enum(['comment', 'none']), text: z.string() })
      .optional()
      .describe('The comment the script starts with'),
  }),
  effect: 'write',
  writes: [],
  touches: { skill: 'skill', operation: 'read' },
  served: ({ help }) => ({ parts: help === undefined ? [] : [{ file: help.path }] }),
  about:
    'The help of a script is its first comment. Nothing is run.\nA skill asks for more access in `metadata.sandbox`: `network`, `write(directory)`, `env(NAME)`. Grant it with `skc run --grant`, revoke it with `--revoke`.',
  examples: {
    'skc scripts pdf-forms': 'list the scripts',
    'skc scripts pdf-forms fill.py': 'show how to run one',
  },
  async run({ skill, script, revoke }, context) {
    const { dir, reach } = context.skill!;
    const { home } = context.workspace;
    const { listScripts, scriptHelp } = await import('../../guard/execute/list-scripts.ts');
    const { keptDirectories, readSkillGrants } = await import('../../guard/execute/skill-access.ts');
    const { spellGrant } = await import('../../guard/execute/sandbox-grants.ts');
    if (revoke) {
      const { revokeGrants } = await import('../../guard/execute/grant-memory.ts');
      const hadSome = revokeGrants(home, dir);
      context.note(
        hadSome ? 'revoked everything you granted to the skill' : 'you had granted nothing to the skill',
      );
    }
    const grants = readSkillGrants(dir, { home });
    const { declared, granted, problems } = grants;
    const found = listScripts(dir);
    const { gate, allowsName, allowsFile, refusal } = await reach(found.map(({ path }) => path));
    if (gate !== undefined && script !== undefined) throw gate.refusal(skill);
    const help = script === undefined ? undefined : { ...scriptHelp(dir, script) };
    if (help !== undefined && !allowsFile(help.path)) throw refusal(skill, help.path);
    return {
      skill,
      scripts: found
        .filter(({ path }) => allowsName(path))
        .map((entry) => (gate === undefined && allowsFile(entry.path) ? entry : { ...entry, summary: '' })),
      sandbox: {
        declared: declared.map(spellGrant),
        granted: granted.map(spellGrant),
        kept: keptDirectories(grants, { home }),
        problems,
      },
      ...(help === undefined ? {} : { help }),
    };
  },
  text({ skill, scripts: found, sandbox, help }, view) {
    if (help !== undefined) return `${help.text === '' ? `${help.path} has no help text` : help.text}\n`;
    if (found.length === 0) return `${makeVisible(skill)} has no scripts\n`;
    const columns = ['SCRIPT', 'RUN BY', 'PURPOSE'];
    const rows = found.map(({ name, interpreters, summary }) => [name, interpreters[0]!, summary]);
    const asks = sandbox.declared.map((grant) =>
      sandbox.granted.includes(grant) ? grant : `${grant} (not granted)`,
    );
    return [
      renderTable(columns, rows, view),
      asks.length > 0 && `The skill asks for: ${makeVisible(asks.join(', '))}`,
      Object.entries(sandbox.kept).map(
        ([directory, place]) => `Files in ${directory}/ are kept in ${makeVisible(place)}`,
      ),
      sandbox.problems.map((problem) => `metadata.sandbox: ${makeVisible(problem)}`),
    ];
  },
});
