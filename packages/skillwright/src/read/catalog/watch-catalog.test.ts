import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeDirectory, writeTree } from '../../../test/make-directory.ts';
import { storeAt } from '../../skill/workspace/project.ts';
import { switchSkills } from '../../skill/workspace/switched-off.ts';
import { openWorkspace } from '../../skill/workspace/workspace.ts';
import type { CatalogChanges } from './compare-catalogs.ts';
import { watchCatalog } from './watch-catalog.ts';

const skill = (name: string, description = 'D.') => `---\nname: ${name}\ndescription: ${description}\n---\n`;

test('reports edits, additions, removals, new roots and switches', async () => {
  const root = makeDirectory({
    'home/.skillc': { directory: true },
    'work/.git': { directory: true },
    'work/.agents/skills/a/SKILL.md': skill('a'),
    'shared/linked/SKILL.md': skill('linked'),
    'work/.agents/skills/linked': { link: '../../../shared/linked' },
  });
  const open = () => openWorkspace({ cwd: join(root, 'work'), home: join(root, 'home'), env: {} });
  const told: CatalogChanges[] = [];
  let notice = () => {};
  const watching = await watchCatalog({ open, settleMs: 20 }, (_catalog, changes) => {
    told.push(changes);
    notice();
  });
  onTestFinished(() => watching.close());
  /** Waits for changes that satisfy a condition. */
  const until = async (isTold: (changes: CatalogChanges) => boolean) => {
    while (!told.some(isTold))
      await new Promise<void>((resolve) => {
        notice = resolve;
      });
    told.length = 0;
  };
  const has = (kind: keyof CatalogChanges, name: string) => (changes: CatalogChanges) =>
    changes[kind].some((record) => record.name === name);

  expect(watching.catalog.skills.map(({ name }) => name)).toEqual(['a', 'linked']);
  writeFileSync(join(root, 'work/.agents/skills/a/SKILL.md'), skill('a', 'Changed.'));
  await until(has('changed', 'a'));
  writeTree(root, { 'work/.agents/skills/b/SKILL.md': skill('b') });
  await until(has('added', 'b'));
  writeFileSync(join(root, 'shared/linked/SKILL.md'), skill('linked', 'Changed.'));
  await until(has('changed', 'linked'));
  writeTree(root, { 'work/.claude/skills/c/SKILL.md': skill('c') });
  await until(has('added', 'c'));
  switchSkills(['c'], false, { store: storeAt('user', join(root, 'home')), others: [] });
  await until(has('changed', 'c'));
  rmSync(join(root, 'work/.agents/skills/b'), { recursive: true });
  await until(has('removed', 'b'));
  expect(
    watching.catalog.skills.map(({ name, description, enabled }) => [name, description, enabled]),
  ).toEqual([
    ['a', 'Changed.', true],
    ['c', 'D.', false],
    ['linked', 'Changed.', true],
  ]);
});
