// Colour and progress on a terminal; progress lines are erased at the end.

import { expect, test } from 'vitest';
import type { Tree } from './make-directory.ts';
import { skc } from './run-in-process.ts';

const skillOf = (name: string, description: string) =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n\nText.\n`;

const many = (count: number): Tree =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `skills/s${index}/SKILL.md`,
      skillOf(`s${index}`, `Does thing ${index}. Use when asked for ${index}.`),
    ]),
  );

const ERASE = '\r\u001b[2K';

test.each([
  ['lint', 'linted 50 skills'],
  ['scan', 'scanning 60 of 60 [████████████████████] 100%'],
  ['report', 'looking at 60 of 60 skills [████████████████████] 100%'],
])('%s of many skills shows how far it is, and erases that', async (command, note) => {
  const words = [command, 'skills'];
  const files = many(60);
  const { stderr } = await skc(words, { files, terminal: true });
  expect(stderr.startsWith(ERASE)).toBe(true);
  expect(stderr.endsWith(`${ERASE}${note}${ERASE}`)).toBe(true);
  expect((await skc(words, { files })).stderr).toBe('');
  expect((await skc(words, { files, terminal: true, env: { TERM: 'dumb' } })).stderr).toBe('');
});

test('a diff is green and red on a terminal, and plain in a pipe', async () => {
  const files = {
    'demo/SKILL.md': '---\nname: Demo\ndescription: Does things. Use when asked.\n---\n\n# Demo\n',
  };
  const words = ['lint', 'demo', '--fix', '--diff', '--dry-run'];
  const { stdout } = await skc(words, { files, terminal: true });
  expect(stdout).toContain('\u001b[31m-name: Demo\u001b[39m\n\u001b[32m+name: demo\u001b[39m\n');
  const plain = await skc(words, { files });
  expect(plain.stdout).toContain('\n-name: Demo\n+name: demo\n');
  expect(plain.stdout).not.toContain('\u001b');
});

test('verdicts are coloured', async () => {
  const files = many(1);
  const { stdout } = await skc(['scan', 'skills/s0'], { files, terminal: true });
  expect(stdout).toBe('1 skill: 0 danger, 0 caution, \u001b[32m1 clean\u001b[39m\n');
});
