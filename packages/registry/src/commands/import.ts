import { anonymous, type Caller } from '../access/index.ts';
import { Problem } from '../base/index.ts';
import { type ImportCounts, importSkills } from '../import/index.ts';
import { openRegistry, type Registry } from '../registry.ts';
import type { Command } from './command.ts';

/** Milliseconds between two lines of progress. */
const INTERVAL = 2000;

/** Exit code of a command that a signal stopped. */
const STOPPED = 130;

/** Many skills at once, with the checks of a publication. */
export const importCommand: Command = {
  name: 'import',
  usage: '<directory> --owner <name> [--as <account>] [--public]',
  words: [1, 1],
  summary: 'Publish every skill below a directory; run it again to go on',
  flags: {
    owner: { type: 'string', help: 'Namespace of the skills' },
    as: { type: 'string', help: 'Account that publishes; by default admin' },
    public: { type: 'boolean', help: 'Make new skills public' },
  },
  async run({ settings, words, flags, out, err, stop }) {
    if (typeof flags.owner !== 'string')
      throw new Problem('name the owner: import <directory> --owner <name>');
    const registry = await openRegistry(settings);
    try {
      let said = Date.now();
      const { found, imported, existed, failed } = await importSkills(
        registry,
        await findPublisher(registry, typeof flags.as === 'string' ? flags.as : 'admin'),
        {
          directory: words[0]!,
          owner: flags.owner.replace(/^@/, ''),
          visibility: flags.public === true ? 'public' : 'private',
          progress: (counts) => {
            if (Date.now() - said < INTERVAL) return;
            said = Date.now();
            err(`${doneOf(counts)} of ${counts.found}`);
          },
          failed: (directory, reason) => err(`${directory}: ${reason}`),
          stop,
        },
      );
      out(`imported ${imported}, existed ${existed}, failed ${failed}`);
      const done = doneOf({ imported, existed, failed });
      if (done < found) {
        err(`stopped after ${done} of ${found}; run the same command again to go on`);
        return STOPPED;
      }
      return failed === 0 ? 0 : 1;
    } finally {
      await registry.close();
    }
  },
};

function doneOf({ imported, existed, failed }: Omit<ImportCounts, 'found'>): number {
  return imported + existed + failed;
}

/** With access to the database one can publish in anybody's name; the audit log tells it from a request. */
async function findPublisher({ database }: Registry, name: string): Promise<Caller> {
  const [account] = await database.query<{ id: number; name: string; isAdmin: boolean }>(
    'select id, name, is_admin as "isAdmin" from accounts where name = $1',
    [name],
  );
  if (account === undefined) throw new Problem(`there is no account ${name}`);
  return { ...anonymous, via: 'system', account };
}
