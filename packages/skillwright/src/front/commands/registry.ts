// skc registry: watches the transparency log of a registry.

import * as z from 'zod';
import { diagnose, makeVisible, SkillwrightError } from '../../base/diagnostics/index.ts';
import { defineCommand } from './define-command.ts';
import { choice, registryAddress, text } from './fields.ts';
import { chooseRegistry, openFetcher } from './registry-choice.ts';

/** Reads a whole log, and fails on two entries for one version. */
export const registry = defineCommand({
  fields: {
    action: choice(['monitor'], 'monitor', { required: true }),
    registry: registryAddress,
    key: text('Verifier key of the log; by default the pinned one, or the first seen'),
  },
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
  examples: {
    'skc registry monitor': 'check the log of your registry',
    'skc registry monitor https://skills.example.com --json': 'the same for a program',
  },
  async run(input, context) {
    const [network, log] = await Promise.all([
      import('../../ship/network/index.ts'),
      import('../../ship/log/index.ts'),
    ]);
    const { workspace, signal } = context;
    const chosen = await chooseRegistry({ registry: input.registry }, context);
    const { url } = chosen;
    const client = network.createRegistryClient({ url, fetcher: await openFetcher(chosen, context) });
    const pinned = input.key ?? (await network.registryAt({ url, owner: '' }, workspace)).key;
    const known = pinned ?? network.rememberedKey(url, workspace);
    const text = known ?? (await network.readLogKey(client, { signal }));
    if (text === undefined)
      throw SkillwrightError.of('E230', { origin: url }, { help: 'it offers no key; pass --key' });
    if (known === undefined) {
      network.rememberKey({ url, key: text }, workspace);
      context.report(diagnose('W239', { registry: url, key: text }));
    }
    const key = log.parseVerifierKey(text);
    const note = Buffer.from(await client.log('log/newest', { signal })).toString();
    const checkpoint = log.openCheckpoint(note, { key });
    const { origin, size } = checkpoint;
    const dir = network.registryMemory({ url, key: text }, workspace);
    for (const remark of await network.advanceKnown(checkpoint, { key, dir, client, signal }))
      context.report(remark);
    const watch = log.watchLog();
    const at = log.logPathOf(origin, key.name);
    await watch.readTo(checkpoint, (tile) => {
      context.progress(`reading the log: ${watch.size} of ${size} entries`);
      return client.log(`${at}/tile/${log.tilePath(tile)}`, { signal });
    });
    const { versions, repeated } = watch;
    return { registry: url, origin, entries: size, versions, repeated: repeated.map((one) => ({ ...one })) };
  },
  text: ({ origin, entries, versions, repeated }) => [
    `${makeVisible(origin)}: ${entries} entries lead to the signed checkpoint, ${versions.public} of public versions, ${versions.private} of private ones`,
    repeated.map(({ what, first, second }) => `two entries for ${makeVisible(what)}: ${first} and ${second}`),
    repeated.length === 0
      ? 'no version has two entries'
      : 'install nothing from this registry; tell the people who run it',
  ],
  failed: ({ repeated }) => repeated.length > 0,
});
