// Yanked, quarantined and deprecated skills, and advisories: shown by every command about installed skills.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeTarGz } from './make-archive.ts';
import { makeWorld, skillText, type World } from './make-world.ts';
import { type SeededSkill, serveRegistry } from './registry-server.ts';
import { serve } from './serve.ts';

const LOCAL = '[network]\nallow_private = ["127.0.0.1"]\n';
const archive = (text: string) => makeTarGz({ 'SKILL.md': skillText('demo', `# ${text}\n`) });
const versions = { '1.0.0': archive('One'), '1.1.0': archive('Two') };

async function worldWith(facts: Omit<SeededSkill, 'versions'>) {
  const registry = await serveRegistry({ '@acme/demo': { versions, ...facts } });
  const config = (url: string) => `${LOCAL}[registry]\nurl = "${url}"\nowner = "acme"\n`;
  const w = makeWorld({ '~/.skillc/config.toml': config(registry.url) });
  return { w, registry };
}

const warnings = (stderr: string) => stderr.split('\n').filter((line) => line.startsWith('warning[W224]'));
const install = (w: World, what: string) => w.run(['install', what, '--yes']);

const advisories = [
  { id: 'SKA-1', severity: 'high', summary: 'Leaks forms.', affected: '<1.1.0', url: null },
  { id: 'SKA-2', severity: 'low', summary: 'Another.', affected: '>=2', url: null },
] as const;

describe('a version that was withdrawn', () => {
  test('is passed over, and warned about when it is named exactly', async () => {
    const { w } = await worldWith({ yanked: { '1.1.0': 'it eats\nfiles\u001b[2J' } });
    const newest = await install(w, 'demo');
    expect([newest.status, warnings(newest.stderr)]).toEqual([0, []]);
    expect(w.read('.skillc/skills/demo/SKILL.md')).toContain('# One');
    const exact = await install(w, 'demo@1.1.0');
    expect([exact.status, warnings(exact.stderr)]).toEqual([
      0,
      ["warning[W224]: '@acme/demo@1.1.0' is yanked: it eats files\\u001b[2J"],
    ]);
    expect(w.read('.skillc/skills/demo/SKILL.md')).toContain('# Two');
    const verified = await w.run(['verify']);
    expect([verified.status, warnings(verified.stderr)]).toEqual([
      0,
      ["warning[W224]: 'demo' is yanked: it eats files\\u001b[2J"],
    ]);
    const doctor = await w.run(['doctor']);
    expect(doctor.stdout).toContain("'demo' is yanked");
  });

  test('after it was installed, is heard by outdated and told by the others offline', async () => {
    const { w, registry } = await worldWith({ advisories });
    const installed = await install(w, 'demo@1.0.0');
    expect(warnings(installed.stderr)).toEqual([
      "warning[W224]: '@acme/demo@1.0.0' is under an advisory: SKA-1 (high): Leaks forms.",
    ]);
    const before = registry.requests.length;
    const { skills } = (await w.run(['outdated', '--json'])).json() as { skills: object[] };
    expect(skills).toMatchObject([
      {
        name: 'demo',
        status: 'current',
        current: '1.0.0',
        wanted: '1.0.0',
        latest: '1.1.0',
        notices: [{ kind: 'advisory', text: 'SKA-1 (high): Leaks forms.' }],
      },
    ]);
    // One question, and no download.
    expect(registry.requests.slice(before)).toEqual(['POST /api/v1/states']);
    expect((await w.run(['outdated'])).stdout).toContain('demo: advisory: SKA-1 (high): Leaks forms.\n');
    expect(warnings((await w.run(['verify'])).stderr)).toHaveLength(1);
    expect((await w.run(['doctor'])).stdout).toContain("'demo' is under an advisory");
    await install(w, 'demo@1.1.0');
    expect(warnings((await w.run(['verify'])).stderr)).toEqual([]);
  });

  test('a version that is held back is not chosen', async () => {
    const { w } = await worldWith({ quarantined: { '1.1.0': 'under review' } });
    expect((await install(w, 'demo')).status).toBe(0);
    expect(w.read('.skillc/skills/demo/SKILL.md')).toContain('# One');
  });

  test('a deprecated skill is installed with its reason', async () => {
    const { w } = await worldWith({ deprecated: 'use other instead' });
    expect(warnings((await install(w, 'demo')).stderr)).toEqual([
      "warning[W224]: '@acme/demo@1.1.0' is deprecated: use other instead",
    ]);
  });
});

describe('a version that is withheld after it was installed', () => {
  const gone = ['.skillc/skills/demo', '.skillc/runtime/demo'];
  const refusal = [
    "error[E237]: 'demo@1.0.0' cannot be installed: quarantined: it calls home",
    "help: 'skc update demo' looks for another version, and 'skc uninstall demo' removes it",
  ];
  const errors = (stderr: string) =>
    stderr.split('\n').filter((line) => /^(?:error|help: 'skc)/.test(line.trim()));
  const withheld = async () => {
    const { w, registry } = await worldWith({});
    expect((await install(w, 'demo@1.0.0')).status).toBe(0);
    registry.mark('@acme/demo', '1.0.0', 'quarantined', 'it calls home');
    const lose = () => {
      for (const path of gone) rmSync(join(w.project, path), { recursive: true, force: true });
    };
    return { w, lose };
  };

  test('is not restored from the cache', async () => {
    const { w, lose } = await withheld();
    lose();
    for (const words of [
      ['install', '--dry-run'],
      ['install'],
      ['install', '--force'],
      ['install', '--yes'],
    ]) {
      const run = await w.run(words);
      expect([words, run.status, errors(run.stderr)]).toEqual([words, 1, refusal]);
      expect(w.list()).not.toHaveProperty('.skillc/skills/demo/SKILL.md');
    }
    // Known since then, also offline.
    const offline = await w.run(['install', '--offline']);
    expect([offline.status, errors(offline.stderr)]).toEqual([1, refusal]);
    expect((await w.run(['doctor', '--fix'])).stdout).toContain('quarantined');
    expect(w.list()).not.toHaveProperty('.skillc/skills/demo/SKILL.md');
  });

  test('is restored offline while nothing is known of it', async () => {
    const { w, lose } = await withheld();
    lose();
    const offline = await w.run(['install', '--offline']);
    expect([offline.status, offline.stderr.includes('quarantined')]).toEqual([0, false]);
    const said = "warning[W224]: 'demo' is quarantined: it calls home";
    expect(warnings((await w.run(['verify'])).stderr)).toEqual([said]);
    // It is in its place: nothing is refused, but said.
    const again = await w.run(['install']);
    expect([again.status, warnings(again.stderr)]).toEqual([0, [said]]);
    expect((await w.run(['doctor'])).stdout).toContain("'demo' is quarantined");
    const { skills } = (await w.run(['outdated', '--json'])).json() as { skills: object[] };
    expect(skills).toMatchObject([{ notices: [{ kind: 'quarantined', text: 'it calls home' }] }]);
  });

  test('update takes another version, and cannot go back', async () => {
    const { w, lose } = await withheld();
    lose();
    expect((await install(w, 'demo@1.0.0')).stderr).toContain('error[E237]');
    expect((await install(w, 'demo@1.1.0')).status).toBe(0);
    expect(w.read('.skillc/skills/demo/SKILL.md')).toContain('# Two');
  });
});

test('a memory that was tampered with says nothing, and breaks nothing', async () => {
  const { w } = await worldWith({ deprecated: 'old' });
  await install(w, 'demo');
  for (const text of ['', '[]', '{"skills":[1]}', '{"skills":{"__proto__":{}}}', 'x'.repeat(2_000_000)]) {
    w.write({ '~/.skillc/cache/news.json': text });
    for (const words of [['verify'], ['outdated'], ['doctor']]) expect((await w.run(words)).status).toBe(0);
  }
});

test('npm: versions are asked for, archives are not', async () => {
  const tarball = makeTarGz({ 'package/skills/demo/SKILL.md': skillText('demo', '# Demo\n') });
  let latest = '1.0.0';
  const server = await serve((request, response) => {
    if (request.url?.endsWith('.tgz')) return void response.end(tarball);
    const dist = { tarball: `http://${request.headers.host}/demo.tgz` };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        'dist-tags': { latest },
        versions: { '1.0.0': { dist, deprecated: 'no longer kept up' }, '2.0.0': { dist } },
      }),
    );
  });
  const w = makeWorld({ '~/.skillc/config.toml': LOCAL, '~/.npmrc': `registry=${server.url}/\n` });
  const installed = await install(w, 'npm:demo');
  expect(warnings(installed.stderr)).toEqual([
    "warning[W224]: 'demo@1.0.0' is deprecated: no longer kept up",
  ]);
  latest = '2.0.0';
  const before = server.requests.length;
  const { skills } = (await w.run(['outdated', '--json'])).json() as { skills: object[] };
  expect(skills).toMatchObject([
    {
      status: 'outdated',
      current: '1.0.0',
      wanted: '2.0.0',
      latest: '2.0.0',
      notices: [{ kind: 'deprecated' }],
    },
  ]);
  expect(server.requests.slice(before)).toEqual(['GET /demo']);
});

test('the table fits 80 columns', async () => {
  const { w } = await worldWith({ advisories: [] });
  await install(w, 'demo@1.0.0');
  const { stdout } = await w.run(['outdated']);
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  expect(stdout).toContain('demo  1.0.0    1.0.0   1.1.0   current');
});
