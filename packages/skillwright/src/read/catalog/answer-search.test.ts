import { expect, test } from 'vitest';
import { makeWorld, skillText } from '../../../test/make-world.ts';
import { workspaceAt } from '../../../test/open-workspace.ts';
import { answerSearch } from './answer-search.ts';
import { loadCatalog } from './load-catalog.ts';

const makeCatalog = async (skills: number, maxDirectories?: number) => {
  const names = Array.from({ length: skills }, (_, index) => `step-${index}`);
  const { project: cwd, home } = makeWorld(
    Object.fromEntries(names.map((name) => [`.agents/skills/${name}/SKILL.md`, skillText(name)])),
  );
  const bound = maxDirectories === undefined ? {} : { maxDirectories };
  return loadCatalog(workspaceAt({ cwd, home }), { cache: false, ...bound });
};

test.each([
  [3, 3, { count: 3, truncated: false }],
  [4, 3, { count: 3, truncated: true }],
  [50, 50, { count: 50, truncated: false }],
  [51, 50, { count: 50, truncated: true }],
  [51, 1000, { count: 50, truncated: true }],
])('%i skills, at most %i results', async (skills, limit, expected) => {
  const { results, ...rest } = answerSearch(await makeCatalog(skills), 'step', { limit });
  expect({ length: results.length, ...rest }).toEqual({
    length: expected.count,
    ...expected,
    incomplete: false,
  });
});

test('a search reports that discovery was cut short', async () => {
  const { incomplete } = answerSearch(await makeCatalog(20, 3), 'step');
  expect(incomplete).toBe(true);
});
