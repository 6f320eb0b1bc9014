// The repository's own skills pass their evals, and a worse description does not.

import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { CiReport } from '../src/front/commands/ci-report.ts';
import type { TestReport } from '../src/front/commands/test-report.ts';
import { makeWorld } from './make-world.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const folders = ['skills', 'examples/skills'];

function copyOfOurs() {
  const world = makeWorld();
  for (const folder of folders)
    cpSync(join(repository, folder), join(world.project, folder), { recursive: true });
  return world;
}

test('every skill of the repository has evals, and passes them', async () => {
  const { status, ...result } = await copyOfOurs().run(['test', ...folders, '--author', '--json']);
  const { skills, failed } = result.json() as TestReport;
  const names = folders.flatMap((folder) => readdirSync(join(repository, folder)));
  expect(skills.map(({ name }) => name).sort()).toEqual(names.sort());
  expect(skills.map(({ queries }) => queries.length > 0)).toEqual(names.map(() => true));
  expect(
    skills.flatMap(({ queries, questions }) => [...queries, ...questions].map(({ why }) => why)),
  ).toEqual(Array.from({ length: 47 }, () => ''));
  expect([failed, status]).toEqual([0, 0]);
});

test('a worse description fails, and the message says which skill wins by which words', async () => {
  const world = copyOfOurs();
  const path = 'examples/skills/schema-change/SKILL.md';
  world.write({ [path]: world.read(path).replace(/^description: .*$/m, 'description: Helps with things.') });
  const words = ['test', 'examples/skills/schema-change', '--against', 'examples/skills', '--author'];
  expect(await world.run(words)).toMatchObject({
    status: 1,
    stdout: [
      'schema-change  2 of 5 passed  first for 1 of 3 requests when whole texts are searched',
      '  failed  drop a column of a live database  evals/eval_queries.json#1',
      "          csv-report wins because of 'column' (description); the description of schema-change has no word of the request",
      '  failed  review this migration script  evals/eval_queries.json#2',
      "          csv-report wins because of 'script' (description); the description of schema-change has no word of the request",
      '  failed  add a table without downtime  evals/eval_queries.json#3',
      '          no word of the request is in the name or description of schema-change',
      '2 passed, 3 failed; 5 skills competed',
      '',
    ].join('\n'),
  });
});

test('skc ci runs them, and fails for the same reason', async () => {
  const world = copyOfOurs();
  const ci = async () => {
    const { status, ...run } = await world.run(['ci', ...folders, '--author', '--json']);
    const { failed, test: report } = run.json() as CiReport;
    return { status, failed, counts: [report?.passed, report?.failed] };
  };
  expect(await ci()).toEqual({ status: 0, failed: [], counts: [47, 0] });
  const path = 'examples/skills/schema-change/SKILL.md';
  world.write({ [path]: world.read(path).replace(/^description: .*$/m, 'description: Helps with things.') });
  const worse = await ci();
  expect([worse.status, worse.failed]).toEqual([1, ['test']]);
});
