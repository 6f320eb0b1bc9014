import { expect, test } from 'vitest';
import { makeWorld, skillText } from '../../../test/make-world.ts';

test.each([
  [
    'an empty SKILL.md',
    '\n',
    'SKILL.md is empty: give it a name, a description and instructions, and check it with: skc lint demo\n',
  ],
  [
    'a SKILL.md without headings',
    '---\nname: demo\ndescription: Shows it. Use when asked.\n---\nOnly text.\n',
    'no headings; read the text with: skc open demo SKILL.md\n',
  ],
])('the outline of %s says what to do', async (_, text, stdout) => {
  const world = makeWorld({ '.skillc/skills/demo/SKILL.md': text });
  expect(await world.run(['outline', 'demo'])).toMatchObject({ status: 0, stdout, stderr: '' });
});

test('UTF-16 with a byte order mark is read, and other Markdown that is not text is named', async () => {
  const wide = Buffer.from('\ufeff# Wide letters\n', 'utf16le');
  const world = makeWorld({
    '.skillc/skills/demo/SKILL.md': skillText('demo'),
    '.skillc/skills/demo/wide.md': wide,
    '.skillc/skills/demo/bare.md': wide.subarray(2),
  });
  const outline = await world.run(['outline', 'demo', '--json']);
  expect(outline.json()).toMatchObject({
    headings: [{ file: 'SKILL.md' }, { file: 'wide.md', text: 'Wide letters' }],
    unlisted: [{ file: 'bare.md', why: 'unreadable' }],
  });
  const sources = await world.run(['sources', 'demo']);
  expect(sources.stdout).toBe(
    'demo/\n├── SKILL.md\n├── bare.md\n└── wide.md\n... (not text, so nobody can read or search it: bare.md)\n',
  );
});
