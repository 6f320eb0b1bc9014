import { expect, test } from 'vitest';
import { makeWorld } from '../../../test/make-world.ts';
import { agents as known } from '../../skill/agents/agents.ts';

test('lists every agent, and marks those that left traces in the home directory or the project', async () => {
  const world = makeWorld({
    '~/.claude': { directory: true },
    '.skillc': { directory: true },
    '.cursor': { directory: true },
    skills: { directory: true },
  });
  const { stdout } = await world.run(['agents', '--json']);
  const { agents } = JSON.parse(stdout) as { agents: { id: string; present: boolean }[] };
  expect(agents.map(({ id }) => id)).toEqual(known.map(({ id }) => id));
  expect(agents.filter(({ present }) => present).map(({ id }) => id)).toEqual(['claude', 'cursor']);
});

test('--present lists only the agents found here', async () => {
  const world = makeWorld({ '~/.claude': { directory: true } });
  expect((await world.run(['agents', '--present'])).stdout).toBe(
    [
      '   AGENT                PROJECT         USER',
      '*  claude, claude-code  .claude/skills  <home>/.claude/skills',
      '1 agent, 1 found on this machine (*)',
      '',
    ].join('\n'),
  );
  expect((await makeWorld({}).run(['agents', '--present'])).stdout).toBe(
    "no agents found here; 'skc agents' lists every agent skc knows\n",
  );
});
