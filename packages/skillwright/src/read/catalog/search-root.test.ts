import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import type { FileStamp } from './read-root.ts';
import { searchRoot } from './search-root.ts';

test('leaves out a skill that disappears between listing and reading', () => {
  const root = makeDirectory({ 'here/SKILL.md': '---\nname: here\ndescription: D.\n---\n' });
  const { mtimeMs, ctimeMs, size, ino } = statSync(root);
  const stamp: FileStamp = [mtimeMs, ctimeMs, size, ino];
  // Stale listing of a deleted skill.
  const listing = { directories: ['gone', 'here'], links: [], misspelled: [], stamp };
  const memory = { entries: new Map(), listings: new Map([[root, listing]]) };
  const { found, errors, directories } = searchRoot(root, memory, { maxDepth: 6, maxDirectories: 10 });
  expect({ found: found.map(({ place }) => place), errors, directories }).toEqual({
    found: [join(root, 'here')],
    errors: [],
    directories: 2,
  });
});
