// Carries out the commands of docs/guide/running-a-registry.md, and checks the files in deploy.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseYaml } from '../../skillwright/src/skill/format/index.ts';
import { runMain } from '../src/commands/run-main.ts';
import { readSettings } from '../src/settings/read-settings.ts';
import { settingList } from '../src/settings/setting-list.ts';
import { copyEmptyData } from './copy-empty-data.ts';
import { createPostgresDatabase } from './create-postgres-database.ts';
import { requirePostgres } from './open-test-registry.ts';

const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');
const page = read('../../../docs/guide/running-a-registry.md');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code!);

test('running: the commands do what the guide says', async (context) => {
  requirePostgres(context);
  const place = mkdtempSync(join(tmpdir(), 'skw-guide-'));
  for (const name of ['registry', 'restored']) await copyEmptyData(join(place, name));
  const before = process.cwd();
  process.chdir(place);
  const env: Record<string, string> = {};
  const stops: (() => Promise<number>)[] = [];
  const results: string[] = [];
  /** Runs a command line; a server until the end of the test. */
  const run = async (args: string[]) => {
    const stop = new AbortController();
    const printed = Promise.withResolvers<string>();
    const code = runMain(args, {
      env: { ...env },
      out: (line) => printed.resolve(line),
      err: (line) => line.startsWith('{') || printed.resolve(line),
      stop: stop.signal,
    });
    const isServer = args[0]!.startsWith('--');
    if (isServer)
      stops.push(() => {
        stop.abort();
        return code;
      });
    else expect([args[0], await code]).toEqual([args[0], 0]);
    results.push(`${isServer ? 'serve' : args[0]}: ${await printed.promise}`);
  };
  try {
    for (const line of blocks('sh').join('').trim().split('\n')) {
      const words = line.split(' ');
      if (words[0] === 'export') env.DATABASE_URL = await createPostgresDatabase();
      else await run(words.slice(2).map((word) => word.replace('4873', '0')));
    }
    const [serve, doctor, backup, token, restore, moved, again] = results;
    expect(serve).toMatch(/^serve: Skillwright registry: http:/);
    expect(doctor).toMatch(/^doctor: ok {6}settings/);
    expect(backup).toMatch(/^backup: backup\.tar: \d+ rows/);
    expect(token).toMatch(/^admin: skwr_/);
    expect([restore, moved]).toEqual(
      Array(2).fill(expect.stringMatching(/^restore: restored the backup of /)),
    );
    expect(again).toMatch(/^serve: Skillwright registry: http:/);
    for (const stop of stops) expect(await stop()).toBe(0);
  } finally {
    process.chdir(before);
    rmSync(place, { recursive: true, force: true });
  }
}, 600_000);

test('running: the settings file is valid', () => {
  const place = mkdtempSync(join(tmpdir(), 'skw-guide-'));
  const config = join(place, 'registry.toml');
  writeFileSync(config, blocks('toml')[0]!);
  expect(readSettings({ flags: { config } })).toMatchObject({
    publicUrl: 'https://skills.example.com',
    trustedProxies: ['10.77.0.0/24'],
    review: 'new',
    copies: 7,
  });
  rmSync(place, { recursive: true, force: true });
});

test('the compose file shares the memory of the log, in a directory that its user can write', () => {
  const { value } = parseYaml(read('../deploy/compose.yaml')) as { value: Compose };
  const { services, volumes } = value;
  const registries = Object.entries(services).filter(([name]) => name.startsWith('registry-'));
  expect(
    registries.map(([name, { environment, volumes: mounts }]) => [
      name,
      environment.REGISTRY_LOG_MEMORY,
      mounts,
    ]),
  ).toEqual(
    ['registry-1', 'registry-2', 'registry-3'].map((name) => [
      name,
      '/memory/checkpoint',
      ['memory:/memory'],
    ]),
  );
  expect(Object.keys(volumes)).toContain('memory');
  const container = read('../deploy/Containerfile');
  expect(container).toMatch(/install --directory --owner node --group node --mode 0700 \/data \/memory$/m);
  const instructions = container.split('\n');
  expect(instructions.indexOf('USER node')).toBeGreaterThan(
    instructions.findLastIndex((line) => line.startsWith('FROM ')),
  );
  const program = /^ENTRYPOINT \["(.+)"\]$/m.exec(container)![1]!;
  expect(Object.keys(JSON.parse(read('../package.json')).bin)).toContain(program);
  const variables = Object.fromEntries(
    /^ENV (.+)$/m
      .exec(container)![1]!
      .split(' ')
      .map((pair) => pair.split('=')),
  );
  expect(readSettings({ env: variables })).toMatchObject({
    host: '0.0.0.0',
    data: '/data',
    logMemory: '/data/log-high-water',
  });
});

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: object;
}

interface Service {
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
}

test('the page and the files in deploy name settings that exist', () => {
  const files = ['Containerfile', 'compose.yaml', 'Caddyfile'].map((name) => read(`../deploy/${name}`));
  const named = new Set([...files, page].join('\n').match(/REGISTRY_[A-Z_]+/g));
  const known = new Set(settingList.map(({ variable }) => variable));
  expect([...named].filter((name) => !known.has(name))).toEqual([]);
  const flags = new Set(settingList.map(({ flag }) => `--${flag}`));
  const own = [
    '--help',
    '--config',
    '--build',
    '--import',
    '--output',
    '--all',
    '--owner',
    '--every',
    '--repair',
    '--tidy',
  ];
  expect(
    [...new Set(page.match(/--[a-z][a-z-]+/g))].filter((flag) => !flags.has(flag) && !own.includes(flag)),
  ).toEqual([]);
});
