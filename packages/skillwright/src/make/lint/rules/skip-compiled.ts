// SKL001: compiled stubs are not linted.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineRule } from '../rule.ts';

/** Marks of a compiled directory: our own manifest, or the one of another tool. */
const MARKS = [join('.skillc', 'manifest.json'), '.skillc-meta'];

/** Finds compiled stubs. No other rule checks a skill with this finding, unless forced. */
export const skipCompiled = defineRule({
  id: 'SKL001',
  name: 'skip-compiled',
  severity: 'info',
  summary: 'Compiled stubs are skipped: lint their source instead.',
  *check({ dir, listing }) {
    if (!listing().some(({ name }) => name.startsWith('.skillc'))) return;
    if (!MARKS.some((mark) => existsSync(join(dir, mark)))) return;
    yield {
      message: 'skipped: this skill is compiled from a source',
      help: 'lint the source instead, or use --force',
    };
  },
});
