import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogEntry } from 'skillwright/registry-protocol';
import {
  generateLogKey,
  openCheckpoint,
  parseSigner,
  parseVerifierKey,
  spellVerifierKey,
} from 'skillwright/transparency-log';
import { afterAll, expect, test } from 'vitest';
import { parseWords, runMain } from '../src/commands/run-main.ts';
import { witness as command } from '../src/commands/witness.ts';
import type { App } from '../src/http/environment.ts';
import { appendLeaves } from '../src/log/append-leaf.ts';
import { startNewOrigin } from '../src/log/open-log.ts';
import { runWitness } from '../src/log/witness/run-witness.ts';
import { forgetful, logVersion, readLog, versionEntry } from './log-world.ts';
import { onBothDatabases } from './open-test-registry.ts';

const directory = mkdtempSync(join(tmpdir(), 'skw-witness-'));
afterAll(() => rmSync(directory, { recursive: true }));

let files = 0;
const keyFile = () => {
  files += 1;
  return join(directory, `key-${files}`);
};

/** Runs the command against an application. */
async function witness(app: App, args: readonly string[], { rounds = 1 } = {}) {
  let [out, err, left] = ['', '', rounds];
  const code = await runWitness(parseWords(args, command).values, {
    fetch: async (input, init) => app.request(String(input).replace('http://log.test', ''), init),
    now: () => new Date('2026-01-01T00:00:00Z'),
    print: (text) => {
      out += text;
    },
    warn: (text) => {
      err += text;
    },
    wait: async () => {
      left -= 1;
      return left > 0;
    },
  });
  return { code, out, err };
}

onBothDatabases('a witness', (open) => {
  const world = async (context: Parameters<typeof open>[0]) => {
    const key = keyFile();
    const { secret, signer } = generateLogKey('witness.test/w1', { kind: 'cosignature' });
    writeFileSync(key, secret);
    const test = await open(context, { witnesses: [spellVerifierKey(signer)] });
    const logKey = await (await test.app.request('/log/key')).text();
    const args = ['--log', 'http://log.test/log', '--log-key', logKey, '--key', key, '--once'];
    return { ...test, args, key, log: parseVerifierKey(logKey), witnessKey: parseSigner(secret) };
  };

  test('cosigns a log that only grows, and the log shows it', async (context) => {
    const { app, registry, args, log, witnessKey } = await world(context);
    const time = Date.parse('2026-01-01T00:00:00Z') / 1000;
    for (const name of ['one', 'two', 'three']) {
      await logVersion(registry, { name });
      const printed = await witness(app, args);
      expect([printed.code, printed.err]).toEqual([0, '']);
      expect(openCheckpoint(printed.out, { key: log, witnesses: [witnessKey] }).cosignatures).toEqual([
        { key: witnessKey, time, line: expect.stringContaining('— witness.test/w1 ') },
      ]);
      expect(await (await app.request('/log/checkpoint')).text(), 'printing does not post').not.toBe(
        printed.out,
      );
      expect(await witness(app, [...args, '--post'])).toEqual({ code: 0, out: '', err: '' });
      expect(await (await app.request('/log/checkpoint')).text()).toBe(printed.out);
    }
    await logVersion(registry, { name: 'four', visibility: 'public' });
    await witness(app, [...args, '--post']);
    const proof = await (await app.request('/api/v1/skills/@team/four/1.0.0/proof')).text();
    expect(proof).toContain('— witness.test/w1 ');
  });

  test('refuses a fork, shows both checkpoints, and keeps the one it knows', async (context) => {
    const { app: honest, registry: remembering, data, args, key } = await world(context);
    for (const name of ['one', 'two']) await logVersion(remembering, { name });
    await witness(honest, args);
    const { registry, app } = forgetful({ registry: remembering, data });
    const known = readFileSync(`${key}.state`, 'utf8');
    for (const table of ['log_hashes', 'log_leaves', 'log_checkpoints']) {
      await registry.database.query(`delete from ${table}`);
    }
    await registry.database.query('update log_origins set size = 0');
    for (const name of ['x', 'y', 'z']) await logVersion(registry, { name });
    for (const _ of [1, 2]) {
      const { code, out, err } = await witness(app, args.slice(0, -1), { rounds: 5 });
      expect([code, out]).toEqual([1, '']);
      expect(err).toMatch(
        /^error\[E231\]: the log shows a different past: 'registry.test\/log'\nknown:\n\nregistry.test\/log\n2\n/,
      );
      expect(err).toContain('offered:\n\nregistry.test/log\n3\n');
    }
    expect(readFileSync(`${key}.state`, 'utf8')).toBe(known);
  });

  test('refuses another key and a checkpoint that went back without proof', async (context) => {
    const { app, registry, data, args } = await world(context);
    for (const name of ['one', 'two', 'three']) await logVersion(registry, { name });
    await witness(app, args);
    const other = generateLogKey('registry.test/log').verifier;
    expect(await witness(app, args.with(3, other))).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('E230'),
    });
    const older = await (await readLog(app)).checkpoint();
    expect(older.size).toBe(3);
    await registry.database.query('update log_origins set size = 2');
    const back = await witness(forgetful({ registry, data }).app, args);
    expect(back).toMatchObject({ code: 1, out: '' });
    expect(back.err).toContain('E215');
  });

  test('waits for the newest checkpoint when the log offers an older one', async (context) => {
    const { app, registry, args } = await world(context);
    await logVersion(registry, { name: 'one' });
    const old = await (await app.request('/log/newest')).text();
    for (const name of ['two', 'three']) await logVersion(registry, { name });
    await witness(app, args);
    const stale = {
      request: (path: string, init?: RequestInit) =>
        path === '/log/newest' ? new Response(old) : app.request(path, init),
    };
    expect(await witness(stale as App, args)).toEqual({
      code: 1,
      out: '',
      err: 'the log offers an older checkpoint: size 1 instead of 3\n',
    });
  });

  test('follows a log that started again, and says what was lost', async (context) => {
    const { app, registry, args } = await world(context);
    for (const name of ['one', 'two']) await logVersion(registry, { name });
    await witness(app, args);
    const { origin } = await startNewOrigin(registry);
    const { code, out, err } = await witness(app, args);
    expect([code, err]).toEqual([
      0,
      `the log started again as ${origin} after registry.test/log; entries it lost: 0\n`,
    ]);
    expect(out.split('\n').slice(0, 2)).toEqual([origin, '3']);
    expect(await witness(app, args)).toMatchObject({ code: 0, err: '' });
    // The old origin cannot come back.
    await registry.database.query('update log_origins set closed_at = now()');
    await registry.database.query('update log_origins set closed_at = null where generation = 1');
    expect((await witness(app, args)).err).toContain('E231');
  });

  test('goes on while the log cannot be reached', async (context) => {
    const { app, registry, args } = await world(context);
    await logVersion(registry, { name: 'one' });
    // A log without an address for the newest checkpoint is asked for the one that every log has.
    let failures = 4;
    const flaky = {
      request: (path: string, init?: RequestInit) => {
        failures -= 1;
        return failures >= 0 ? new Response('', { status: 503 }) : app.request(path, init);
      },
    };
    const { code, out, err } = await witness(flaky as App, args.slice(0, -1), { rounds: 3 });
    expect(code).toBe(0);
    expect(err.match(/E215/g)).toHaveLength(2);
    expect(out).toMatch(/^registry\.test\/log\n1\n/);
  });

  test('does not cosign a log with two entries for one version, public or private', async (context) => {
    for (const isPrivate of [false, true]) {
      const { app, registry, args } = await world(context);
      await logVersion(registry, { name: 'one', visibility: isPrivate ? 'private' : 'public' });
      expect((await witness(app, args)).code).toBe(0);
      // Another archive for the same version, behind the same or another salt.
      const { entry, ...rest } = { entry: versionEntry('@team/one'), isPrivate };
      const archive = versionEntry('@team/other');
      const other = { ...entry, archive: (archive as { archive: string }).archive } as LogEntry;
      await registry.database.transaction((tx) => appendLeaves(tx, registry, [{ entry: other, ...rest }]));
      const { code, out, err } = await witness(app, args);
      expect([code, out]).toEqual([1, '']);
      expect(err).toMatch(
        isPrivate
          ? /^the log has two entries for sha256:[0-9a-f]{64} \(entries 0 and 1\): it is not cosigned\n$/
          : 'the log has two entries for @team/one@1.0.0 (entries 0 and 1): it is not cosigned\n',
      );
    }
  });

  test('does not cosign a checkpoint that its entries do not lead to', async (context) => {
    const { app, registry, args } = await world(context);
    await logVersion(registry, { name: 'one', visibility: 'public' });
    const changed = {
      async request(path: string, init?: RequestInit) {
        const response = await app.request(path, init);
        if (!path.includes('entries')) return response;
        const bytes = new Uint8Array(await response.arrayBuffer());
        return new Response(
          Buffer.from(Buffer.from(bytes).toString('latin1').replace('@team/one', '@team/two'), 'latin1'),
        );
      },
    };
    const { code, err } = await witness(changed as App, args);
    expect([code, err]).toEqual([1, expect.stringContaining('E232')]);
  });

  test('makes its key, which only its user can read', async (context) => {
    const { app, args } = await world(context);
    const key = keyFile();
    const without = await witness(app, args.with(5, key));
    expect(without).toMatchObject({ code: 1, err: expect.stringContaining('--name') });
    const { code, err } = await witness(app, [...args.with(5, key), '--name', 'witness.test/w2']);
    expect(code).toBe(0);
    const verifier = spellVerifierKey(parseSigner(readFileSync(key, 'utf8')));
    expect(err).toBe(`made a key; verifier key for the registry's settings: ${verifier}\n`);
    expect(statSync(key).mode & 0o777).toBe(0o600);
    await expect(witness(app, ['--once'])).rejects.toThrow('skillwright-registry witness --help');
  });

  test('is refused by the log unless known, or for a checkpoint the log did not sign', async (context) => {
    const { app, registry, args } = await world(context);
    await logVersion(registry, { name: 'one' });
    const { out } = await witness(app, args);
    const post = async (body: string) => {
      const response = await app.request('/log/cosignature', { method: 'POST', body });
      return [response.status, ((await response.json()) as { error?: { code: string } }).error?.code];
    };
    const stranger = keyFile();
    const strange = await witness(app, [...args.with(5, stranger), '--name', 'stranger.test']);
    expect(await post(strange.out)).toEqual([403, 'forbidden']);
    expect(await post(out.replace('\n1\n', '\n2\n'))).toEqual([403, 'forbidden']);
    expect(await post('hello')).toEqual([400, 'bad_request']);
    expect(await post('x'.repeat(70_000))).toEqual([413, 'too_large']);
    expect(await post(out)).toEqual([200, undefined]);
    await registry.database.query('delete from log_cosignatures');
    await registry.database.query('delete from log_checkpoints');
    expect(await post(out)).toEqual([404, 'not_found']);
  });
});

test('a witness is a command with its own flags and help', async () => {
  const run = async (args: readonly string[]) => {
    const lines: string[] = [];
    const code = await runMain(['witness', ...args], {
      env: {},
      out: (line) => lines.push(`out: ${line}`),
      err: (line) => lines.push(`err: ${line}`),
      stop: new AbortController().signal,
    });
    return [code, lines.join('\n').split('\n')[0]];
  };
  const usage = 'skillwright-registry witness --log <url> --log-key <key> --key <file>';
  expect(await run(['--help'])).toEqual([0, `out: ${usage}`]);
  expect(await run([])).toEqual([
    1,
    'err: --log, --log-key and --key are needed. See: skillwright-registry witness --help',
  ]);
  expect(await run(['--log', 'ftp://x', '--log-key', 'x', '--key', 'x'])).toEqual([
    1,
    'err: not an address: ftp://x',
  ]);
});
