// skc cache: files of installed skills, kept so that they need not be downloaded again.

import * as z from 'zod';
import { formatCount } from '../../base/diagnostics/index.ts';
import { formatBytes } from '../../base/files/index.ts';
import { defineCommand } from './define-command.ts';

/** Shows the cache of downloaded contents, and prunes it. */
export const cache = defineCommand({
  input: z.strictObject({
    prune: z
      .boolean()
      .default(false)
      .describe('Delete the files unused for longest, until the cache fits the limit'),
    max_bytes: z
      .number()
      .int()
      .nonnegative()
      .optional()
      .describe('Use this limit instead; 0 empties the cache'),
    dry_run: z.boolean().default(false).describe('Show what --prune would delete, and delete nothing'),
  }),
  positionals: [],
  output: z.object({
    path: z.string(),
    files: z.number().int(),
    bytes: z.number().int(),
    max_bytes: z.number().int().describe('The limit: cache.max_bytes, or --max-bytes'),
    dry_run: z.boolean(),
    pruned: z.object({ files: z.number().int(), bytes: z.number().int() }).nullable(),
  }),
  effect: 'destructive',
  writes: ['cache'],
  touches: 'nothing',
  about:
    'The cache holds the files of installed skills by their digest. `skc install --offline` restores from it. An install prunes it when it grows beyond `cache.max_bytes`. If you delete it, files are downloaded again when needed.',
  examples: [
    { line: 'skc cache', note: 'show where it is and how large' },
    { line: 'skc cache --prune --dry-run', note: 'see what is over the limit' },
    { line: 'skc cache --prune --max-bytes 0', note: 'empty it' },
  ],
  async run({ prune, max_bytes, dry_run }, { workspace }) {
    const [{ chooseUnused, listCache, removeCached, sumBytes }, { contentRoot }] = await Promise.all([
      import('../../ship/install/place/bound-cache.ts'),
      import('../../ship/install/place/content-cache.ts'),
    ]);
    const maxBytes = max_bytes ?? (await workspace.config()).cache.max_bytes;
    const files = listCache(workspace);
    const chosen = prune ? chooseUnused(files, maxBytes) : [];
    const gone = dry_run ? chosen : removeCached(chosen);
    const left = dry_run ? { files: 0, bytes: 0 } : { files: gone.length, bytes: sumBytes(gone) };
    return {
      path: contentRoot(workspace),
      files: files.length - left.files,
      bytes: sumBytes(files) - left.bytes,
      max_bytes: maxBytes,
      dry_run,
      pruned: prune ? { files: gone.length, bytes: sumBytes(gone) } : null,
    };
  },
  text({ path, files, bytes, max_bytes, dry_run, pruned }) {
    const lines = [
      `${path}: ${formatCount(files, 'file')}, ${formatBytes(bytes)} of ${formatBytes(max_bytes)}`,
    ];
    if (pruned !== null)
      lines.push(
        pruned.files === 0
          ? 'nothing to remove'
          : `${dry_run ? 'would remove' : 'removed'} ${formatCount(pruned.files, 'file')}, ${formatBytes(pruned.bytes)}`,
      );
    return `${lines.join('\n')}\n`;
  },
});
