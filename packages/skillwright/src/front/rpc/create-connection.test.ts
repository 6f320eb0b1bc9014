import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeWorld, skillText } from '../../../test/make-world.ts';
import { createConnection } from './create-connection.ts';

const makeConnection = () => {
  const world = makeWorld({
    '.git': { directory: true },
    '.agents/skills/own/SKILL.md': skillText('own'),
    'part/.agents/skills/part/SKILL.md': skillText('part'),
    '../other/.agents/skills/other/SKILL.md': skillText('other'),
    '~/.agents/skills/mine/SKILL.md': skillText('mine'),
  });
  const { project, home, root } = world;
  const connection = createConnection({ cwd: project, home, env: {} });
  const names = async (cwd?: string) =>
    (await (await connection.session(cwd)).catalog()).skills.map(({ name }) => name);
  return { connection, names, project, other: join(root, 'other') };
};

describe('trust', () => {
  test('a folder is trusted only if the client says so', async () => {
    const { names, project } = makeConnection();
    expect(await names()).toEqual(['mine']);
    expect(await names(join(project, 'part'))).toEqual(['mine']);
  });

  test('covers the folder, but not links out of it', async () => {
    const { connection, names, project, other } = makeConnection();
    symlinkSync(other, join(project, 'link'));
    connection.open({ trust: true });
    expect(await names()).toEqual(['own', 'mine']);
    expect(await names(join(project, 'part'))).toEqual(['own', 'part', 'mine']);
    expect(await names(other)).toEqual(['mine']);
    expect(await names(join(project, 'link'))).toEqual(['mine']);
  });
});

describe('the folder', () => {
  test('defaults to the directory of the server, and cannot change later', () => {
    const { connection, project, other } = makeConnection();
    expect(connection.open()).toEqual({ cwd: project, trust: false });
    expect(connection.open({ cwd: `${project}/`, trust: false })).toEqual({ cwd: project, trust: false });
    const why = `this connection already uses ${project}, not trusted; open another one, and send initialize first`;
    expect(() => connection.open({ trust: true })).toThrow(why);
    expect(() => connection.open({ cwd: other })).toThrow(why);
  });

  test('must be a directory', async () => {
    const { connection, project } = makeConnection();
    const missing = join(project, 'missing');
    expect(() => connection.open({ cwd: missing })).toThrow(`directory not found: '${missing}'`);
    expect(connection.open()).toEqual({ cwd: project, trust: false });
    await expect(connection.session(missing)).rejects.toThrow(`directory not found: '${missing}'`);
  });

  test('has one session, even for repeated and concurrent requests', async () => {
    const { connection, project, other } = makeConnection();
    const [a, b, c] = await Promise.all([
      connection.session(other),
      connection.session(),
      connection.session(project),
    ]);
    expect(b).toBe(c);
    expect(a).not.toBe(b);
    expect([...(await connection.sessions()).keys()]).toEqual([project, other]);
  });
});

test('opening a failed session is tried again', async () => {
  const { project, home, write } = makeWorld({ '~/.skillc/config.toml': 'catalog = 1\n' });
  const connection = createConnection({ cwd: project, home, env: {} });
  await expect(connection.session()).rejects.toMatchObject({ code: 'E110' });
  write({ '~/.skillc/config.toml': '' });
  expect([...(await connection.sessions()).keys()]).toEqual([]);
  expect((await connection.session()).id).toEqual(expect.any(String));
});

test('the oldest other folders are dropped, its own never', async () => {
  const folders = Array.from({ length: 17 }, (_, index) => `folder-${index}`);
  const { project, home } = makeWorld(
    Object.fromEntries(folders.map((name) => [name, { directory: true }] as const)),
  );
  const connection = createConnection({ cwd: project, home, env: {} });
  const own = await connection.session();
  for (const name of folders) await connection.session(join(project, name));
  const kept = folders.slice(2).map((name) => join(project, name));
  expect([...(await connection.sessions()).keys()]).toEqual([project, ...kept]);
  expect(await connection.session()).toBe(own);
});
