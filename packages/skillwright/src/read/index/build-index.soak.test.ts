import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { indexFileName } from './database.ts';

const processes = 20;

test(`${processes} processes that build and read at once all get correct results`, async () => {
  const pages = Array.from({ length: 20 }, (_, file) => [
    `demo/pages/${file}.md`,
    `# Page ${file}\n\nword${file} common\n`,
  ]);
  const root = makeDirectory({ 'demo/SKILL.md': '# Demo\n', ...Object.fromEntries(pages) });
  const [sourceDir, indexDir] = [join(root, 'demo'), join(root, 'runtime/.skillc')];
  const module = (name: string) => JSON.stringify(pathToFileURL(join(import.meta.dirname, name)).href);
  const script = `
    import { buildIndex } from ${module('build-index.ts')};
    import { openIndex } from ${module('open-index.ts')};
    const place = ${JSON.stringify({ sourceDir, indexDir })};
    for (let round = 0; round < 5; round++) {
      buildIndex({ ...place, tokenizer: round % 2 ? 'porter' : 'unicode', now: new Date() });
      const index = openIndex({ ...place, skill: 'demo' });
      index.checkFresh();
      const { results } = index.search('word7');
      if (results.length !== 1 || results[0].section !== 'Page 7') throw new Error(JSON.stringify(results));
      if (index.search('common', { limit: 50 }).results.length !== 20) throw new Error('missing results');
      index.close();
    }
    process.stdout.write('right');`;
  const run = promisify(execFile);
  const runs = Array.from({ length: processes }, () =>
    run(process.execPath, ['--input-type=module', '-e', script]),
  );
  const outputs = (await Promise.all(runs)).map(({ stdout }) => stdout);
  expect(outputs).toEqual(runs.map(() => 'right'));
  expect(readdirSync(indexDir)).toEqual([indexFileName(sourceDir)]);
});
