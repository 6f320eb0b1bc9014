import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { sha256 } from '../src/base/files/hash.ts';
import { connect, connectUntilClosed, eras, makePlace, makeSharedPlace } from './mcp-client.ts';
import { skc } from './run-in-process.ts';

const manifest = (name: string, extra = '') =>
  `---\nname: ${name}\ndescription: About ${name}. Use for ${name}.\n${extra}---\n\n# ${name}\n\nText of ${name}.\n`;

const picture = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff]);

const files = {
  '.skillc/skills/pdf/SKILL.md': manifest('pdf', 'license: MIT\nversion: 1.10\nmetadata:\n  team: forms\n'),
  '.skillc/skills/pdf/references/Q&A ü.md': '# Q&A\r\n\r\nAs written.\r\n',
  '.skillc/skills/pdf/references/deep/er.txt': 'deep',
  '.skillc/skills/pdf/assets/picture.png': picture,
  '.skillc/skills/pdf/.hidden/secret.md': 'hidden',
  '.skillc/skills/pdf/out.md': { link: '../../../../outside.md' },
  '.claude/skills/notes/SKILL.md': manifest('notes'),
  '~/.skillc/skills/pdf/SKILL.md': manifest('pdf'),
  '~/.agents/skills/mail/SKILL.md': manifest('mail'),
  // Not to the letter of the standard: left to the tools.
  '.skillc/skills/Odd_Name/SKILL.md': manifest('Odd_Name'),
  '.skillc/skills/silent/SKILL.md': '---\nname: silent\n---\n\n# Silent\n',
  '.skillc/skills/counted/SKILL.md': manifest('counted', 'metadata:\n  count: 3\n'),
  '.skillc/skills/broken/SKILL.md': '---\nname: [\n---\n',
};

const entry = (uri: string, content: string | Uint8Array) => ({
  uri,
  digest: `sha256:${sha256(content)}`,
  size: Buffer.byteLength(content),
});

const pdf = {
  uri: 'skill://project/pdf/SKILL.md',
  frontmatter: {
    name: 'pdf',
    description: 'About pdf. Use for pdf.',
    license: 'MIT',
    version: 1.1,
    metadata: { team: 'forms' },
  },
  resources: [
    entry('skill://project/pdf/SKILL.md', files['.skillc/skills/pdf/SKILL.md']),
    entry('skill://project/pdf/assets/picture.png', picture),
    entry(
      'skill://project/pdf/references/Q%26A%20%C3%BC.md',
      files['.skillc/skills/pdf/references/Q&A ü.md'],
    ),
    entry('skill://project/pdf/references/deep/er.txt', 'deep'),
  ],
};

const shared = makeSharedPlace({ ...files, '../outside.md': 'outside' });

describe.each(eras)('a host of %s', (era) => {
  // Nothing here changes a file, so one server answers all of it.
  let client: Client;
  beforeAll(async () => {
    ({ client } = await connectUntilClosed(shared, { era }));
    return () => client.close();
  });

  test('lists skills with verbatim frontmatter and every file', async () => {
    const skills = new SkillsClient(client);
    expect([skills.supported, skills.directoryRead]).toEqual([true, true]);
    const listing = await skills.list();
    expect(listing.skills.map(({ uri }) => uri)).toEqual([
      'skill://project/notes/SKILL.md',
      'skill://project/pdf/SKILL.md',
      'skill://user/mail/SKILL.md',
      'skill://user/pdf/SKILL.md',
    ]);
    expect(listing.skills[1]).toEqual(pdf);
    expect(listing.nextCursor).toBeUndefined();
    if (era === '2026-07-28') expect([listing.ttlMs, listing.cacheScope]).toEqual([0, 'private']);
    expect((await skills.get(pdf.uri)).skill).toEqual(pdf);
  });

  test('reads every file, checked against its entry', async () => {
    const skills = new SkillsClient(client);
    for (const skill of (await skills.list()).skills) {
      for (const { uri } of skill.resources as { uri: string }[])
        expect(await skills.read(skill, uri)).toMatchObject({ verified: true });
    }
    const { skill } = await skills.get(pdf.uri);
    expect(await skills.read(skill, 'references/Q&A ü.md')).toMatchObject({
      text: '# Q&A\r\n\r\nAs written.\r\n',
      mimeType: 'text/markdown',
    });
    const { contents } = await client.readResource({ uri: 'skill://project/pdf/assets/picture.png' });
    expect(contents).toEqual([
      {
        uri: 'skill://project/pdf/assets/picture.png',
        mimeType: 'image/png',
        blob: Buffer.from(picture).toString('base64'),
      },
    ]);
  });

  test('reads directories', async () => {
    const skills = new SkillsClient(client);
    const children = async (uri: string) => (await skills.readDirectory(uri)).resources;
    expect(await children('skill://project/pdf')).toEqual([
      {
        uri: 'skill://project/pdf/SKILL.md',
        name: 'SKILL.md',
        mimeType: 'text/markdown',
        size: pdf.resources[0]!.size,
      },
      { uri: 'skill://project/pdf/assets', name: 'assets', mimeType: 'inode/directory' },
      { uri: 'skill://project/pdf/references', name: 'references', mimeType: 'inode/directory' },
    ]);
    expect((await children('skill://project/pdf/references')).map(({ name }) => name)).toEqual([
      'Q&A ü.md',
      'deep',
    ]);
  });

  test.each([
    'skill://project/nothing/SKILL.md',
    'skill://project/pdf',
    'skill://project/pdf/',
    'skill://project/pdf/nothing.md',
    'skill://project/pdf/references',
    'skill://project/pdf/.hidden/secret.md',
    'skill://project/pdf/out.md',
    'skill://project/pdf/../../../outside.md',
    'skill://project/pdf/%2e%2e/%2e%2e/%2e%2e/outside.md',
    'skill://project/pdf/..%2f..%2f..%2foutside.md',
    'skill://project/pdf/references/..%5c..%5coutside.md',
    'skill://project/pdf//etc/passwd',
    'skill://project/pdf/%2Fetc%2Fpasswd',
    'skill://project/pdf/SKILL.md%00',
    'skill://project/pdf/%',
    'skill://../../outside.md',
    'skill://project/Odd_Name/SKILL.md',
    'skill://silent/SKILL.md',
    'file:///etc/passwd',
    'pdf/SKILL.md',
  ])('%s is nothing it can have', async (uri) => {
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
    const skills = new SkillsClient(client);
    await expect(skills.get(uri)).rejects.toMatchObject({ code: -32602 });
    if (uri !== 'skill://project/pdf' && uri !== 'skill://project/pdf/references')
      await expect(skills.readDirectory(uri)).rejects.toMatchObject({ code: -32602 });
  });
});

test('resources name the skills', async () => {
  const { client } = await connect(shared);
  const { resources } = await client.listResources();
  expect(resources).toEqual(
    ['project/notes', 'project/pdf', 'user/mail', 'user/pdf'].map((path) => {
      const name = path.split('/')[1]!;
      return {
        uri: `skill://${path}/SKILL.md`,
        name,
        description: `About ${name}. Use for ${name}.`,
        mimeType: 'text/markdown',
        size: expect.any(Number),
      };
    }),
  );
});

test('pages hold a hundred skills each, and every skill once', async () => {
  const names = Array.from({ length: 250 }, (_, index) => `s-${index}`);
  const many = Object.fromEntries(names.map((name) => [`.skillc/skills/${name}/SKILL.md`, manifest(name)]));
  const { client } = await connect(makePlace(many));
  const Page = z.looseObject({
    skills: z.array(z.looseObject({ uri: z.string() })),
    nextCursor: z.string().optional(),
  });
  const sizes: number[] = [];
  const uris: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.request(
      { method: 'skills/list', params: cursor === undefined ? {} : { cursor } },
      Page,
    );
    sizes.push(page.skills.length);
    uris.push(...page.skills.map(({ uri }) => uri));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(sizes).toEqual([100, 100, 50]);
  expect(uris.toSorted()).toEqual(names.map((name) => `skill://project/${name}/SKILL.md`).toSorted());
  const bad = client.request({ method: 'skills/list', params: { cursor: 'nonsense' } }, Page);
  await expect(bad).rejects.toMatchObject({ code: -32602 });
});

test('a stub stands for its source, and two skills of one name each have a place', async () => {
  const place = makePlace({
    '.skillc/skills/pdf/SKILL.md': manifest('pdf'),
    '.agents/skills/pdf/SKILL.md': manifest('pdf', 'license: MIT\n'),
    '.claude/.keep': '',
  });
  await skc(['build', 'pdf', '--target', 'claude', '--scope', 'project'], place);
  const { client } = await connect(place);
  mkdirSync(join(place.cwd, '.claude/skills'), { recursive: true });
  symlinkSync(join(place.cwd, '.agents/skills/pdf'), join(place.cwd, '.claude/skills/again'));
  const skills = new SkillsClient(client);
  const { skills: listed } = await skills.list();
  expect(listed.map(({ uri, frontmatter }) => [uri, frontmatter.license])).toEqual([
    ['skill://project/pdf/SKILL.md', 'MIT'],
    [expect.stringMatching(/^skill:\/\/project\/~[0-9a-f]{12}\/pdf\/SKILL\.md$/), undefined],
  ]);
  for (const skill of listed) expect(await skills.read(skill)).toMatchObject({ verified: true });
});

test('an edit changes the digest and what is read, together', async () => {
  const place = makePlace({ '.skillc/skills/pdf/SKILL.md': manifest('pdf') });
  const { client } = await connect(place);
  const skills = new SkillsClient(client);
  for (let round = 0; round < 20; round++) {
    const text = manifest('pdf', `license: R${round}\n`);
    writeFileSync(join(place.cwd, '.skillc/skills/pdf/SKILL.md'), text);
    const { skill } = await skills.get('skill://project/pdf/SKILL.md');
    expect(skill.frontmatter.license).toBe(`R${round}`);
    expect(await skills.read(skill)).toMatchObject({ text, verified: true });
  }
});
