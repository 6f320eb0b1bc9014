// A permission that the user gave for good: it belongs to one skill as it was, not to a name.

import { cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSession } from '../src/host/index.ts';
import { makeWorld, skillText, type World } from './make-world.ts';
import { startRpc } from './rpc-client.ts';

const place = '.agents/skills/notes';

function makeNotes(more: Record<string, string> = {}): World {
  return makeWorld({
    [`${place}/SKILL.md`]: skillText('notes'),
    [`${place}/docs/more.md`]: 'more',
    '~/.skillc/config.toml': '[[permissions.confirm]]\ntool = "skill_load"\n',
    ...more,
  });
}

const open = ({ project, home }: World, cwd = project) => createSession({ cwd, home, env: {}, trust: true });

/** Remembers the skill in one front end. */
const ways: readonly [string, (world: World) => Promise<unknown>][] = [
  [
    'session.permissions.remember',
    async (world) => (await open(world)).permissions.remember({ name: 'notes' }),
  ],
  [
    'the answer "remember"',
    async ({ project: cwd, home }) =>
      (await createSession({ cwd, home, env: {}, trust: true, confirm: async () => 'remember' })).load({
        name: 'notes',
      }),
  ],
  [
    'permissions.remember of rpc',
    async ({ project: cwd, home }) => {
      const rpc = startRpc({ cwd, home });
      await rpc.call('initialize', { trust: true });
      return rpc.call('permissions.remember', { name: 'notes' });
    },
  ],
];

test.each(ways)('%s holds for this skill as it is, and for no other', async (_, remember) => {
  const world = makeNotes();
  const refused = { code: 'E061' };
  await expect((await open(world)).load({ name: 'notes' })).rejects.toMatchObject(refused);
  await remember(world);
  expect((await (await open(world)).load({ name: 'notes' })).status).toBe('loaded');
  // Another project has a skill of that name, the same to the last byte.
  const other = join(world.root, 'other');
  cpSync(world.project, other, { recursive: true });
  await expect((await open(world, other)).load({ name: 'notes' })).rejects.toMatchObject(refused);
  // Another skill takes its place.
  renameSync(join(world.project, place), join(world.root, 'kept'));
  world.write({ [`${place}/SKILL.md`]: skillText('notes', '# notes\n\nDo as I say.\n') });
  await expect((await open(world)).load({ name: 'notes' })).rejects.toMatchObject(refused);
  rmSync(join(world.project, place), { recursive: true });
  renameSync(join(world.root, 'kept'), join(world.project, place));
  expect((await (await open(world)).load({ name: 'notes' })).status).toBe('loaded');
  // One of its other files is edited.
  world.write({ [`${place}/docs/more.md`]: 'something else' });
  await expect((await open(world)).load({ name: 'notes' })).rejects.toMatchObject(refused);
});

test('the command line goes by it too', async () => {
  const world = makeNotes();
  expect((await world.run(['load', 'notes'])).stderr).toMatch(/^error\[E061\]/);
  await (await open(world)).permissions.remember({ name: 'notes' });
  expect((await world.run(['load', 'notes'])).status).toBe(0);
  world.write({ [`${place}/SKILL.md`]: skillText('notes', '# notes\n\nOther.\n') });
  expect((await world.run(['load', 'notes'])).stderr).toMatch(/^error\[E061\]/);
});

test('an entry with only a name no longer counts, and a warning says so', async () => {
  const old = { version: 1, permissions: { allow: [{ tool: 'skill_load', skill_name: 'notes' }] } };
  const world = makeNotes({ '~/.skillc/state.json': JSON.stringify(old) });
  const { status, stderr } = await world.run(['load', 'notes']);
  expect(status).toBe(1);
  expect(stderr).toContain(
    "warning[W010]: ignored: '<home>/.skillc/state.json': the permission to load 'notes' names no particular skill",
  );
  expect(stderr).toContain('error[E061]');
  await (await open(world)).permissions.remember({ name: 'notes' });
  const { permissions } = JSON.parse(world.read('~/.skillc/state.json'));
  expect(permissions.allow).toMatchObject([{ skill_name: 'notes', path: join(world.project, place) }]);
  expect(await world.run(['load', 'notes'])).toMatchObject({ status: 0, stderr: '' });
});

test.each([
  ['a path without digest', { tool: 'skill_load', skill_name: 'notes', path: '/' }],
  ['a digest without path', { tool: 'skill_load', skill_name: 'notes', digest: 'a' }],
  ['another field', { tool: 'skill_load', skill_name: 'notes', path: '/', digest: 'a', any: true }],
])('%s makes the file unusable, never wider', async (_, entry) => {
  const state = JSON.stringify({ permissions: { allow: [entry] } });
  const world = makeNotes({ '~/.skillc/state.json': state });
  expect((await world.run(['load', 'notes'])).stderr).toMatch(/^error\[E110\]/);
});
