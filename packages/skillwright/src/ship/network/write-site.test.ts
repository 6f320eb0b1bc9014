import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDirectory, type Tree, writeTree } from '../../../test/make-directory.ts';
import { listTree, skillText } from '../../../test/make-world.ts';
import { packSkill } from './pack-skill.ts';
import { planSite, writeSite } from './write-site.ts';

const skill = (name: string, more: Tree = {}, body?: string) =>
  packSkill(makeDirectory({ 'SKILL.md': skillText(name, body), ...more }));

const publish = async (root: string, ...skills: ReturnType<typeof skill>[]) =>
  writeSite(root, await planSite(skills, { defaultSkill: skills.length === 1 ? skills[0] : undefined }));

/** Paths below a root, with digests shown as `#`. */
const paths = (root: string) =>
  Object.entries(listTree(root))
    .filter(([, content]) => content !== '/')
    .map(([path]) => path.replace(/[0-9a-f]{16}/, '#'));

const both = [
  '.well-known/agent-skills/a/#/SKILL.md',
  '.well-known/agent-skills/b/#/b.tar.gz',
  '.well-known/agent-skills/index.json',
  '.well-known/skills/a/SKILL.md',
  '.well-known/skills/b/SKILL.md',
  '.well-known/skills/b/x/y.md',
  '.well-known/skills/index.json',
];

describe('a site', () => {
  test('is written, found unchanged, and shrunk', async () => {
    const root = join(makeDirectory(), 'new', 'site');
    const [a, b] = [skill('a'), skill('b', { 'x/y.md': 'y' })];
    expect((await publish(root, a, b)).written).toHaveLength(7);
    expect(paths(root)).toEqual(both);
    const before = listTree(root);
    expect(await publish(root, a, b)).toEqual({ written: [], unchanged: 7, removed: [] });
    expect(listTree(root)).toEqual(before);
    const { removed } = await publish(root, a);
    expect(removed.map((path) => path.replace(/[0-9a-f]{16}/, '#'))).toEqual([
      '.well-known/agent-skills/b/#/b.tar.gz',
      '.well-known/skills/b/SKILL.md',
      '.well-known/skills/b/x/y.md',
    ]);
    expect(paths(root)).toEqual([
      '.well-known/agent-skills/a/#/SKILL.md',
      '.well-known/agent-skills/index.json',
      '.well-known/skills/a/SKILL.md',
      '.well-known/skills/default/skill.md',
      '.well-known/skills/index.json',
    ]);
    expect(existsSync(join(root, '.well-known/skills/b'))).toBe(false);
    await publish(root, a, b);
    expect(listTree(root)).toEqual(before);
  });

  test('can be published again with other content after an interruption at any change', async () => {
    const versions = ['one', 'two', 'three'].map((body) => [
      skill('a', {}, body),
      skill('b', { x: body }, body),
    ]);
    const [one, two, three] = await Promise.all(versions.map((skills) => planSite(skills, {})));
    const interrupt = (root: string, dieAt: number) => {
      let count = 0;
      const step = () => {
        count += 1;
        if (count === dieAt) throw new Error('interrupted');
      };
      try {
        writeSite(root, two!, { step });
      } catch {
        return true;
      }
      return false;
    };
    for (const isFirst of [true, false]) {
      for (let dieAt = 1; ; dieAt++) {
        const [root, fresh] = [makeDirectory(), makeDirectory()];
        if (!isFirst) writeSite(root, one!);
        const isInterrupted = interrupt(root, dieAt);
        writeSite(root, three!);
        writeSite(fresh, three!);
        expect(listTree(root), `${isFirst} ${dieAt}`).toEqual(listTree(fresh));
        if (!isInterrupted) break;
      }
    }
  });

  test('changed content gets a new address, and the old one is removed', async () => {
    const root = makeDirectory();
    await publish(root, skill('a'));
    const { written, removed } = await publish(root, skill('a', {}, '# Other\n'));
    expect([written.length, removed.length]).toEqual([4, 1]);
    expect(paths(root)).toHaveLength(5);
  });

  test('foreign files stay', async () => {
    const root = makeDirectory({
      'index.html': 'page',
      '.well-known/security.txt': 'x',
      '.well-known/skills/mine/SKILL.md': 'by hand',
      '.well-known/skills/a/notes.md': 'by hand',
      '.well-known/agent-skills/logo.png': 'x',
    });
    const foreign = listTree(root);
    await publish(root, skill('a'), skill('b'));
    await publish(root, skill('b'));
    expect(listTree(root)).toMatchObject(foreign);
  });

  test.each([
    '.well-known/agent-skills/index.json',
    '.well-known/skills/index.json',
    '.well-known/skills/a/SKILL.md',
    '.well-known/skills/default/skill.md',
  ])('a foreign %s is not replaced, and nothing is written', async (path) => {
    const root = makeDirectory({ [path]: '{"skills":[]}' });
    const before = listTree(root);
    await expect(publish(root, skill('a'))).rejects.toMatchObject({
      code: 'E013',
      message: `refusing to overwrite '${join(root, path)}'`,
    });
    expect(listTree(root)).toEqual(before);
  });

  test('an index with hostile paths removes nothing outside the site', async () => {
    const root = makeDirectory({
      'keep.txt': 'x',
      '.well-known/agent-skills/index.json': JSON.stringify({
        generator: 'skillwright',
        skills: [{ url: '../../keep.txt' }, { url: '/etc/passwd' }, { url: 7 }, null],
      }),
      '.well-known/skills/index.json': JSON.stringify({
        generator: 'skillwright',
        skills: [{ name: '..', files: ['../keep.txt', '../../keep.txt'] }, { name: 'x' }],
      }),
    });
    expect((await publish(root, skill('a'))).removed).toEqual([]);
    expect(existsSync(join(root, 'keep.txt'))).toBe(true);
  });

  test('a link that leads out of the site is not followed', async () => {
    const outside = makeDirectory();
    const root = makeDirectory({ '.well-known/skills': { link: outside } });
    await expect(publish(root, skill('a'))).rejects.toMatchObject({ code: 'E012' });
    expect(listTree(outside)).toEqual({});
  });

  test('a dry run changes nothing', async () => {
    const root = makeDirectory();
    const site = await planSite([skill('a')]);
    expect(writeSite(root, site, { dryRun: true }).written).toHaveLength(4);
    expect(listTree(root)).toEqual({});
  });

  test('files of a damaged index count as foreign', async () => {
    const root = makeDirectory();
    await publish(root, skill('a'));
    writeTree(root, { '.well-known/agent-skills/index.json': '{"generator":"skillw' });
    await expect(publish(root, skill('a'))).rejects.toMatchObject({ code: 'E013' });
  });
});
