// A skill that is switched off by its place is off in every front end, and the others of its name are not.

import { expect, test } from 'vitest';
import { makeWorld, skillText } from '../../../test/make-world.ts';
import { createSession } from '../../host/runtime/create-session.ts';
import { createClient } from './create-client.ts';

const files = {
  '.agents/skills/twin/SKILL.md': skillText('twin', '# Twin\n\nThe first.\n'),
  '.claude/skills/twin/SKILL.md': skillText('twin', '# Twin\n\nThe second.\n'),
  '.skillc/state.json': '{"disabled": ["./.claude/skills/twin"]}',
};

test('the command line', async () => {
  const world = makeWorld(files);
  const off = await world.run(['open', '.claude/skills/twin', 'SKILL.md', '--json']);
  expect(off.json()).toMatchObject({ error: { code: 'E001', data: { reason: 'disabled' } } });
  expect((await world.run(['open', '.agents/skills/twin', 'SKILL.md'])).stdout).toContain('The first.');
  // The help line of the refusal works.
  expect((await world.run(['skills', '--enable', 'twin'])).status).toBe(0);
  expect((await world.run(['open', '.claude/skills/twin', 'SKILL.md'])).stdout).toContain('The second.');
});

test('a session', async () => {
  const { project: cwd, home } = makeWorld(files);
  const session = await createSession({ cwd, home, trust: true });
  expect((await session.load({ name: 'twin' })).text).toContain('The first.');
  await expect(session.load({ path: '.claude/skills/twin' })).rejects.toMatchObject({ code: 'E001' });
});

test('the library', async () => {
  const { project: cwd, home } = makeWorld(files);
  const { skills } = await createClient({ cwd, home }).skills({});
  expect(skills.map(({ path, enabled }) => [path.slice(cwd.length + 1), enabled])).toEqual([
    ['.agents/skills/twin/SKILL.md', true],
    ['.claude/skills/twin/SKILL.md', false],
  ]);
});

test('a link to the directory, and an entry for a missing one', async () => {
  const world = makeWorld({
    ...files,
    'elsewhere/skill/SKILL.md': skillText('linked', '# Linked\n'),
    '.agents/skills/linked': { link: '../../elsewhere/skill' },
    '.skillc/state.json': '{"disabled": ["./.agents/skills/linked", "./gone/x", "/nowhere/y"]}',
  });
  const { skills } = (await world.run(['skills', 'linked', '--json'])).json() as { skills: object[] };
  expect(skills).toMatchObject([{ name: 'linked', enabled: false }]);
});
