import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { estimateTokens } from '../../base/tokens/estimate-tokens.ts';
import { buildRecord } from '../../skill/skill/index.ts';
import { buildIndex } from '../index/index.ts';
import { createFileMeasure, measureSkill } from './measure-skill.ts';

test('the cost of a skill is the sum of its text files', () => {
  const root = makeDirectory({
    'demo/SKILL.md': '# Demo\n\nSome words.\n',
    'demo/scripts/run.py': 'print("hello")\n',
    'demo/assets/picture.png': new Uint8Array([137, 80, 78, 71, 0, 0, 1]),
    'demo/.git/config': 'hidden\n',
    'demo/out': { link: '../outside.md' },
    'outside.md': 'not part of it\n',
  });
  const expected = estimateTokens('# Demo\n\nSome words.\n') + estimateTokens('print("hello")\n');
  expect(measureSkill(join(root, 'demo'))).toBe(expected);
  expect(measureSkill(join(root, 'gone'))).toBe(0);
});

test('an index never changes the cost of a file', () => {
  const root = realpathSync(
    makeDirectory({
      'demo/SKILL.md': '# Demo\n\nSome words.\n',
      'demo/latin.txt': new Uint8Array([0x63, 0x61, 0x66, 0xe9]),
      'demo/assets/picture.png': new Uint8Array([137, 80, 78, 71, 0, 0, 1]),
    }),
  );
  const dir = join(root, 'demo');
  const sumOf = (measure: (file: string) => number | undefined) =>
    ['SKILL.md', 'latin.txt', 'assets/picture.png'].reduce((sum, file) => sum + (measure(file) ?? 0), 0);
  const compiled = { runtime: join(root, '.skillc/runtime/demo'), home: join(root, 'home') };
  const record = buildRecord(compiled.home);
  const indexDir = join(compiled.runtime, '.skillc');
  const { path } = buildIndex({ sourceDir: dir, indexDir, tokenizer: 'porter', now: new Date(), record });
  expect(sumOf(createFileMeasure({ dir, ...compiled }))).toBe(measureSkill(dir));

  writeFileSync(join(dir, 'latin.txt'), 'more words than there were before\n');
  expect(sumOf(createFileMeasure({ dir, ...compiled }))).toBe(measureSkill(dir));

  const database = new DatabaseSync(path);
  database.exec('UPDATE files SET tokens = 1000000');
  database.close();
  expect(sumOf(createFileMeasure({ dir, ...compiled }))).toBe(measureSkill(dir));
});
