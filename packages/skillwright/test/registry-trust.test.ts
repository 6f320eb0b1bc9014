// Skills of registries: owners and scopes, states, logs, and registries that lie.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../src/base/files/hash.ts';
import { updateSkills } from '../src/ship/install/update-skills.ts';
import { generateLogKey } from '../src/ship/log/index.ts';
import type { LogEntry } from '../src/ship/protocol/index.ts';
import { makeContext, updateRequest } from './install-world.ts';
import { makeTarGz } from './make-archive.ts';
import { makeWorld, skillText, type World } from './make-world.ts';
import { type RegistryServer, type SeededSkill, serveRegistry } from './registry-server.ts';
import { TestLog } from './test-log.ts';

const LOCAL = '[network]\nallow_private = ["127.0.0.1"]\n';
const archive = (text: string, name = 'demo') => makeTarGz({ 'SKILL.md': skillText(name, `# ${text}\n`) });
const versions = { '1.0.0': archive('One'), '1.1.0': archive('Two') };
const codeOf = (stderr: string) => /error\[(\w+)\]/.exec(stderr)?.[1];
const warningsIn = (stderr: string) => [...stderr.matchAll(/^warning\[(\w+)\]/gm)].map(([, code]) => code);

async function worldWith(facts: Partial<SeededSkill> = {}, { pinned = true } = {}) {
  const registry = await serveRegistry({
    '@acme/demo': { versions, ...facts },
    '@acme/other': { versions: { '1.0.0': archive('Other', 'other') } },
  });
  const key = pinned ? `key = "${registry.key}"\n` : '';
  const w = makeWorld({ '~/.skillc/config.toml': `${LOCAL}[registry]\nurl = "${registry.url}"\n${key}` });
  return { w, registry };
}

const install = (w: World, what = '@acme/demo', ...more: string[]) =>
  w.run(['install', what, '--yes', ...more]);
const lockOf = (w: World) => JSON.parse(w.read('.skillc/lock.json')).skills;
/** Everything but the indexes that were seen. */
const filesOf = (w: World) =>
  Object.fromEntries(Object.entries(w.list()).filter(([path]) => !/registries\/.*\/index-/.test(path)));
/** Without the machine's memory of registries: a signed checkpoint is kept, whatever follows. */
const unseen = (files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).filter(([path]) => !path.includes('.skillc/registries')));
const nothingWritten = (w: World) =>
  Object.keys(w.list()).filter((path) => /\.skillc\/(skills|proofs|lock)/.test(path));

describe('owners', () => {
  test('the lock names registry, owner, version and digests', async () => {
    const { w, registry } = await worldWith();
    const first = await install(w, '@acme/demo@^1');
    expect([first.status, first.stderr]).toEqual([
      0,
      expect.stringContaining(`from @acme/demo (${registry.url}/) at 1.1.0`),
    ]);
    const { source, resolution } = lockOf(w).demo;
    expect(source).toBe(`registry+${registry.url}/#@acme/demo@^1`);
    expect(resolution).toEqual({
      version: '1.1.0',
      digest: `sha256:${sha256(versions['1.1.0'])}`,
      document: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
  });

  test('a plain name needs registry.owner, and a project cannot set it', async () => {
    const { w } = await worldWith();
    w.write({ '.skillc/config.toml': '[registry]\nowner = "acme"\n' });
    const refused = await install(w, 'demo');
    expect(refused.stderr).toContain("error[E239]: 'demo' does not say whose skill it is\n");
    expect((await w.run(['config', 'registry.owner', 'acme', '--scope', 'user'])).status).toBe(0);
    expect((await install(w, 'demo')).status).toBe(0);
    expect(lockOf(w).demo.source).toMatch(/#@acme\/demo$/);
  });

  test('two registries by owner, each with its own log', async () => {
    const [ours, theirs] = [
      await serveRegistry({ '@acme/demo': { versions } }),
      await serveRegistry(
        { '@zoo/zebra': { versions: { '1.0.0': archive('Z', 'zebra') } } },
        { origin: 'zoo.test' },
      ),
    ];
    const w = makeWorld({
      '~/.skillc/config.toml': `${LOCAL}[registry]\nurl = "${ours.url}"\nkey = "${ours.key}"\n[registries.zoo]\nurl = "${theirs.url}"\nkey = "${theirs.key}"\n`,
    });
    for (const name of ['@acme/demo', '@zoo/zebra']) {
      const { status, stderr } = await install(w, name);
      expect([status, warningsIn(stderr)]).toEqual([0, []]);
    }
    const before = [ours.requests.length, theirs.requests.length];
    const { skills } = (await w.run(['outdated', '--json'])).json() as { skills: { origin: object }[] };
    expect(skills.map(({ origin }) => origin)).toEqual([
      { registry: `${ours.url}/`, name: '@acme/demo' },
      { registry: `${theirs.url}/`, name: '@zoo/zebra' },
    ]);
    expect([ours.requests.slice(before[0]), theirs.requests.slice(before[1])]).toEqual([
      ['POST /api/v1/states'],
      ['POST /api/v1/states'],
    ]);
    expect((await w.run(['verify', '--log', '--offline'])).stdout).toBe(
      `demo from @acme/demo (${ours.url}/): ok\n  log: the log of ${ours.url}/ contains it\n` +
        `zebra from @zoo/zebra (${theirs.url}/): ok\n  log: the log of ${theirs.url}/ contains it\n`,
    );
  });

  test('a project that redirects an owner is refused, with the token and the claims', async () => {
    const { w } = await worldWith();
    const evil = await serveRegistry({ '@acme/demo': { versions: { '9.0.0': archive('Evil') } } });
    w.write({ '.skillc/config.toml': `[registries.acme]\nurl = "${evil.url}"\nkey = "${evil.key}"\n` });
    for (const words of [
      ['install', '@acme/demo', '--yes'],
      ['install', `registry+${evil.url}/#@acme/demo`, '--yes'],
    ])
      expect(codeOf((await w.run(words, { env: { SKC_TOKEN: 'secret' } })).stderr)).toBe('E220');
    expect([evil.requests, nothingWritten(w)]).toEqual([[], []]);
  });

  test('a second skill of the same name from another owner', async () => {
    const registry = await serveRegistry({
      '@acme/demo': { versions },
      '@zoo/demo': { versions: { '1.0.0': archive('Zoo') } },
    });
    const w = makeWorld({
      '~/.skillc/config.toml': `${LOCAL}[registry]\nurl = "${registry.url}"\nkey = "${registry.key}"\n`,
    });
    expect((await install(w)).status).toBe(0);
    const before = filesOf(w);
    const refused = await install(w, '@zoo/demo');
    expect(refused.stderr).toContain(
      `error[E240]: 'demo' is installed from @acme/demo (${registry.url}/); @zoo/demo (${registry.url}/) has the same name\n`,
    );
    expect(filesOf(w)).toEqual(before);
    expect((await install(w, '@zoo/demo', '--force')).status).toBe(0);
    expect(lockOf(w).demo.source).toContain('#@zoo/demo');
  });
});

describe('states', () => {
  /** State, answer to a range, to the exact version, and the notice about it once it is installed. */
  const table: [string, Partial<SeededSkill>, string, string | undefined, string][] = [
    ['yanked', { yanked: { '1.1.0': 'broken' } }, '1.0.0', undefined, 'yanked: broken'],
    ['too young', { young: { '1.1.0': 'one hour old' } }, '1.0.0', undefined, 'very new: one hour old'],
    ['quarantined', { quarantined: { '1.1.0': 'a report' } }, '1.0.0', 'E237', 'quarantined: a report'],
    ['pending', { pending: { '1.1.0': 'waits' } }, '1.0.0', 'E237', 'not approved yet: waits'],
    ['rejected', { rejected: { '1.1.0': 'spam' } }, '1.0.0', 'E237', 'rejected: spam'],
    ['purged', { purged: { '1.1.0': 'leak' } }, '1.0.0', 'E236', 'purged: leak'],
  ];

  test.each(table)('%s: install', async (_, facts, byRange, exact, notice) => {
    const { w } = await worldWith(facts);
    const refused = await install(w, '@acme/demo@1.1.0');
    expect(codeOf(refused.stderr)).toBe(exact);
    if (exact === undefined) expect(refused.stderr).toContain(`'@acme/demo@1.1.0' is ${notice}`);
    else {
      expect(refused.stderr).toContain(notice.split(': ')[1]!);
      expect(nothingWritten(w)).toEqual([]);
    }
    for (const range of ['', '@^1', '@latest']) {
      const fresh = await worldWith(facts);
      expect((await install(fresh.w, `@acme/demo${range}`)).status).toBe(0);
      expect(lockOf(fresh.w).demo.resolution.version).toBe(byRange);
    }
  });

  test.each(table)(
    '%s later: outdated, verify, list, info and doctor',
    async (_, facts, __, exact, notice) => {
      const { w, registry } = await worldWith();
      expect((await install(w, '@acme/demo@1.1.0')).status).toBe(0);
      const [[state, reasons]] = Object.entries(facts) as [[string, Record<string, string>]];
      const name = state === 'young' ? 'too-young' : (state as 'yanked');
      registry.mark('@acme/demo', '1.1.0', name, reasons['1.1.0']!);
      const before = registry.requests.length;
      const verified = await w.run(['verify']);
      expect([verified.status, verified.stderr]).toEqual([0, `warning[W224]: 'demo' is ${notice}\n`]);
      const { skills } = (await w.run(['outdated', '--json'])).json() as { skills: object[] };
      expect(skills).toMatchObject([{ status: 'current', latest: '1.0.0', notices: [{ kind: name }] }]);
      expect((await w.run(['list', '--check-updates'])).stdout).toContain(name);
      expect(registry.requests.slice(before)).toEqual(Array(3).fill('POST /api/v1/states'));
      // The others repeat the last answer.
      expect((await w.run(['info', 'demo'])).stdout).toMatch(new RegExp(`${name} +.*\\(said on \\d{4}-`));
      expect((await w.run(['doctor'])).stdout).toContain(`'demo' is ${notice.split(': ')[0]}`);
      expect(registry.requests.length).toBe(before + 3);
      // Restoring needs the archive when nothing is cached.
      rmSync(join(w.project, '.skillc/skills/demo'), { recursive: true });
      rmSync(join(w.home, '.skillc/cache'), { recursive: true });
      const restored = await w.run(['install']);
      expect([restored.status, codeOf(restored.stderr)]).toEqual(
        exact === undefined ? [0, undefined] : [1, exact],
      );
    },
  );

  test('offline, the last answer counts, and its time is told', async () => {
    const { w, registry } = await worldWith({ deprecated: 'use other' });
    await install(w);
    const before = registry.requests.length;
    const offline = await w.run(['outdated', '--offline', '--json']);
    const { skills } = offline.json() as { skills: { checked_at: string }[] };
    expect(skills).toMatchObject([{ status: 'current', notices: [{ kind: 'deprecated' }] }]);
    expect(offline.stderr).toContain(
      `warning[W238]: '${registry.url}/' was not asked (offline); its answer of ${skills[0]!.checked_at} is shown\n`,
    );
    expect(warningsIn((await w.run(['verify', '--offline'])).stderr)).toEqual(['W238', 'W224']);
    expect(registry.requests.length).toBe(before);
    registry.forge('/api/v1/states', () => ({ status: 500 }));
    const broken = await w.run(['verify']);
    expect([broken.status, warningsIn(broken.stderr)]).toEqual([0, ['W238', 'W224']]);
  });

  test('a version that needs another skc', async () => {
    const { w } = await worldWith({ client: { '1.1.0': '>=99' } });
    const refused = await install(w);
    expect(refused.stderr).toMatch(/error\[E238\]: '@acme\/demo@1\.1\.0' needs skc >=99; this is \d/);
    expect(nothingWritten(w)).toEqual([]);
  });

  test('150 skills cost two requests', async () => {
    const names = Array.from({ length: 150 }, (_, at) => `skill-${at}`);
    const registry = await serveRegistry(
      Object.fromEntries(
        names.map((name) => [`@acme/${name}`, { versions: { '1.0.0': archive('S', name) } }]),
      ),
    );
    const w = makeWorld({ '~/.skillc/config.toml': `${LOCAL}[registry]\nurl = "${registry.url}"\n` });
    expect((await install(w, '@acme/skill-0')).status).toBe(0);
    const lock = JSON.parse(w.read('.skillc/lock.json'));
    const [entry] = Object.values(lock.skills) as [{ source: string }];
    for (const name of names) lock.skills[name] = { ...entry, source: entry.source.replace('skill-0', name) };
    w.write({ '.skillc/lock.json': JSON.stringify(lock) });
    const before = registry.requests.length;
    const { skills } = (await w.run(['outdated', '--json'])).json() as { skills: object[] };
    expect([skills.length, registry.requests.slice(before)]).toEqual([
      150,
      ['POST /api/v1/states', 'POST /api/v1/states'],
    ]);
  });
});

describe('the log', () => {
  const proof = '.skillc/proofs/demo.txt';

  test('without a configured key, the first one that is seen is pinned, and install says so', async () => {
    const { w, registry } = await worldWith({}, { pinned: false });
    const first = await install(w);
    expect([first.status, warningsIn(first.stderr)]).toEqual([0, ['W239']]);
    expect(first.stderr).toContain(
      `warning[W239]: the key of the log of '${registry.url}/' is pinned from now on, as first seen: ${registry.key}\n`,
    );
    expect((await w.run(['verify', '--log', '--offline'])).status).toBe(0);
    const again = await install(w, '@acme/other');
    expect([again.status, warningsIn(again.stderr)]).toEqual([0, []]);
    // Another key is refused from now on.
    registry.log.key = generateLogKey('registry.test');
    await registry.publish('@acme/demo', '1.2.0', archive('Three'));
    const refused = await w.run(['update', '--yes']);
    expect(codeOf(refused.stderr)).toBe('E230');
    expect((await w.run(['cache', '--forget', registry.url])).status).toBe(0);
    // What cannot be checked any more is no success.
    const unknown = await w.run(['verify', '--log', '--offline', '--json']);
    expect([unknown.status, unknown.json()]).toMatchObject([
      1,
      { skills: [{ ok: false, log: { state: 'unpinned' } }, {}] },
    ]);
  });

  test('a public skill with a hidden entry is refused, whatever the registry calls it', async () => {
    const { w, registry } = await worldWith();
    const document = JSON.parse(await (await fetch(`${registry.url}/api/v1/skills/@acme/demo/1.1.0`)).text());
    const { entry } = registry.log.openings.find(
      ({ entry: one }) => one.kind === 'version' && one.version === '1.1.0',
    )!;
    const leaf = await registry.log.append({ ...entry } as LogEntry, Buffer.alloc(32, 7));
    expect(document.version).toBe('1.1.0');
    const hidden = await registry.log.proof(leaf);
    let visibility = 'public';
    const lie = ({ body }: { body: Buffer }) => {
      const text = body.toString();
      if (text.startsWith('c2sp.org')) return { body: hidden };
      return {
        body: text.replace('"visibility":"public"', `"visibility":"${visibility}"`),
        headers: { 'content-type': 'application/json' },
      };
    };
    for (const path of ['', '/1.1.0/proof']) registry.forge(`/api/v1/skills/@acme/demo${path}`, lie);
    expect((await install(w)).stderr).toContain(
      "error[E243]: no proof for '@acme/demo@1.1.0': the skill is public, and the log hides its entry",
    );
    // To somebody without a token every skill is public.
    visibility = 'private';
    expect(codeOf((await install(w)).stderr)).toBe('E243');
    expect(nothingWritten(w)).toEqual([]);
  });

  test('a quorum of witnesses must have cosigned', async () => {
    const { w, registry } = await worldWith();
    const witnesses = [1, 2, 3].map((number) =>
      generateLogKey(`witness.test/w${number}`, { kind: 'cosignature' }),
    );
    const config = w.read('~/.skillc/config.toml');
    const keys = witnesses.map(({ verifier }) => `"${verifier}"`).join(', ');
    w.write({ '~/.skillc/config.toml': `${config}witnesses = [${keys}]\n` });
    const short = await install(w);
    expect(short.stderr).toContain(
      `error[E244]: too few witnesses have cosigned the log of '${registry.url}/': 0 of 2\n`,
    );
    registry.log.witnesses = [
      witnesses[0]!.signer,
      generateLogKey('witness.test/w2', { kind: 'cosignature' }).signer,
    ];
    expect(codeOf((await install(w)).stderr)).toBe('E244');
    expect(nothingWritten(w)).toEqual([]);
    registry.log.witnesses = [witnesses[0]!.signer, witnesses[2]!.signer];
    expect((await install(w)).status).toBe(0);
    expect(registry.requests.filter((one) => one.includes('/proof')).at(-1)).toContain('witnessed=yes');
    expect((await w.run(['verify', '--log', '--offline'])).status).toBe(0);
    w.write({ '~/.skillc/config.toml': `${config}witnesses = [${keys}]\nquorum = 3\n` });
    expect((await w.run(['verify', '--log', '--offline'])).status).toBe(1);
    // A project cannot name witnesses.
    w.write({ '.skillc/config.toml': '[registry]\nquorum = 1\n' });
    expect((await w.run(['verify', '--log', '--offline'])).status).toBe(1);
  });

  test('a fork of equal size is found offline, also behind a newer checkpoint', async () => {
    const { w, registry } = await worldWith();
    await install(w, '@acme/demo@1.0.0');
    const kept = w.read(proof);
    const { openings } = registry.log;
    await registry.publish('@acme/other', '2.0.0', archive('Newer', 'other'));
    await install(w, '@acme/other');
    expect((await w.run(['verify', '--log', '--offline'])).status).toBe(0);
    // Another log of the same size, signed with the same key, as a colleague's lock may hold it.
    const size = Number(/\n\n[^\n]+\n(\d+)\n/.exec(kept)![1]);
    const at = openings.findIndex(({ entry }) => entry.kind === 'version' && entry.name === '@acme/demo');
    const fork = new TestLog('registry.test');
    fork.key = registry.log.key;
    for (const [number, { entry }] of openings.slice(0, size).entries())
      await fork.append(
        number === at ? entry : ({ ...entry, archive: `sha256:${'0'.repeat(64)}` } as LogEntry),
      );
    w.write({ [proof]: await fork.proof(at) });
    const forked = await w.run(['verify', 'demo', '--log', '--offline', '--json']);
    expect([forked.status, forked.json()]).toMatchObject([
      1,
      { skills: [{ log: { state: 'bad', code: 'E231' } }] },
    ]);
  });

  test('a registry that went back is not called a skill that is gone', async () => {
    const { w, registry } = await worldWith();
    await install(w, '@acme/demo@^1');
    registry.forge('/api/v1/states', ({ body }) => {
      const { states } = JSON.parse(body.toString());
      for (const state of states) Object.assign(state, { known: false, installable: null });
      return { body: JSON.stringify({ states }), headers: { 'content-type': 'application/json' } };
    });
    const ask = async () => (await w.run(['outdated', '--json'])).json() as { skills: object[] };
    expect(await ask()).toMatchObject({ skills: [{ status: 'gone', error: { code: 'E201' } }] });
    const older = await registry.log.checkpoint(1);
    registry.forge('/log/newest', () => ({ body: older }));
    expect(await ask()).toMatchObject({ skills: [{ status: 'unreachable', error: { code: 'E241' } }] });
    const leaves = registry.log.openings;
    await registry.log.restart(2);
    for (const { entry, salt } of leaves) await registry.log.append(entry, salt);
    const restarted = await registry.log.checkpoint();
    registry.forge('/log/newest', () => ({ body: restarted }));
    expect(await ask()).toMatchObject({ skills: [{ status: 'unreachable', error: { code: 'E242' } }] });
    const found = await w.run(['find', 'demo', '--remote', '--source', 'registry', '--json']);
    expect(found.json()).toMatchObject({
      sources: [{ source: 'registry', status: 'skipped', reason: expect.stringContaining('E242') }],
    });
  });

  test('skc registry monitor reads everything, and fails on a second entry for a version', async () => {
    const { w, registry } = await worldWith();
    const clean = await w.run(['registry', 'monitor']);
    expect([clean.status, clean.stdout]).toEqual([
      0,
      'registry.test: 3 entries lead to the signed checkpoint, 3 of public versions, 0 of private ones\nno version has two entries\n',
    ]);
    const { entry } = registry.log.openings[0]!;
    const other = { ...entry, archive: `sha256:${'0'.repeat(64)}` } as LogEntry;
    await registry.log.append(other, Buffer.alloc(32, 1));
    expect((await w.run(['registry', 'monitor'])).status).toBe(0);
    await registry.log.append(entry, Buffer.alloc(32, 2));
    await registry.log.append(other);
    const bad = await w.run(['registry', 'monitor', '--json']);
    expect([bad.status, bad.json()]).toMatchObject([
      1,
      {
        entries: 6,
        versions: { public: 4, private: 2 },
        repeated: [
          { what: expect.stringMatching(/^sha256:/), first: 3, second: 4 },
          { what: expect.stringMatching(/^@acme\/demo@/), first: 0, second: 5 },
        ],
      },
    ]);
    // Entries that do not lead to the checkpoint are no log.
    const bundle = Buffer.from((await registry.log.tile('entries/000.p/6'))!);
    bundle[bundle.length - 3]! ^= 1;
    registry.forge('/log/tile/entries/000.p/6', () => ({ body: bundle }));
    expect(codeOf((await w.run(['registry', 'monitor'])).stderr)).toMatch(/^E23[23]$/);
  });

  test('the proof is written, updated, restored and removed with the skill', async () => {
    const { w, registry } = await worldWith();
    await install(w, '@acme/demo@^1');
    const first = w.read(proof);
    expect((await w.run(['verify', '--log', '--strict', '--offline'])).status).toBe(0);
    await registry.publish('@acme/demo', '1.2.0', archive('Three'));
    expect((await w.run(['update', '--yes'])).status).toBe(0);
    expect(w.read(proof)).not.toBe(first);
    expect((await w.run(['verify', '--log', '--offline'])).status).toBe(0);
    const second = w.read(proof);
    rmSync(join(w.project, '.skillc/skills/demo'), { recursive: true });
    rmSync(join(w.project, proof));
    rmSync(join(w.home, '.skillc/cache'), { recursive: true });
    expect((await w.run(['install'])).status).toBe(0);
    expect(w.read(proof)).toBe(second);
    expect((await w.run(['uninstall', 'demo'])).status).toBe(0);
    expect(Object.keys(w.list()).filter((path) => path.includes('proofs'))).toEqual([]);
  });

  test('an interrupted update leaves lock and proof of one version, at every step', async () => {
    const { w, registry } = await worldWith();
    await install(w, '@acme/demo@^1');
    await registry.publish('@acme/demo', '1.2.0', archive('Three'));
    const before = [w.read('.skillc/lock.json'), w.read(proof)];
    const steps: string[] = [];
    for (let dieAt = 1; ; dieAt++) {
      steps.length = 0;
      const step = (what: string) => {
        steps.push(what);
        if (steps.length === dieAt) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      };
      await updateSkills(updateRequest, makeContext(w, { step })).catch(() => {});
      if (steps.length < dieAt) break;
      const { status } = await w.run(['verify', '--log', '--offline']);
      expect([steps.at(-1), status]).toEqual([steps.at(-1), 0]);
      w.write({ '.skillc/lock.json': before[0]!, [proof]: before[1]! });
      await w.run(['install', '--force']);
    }
    expect(steps).toContain('proof demo');
    expect(w.read(proof)).not.toBe(before[1]);
  });

  test('private skills are proved through their commitment', async () => {
    const registry = await serveRegistry(
      { '@acme/demo': { versions, visibility: 'private' } },
      { token: 'secret' },
    );
    const w = makeWorld({
      '~/.skillc/config.toml': `${LOCAL}[registry]\nurl = "${registry.url}"\nkey = "${registry.key}"\n`,
    });
    expect(codeOf((await install(w)).stderr)).toBe('E201');
    const env = { SKC_TOKEN: 'secret' };
    expect((await w.run(['install', '@acme/demo', '--yes'], { env })).status).toBe(0);
    expect((await w.run(['verify', '--log', '--offline'])).status).toBe(0);
  });

  test.each([
    ['of another version', (_: string, other: string) => other],
    ['with another opening', (text: string) => text.replace(/^extra .*$/m, `extra ${btoa('{}')}`)],
    ['cut short', (text: string) => text.slice(0, 100)],
    ['with a changed checkpoint', (text: string) => text.replace(/\n(\d+)\n/, '\n99\n')],
    ['of another place', (text: string) => text.replace(/index \d+/, 'index 7')],
  ])('a kept proof %s is noticed offline', async (_, change) => {
    const { w } = await worldWith();
    await install(w, '@acme/demo@1.0.0');
    const other = w.read(proof);
    await install(w, '@acme/demo@1.1.0');
    const right = w.read(proof);
    w.write({ [proof]: change(right, other) });
    const verified = await w.run(['verify', '--log', '--offline', '--json']);
    expect([verified.status, verified.json()]).toMatchObject([
      1,
      { skills: [{ ok: false, log: { state: 'bad', code: expect.stringMatching(/^E2[34]\d$/) } }] },
    ]);
  });

  test('a lock that was changed does not fit its proof', async () => {
    const { w } = await worldWith();
    await install(w);
    w.write({
      '.skillc/lock.json': w
        .read('.skillc/lock.json')
        .replace(/"document": "sha256:.{4}/, '"document": "sha256:0000'),
    });
    expect((await w.run(['verify', '--log', '--offline', '--json'])).json()).toMatchObject({
      skills: [{ log: { state: 'bad', code: 'E243' } }],
    });
  });

  test('an older checkpoint of the same past is accepted with a note', async () => {
    const { w, registry } = await worldWith();
    await install(w, '@acme/other');
    await registry.publish('@acme/other', '2.0.0', archive('Newer', 'other'));
    await w.run(['update', '--yes']);
    const old = await registry.log.proof(1, 2);
    registry.forge('/api/v1/skills/@acme/demo/1.1.0/proof', () => ({ body: old }));
    const { status, stderr } = await install(w);
    expect([status, warningsIn(stderr)]).toEqual([0, ['W237']]);
    expect(stderr).toContain(
      `warning[W237]: '${registry.url}/' shows an older state of its log: 2 of 4 entries\n`,
    );
  });

  test('several processes advance the known checkpoint', async () => {
    const { w } = await worldWith();
    const runs = await Promise.all([install(w), install(w, '@acme/other')]);
    expect(runs.map(({ status }) => status)).toEqual([0, 0]);
    expect((await w.run(['verify', '--log', '--offline'])).status).toBe(0);
  });

  test('a log that starts again is refused until the user makes this machine forget it', async () => {
    const { w, registry } = await worldWith();
    await install(w, '@acme/other');
    const leaves = registry.log.openings;
    await registry.log.restart(2);
    for (const { entry, salt } of leaves) await registry.log.append(entry, salt);
    registry.forge('/api/v1/skills/@acme/demo/1.1.0/proof', ({ body }) => ({ body }));
    const moved = await registry.log.proof(2);
    registry.forge('/api/v1/skills/@acme/demo/1.1.0/proof', () => ({ body: moved }));
    const refused = await install(w);
    expect(refused.stderr).toContain(
      `error[E242]: the log of '${registry.url}/' started again as 'registry.test/2': it lost 1 of the entries of registry.test, of which you have seen 3\n`,
    );
    expect(Object.keys(lockOf(w))).toEqual(['other']);
    // The command in the help line accepts the new log.
    const [, command] = /help: ask the people who run it; to accept the new log: skc (.+)\n/.exec(
      refused.stderr,
    )!;
    expect(command).toBe(`cache --forget ${registry.url}/`);
    const forget = command!.split(' ');
    const dry = await w.run([...forget, '--dry-run']);
    expect([dry.status, dry.stdout.split('\n')[1]]).toEqual([
      0,
      `would forget the log of ${registry.url}/; the next request accepts the log it finds`,
    ]);
    expect((await install(w)).status).toBe(1);
    expect((await w.run(['cache', '--forget', 'https://other.example'])).stdout).toContain(
      'this machine has seen nothing of https://other.example/',
    );
    expect((await install(w)).status).toBe(1);
    expect((await w.run(forget)).status).toBe(0);
    expect((await install(w)).status).toBe(0);
  });
});

describe('a registry that lies is one error, and nothing is half done', () => {
  const api = '/api/v1/skills/@acme/demo';
  const edit = (change: (value: Record<string, unknown>) => void) => (right: { body: Buffer }) => {
    const value = JSON.parse(right.body.toString());
    change(value);
    return { body: JSON.stringify(value), headers: { 'content-type': 'application/json' } };
  };
  type Version = Record<string, unknown>;
  const lies: [string, string, (registry: RegistryServer) => void | Promise<void>][] = [
    [
      'other bytes of the archive',
      'E204',
      (r) => r.forge('/api/v1/archives/', ({ body }) => ({ body: Buffer.alloc(body.length) })),
    ],
    [
      'a huge archive',
      'E207',
      (r) => r.forge('/api/v1/archives/', () => ({ body: Buffer.alloc(1_000_000) })),
    ],
    ['a huge index', 'E207', (r) => r.forge(api, () => ({ body: Buffer.alloc(17 * 1024 * 1024, ' ') }))],
    [
      'another document',
      'E204',
      (r) =>
        r.forge(
          `${api}/1.1.0`,
          edit((value) => {
            value.description = 'x';
          }),
        ),
    ],
    [
      'the document of another version',
      'E204',
      async (r) => {
        const other = await (await fetch(`${r.url}${api}/1.0.0`)).text();
        r.forge(`${api}/1.1.0`, () => ({ body: other }));
      },
    ],
    [
      'the index of another skill',
      'E215',
      (r) =>
        r.forge(
          api,
          edit((value) => {
            value.name = '@acme/other';
          }),
        ),
    ],
    [
      'a latest version that is not offered',
      'E215',
      (r) =>
        r.forge(
          api,
          edit((value) => {
            value.latest = '7.0.0';
          }),
        ),
    ],
    [
      'an answer that this skc does not know',
      'E215',
      (r) =>
        r.forge(
          api,
          edit(({ versions: all }) => {
            for (const one of all as Version[]) one.installable = { answer: 'perhaps', reasons: [] };
          }),
        ),
    ],
    [
      'an index that names another archive than the document',
      'E215',
      (r) =>
        r.forge(
          api,
          edit(({ versions: all }) => {
            for (const one of all as Version[]) one.archive = `sha256:${'0'.repeat(64)}`;
          }),
        ),
    ],
    [
      'an archive of another skill',
      'E215',
      (r) => void r.publish('@acme/demo', '1.2.0', archive('Other', 'other')),
    ],
    ['no proof', 'E243', (r) => r.forge(`${api}/1.1.0/proof`, () => ({ status: 404, body: '' }))],
    [
      'the proof of another version',
      'E243',
      async (r) => {
        const other = await r.log.proof(0);
        r.forge(`${api}/1.1.0/proof`, () => ({ body: other }));
      },
    ],
    [
      'a proof that leads elsewhere',
      'E232',
      (r) =>
        r.forge(`${api}/1.1.0/proof`, ({ body }) => ({
          body: body.toString().replace(/index \d+/, 'index 0'),
        })),
    ],
    ['a malformed proof', 'E233', (r) => r.forge(`${api}/1.1.0/proof`, () => ({ body: 'hello' }))],
    [
      'a log with another key',
      'E230',
      (r) => {
        r.log.key = generateLogKey('registry.test');
      },
    ],
    [
      'a key of another name',
      'E230',
      (r) => {
        r.log.key = generateLogKey('evil.test');
      },
    ],
  ];

  test.each(lies)('%s: %s', async (_, code, lie) => {
    const { w, registry } = await worldWith();
    await lie(registry);
    const before = filesOf(w);
    const run = await install(w);
    expect([run.status, codeOf(run.stderr)]).toEqual([1, code]);
    expect(unseen(filesOf(w))).toEqual(before);
    expect(run.stderr.match(/^error\[/gm)).toHaveLength(1);
  });

  test('an older index again', async () => {
    const { w, registry } = await worldWith();
    await install(w, '@acme/demo@1.0.0');
    const old = await (await fetch(`${registry.url}${api}`)).text();
    await registry.publish('@acme/demo', '1.2.0', archive('Three'));
    expect((await install(w, '@acme/demo@1.2.0')).status).toBe(0);
    const before = w.list();
    registry.forge(api, () => ({ body: old, status: 200 }));
    const replayed = await install(w);
    expect(replayed.stderr).toMatch(
      /error\[E241\]: the registry went back: the index of '@acme\/demo': it is of \S+, and you have seen the one of \S+\n/,
    );
    expect(w.list()).toEqual(before);
  });

  test('another past of the log', async () => {
    const { w, registry } = await worldWith();
    await install(w);
    const before = filesOf(w);
    const [first, ...rest] = registry.log.openings;
    const entry = { ...first!.entry, version: '6.6.6' } as LogEntry;
    await registry.log.replace([{ entry, salt: null }, ...rest]);
    const forked = await install(w, '@acme/other');
    expect([codeOf(forked.stderr), filesOf(w)]).toEqual(['E231', before]);
    // A fork that has grown is the same.
    await registry.publish('@acme/other', '2.0.0', archive('Two', 'other'));
    expect(codeOf((await install(w, '@acme/other')).stderr)).toBe('E231');
    expect(Object.keys(lockOf(w))).toEqual(['demo']);
  });
});
