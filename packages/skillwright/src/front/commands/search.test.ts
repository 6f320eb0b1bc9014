import { expect, test } from 'vitest';
import { makeWorld, skillText } from '../../../test/make-world.ts';

const source = '.skillc/skills/demo';
const lines = Array.from({ length: 200 }, (_, index) => `value_${index} = ${index}`);
lines[120] = 'alpha = beta  # both words';

async function makeDemo() {
  const world = makeWorld({
    [`${source}/SKILL.md`]: skillText(
      'demo',
      '# Demo\n\n## First\n\nalpha alone\n\n## Second\n\nbeta alone\n',
    ),
    [`${source}/scripts/long.py`]: `${lines.join('\n')}\n`,
  });
  await world.run(['build', 'demo', '--target', 'none']);
  return world;
}

test('a hit in a long file without headings is opened around the passage, not from its first line', async () => {
  const world = await makeDemo();
  const { stdout } = await world.run(['search', 'demo', 'alpha beta', '--json']);
  const { results, try: hints } = JSON.parse(stdout) as { results: { command: string }[]; try: string[] };
  expect(results.map(({ command }) => command)).toEqual(['skc open demo scripts/long.py --lines 101-131']);
  expect(hints).toEqual(["skc search demo 'alpha beta' --any"]);
});

test('few results name the command that finds sections with some of the words, and the command works', async () => {
  const world = await makeDemo();
  const { stdout } = await world.run(['search', 'demo', 'alpha beta']);
  expect(stdout.split('\n').at(-2)).toBe(
    "to include sections with only some of the words: skc search demo 'alpha beta' --any",
  );
  const any = await world.run(['search', 'demo', 'alpha beta', '--any', '--json']);
  const { results, relaxed } = JSON.parse(any.stdout) as { results: { section: string }[]; relaxed: boolean };
  expect(results.map(({ section }) => section).sort()).toEqual(['', 'First', 'Second']);
  expect(relaxed).toBe(true);
});

test('with --any, one word finds what it finds without', async () => {
  const world = await makeDemo();
  const sections = async (...words: string[]) => {
    const { stdout } = await world.run(['search', 'demo', ...words, '--json']);
    return (JSON.parse(stdout) as { results: { section: string }[] }).results.map(({ section }) => section);
  };
  expect(await sections('beta', '--any')).toEqual(await sections('beta'));
  expect(await sections('which beta', '--any')).toContain('Second');
});
