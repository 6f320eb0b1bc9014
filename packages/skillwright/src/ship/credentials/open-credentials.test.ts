import { chmodSync, chownSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type FakeKeyring, makeKeyring } from '../../../test/fake-keyring.ts';
import { makeDirectory } from '../../../test/make-directory.ts';
import { openKeyring } from './keyring.ts';
import { openCredentials } from './open-credentials.ts';

const registry = 'https://skills.example/';
const other = 'https://other.example/';
const login = { account: 'alice', token: 'skr_one', expires: null };

const home = () => join(makeDirectory({ home: { directory: true } }), 'home');

describe('in a file', () => {
  test('each registry has its own token, in a file that only the user can read', async () => {
    const dir = home();
    const credentials = openCredentials({ home: dir, env: {} });
    expect([credentials.list(), await credentials.find(registry)]).toEqual([[], undefined]);
    expect(await credentials.store(registry, login)).toEqual({
      registry,
      account: 'alice',
      expires: null,
      keptIn: 'file',
      triedKeyring: false,
    });
    await credentials.store(other, { account: 'bob', token: 'skr_two', expires: '2099-01-01T00:00:00Z' });
    await credentials.store(registry, { ...login, token: 'skr_three' });
    expect(credentials.path).toBe(join(dir, '.skillc/credentials.json'));
    expect(statSync(credentials.path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(credentials.path)).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(credentials.path, 'utf8'))).toEqual({
      version: 1,
      logins: [
        { registry: other, account: 'bob', expires: '2099-01-01T00:00:00Z', token: 'skr_two' },
        { registry, account: 'alice', expires: null, token: 'skr_three' },
      ],
    });
    expect((await credentials.find(registry))?.token).toBe('skr_three');
    expect((await credentials.find(other))?.token).toBe('skr_two');
    expect((await credentials.find(`${registry}team/`))?.token).toBe(undefined);
    expect((await credentials.remove(other))?.account).toBe('bob');
    expect(await credentials.remove(other)).toBe(undefined);
    expect(credentials.list().map((entry) => entry.registry)).toEqual([registry]);
  });

  const content = JSON.stringify({
    version: 1,
    logins: [{ registry, account: 'alice', expires: null, token: 'skr_one' }],
  });
  const isRoot = process.getuid?.() === 0;

  test.each<readonly [string, (path: string) => void, string]>([
    ['others may read it', (path) => chmodSync(path, 0o644), 'other users can read it'],
    ['the group may read it', (path) => chmodSync(path, 0o640), 'other users can read it'],
    ['others may write it', (path) => chmodSync(path, 0o602), 'other users can read it'],
    ['everybody may write next to it', (path) => chmodSync(dirname(path), 0o777), 'every user can write to'],
    ['it is not JSON', (path) => writeFileSync(path, '{"token": "skr_one"'), 'not JSON'],
    ['it is something else', (path) => writeFileSync(path, '["skr_one"]'), 'not a list of logins'],
    ['it is of a later version', (path) => writeFileSync(path, '{"version":2,"logins":[]}'), 'not a list'],
    ['it is huge', (path) => writeFileSync(path, ' '.repeat(300_000)), 'too large'],
    ...(isRoot
      ? ([
          ['it is of somebody else', (path: string) => chownSync(path, 12345, 12345), 'another user'],
          [
            'the directory is of somebody else',
            (path: string) => chownSync(dirname(path), 12345, 12345),
            'belongs to another user',
          ],
        ] as const)
      : []),
  ])('%s: refused for reading and writing, and left alone', async (_, spoil, why) => {
    const path = join(home(), '.skillc/credentials.json');
    mkdirSync(dirname(path), { mode: 0o700 });
    writeFileSync(path, content, { mode: 0o600 });
    spoil(path);
    const before = readFileSync(path, 'utf8');
    const credentials = openCredentials({ home: dirname(dirname(path)), env: {} });
    const refusal = expect.objectContaining({ code: 'E246', message: expect.stringContaining(why) });
    expect(() => credentials.list()).toThrow(refusal as never);
    for (const work of [
      () => credentials.find(registry),
      () => credentials.store(registry, login),
      () => credentials.remove(registry),
    ]) {
      const error = await work().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toEqual(refusal);
      expect(JSON.stringify([error, String(error), (error as { data: unknown }).data])).not.toContain(
        'skr_one',
      );
    }
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  test('a link is refused, wherever it leads', async () => {
    const dir = home();
    const path = join(dir, '.skillc/credentials.json');
    mkdirSync(dirname(path));
    writeFileSync(join(dir, 'elsewhere.json'), content, { mode: 0o600 });
    symlinkSync(join(dir, 'elsewhere.json'), path);
    const credentials = openCredentials({ home: dir, env: {} });
    const refusal = expect.objectContaining({ code: 'E246' });
    await expect(credentials.find(registry)).rejects.toEqual(refusal);
    await expect(credentials.store(registry, login)).rejects.toEqual(refusal);
    expect(readFileSync(join(dir, 'elsewhere.json'), 'utf8')).toBe(content);
  });

  test('a directory in its place is refused', async () => {
    const dir = home();
    mkdirSync(join(dir, '.skillc/credentials.json'), { recursive: true });
    await expect(openCredentials({ home: dir, env: {} }).find(registry)).rejects.toEqual(
      expect.objectContaining({ code: 'E246' }),
    );
  });
});

describe.each(['secret-tool', 'security'] as const)('in the keyring behind %s', (program) => {
  const open = (keyring: FakeKeyring, dir = home()) => ({
    dir,
    credentials: openCredentials({ home: dir, env: keyring.env }),
  });

  test('a token is stored, found and removed, and never on a command line', async () => {
    const keyring = makeKeyring(program);
    const found = openKeyring(program, { home: '/home/alice', env: keyring.env })!;
    expect(await found.store(registry, 'skr_one')).toBe(true);
    expect(await found.find(registry)).toBe('skr_one');
    expect(await found.find(other)).toBe(undefined);
    const elsewhere = openKeyring(program, { home: '/home/bob', env: keyring.env })!;
    expect(await elsewhere.find(registry)).toBe(undefined);
    expect(await found.remove(registry)).toBe(true);
    expect(await found.find(registry)).toBe(undefined);
    const lines = keyring.commandLines();
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.join('\n')).not.toContain('skr_one');
    expect(lines.join('\n')).not.toContain(Buffer.from('skr_one').toString('hex'));
  });

  test('the token of the environment is not passed on', async () => {
    const keyring = makeKeyring(program);
    const env = { ...keyring.env, SKC_TOKEN: 'skr_env', GITHUB_TOKEN: 'skr_git' };
    await openKeyring(program, { home: '/home/alice', env })!.find(registry);
    expect(keyring.environments()).not.toMatch(/skr_env|skr_git/);
  });

  if (program !== 'secret-tool') return;

  test('the file lists the login without its token', async () => {
    const keyring = makeKeyring(program);
    const { credentials, dir } = open(keyring);
    expect((await credentials.store(registry, login)).keptIn).toBe('keyring');
    expect(JSON.parse(readFileSync(credentials.path, 'utf8')).logins).toEqual([
      { registry, account: 'alice', expires: null, keyring: 'secret-tool' },
    ]);
    expect((await credentials.find(registry))?.token).toBe('skr_one');
    const before = keyring.commandLines().length;
    expect(await credentials.find(other)).toBe(undefined);
    expect(credentials.list()).toHaveLength(1);
    expect(keyring.commandLines(), 'nobody is asked about a registry without a login').toHaveLength(before);
    const without = openCredentials({ home: dir, env: {} });
    expect((await without.find(registry))?.token).toBe(undefined);
    await credentials.remove(registry);
    expect([await credentials.find(registry), keyring.secrets()]).toEqual([undefined, []]);
  });

  test.each(['broken', 'forgetful', 'lying'] as const)('a %s keyring: the file has it', async (mood) => {
    const keyring = makeKeyring(program);
    const { credentials } = open(keyring);
    await credentials.store(registry, { ...login, token: 'skr_old' });
    keyring.mood(mood);
    expect(await credentials.store(registry, login)).toMatchObject({ keptIn: 'file', triedKeyring: true });
    keyring.mood('well');
    expect((await credentials.find(registry))?.token).toBe('skr_one');
    expect(JSON.stringify(keyring.secrets())).not.toContain('skr_one');
  });

  test('without a D-Bus session the program is not started', async () => {
    const keyring = makeKeyring(program);
    const { DBUS_SESSION_BUS_ADDRESS: _, ...env } = keyring.env;
    const credentials = openCredentials({ home: home(), env });
    expect(await credentials.store(registry, login)).toMatchObject({ keptIn: 'file', triedKeyring: false });
    expect(keyring.commandLines()).toEqual([]);
  });
});
