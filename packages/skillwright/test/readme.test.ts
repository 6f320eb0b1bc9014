// The README shows only what works: its console blocks are run, and what they print is compared.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDirectory } from './make-directory.ts';
import { skc } from './run-in-process.ts';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

test('the README is short and shows the two commands', () => {
  expect(readme.split('\n').length).toBeLessThan(150);
  expect(readme).toContain('npm ci && npm start');
  expect(readme).toContain('npm ci && npm test');
});

test('every console block prints what the README says', async () => {
  const root = makeDirectory({ work: { directory: true }, home: { directory: true } });
  const cwd = join(root, 'work');
  const blocks = [...readme.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, block]) => block!);
  expect(blocks.length).toBe(2);
  for (const step of blocks.flatMap((block) => block.split(/^\$ /m).slice(1))) {
    const [line, shown] = [step.slice(0, step.indexOf('\n')), step.slice(step.indexOf('\n') + 1)];
    const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
    if (words[0] === 'cat') {
      const file = join(cwd, words[1]!);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, shown);
      continue;
    }
    const { stdout, stderr } = await skc(words.slice(1), { cwd, home: join(root, 'home') });
    expect(`${stdout}${stderr}`.replaceAll('<cwd>', '~/demo').replaceAll('<home>', '~'), line).toBe(shown);
  }
});
