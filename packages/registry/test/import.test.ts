import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { anonymous } from '../src/access/caller.ts';
import { importSkills } from '../src/import/import-skills.ts';
import { onBothDatabases } from './open-test-registry.ts';
import { openSkillWorld, skillText } from './skill-world.ts';

function writeFiles(directory: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
}

onBothDatabases('import', (open) => {
  test('publishes the good skills of a directory, says why the others failed, and goes on when it runs again', async (context) => {
    const world = await openSkillWorld(open, context);
    const { registry } = world;
    const directory = mkdtempSync(join(tmpdir(), 'skw-import-'));
    context.onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    writeFiles(directory, {
      'one/SKILL.md': skillText({ name: 'one', version: '1.0.0' }),
      'deep/two/SKILL.md': skillText({ name: 'two', version: '2.0.0' }),
      'deep/two-newer/two/SKILL.md': skillText({ name: 'two', version: '2.1.0' }),
      'broken/SKILL.md': 'no frontmatter',
      'unversioned/SKILL.md': '---\nname: unversioned\ndescription: Has no version.\n---\n',
      'linked/SKILL.md': skillText({ name: 'linked', version: '1.0.0', body: '[gone](gone.md)\n' }),
      'tw0/SKILL.md': skillText({ name: 'tw0', version: '1.0.0' }),
    });
    const [account] = await registry.database.query<{ id: number; name: string; isAdmin: boolean }>(
      `select id, name, is_admin as "isAdmin" from accounts where name = 'admin'`,
    );
    const run = async () => {
      const failed: string[] = [];
      const counts = await importSkills(
        registry,
        { ...anonymous, via: 'system', account: account! },
        {
          directory,
          owner: 'acme',
          visibility: 'public',
          progress: () => {},
          failed: (place) => failed.push(place.slice(directory.length + 1)),
          stop: new AbortController().signal,
        },
      );
      return { counts, failed: failed.sort() };
    };
    const bad = ['broken', 'linked', 'tw0', 'unversioned'];
    expect(await run()).toEqual({ counts: { found: 7, imported: 3, existed: 0, failed: 4 }, failed: bad });
    expect(await run()).toEqual({ counts: { found: 7, imported: 0, existed: 3, failed: 4 }, failed: bad });

    const { value } = await world.call('anonymous', 'GET skills/@acme/two');
    expect([value.latest, value.versions.map((one: { version: string }) => one.version)]).toEqual([
      '2.1.0',
      ['2.1.0', '2.0.0'],
    ]);
    const found = await world.call('anonymous', 'GET search?q=two');
    expect(found.value.skills.map((one: { name: string }) => one.name)).toEqual(['@acme/two']);
    const leaves = await registry.database.query(
      `select index, entry::jsonb ->> 'name' as name from log_leaves where kind = 'version' order by index`,
    );
    expect(leaves.length).toBe(3);
    expect((await world.call('anonymous', 'GET skills/@acme/one/1.0.0/proof')).status).toBe(200);
    expect((await world.call('anonymous', 'GET read/@acme/one/outline')).status).toBe(200);
  });
});
