// skc cache: files of installed skills, kept so that they need not be downloaded again.

import * as z from 'zod';
import { formatCount, makeVisible } from '../../base/diagnostics/index.ts';
import { formatBytes } from '../../base/files/index.ts';
import type { CommandContext } from './command-context.ts';
import { defineCommand } from './define-command.ts';
import { flag, integer, own, text } from './fields.ts';

/** Shows the cache of downloaded contents, and prunes it. */
export const cache = defineCommand({
  fields: {
    prune: flag('Delete the files unused for longest, until the cache fits the limit'),
    max_bytes: integer('Use this limit instead; 0 empties the cache', { min: 0 }),
    forget: own(
      text('Forget the log of a registry, to accept one that started again (E241, E242)', { min: 1 }),
    ),
    dry_run: flag('Show what would be deleted, and delete nothing'),
  },
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
  touches: 'nothing',
  about:
    'The cache holds the files of installed skills by their digest. `skc install --offline` restores from it. An install prunes it when it grows beyond `cache.max_bytes`. If you delete it, files are downloaded again when needed.\nThe newest log and the indexes of each registry you use are kept too, so that nobody can take them back unnoticed. After a restored backup a registry may have to: ask the people who run it, then `--forget` it.',
  examples: {
    'skc cache': 'show where it is and how large',
    'skc cache --prune --dry-run': 'see what is over the limit',
    'skc cache --prune --max-bytes 0': 'empty it',
    'skc cache --forget https://skills.example.com':
      'accept the new log of a registry that restored a backup',
  },
  async run({ prune, max_bytes, forget, dry_run }, context) {
    const { workspace } = context;
    const contents = await import('../../ship/install/place/content-cache.ts');
    const maxBytes = max_bytes ?? (await workspace.config()).cache.max_bytes;
    const files = contents.listCache(workspace);
    const chosen = prune ? contents.chooseUnused(files, maxBytes) : [];
    const gone = dry_run ? chosen : contents.removeCached(chosen);
    const left = dry_run ? { files: 0, bytes: 0 } : { files: gone.length, bytes: contents.sumBytes(gone) };
    return {
      path: contents.contentRoot(workspace),
      files: files.length - left.files,
      bytes: contents.sumBytes(files) - left.bytes,
      max_bytes: maxBytes,
      dry_run,
      pruned: prune ? { files: gone.length, bytes: contents.sumBytes(gone) } : null,
      forgot: forget === undefined ? null : await forgetNamed(forget, { dry_run, context }),
    };
  },
  text({ path, files, bytes, max_bytes, dry_run, pruned, forgot }) {
    const [removed, forgotten] = dry_run ? ['would remove', 'would forget'] : ['removed', 'forgot'];
    return [
      `${path}: ${formatCount(files, 'file')}, ${formatBytes(bytes)} of ${formatBytes(max_bytes)}`,
      pruned?.files === 0 && 'nothing to remove',
      pruned && pruned.files > 0
        ? `${removed} ${formatCount(pruned.files, 'file')}, ${formatBytes(pruned.bytes)}`
        : null,
      forgot &&
        (forgot.paths.length === 0
          ? `this machine has seen nothing of ${makeVisible(forgot.registry)}`
          : `${forgotten} the log of ${makeVisible(forgot.registry)}; the next request accepts the log it finds`),
    ];
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
