// The host in TypeScript runs as it is, on Node and on Bun: the same conversation as its twin in Python has over rpc.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { requireProgram } from './required-program.ts';
import { examples, runExampleHost } from './run-example-host.ts';

const host = join(examples, 'host/host.ts');
const bun = fileURLToPath(new URL('../../../node_modules/.bin/bun', import.meta.url));
const runtimes: [name: string, program: string][] = [
  ['Node', process.execPath],
  ['Bun', bun],
];

beforeEach((context) => {
  for (const program of ['python3', 'bwrap']) requireProgram(context, program);
});

/** What the host prints. The order of a quiz's options depends on the session. */
const converse = async (program: string, answers: string) =>
  (await runExampleHost(program, { args: [host], answers })).replace(/"\d=[\d,]+"/g, '"…"');

test.each(runtimes)(
  '%s: a rule that asks, a quiz, a script, a toolset, hooks, compaction and a resume',
  async (_, program) => {
    expect(await converse(program, 'y\n')).toMatchInlineSnapshot(`
      "skill_search {"query":"what is in a CSV file","limit":1}
        {"results":[{"name":"csv-report","description":"Profiles CSV data and draws bar charts of it with sc
      skill_load {"name":"csv-report"}
        <skill_context name="csv-report" path="./.agents/skills/csv-report/SKILL.md"> # CSV Report Look at t
      skill_read {"name":"csv-report","file":"references/reading-a-profile.md","limit":20}
        # Reading a profile [More to read: these are bytes 0 to 20 of 555. Continue with offset 20.]
      May the agent use skill_run on csv-report? [y/N/always]
      skill_run {"name":"csv-report","script":"profile.py","stdin":"region,amount\\nnorth,3\\nsouth,5\\n"}
        { "rows": 2, "columns": { "region": { "type": "text", "missing": 0, "distinct": 2, "common": [ "nort
      skill_load {"name":"schema-change"}
        <skill_context name="schema-change" path="./.agents/skills/schema-change/SKILL.md" quiz="closed"> Th
      compacted, loaded before: careful, csv-report
      skill_quiz {"name":"schema-change","answers":["…","…"]}
        Question 1: right. Expand, move, contract. Both versions must work at every step in between. Questio
      skill_load {"name":"schema-change"}
        <skill_context name="schema-change" path="./.agents/skills/schema-change/SKILL.md"> # Schema Change 
      bash {"command":"rm -r old"}
        blocked: Move files to old/ instead of deleting them.
      bash {"command":"echo moved"}
        moved
      compacted, loaded before: careful, csv-report, schema-change
      skill_load {"name":"schema-change"}
        <skill_context name="schema-change" path="./.agents/skills/schema-change/SKILL.md"> # Schema Change 
      skill_load {"name":"text-statistics"}
        <skill_context name="text-statistics" path="./.agents/skills/text-statistics/SKILL.md"> # Text Stati
      The figures are complete, and the column may be renamed in steps.
      resumed, unchanged: careful, csv-report, schema-change, text-statistics
      resumed, changed: none
      resumed, vanished: none
      resumed, active: text-statistics
      resumed, but not kept: your permission to use skill_run on 'csv-report': a saved session grants no permissions
      skill_tool {"skill":"text-statistics","tool":"count","input":{"text":"Short words help."}}
        {"characters":17,"words":3,"sentences":1,"paragraphs":1,"reading_minutes":0}
      compacted, loaded before: careful, csv-report, schema-change, text-statistics
      bash {"command":"rm -r old"}
        blocked: Move files to old/ instead of deleting them.
      The summary has three words.
      "
    `);
  },
);

test.each([
  ['Node', process.execPath, 'n\n'],
  ['Bun', bun, ''],
])('%s: a script that the user does not allow does not run', async (_, program, answers) => {
  const said = await converse(program, answers);
  const [, answer] = said.split('May the agent use skill_run on csv-report? [y/N/always]\n');
  expect(answer!.split('\n')[1]).toContain("error[E061]: confirmation required: 'csv-report'");
  expect(said).toMatch(/The summary has three words\.\n$/);
});

test('it has about 150 lines and imports nothing but skillwright', () => {
  const text = readFileSync(host, 'utf8');
  const imported = [...text.matchAll(/ from '([^'.]+)'/g)].map(([, name]) => name!);
  expect(text.split('\n').length).toBeLessThan(160);
  expect(imported.filter((name) => !name.startsWith('node:'))).toEqual(['skillwright/host']);
});
