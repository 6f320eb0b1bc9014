// The host in Python runs as it is: every part of the protocol, from a language that has nothing of ours.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { requireProgram } from './required-program.ts';
import { examples, runExampleHost } from './run-example-host.ts';
import { skcCommand } from './skc-program.ts';

beforeEach((context) => {
  for (const program of ['python3', 'bwrap']) requireProgram(context, program);
});

/** Output of the host for these answers of the user. */
async function converse(answers: string): Promise<string> {
  const args = [join(examples, 'rpc-python/host.py')];
  const env = { SKC: skcCommand, PYTHONDONTWRITEBYTECODE: '1' };
  const said = await runExampleHost('python3', { args, env, answers });
  return said.replace(/("options": )\[[\d, ]+\]/g, '$1[…]');
}

test('a conversation with a quiz, a script, a toolset, hooks, compaction and a resume', async () => {
  expect(await converse('y\n')).toMatchInlineSnapshot(`
    "skill_search {"query": "what is in a CSV file"}
      ["csv-report", "careful"]
    skill_load {"name": "csv-report"}
      <skill_context name="csv-report" path="./.agents/skills/csv-report/SKILL.md"> # CSV Report Look at t
    skill_read {"name": "csv-report", "file": "references/reading-a-profile.md", "limit": 20}
      # Reading a profile
    May the agent use skill_run on csv-report? [y/N/always]
    skill_run {"name": "csv-report", "script": "profile.py", "stdin": "region,amount\\nnorth,3\\nsouth,5\\n"}
      { "rows": 2, "columns": { "region": { "type": "text", "missing": 0, "distinct": 2, "common": [ "nort
    skill_load {"name": "schema-change"}
      <skill_context name="schema-change" path="./.agents/skills/schema-change/SKILL.md" quiz="closed"> Th
    skill_quiz {"name": "schema-change", "choices": [{"question": 1, "options": […]}, {"question": 2, "options": […]}]}
      The skill is open.
    skill_load {"name": "schema-change"}
      <skill_context name="schema-change" path="./.agents/skills/schema-change/SKILL.md"> # Schema Change 
    skill_load {"name": "careful"}
      <skill_context name="careful" path="./.agents/skills/careful/SKILL.md"> # Careful Move files to \`old
    bash {"command": "rm -r old"}
      blocked: Move files to old/ instead of deleting them.
    bash {"command": "echo moved"}
      moved
    compacted, loaded before: csv-report, schema-change, careful
    skill_load {"name": "careful"}
      <skill_context name="careful" path="./.agents/skills/careful/SKILL.md"> # Careful Move files to \`old
    skill_load {"name": "text-statistics"}
      <skill_context name="text-statistics" path="./.agents/skills/text-statistics/SKILL.md"> # Text Stati
    The figures are complete, and the column may be renamed in steps.
    resumed, unchanged: csv-report, schema-change, careful, text-statistics
    resumed, changed: none
    resumed, vanished: none
    resumed, active: text-statistics
    resumed, but not kept: your permission to use skill_run on 'csv-report': a saved session grants no permissions
    resumed, session: conversation-1
    skill_tool {"skill": "text-statistics", "tool": "count", "input": {"text": "Short words help."}}
      {"characters": 17, "words": 3, "sentences": 1, "paragraphs": 1, "reading_minutes": 0}
    bash {"command": "rm -r old"}
      blocked: Move files to old/ instead of deleting them.
    The summary has three words.
    "
  `);
});

test('a script that the user does not allow does not run', async () => {
  const said = await converse('n\n');
  const [, answer] = said.split('May the agent use skill_run on csv-report? [y/N/always]\n');
  expect(answer!.split('\n')[1]).toBe("  E061: confirmation required: 'csv-report'");
  expect(said).toMatch(/The summary has three words\.\n$/);
});

test('it needs nothing but Python', () => {
  const imports = ['host.py', 'scripted_model.py'].flatMap((file) =>
    [...readFileSync(join(examples, 'rpc-python', file), 'utf8').matchAll(/^(?:import|from) (\w+)/gm)].map(
      ([, name]) => name,
    ),
  );
  expect([...new Set(imports)].sort()).toEqual([
    'json',
    'os',
    'pathlib',
    're',
    'scripted_model',
    'shlex',
    'subprocess',
    'sys',
  ]);
});
