// SKL001: what a compiler wrote is not judged.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineRule } from '../rule.ts';

/** What makes a directory a compiled one: our own manifest, or the mark of another tool. */
const MARKS = [join('.skillc', 'manifest.json'), '.skillc-meta'];

/** Finds compiled stubs. A skill with this finding is judged by no other rule unless the user insists. */
export const skipCompiled = defineRule({
  id: 'SKL001',
  name: 'skip-compiled',
  severity: 'info',
  summary: 'A compiled stub is passed over, because its source is what should be judged.',
  *check({ dir, listing }) {
    if (!listing.some(({ name }) => name.startsWith('.skillc'))) return;
    if (!MARKS.some((mark) => existsSync(join(dir, mark)))) return;
    yield {
      message: 'this skill was compiled from a source, so it is not judged',
      help: 'judge the source instead, or use --force',
    };
  },
});
