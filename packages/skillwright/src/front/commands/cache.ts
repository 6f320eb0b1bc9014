// skc cache: files of installed skills, kept so that they need not be downloaded again.

import * as z from 'zod';
import { formatCount, makeVisible } from '../../base/diagnostics/index.ts';
import { formatBytes } from '../../base/files/index.ts';
import type { CommandContext } from './command-context.ts';
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
    forget: z
      .string()
      .min(1)
      .optional()
      .describe('Forget the log of a registry, to accept one that started again (E241, E242)'),
    dry_run: z.boolean().default(false).describe('Show what would be deleted, and delete nothing'),
  }),
  positionals: [],
  output: z.object({
    path: z.string(),
    files: z.number().int(),
    bytes: z.number().int(),
    max_bytes: z.number().int().describe('The limit: cache.max_bytes, or --max-bytes'),
    dry_run: z.boolean(),
    pruned: z.object({ files: z.number().int(), bytes: z.number().int() }).nullable(),
    forgot: z
      .object({ registry: z.string(), paths: z.array(z.string()) })
      .nullable()
      .describe('Directories with what this machine had seen of the registry'),
  }),
  effect: 'destructive',
  writes: ['cache', 'state'],
  // A model must not accept a log that lost its past.
  usersOwn: { forget: undefined },
  touches: 'nothing',
  about:
    'The cache holds the files of installed skills by their digest. `skc install --offline` restores from it. An install prunes it when it grows beyond `cache.max_bytes`. If you delete it, files are downloaded again when needed.\nThe newest log and the indexes of each registry you use are kept too, so that nobody can take them back unnoticed. After a restored backup a registry may have to: ask the people who run it, then `--forget` it.',
  examples: [
    { line: 'skc cache', note: 'show where it is and how large' },
    { line: 'skc cache --prune --dry-run', note: 'see what is over the limit' },
    { line: 'skc cache --prune --max-bytes 0', note: 'empty it' },
    {
      line: 'skc cache --forget https://skills.example.com',
      note: 'accept the new log of a registry that restored a backup',
    },
  ],
  async run({ prune, max_bytes, forget, dry_run }, context) {
    const { workspace } = context;
    const [{ chooseUnused, listCache, removeCached, sumBytes }, { contentRoot }] = await Promise.all([
      import('../../ship/install/place/content-cache.ts'),
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
      forgot: forget === undefined ? null : await forgetNamed(forget, { dry_run, context }),
    };
  },
  text({ path, files, bytes, max_bytes, dry_run, pruned, forgot }) {
    const lines = [
      `${path}: ${formatCount(files, 'file')}, ${formatBytes(bytes)} of ${formatBytes(max_bytes)}`,
    ];
    if (pruned !== null)
      lines.push(
        pruned.files === 0
          ? 'nothing to remove'
          : `${dry_run ? 'would remove' : 'removed'} ${formatCount(pruned.files, 'file')}, ${formatBytes(pruned.bytes)}`,
      );
    if (forgot !== null)
      lines.push(
        forgot.paths.length === 0
          ? `this machine has seen nothing of ${makeVisible(forgot.registry)}`
          : `${dry_run ? 'would forget' : 'forgot'} the log of ${makeVisible(forgot.registry)}; the next request accepts the log it finds`,
      );
    return `${lines.join('\n')}\n`;
  },
});

async function forgetNamed(
  registry: string,
  { dry_run, context }: { readonly dry_run: boolean; readonly context: CommandContext },
): Promise<{ registry: string; paths: string[] }> {
  const [{ chooseRegistry }, { forgetRegistry }] = await Promise.all([
    import('./registry-choice.ts'),
    import('../../ship/network/registry-memory.ts'),
  ]);
  const { url } = await chooseRegistry({ registry }, context);
  return { registry: url, paths: await forgetRegistry(url, context.workspace, { isDryRun: dry_run }) };
}
