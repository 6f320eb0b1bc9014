// Evals test a skill. An agent that searches must not find the questions instead of the answers.

import { expect, test } from 'vitest';
import { makeWorld, skillText } from './make-world.ts';

const skill = '.skillc/skills/birds';
const evals = {
  [`${skill}/eval_queries.json`]: '[{ "query": "which wagtail is it", "should_trigger": true }]\n',
  [`${skill}/evals/evals.json`]: '{ "evals": [{ "id": 1, "prompt": "describe a wagtail" }] }\n',
  [`${skill}/evals/questions.json`]: '[{ "question": "where do wagtails nest", "section": "Nests" }]\n',
  [`${skill}/evals/notes.md`]: '# Wagtail notes\n\nWagtail.\n',
  [`${skill}/inner/SKILL.md`]: skillText('inner', '# Inner\n'),
  [`${skill}/inner/evals/questions.json`]: '[{ "question": "wagtail", "section": "Inner" }]\n',
};
const content = {
  [`${skill}/SKILL.md`]: skillText(
    'birds',
    '# Birds\n\nSee guide.md.\n\n## Nests\n\nA wagtail nests in walls.\n',
  ),
  [`${skill}/guide.md`]: '# Guide\n\nText.\n',
};

async function birds() {
  const world = makeWorld({ ...content, ...evals });
  await world.run(['build', 'birds', '--target', 'none']);
  return world;
}

test('a search finds the content alone', async () => {
  const world = await birds();
  const { results } = (await world.run(['search', 'birds', 'wagtail', '--json'])).json() as {
    results: { file: string; section: string }[];
  };
  expect(results.map(({ file, section }) => [file, section])).toEqual([['SKILL.md', 'Nests']]);
});

test('the outline, built or not, has no heading of them', async () => {
  const world = await birds();
  const other = makeWorld({ ...content, ...evals });
  for (const { run } of [world, other]) {
    const { headings } = (await run(['outline', 'birds', '--json'])).json() as {
      headings: { text: string }[];
    };
    expect(headings.map(({ text }) => text)).toEqual(['Birds', 'Nests', 'Guide', 'Inner']);
  }
});

test('the stub does not list them', async () => {
  const world = await birds();
  expect(world.read('.skillc/runtime/birds/SKILL.md')).not.toMatch(/evals|Wagtail/);
});

test('sources leaves them out and counts them', async () => {
  const world = await birds();
  expect((await world.run(['sources', 'birds'])).stdout).toBe(
    'birds/\n├── inner/\n│   └── SKILL.md\n├── SKILL.md\n└── guide.md\n... (5 files with evals not listed; use --all)\n',
  );
  expect((await world.run(['sources', 'birds', '--pattern', 'guide.md'])).stdout).toBe(
    'birds/\n└── guide.md\n',
  );
});

test('open still reads them', async () => {
  const world = await birds();
  expect((await world.run(['open', 'birds', 'evals/notes.md'])).stdout).toContain('# Wagtail notes');
});

test('they cost no tokens', async () => {
  const world = await birds();
  const without = makeWorld({ ...content, [`${skill}/inner/SKILL.md`]: evals[`${skill}/inner/SKILL.md`]! });
  const tokens = async ({ run }: typeof world) =>
    ((await run(['info', 'birds', '--json'])).json() as { tokens: { all: number } }).tokens.all;
  expect(await tokens(world)).toBe(await tokens(without));
});

test('they are no orphans', async () => {
  const world = await birds();
  const { findings } = (await world.run(['lint', skill, '--json'])).json() as {
    findings: { rule: string; path: string }[];
  };
  expect(findings.filter(({ path }) => path.includes('eval'))).toEqual([]);
});

test('a change to them changes the hash of the skill, but does not make its index stale', async () => {
  const world = await birds();
  const hash = () =>
    (JSON.parse(world.read('.skillc/runtime/birds/.skillc/manifest.json')) as { source_hash: string })
      .source_hash;
  const before = hash();
  world.write({ [`${skill}/evals/notes.md`]: '# Changed\n' });
  expect((await world.run(['search', 'birds', 'wagtail'])).status).toBe(0);
  await world.run(['build', 'birds', '--target', 'none']);
  expect(hash()).not.toBe(before);
});
