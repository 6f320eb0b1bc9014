// The commands in the help topics work.

import { expect, test } from 'vitest';
import { topicNames, topicPage } from '../src/front/cli/help-topics.ts';
import { makeWorld } from './make-world.ts';

const skillOf = (name: string, title: string) =>
  `---\nname: ${name}\ndescription: Does things. Use when asked.\nlicense: MIT\n---\n\n# ${title}\n\nText.\n`;

/** They need the network, a sandbox, or a file that does not exist here. */
const elsewhere = /^skc (?:find --remote|run)\b/;

/** Commands on their own lines, up to the explanation, and those in backticks. */
function commandsIn(page: string): string[] {
  const lines = [...page.matchAll(/^ {4}(skc [^\n]*?)(?: {2,}.*)?$/gm)].map(([, line]) => line!);
  const spans = [...page.matchAll(/`(skc [^`]+)`/g)].map(([, line]) => line!.replace(/\s+/g, ' '));
  return [...lines, ...spans].filter((line) => !/[<…]/.test(line) && !elsewhere.test(line));
}

const rows = await Promise.all(
  topicNames.map(async (name) => commandsIn(await topicPage(name)).map((line) => [name, line] as const)),
);

test.each(rows.flat())('%s: %s', async (_topic, line) => {
  const world = makeWorld({
    '.skillc/skills/csv-report/SKILL.md': skillOf('csv-report', 'CSV report'),
    '.skillc/skills/csv-report/eval_queries.json': '[{ "query": "a CSV report", "should_trigger": true }]\n',
    '.skillc/skills/payroll/SKILL.md': skillOf('payroll', 'Payroll'),
    ...(line.includes('--model')
      ? { '~/.skillc/config.toml': '[models.local]\nkind = "openai"\nmodel = "my-model"\n' }
      : {}),
    'some-skill/SKILL.md': skillOf('some-skill', 'Some skill'),
    ...(line.startsWith('skc init')
      ? {}
      : { '.skillc/skills/pdf-forms/SKILL.md': skillOf('pdf-forms', 'Pdf Forms') }),
  });
  if (line.startsWith('skc show')) await world.run(['build', 'pdf-forms', '--target', 'none']);
  const words = [...line.slice('skc '.length).matchAll(/"([^"]*)"|\S+/g)].map(
    ([word, quoted]) => quoted ?? word,
  );
  const { stderr, status } = await world.run(words);
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('error[')]);
});
