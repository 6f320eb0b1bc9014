import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LOG_KEY, SECRET, serveAccounts } from '../../../test/account-server.ts';
import { makeKeyring } from '../../../test/fake-keyring.ts';
import { makeDirectory } from '../../../test/make-directory.ts';
import { makeRegistryWorld, runForPerson } from '../../../test/registry-world.ts';
import { serve } from '../../../test/serve.ts';
import { generateLogKey } from '../../ship/log/index.ts';
import { openBrowser } from './open-browser.ts';

const file = '~/.skillc/credentials.json';
const key = LOG_KEY;

describe('skc login', () => {
  test('with a browser: shows the code, asks, stores the token', async () => {
    const world = await makeRegistryWorld();
    const run = await world.skc(['login']);
    expect([run.status, run.stdout, run.stderr]).toEqual([
      0,
      'logged in to <registry>/ as alice until 2099-01-02\nthe token is in ~/.skillc/credentials.json\n',
      `code: WDJB-MJHT\nconfirm it at <registry>/device?code=WDJB-MJHT\nto save it:\n  skc config registry.key '${key}' --scope user\n`,
    ]);
    expect(JSON.parse(world.read(file))).toEqual({
      version: 1,
      logins: [
        { registry: world.registry, account: 'alice', expires: '2099-01-02T03:04:05.000Z', token: SECRET },
      ],
    });
    expect(statSync(join(world.home, '.skillc/credentials.json')).mode & 0o777).toBe(0o600);
    expect(world.server.requests).toEqual([
      'POST /oauth/device_authorization',
      'POST /oauth/token',
      'GET /api/v1/whoami',
      'GET /log/key',
    ]);
  });

  test('the result as JSON has no token', async () => {
    const world = await makeRegistryWorld();
    const run = await world.skc(['login', '--json', '--scope', 'read']);
    expect(run.json()).toEqual({
      registry: '<registry>/',
      account: 'alice',
      scopes: ['read', 'publish', 'rate', 'owner'],
      expires: '2099-01-02T03:04:05.000Z',
      kept_in: 'file',
      key,
      configured: [],
    });
    expect(run.stdout + run.stderr).not.toContain(SECRET);
    expect(world.server.world.seen[0]!.body).toBe('client_id=skc&scope=read');
  });

  test('with a token from standard input', async () => {
    const world = await makeRegistryWorld();
    const run = await world.skc(['login', '--token-stdin'], { stdin: `${SECRET}\n` });
    expect([run.status, run.stdout.split('\n')[0]]).toEqual([
      0,
      'logged in to <registry>/ as alice until 2099-01-02',
    ]);
    expect(world.server.requests).toEqual(['GET /api/v1/whoami', 'GET /log/key']);
    expect((await world.skc(['whoami'])).status).toBe(0);
  });

  test.each<[string, string, string]>([
    ['empty', ' \n', 'error[E100]: --token-stdin: standard input is empty\n'],
    ['two words', 'a b', 'error[E100]: --token-stdin: standard input is not one token\n'],
    ['control characters', 'a\u001bb', 'error[E100]: --token-stdin: standard input is not one token\n'],
    ['too long', 'x'.repeat(9000), "error[E015]: cannot read 'standard input': more than 8192 bytes\n"],
    [
      'unknown',
      'skr_wrong',
      "error[E248]: login at '<registry>/' failed: the registry does not accept the token\n",
    ],
  ])('a token that is %s is not stored', async (_, stdin, message) => {
    const world = await makeRegistryWorld();
    const run = await world.skc(['login', '--token-stdin'], { stdin });
    expect([run.status, run.stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(run.stderr).not.toContain('skr_wrong');
    expect(existsSync(join(world.home, '.skillc/credentials.json'))).toBe(false);
  });

  test('denied: nothing is stored', async () => {
    const world = await makeRegistryWorld();
    world.server.world.device = ['access_denied'];
    const run = await world.skc(['login']);
    expect([run.status, run.stderr.split('\n').slice(2)]).toEqual([
      1,
      [
        "error[E248]: login at '<registry>/' failed: it was denied",
        'help: run `skc login <registry>/` again',
        '',
      ],
    ]);
    expect(existsSync(join(world.home, '.skillc/credentials.json'))).toBe(false);
  });

  test('into the keyring; the token is on no command line', async () => {
    const world = await makeRegistryWorld();
    const keyring = makeKeyring('secret-tool');
    const env = keyring.env;
    const run = await world.skc(['login'], { env });
    expect(run.stdout).toContain('the token is in the keyring\n');
    expect(world.read(file)).not.toContain(SECRET);
    expect(keyring.secrets()).toEqual([SECRET]);
    expect((await world.skc(['whoami'], { env })).stdout).toContain('alice');
    expect(keyring.commandLines().join('\n')).not.toContain(SECRET);
    const locked = await world.skc(['whoami']);
    expect(locked.stderr).toBe(
      "error[E247]: not logged in to '<registry>/'\nhelp: the keyring does not give your token; unlock it, or run 'skc login <registry>/'\n",
    );
    await world.skc(['logout'], { env });
    expect(keyring.secrets()).toEqual([]);
  });

  test('a keyring that does not work: the file has it, and a warning says so', async () => {
    const world = await makeRegistryWorld();
    const keyring = makeKeyring('secret-tool');
    keyring.mood('broken');
    const run = await world.skc(['login'], { env: keyring.env });
    expect(run.stderr).toContain(
      "warning[W246]: the keyring did not keep the token; it is stored in '<home>/.skillc/credentials.json'\n",
    );
    expect(world.read(file)).toContain(SECRET);
  });

  test('SKC_TOKEN still wins, and a warning says so', async () => {
    const world = await makeRegistryWorld();
    const run = await world.skc(['login'], { env: { SKC_TOKEN: 'skr_env' } });
    expect(run.stderr).toContain('warning[W247]: SKC_TOKEN is set and is used instead of this login\n');
    await world.skc(['whoami'], { env: { SKC_TOKEN: 'skr_env' } });
    expect(world.server.world.seen.at(-1)!.authorization).toBe('Bearer skr_env');
  });

  test('a registry that only a project names', async () => {
    const world = await makeRegistryWorld({ isConfigured: false });
    world.write({ '.skillc/config.toml': `[registry]\nurl = "${world.registry}"\n` });
    const refused = await world.skc(['login']);
    expect([refused.status, refused.stderr]).toEqual([
      1,
      "error[E220]: registry not confirmed: '<registry>/'\nhelp: if you trust it, name it: skc login <registry>/\n",
    ]);
    expect(world.server.requests).toEqual([]);
    expect((await world.skc(['login', world.registry])).status).toBe(0);
    const before = world.server.world.seen.length;
    const withheld = await world.skc(['whoami']);
    expect(withheld.stderr).toBe(
      "error[E247]: not logged in to '<registry>/'\nhelp: the project chose this registry; confirm it with 'skc config registry.url <registry>/ --scope user'\n",
    );
    expect(world.server.world.seen).toHaveLength(before);
    expect((await world.skc(['whoami', world.registry])).status).toBe(0);
  });

  test('each token goes to its own registry', async () => {
    const first = await makeRegistryWorld();
    const second = await serveAccounts();
    const [info] = second.world.tokens.values();
    second.world.tokens.clear();
    second.world.tokens.set('skr_second', { ...info!, account: 'bob' });
    await first.skc(['login']);
    await first.skc(['login', second.url, '--token-stdin'], { stdin: 'skr_second' });
    expect((await first.skc(['whoami'])).stdout).toContain('Alice');
    expect((await first.skc(['whoami', second.url])).stdout).toContain('bob');
    const sent = (seen: typeof second.world.seen) => new Set(seen.map(({ authorization }) => authorization));
    expect(sent(first.server.world.seen)).toEqual(new Set([undefined, `Bearer ${SECRET}`]));
    expect(sent(second.world.seen)).toEqual(new Set([undefined, 'Bearer skr_second']));
    const below = await first.skc(['whoami', `${first.registry}team`]);
    expect(below.stderr).toContain('error[E247]');
  });

  test('a registry that answers with something else', async () => {
    const { url } = await serve((_, response) => void response.end('<html>hello'));
    const world = await makeRegistryWorld({ isConfigured: false });
    const run = await world.skc(['login', url]);
    expect([run.status, run.stderr]).toEqual([
      1,
      expect.stringContaining("/oauth/device_authorization': a web page, not JSON"),
    ]);
  });

  test('a credentials file that others can read', async () => {
    const world = await makeRegistryWorld();
    await world.skc(['login']);
    chmodSync(join(world.home, '.skillc/credentials.json'), 0o644);
    for (const words of [['whoami'], ['logout'], ['login'], ['token']]) {
      const run = await world.skc(words);
      expect([words, run.status, run.stderr]).toEqual([
        words,
        1,
        expect.stringContaining(
          "error[E246]: credentials unusable: '<home>/.skillc/credentials.json': other users can read it\n",
        ),
      ]);
    }
  });
});

const nobody = { choose: async () => undefined, confirm: async () => false };

test('Ctrl-C while it waits leaves nothing', async () => {
  const world = await makeRegistryWorld();
  world.server.world.device = ['authorization_pending'];
  const controller = new AbortController();
  world.server.world.interrupt = ({ url }) => {
    // Pressed while the answer is on its way, or while the next question waits.
    if (url === '/oauth/token') setImmediate(() => controller.abort());
    return false;
  };
  const before = world.list();
  const run = runForPerson('login', { browser: false }, { world, ask: nobody, signal: controller.signal });
  await expect(run).rejects.toEqual(expect.objectContaining({ code: 'E091' }));
  expect(world.list()).toEqual(before);
});

describe('the browser', () => {
  /** A PATH with a browser that writes down its words and its variables. */
  const makeBrowser = () => {
    const root = makeDirectory({
      'bin/xdg-open':
        '#!/bin/sh\ndir=$(dirname "$0")/..\nenv > "$dir/env"\necho "$@" > "$dir/words.new"\nmv "$dir/words.new" "$dir/words"\n',
    });
    chmodSync(join(root, 'bin/xdg-open'), 0o755);
    return { root, env: { PATH: `${join(root, 'bin')}:/usr/bin:/bin`, DISPLAY: ':0' } };
  };

  test('opens the address, without the tokens of the environment', async () => {
    const world = await makeRegistryWorld();
    const { root, env } = makeBrowser();
    const { notes } = await runForPerson(
      'login',
      {},
      { world, ask: nobody, env: { ...env, SKC_TOKEN: 'skr_env' } },
    );
    expect(notes).toContain('opening your browser');
    await expect.poll(() => existsSync(join(root, 'words'))).toBe(true);
    expect(readFileSync(join(root, 'words'), 'utf8')).toBe(`${world.registry}device?code=WDJB-MJHT\n`);
    expect(readFileSync(join(root, 'env'), 'utf8')).not.toContain('skr_env');
  });

  test.each<[string, object, object]>([
    ['--no-browser', { browser: false }, {}],
    ['no screen', {}, { DISPLAY: '' }],
    ['no program', {}, { PATH: '/nowhere' }],
  ])('%s: prints the address only', async (_, input, variables) => {
    const world = await makeRegistryWorld();
    const { env } = makeBrowser();
    const { notes } = await runForPerson('login', input, {
      world,
      ask: nobody,
      env: { ...env, ...variables },
    });
    expect(notes.slice(0, 2)).toEqual([
      'code: WDJB-MJHT',
      `confirm it at ${world.registry}device?code=WDJB-MJHT`,
    ]);
    expect(notes).not.toContain('opening your browser');
  });

  test.each(['file:///etc/passwd', 'javascript:alert(1)', '--help', 'x-app://open'])(
    '%s is never opened',
    (address) => {
      expect(openBrowser(address, makeBrowser().env, 'linux')).toBe(false);
    },
  );
});

describe('the registry in the configuration', () => {
  const answering = (answer: boolean, asked: string[]) => ({
    choose: async () => undefined,
    confirm: async (question: string) => {
      asked.push(question);
      return answer;
    },
  });

  test('a new one is saved with its key when the person agrees', async () => {
    const world = await makeRegistryWorld({ isConfigured: false });
    const asked: string[] = [];
    const { output, notes } = await runForPerson(
      'login',
      { registry: world.registry, browser: false },
      { world, ask: answering(true, asked) },
    );
    expect(asked).toEqual(['Save registry.url and registry.key in your configuration?']);
    expect(notes).toContain(`the registry offers this key for its log: ${key}`);
    expect(output).toMatchObject({ configured: ['registry.url', 'registry.key'] });
    expect(world.read('~/.skillc/config.toml')).toBe(
      `[registry]\nurl = "${world.registry}"\nkey = "${key}"\n`,
    );
  });

  test('nothing is written when the person does not agree, or nobody can be asked', async () => {
    const world = await makeRegistryWorld({ isConfigured: false });
    const asked: string[] = [];
    await runForPerson(
      'login',
      { registry: world.registry, browser: false },
      { world, ask: answering(false, asked) },
    );
    expect(asked).toHaveLength(1);
    const run = await world.skc(['login', world.registry]);
    expect(run.stderr).toContain(
      `to save it:\n  skc config registry.url '<registry>/' --scope user\n  skc config registry.key '${key}' --scope user\n`,
    );
    expect(existsSync(join(world.home, '.skillc/config.toml'))).toBe(false);
  });

  test('--save asks nothing; --owner saves it for one owner', async () => {
    const world = await makeRegistryWorld({ isConfigured: false });
    world.write({ '~/.skillc/config.toml': '[registry]\nurl = "https://mine.example/"\n' });
    const run = await world.skc(['login', world.registry, '--save', '--owner', '@acme']);
    expect(run.stdout).toContain('wrote registries.acme.url and registries.acme.key to your configuration\n');
    const text = readFileSync(join(world.home, '.skillc/config.toml'), 'utf8');
    expect(text).toContain('url = "https://mine.example/"');
    expect(text).toContain(`[registries.acme]\nurl = "${world.registry}"\nkey = "${key}"\n`);
  });

  test('a configured one is not asked about, and another key is reported, not replaced', async () => {
    const world = await makeRegistryWorld();
    const pinned = generateLogKey('skills.example').verifier;
    const config = `[registry]\nurl = "${world.registry}"\nkey = "${pinned}"\n`;
    world.write({ '~/.skillc/config.toml': config });
    const asked: string[] = [];
    const { notes } = await runForPerson('login', { browser: false }, { world, ask: answering(true, asked) });
    expect([asked, notes.at(-1)]).toEqual([
      [],
      `the registry '${world.registry}' offers another key for its log than the one you pinned: ${key}`,
    ]);
    expect(world.read('~/.skillc/config.toml')).toBe(config);
  });

  test('a registry without a log', async () => {
    const world = await makeRegistryWorld();
    world.server.world.logKey = undefined;
    expect((await world.skc(['login', '--json'])).json()).toMatchObject({ key: null, configured: [] });
  });
});
