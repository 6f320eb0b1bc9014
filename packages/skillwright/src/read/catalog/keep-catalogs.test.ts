import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { workspaceAt } from '../../../test/open-workspace.ts';
import { createCatalogKeeper } from './keep-catalogs.ts';
import { loadCatalog } from './load-catalog.ts';

const manifest = (name: string, description = 'Something') =>
  `---\nname: ${name}\ndescription: ${description}\n---\n`;

test('returns the same catalog object until something in it changes', async () => {
  const cwd = makeDirectory({
    '.git/.keep': '',
    'home/.keep': '',
    '.agents/skills/one/SKILL.md': manifest('one'),
    '.agents/skills/two/SKILL.md': manifest('two'),
  });
  const keep = createCatalogKeeper();
  const read = async (key = cwd) =>
    keep(key, await loadCatalog(workspaceAt({ cwd, home: `${cwd}/home` }), { cache: false }));
  const first = await read();
  expect(await read()).toBe(first);
  expect(await read('elsewhere')).not.toBe(first);
  utimesSync(`${cwd}/.agents/skills/one/SKILL.md`, 1, 1);
  expect(await read()).toBe(first);
  writeFileSync(`${cwd}/.agents/skills/one/SKILL.md`, manifest('one', 'Something else'));
  const changed = await read();
  expect(changed.skills.map(({ description }) => description)).toEqual(['Something else', 'Something']);
  expect(await read()).toBe(changed);
  writeFileSync(`${cwd}/.agents/skills/two/SKILL.md`, 'no frontmatter');
  const broken = await read();
  expect([broken.skills.length, broken.errors.length]).toEqual([1, 1]);
  rmSync(`${cwd}/.agents/skills/two`, { recursive: true });
  expect((await read()).errors).toEqual([]);
});

test('forgets the oldest of many', async () => {
  const cwd = makeDirectory({ '.git/.keep': '', '.agents/skills/one/SKILL.md': manifest('one') });
  const keep = createCatalogKeeper();
  const read = () => loadCatalog(workspaceAt({ cwd, home: `${cwd}/home` }), { cache: false });
  const first = keep('0', await read());
  for (let key = 1; key < 8; key++) keep(`${key}`, await read());
  expect(keep('0', await read())).toBe(first);
  keep('8', await read());
  expect(keep('0', await read())).not.toBe(first);
});
