import { expect, test } from 'vitest';
import { makeWorld, skillText } from './make-world.ts';

const words = ['install', '../home/source', '--all', '--yes', '--target', 'claude'];
const source = {
  '~/source/skills/a/SKILL.md': skillText('a'),
  '~/source/skills/b/SKILL.md': skillText('b'),
};

test('a terminal shows how far an installation is', async () => {
  const { status, stderr } = await makeWorld(source).run(words, { terminal: true, env: { TERM: 'xterm' } });
  const told = stderr.match(/(?:fetching|scanning|writing|compiling)[^\r\n]*/g);
  expect([status, told]).toEqual([
    0,
    [
      expect.stringMatching(/^fetching /),
      'scanning 1 of 2 [██████████░░░░░░░░░░] 50%',
      'scanning 2 of 2 [████████████████████] 100%',
      'writing 1 of 2 [██████████░░░░░░░░░░] 50%',
      'writing 2 of 2 [████████████████████] 100%',
      'compiling 1 of 2 [██████████░░░░░░░░░░] 50%',
      'compiling 2 of 2 [████████████████████] 100%',
    ],
  ]);
});

test('a log does not', async () => {
  const { stderr } = await makeWorld(source).run(words);
  expect(stderr).not.toMatch(/scanning|writing|compiling/);
});
