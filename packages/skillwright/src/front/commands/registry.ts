// skc registry: watches the transparency log of a registry.

import * as z from 'zod';
import { diagnose, makeVisible, SkillwrightError } from '../../base/diagnostics/index.ts';
import { defineCommand } from './define-command.ts';

/** Reads a whole log, and fails on two entries for one version. */
export const registry = defineCommand({
  input: z.strictObject({
    action: z.enum(['monitor']).describe('monitor'),
    registry: z.string().min(1).optional().describe('Address of the registry; by default `registry.url`'),
    key: z
      .string()
      .optional()
      .describe('Verifier key of the log; by default the pinned one, or the first seen'),
  }),
  positionals: ['action', 'registry'],
  output: z.object({
    registry: z.string(),
    origin: z.string(),
    entries: z.number().int(),
    versions: z.object({ public: z.number().int(), private: z.number().int() }),
    repeated: z
      .array(z.object({ what: z.string(), first: z.number().int(), second: z.number().int() }))
      .describe('Versions with more than one entry, by name or by the subject of a private one'),
  }),
  effect: 'read',
  writes: ['cache'],
  touches: 'nothing',
  about:
    'Reads every entry of the log and checks that they lead to the signed checkpoint, that the checkpoint continues the one this machine saw last, and that no version has two entries: with two, a registry could give one person another archive than the next. Exit code 1 if it finds a fault. A registry cannot tell a monitor from anybody else.',
  examples: [
    { line: 'skc registry monitor', note: 'check the log of your registry' },
    { line: 'skc registry monitor https://skills.example.com --json', note: 'the same for a program' },
  ],
  async run(input, context) {
    const { chooseRegistry, openFetcher } = await import('./registry-choice.ts');
    const [{ createRegistryClient }, { registryAt }, memory, { readLogKey }, log, { advanceKnown }] =
      await Promise.all([
        import('../../ship/network/registry-client.ts'),
        import('../../ship/network/registry-of.ts'),
        import('../../ship/network/registry-memory.ts'),
        import('../../ship/network/read-log-key.ts'),
        import('../../ship/log/index.ts'),
        import('../../ship/network/known-checkpoint.ts'),
      ]);
    const { workspace, signal } = context;
    const chosen = await chooseRegistry({ registry: input.registry }, context);
    const { url } = chosen;
    const client = createRegistryClient({ url, fetcher: await openFetcher(chosen, context) });
    const pinned = input.key ?? (await registryAt({ url, owner: '' }, workspace)).key;
    const known = pinned ?? memory.rememberedKey(url, workspace);
    const text = known ?? (await readLogKey(client, { signal }));
    if (text === undefined)
      throw SkillwrightError.of('E230', { origin: url }, { help: 'it offers no key; pass --key' });
    if (known === undefined) {
      memory.rememberKey({ url, key: text }, workspace);
      context.report(diagnose('W239', { registry: url, key: text }));
    }
    const key = log.parseVerifierKey(text);
    const note = Buffer.from(await client.log('log/newest', { signal })).toString();
    const checkpoint = log.openCheckpoint(note, { key });
    const { origin, size } = checkpoint;
    const dir = memory.registryMemory({ url, key: text }, workspace);
    for (const remark of await advanceKnown(checkpoint, { key, dir, client, signal })) context.report(remark);
    const watch = log.watchLog();
    const at = log.logPathOf(origin, key.name);
    await watch.readTo(checkpoint, (tile) => {
      context.progress(`reading the log: ${watch.size} of ${size} entries`);
      return client.log(`${at}/tile/${log.tilePath(tile)}`, { signal });
    });
    const { versions, repeated } = watch;
    return { registry: url, origin, entries: size, versions, repeated: repeated.map((one) => ({ ...one })) };
  },
  text: ({ origin, entries, versions, repeated }) =>
    [
      `${makeVisible(origin)}: ${entries} entries lead to the signed checkpoint, ${versions.public} of public versions, ${versions.private} of private ones`,
      ...repeated.map(
        ({ what, first, second }) => `two entries for ${makeVisible(what)}: ${first} and ${second}`,
      ),
      ...(repeated.length === 0
        ? ['no version has two entries']
        : ['install nothing from this registry; tell the people who run it']),
      '',
    ].join('\n'),
  failed: ({ repeated }) => repeated.length > 0,
});
