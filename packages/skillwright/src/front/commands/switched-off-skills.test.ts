import { describe, expect, test } from 'vitest';
import { makeWorld, skillText } from '../../../test/make-world.ts';

const files = {
  '.skillc/skills/demo/SKILL.md': skillText('demo'),
  '.skillc/skills/other/SKILL.md': skillText('other'),
};

const refused = {
  error: {
    code: 'E001',
    message: "skill 'demo' not found",
    help: "it is switched off; run 'skc skills --enable demo' to switch it on",
    data: { reason: 'disabled', path: '<cwd>/.skillc/skills/demo/SKILL.md' },
  },
};

describe('a skill that is switched off is read by no command', () => {
  test.each([
    ['outline', 'demo'],
    ['show', 'demo', '--section', 'demo'],
    ['show', 'demo', '--section', 'demo', '--fresh', '--author'],
    ['search', 'demo', 'words'],
    ['open', 'demo', 'SKILL.md'],
    ['open', '.skillc/skills/demo', 'SKILL.md'],
    ['sources', 'demo'],
    ['quiz', 'demo'],
    ['scripts', 'demo'],
    ['tools', 'demo'],
  ])('%s %s %s %s', async (...words) => {
    const world = makeWorld(files);
    await world.run(['build', '--all']);
    await world.run(['skills', '--disable', 'demo']);
    expect((await world.run([...words, '--json'])).json()).toEqual(refused);
    const other = words.map((word) => word.replace('demo', 'other'));
    expect((await world.run(['sources', 'other'])).status).toBe(0);
    expect((await world.run([...other, '--json'])).stdout).not.toContain('it is switched off');
    await world.run(['skills', '--enable', 'demo']);
    expect((await world.run([...words, '--json'])).stdout).not.toContain('it is switched off');
  });

  test('in the scope user too', async () => {
    const world = makeWorld(files);
    await world.run(['skills', '--disable', 'demo', '--scope', 'user']);
    expect((await world.run(['open', 'demo', 'SKILL.md', '--json'])).json()).toEqual(refused);
  });

  test('a state file that cannot be used switches nothing off', async () => {
    const world = makeWorld({ ...files, '.skillc/state.json': '\0{' });
    expect((await world.run(['open', 'demo', 'SKILL.md'])).status).toBe(0);
  });
});
