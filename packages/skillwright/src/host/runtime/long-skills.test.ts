// Long texts say how to get the rest, and every part can be read.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Tree } from '../../../test/make-directory.ts';
import { makeWorld, skillText, type World } from '../../../test/make-world.ts';
import { createSession } from './create-session.ts';
import type { SessionOptions } from './session.ts';

const open = (world: World, options: Partial<SessionOptions> = {}) =>
  createSession({
    cwd: world.project,
    home: world.home,
    env: {},
    trust: true,
    discovery: { cache: false },
    ...options,
  });

const skill = (body: string, files: Tree = {}): World =>
  makeWorld({
    '.agents/skills/a/SKILL.md': skillText('a', body),
    ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`.agents/skills/a/${path}`, text])),
  });

/** The body, joined from its parts. */
async function loadAll(world: World, options: Partial<SessionOptions> = {}) {
  const session = await open(world, options);
  const parts: string[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const { text, next_offset, metadata } = await session.load({ name: 'a' }, { offset });
    const call = `skill_load ${JSON.stringify({ path: metadata.path, offset: next_offset })}`;
    expect(text.includes(`Continue with ${call}.]`)).toBe(next_offset !== null);
    expect(text.includes('Base directory:')).toBe(offset === 0);
    const inner = text
      .replace(/^<skill_context[^>]*>\n/, '')
      .replace(/\n\n\[This is not[^\n]*\n/, '\n<end>')
      .replace(/\n\nBase directory:[\s\S]*/, '')
      .replace(/\n<\/skill_context>$/, '')
      .replace(/\n<end>[\s\S]*/, '');
    parts.push(inner);
    offset = next_offset;
  }
  return parts;
}

describe('a long body', () => {
  test('is split at line ends', async () => {
    const body = Array.from({ length: 30_000 }, (_, number) => `Line ${number} of the ülong text.`).join(
      '\n',
    );
    const parts = await loadAll(skill(body));
    expect(parts.length).toBe(Math.ceil(Buffer.byteLength(body) / (256 * 1024)));
    expect(parts.join('\n')).toBe(body);
  });

  test('of one line is readable to its end', async () => {
    const body = 'ä'.repeat(500_000);
    const parts = await loadAll(skill(body));
    expect(parts.map((part) => part.length)).toEqual([131_072, 131_072, 131_072, 106_784]);
    expect(parts.join('')).toBe(body);
  });

  test('that changed between two parts says so', async () => {
    const world = skill('one\ntwo\nthree\n');
    const session = await open(world, { maxBodyBytes: 8 });
    await session.load({ name: 'a' });
    world.write({ '.agents/skills/a/SKILL.md': skillText('a', 'four\nfive\nsix\n') });
    const { path } = (await session.catalog()).skills[0]!;
    expect((await session.load({ name: 'a' }, { offset: 8 })).text).toBe(
      `<skill_context name="a" path="${path}" offset="8">
[The skill has changed since you loaded its first part. Load it again from the start.]
e
six
</skill_context>`,
    );
  });

  test('of a plan comes in parts, too', async () => {
    const session = await open(skill('one\ntwo\nthree\n'), { maxBodyBytes: 8 });
    const { body, next_offset } = await session.plan({ name: 'a' });
    expect([body, next_offset]).toEqual([
      'one\ntwo\n\n[This is not the whole text: these are bytes 0 to 8 of 13. It continues at offset 8.]',
      8,
    ]);
    expect(await session.plan({ name: 'a' }, '', { offset: 8 })).toMatchObject({
      body: 'three',
      next_offset: null,
    });
  });
});

test('a directory collapsed in the file list can be listed', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, number) => [`references/part-${number}.md`, 'x']),
  );
  const world = skill('Body.', { ...files, 'scripts/run.sh': 'x' });
  const session = await open(world);
  const { text, metadata } = await session.load({ name: 'a' });
  const dir = join(world.project, '.agents/skills/a');
  const call = { path: metadata.path, file: 'references/' };
  expect(text).toContain(
    `<directory files="300">${dir}/references/</directory>
<file>${dir}/scripts/run.sh</file>
[Not every file is listed. List more with skill_read ${JSON.stringify(call)}.]
</skill_files>`,
  );
  for (const file of ['references/', 'references', `${dir}/references/`]) {
    const { kind, content, next_offset } = await session.readResource({ name: 'a', file });
    expect([kind, content, next_offset]).toEqual([
      'directory',
      `${Object.keys(files).sort().join('\n')}\n`,
      null,
    ]);
  }
  const first = await session.readResource({ name: 'a', file: '.', limit: 50 });
  expect([first.content, first.next_offset]).toEqual(['references/part-0.md\nreferences/part-1.md\n', 42]);
});

test('the directory of a nested skill hidden from the model is not listed', async () => {
  const world = skill('Body.', {
    'inner/SKILL.md': '---\nname: inner\ndescription: x\ndisable-model-invocation: true\n---\n',
    'inner/secret.md': 'x',
    'open.md': 'x',
  });
  const session = await open(world);
  expect((await session.readResource({ name: 'a', file: '.' })).content).toBe('open.md\n');
  await expect(session.readResource({ name: 'a', file: 'inner' })).rejects.toMatchObject({ code: 'E021' });
});
