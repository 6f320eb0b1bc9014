// The commands of judge-matrix.test.ts, and what `skc test` sends to a model.

import { expect, test } from 'vitest';
import { testFront } from './judge-fronts.ts';
import { type Answer, leaksOf, marksIn } from './judge-leaks.ts';
import { controls, makeJudged, type State, states } from './judge-world.ts';

testFront('the command line');

/** All that `skc test --model` sends: the model is a command that repeats it, and the answers are kept in a file. */
async function sentToModel(state: State): Promise<Answer[]> {
  const world = await makeJudged(state);
  const answers: Answer[] = [];
  for (const target of world.targets.filter(({ way }) => way === 'name' || way === 'relative path')) {
    const words = ['test', target.word, '.skillc/skills/other', '--model', 'echo', '--runs', '1', '--author'];
    await world.run([...words, '--condition', 'whole', '--output', 'sent.json'], {
      env: { PATH: process.env.PATH! },
    });
    answers.push({
      front: 'skc test --model',
      operation: 'test',
      kind: 'read',
      by: 'model',
      asked: words.join(' '),
      target,
      said: world.list(world.project)['sent.json'] ?? '',
      refuses: false,
    });
  }
  return answers;
}

test('skc test --model sends a model what it may have', async () => {
  const sent = (await sentToModel(controls.free!)).flatMap(marksIn);
  expect([...new Set(sent)].sort()).toEqual(
    ['body', 'caseText', 'description', 'fileName', 'heading', 'link', 'scriptName', 'section'].sort(),
  );
});

test.each(Object.entries(states))('skc test --model sends no model a skill: %s', async (_, state) => {
  const leaks = (await sentToModel(state)).flatMap((answer) => leaksOf(answer, state));
  expect(leaks).toEqual([]);
});
