import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { serve } from '@hono/node-server';
import { createClient } from 'skillwright';
import { expect, onTestFinished, test } from 'vitest';
import { digestOf } from '../src/base/secrets.ts';
import { flushDownloads } from '../src/catalog/count-download.ts';
import type { DiscoveryIndex } from '../src/server/well-known.ts';
import { createReader } from './create-reader.ts';
import { insertSkill } from './insert-skill.ts';
import { onBothDatabases, type TestRegistry } from './open-test-registry.ts';

const files = { 'references/fields.md': '# Fields\n' };

async function look({ app }: TestRegistry, path: string, headers: Record<string, string> = {}) {
  const response = await app.request(path, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Listens on a free port; the registry's addresses then lead there. */
async function listen({ app, registry }: TestRegistry): Promise<string> {
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  registry.publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return registry.publicUrl;
}

onBothDatabases('.well-known/agent-skills', (open) => {
  test('lists public skills: all, of an owner, one', async (context) => {
    const made = await open(context);
    const { registry } = made;
    const pdf = await insertSkill(registry, {
      name: 'pdf-forms',
      description: 'Fills forms.',
      files,
      downloads: 9,
    });
    await insertSkill(registry, { name: 'letters', owner: 'zed', downloads: 3 });
    const { ownerId } = await insertSkill(registry, {
      name: 'secret',
      owner: 'hidden',
      visibility: 'private',
    });
    const entry = {
      name: 'pdf-forms',
      type: 'archive',
      description: 'Fills forms.',
      url: 'http://registry.test/@acme/pdf-forms/.well-known/agent-skills/1.0.0/pdf-forms.tar.gz',
      digest: pdf.digest,
    };
    const index = async (path: string, headers = {}) => {
      const { status, text } = await look(made, `${path}/.well-known/agent-skills/index.json`, headers);
      return status === 200 ? (JSON.parse(text) as DiscoveryIndex).skills : status;
    };
    expect(await index('')).toEqual([entry, expect.objectContaining({ name: 'letters' })]);
    expect(await index('/@acme')).toEqual([entry]);
    expect(await index('/@acme/pdf-forms')).toEqual([entry]);
    const reader = await createReader(registry, { account: 'rita', ownerId });
    for (const path of ['/@hidden', '/@hidden/secret', '/@nobody', '/@acme/nothing'])
      expect([path, await index(path, reader)]).toEqual([path, 404]);
    const archive = await made.app.request(new URL(entry.url).pathname);
    expect(digestOf(new Uint8Array(await archive.arrayBuffer()))).toBe(pdf.digest);
    expect([archive.headers.get('content-type'), archive.headers.get('access-control-allow-origin')]).toEqual(
      ['application/gzip', '*'],
    );
    const first = await look(made, '/.well-known/agent-skills/index.json');
    const again = await look(made, '/.well-known/agent-skills/index.json', {
      'if-none-match': first.headers.get('etag')!,
    });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test('leaves out what cannot be installed, and refuses its archive', async (context) => {
    const made = await open(context);
    const { registry } = made;
    const { versionId } = await insertSkill(registry, { name: 'bad', files });
    const path = '/@acme/bad/.well-known/agent-skills';
    const statuses = async () => [
      (await look(made, `${path}/index.json`)).status,
      (await look(made, `${path}/1.0.0/bad.tar.gz`)).status,
    ];
    expect(await statuses()).toEqual([200, 200]);
    await registry.database.query(`update versions set quarantined = 'it steals' where id = $1`, [versionId]);
    expect(await statuses()).toEqual([404, 403]);
    await registry.database.query(`update versions set purged = 'it stole' where id = $1`, [versionId]);
    expect(await statuses()).toEqual([404, 410]);
    expect((await look(made, `${path}/1.0.0/other.tar.gz`)).status).toBe(404);
  });

  test('the index of the registry is short, and says where the rest is', async (context) => {
    const made = await open(context);
    await made.registry.database.query(
      `with o as (insert into owners (name, skeleton) values ('acme', 'acme') returning id),
       s as (insert into skills (owner_id, name, skeleton, visibility, latest)
         select o.id, 'skill-' || n, 'skill-' || n, 'public', '1.0.0' from o, generate_series(1, 70) as n returning id)
       insert into versions (skill_id, version, archive_digest, archive_size, document, document_digest, manifest, scan, published_by)
       select s.id, '1.0.0', 'sha256:00', 1, '{}', '', '{}', '{}', (select min(id) from accounts) from s`,
    );
    const { text } = await look(made, '/.well-known/agent-skills/index.json');
    const index = JSON.parse(text) as DiscoveryIndex;
    expect([index.skills.length, index.note]).toEqual([
      50,
      'the 50 most downloaded skills; for others use http://registry.test/@owner or http://registry.test/@owner/name',
    ]);
  });

  test('skc installs from it, and the download counts', async (context) => {
    const made = await open(context);
    const { skillId } = await insertSkill(made.registry, {
      name: 'pdf-forms',
      description: 'Fills forms.',
      files,
    });
    const address = await listen(made);
    const place = mkdtempSync(join(tmpdir(), 'skw-well-known-'));
    onTestFinished(() => rmSync(place, { recursive: true, force: true }));
    const client = createClient({
      cwd: place,
      home: join(place, 'home'),
      env: { SKC_AGENTS_ROOT: place, SKC_NETWORK_ALLOW_PRIVATE: 'true' },
    });
    const { skills } = await client.install({ source: `${address}/@acme/pdf-forms`, yes: true });
    expect(skills.map(({ name }) => name)).toEqual(['pdf-forms']);
    const path = join(place, '.skillc/skills/pdf-forms/references/fields.md');
    expect(existsSync(path) ? readFileSync(path, 'utf8') : undefined).toBe('# Fields\n');
    await flushDownloads(made.registry);
    expect(
      await made.registry.database.query('select downloads from skills where id = $1', [skillId]),
    ).toEqual([{ downloads: 1 }]);
  });

  test('the skills CLI installs one skill from the address of its page', async (context) => {
    const cli = findSkillsCli();
    if (cli === undefined) {
      if (process.env.CI) throw new Error('the package skills is not installed');
      return context.skip('the package skills is not installed');
    }
    const made = await open(context);
    await insertSkill(made.registry, { name: 'pdf-forms', description: 'Fills forms.', files });
    await insertSkill(made.registry, { name: 'letters' });
    const address = await listen(made);
    const place = mkdtempSync(join(tmpdir(), 'skw-skills-cli-'));
    onTestFinished(() => rmSync(place, { recursive: true, force: true }));
    const words = [
      'add',
      `${address}/@acme/pdf-forms`,
      '-s',
      'pdf-forms',
      '-a',
      'claude-code',
      '-y',
      '--copy',
    ];
    await promisify(execFile)(process.execPath, [cli, ...words], {
      cwd: place,
      env: { PATH: process.env.PATH, HOME: join(place, 'home'), DISABLE_TELEMETRY: '1', CI: '1' },
    });
    const path = join(place, '.claude/skills/pdf-forms');
    expect(readdirSync(path).toSorted()).toEqual(['SKILL.md', 'references']);
    expect(readFileSync(join(path, 'references/fields.md'), 'utf8')).toBe('# Fields\n');
  });
});

/** The program of the package `skills`, which other agents install skills with. */
function findSkillsCli(): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve('skills/package.json');
    return join(dirname(manifest), 'bin/cli.mjs');
  } catch {
    return undefined;
  }
}
