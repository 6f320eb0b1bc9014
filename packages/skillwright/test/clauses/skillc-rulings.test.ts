// Every ruling that a case of skillc names is written down, and every one that is written down has a case.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const here = fileURLToPath(new URL('.', import.meta.url));
const page = join(here, '../../../../docs/decisions/0011-differences-from-skillc.md');

const rulingsIn = (text: string, pattern: RegExp) =>
  [...new Set([...text.matchAll(pattern)].map((match) => Number(match[1])))].sort((a, b) => a - b);

test('cases and rulings name each other', () => {
  const files = readdirSync(here).filter((name) => /^skillc-(?!rulings)/.test(name));
  const cases = files.map((name) => readFileSync(join(here, name), 'utf8')).join('\n');
  const written = rulingsIn(readFileSync(page, 'utf8'), /^\| R(\d+) /gm);
  expect(rulingsIn(cases, /'R(\d+): /g)).toEqual(written);
  expect(written).toEqual(written.map((_, index) => index + 1));
});
