// Scans a published version again. The first result stays; a worse one asks reviewers to look.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScanResult } from 'skillwright/registry-protocol';
import { demand, may } from '../access/index.ts';
import { Failure, withWorkDirectory } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import { changeVersion, inspectInThread, seeVersion } from '../skills/index.ts';
import { json } from '../store/index.ts';
import type { Handlers, OperationCall } from '../work/index.ts';

const ranks: readonly string[] = ['clean', 'caution', 'danger'];

export const scanOperations = {
  /** Scans the archive of a version with the scanner of today. */
  async rescanVersion(call) {
    const { registry, caller, path } = call;
    const { facts, row } = await seeVersion(registry, caller, path);
    demand(caller, 'review', facts.skill);
    if (row.purged !== null) throw new Failure('purged', `purged: ${row.purged}`);
    const result = await scanArchive(registry, { digest: row.archive_digest, name: path.name });
    const { engine, verdict: after } = result;
    const { verdict: before } = row;
    await changeVersion(call, {
      demand: (skill) => demand(caller, 'review', skill),
      async apply({ tx }) {
        await tx.query(
          'insert into scans (version_id, result, account_id, at) values ($1, $2::jsonb, $3, $4)',
          [row.id, json(result), caller.account?.id ?? null, registry.now()],
        );
        const isWorse = ranks.indexOf(after) > ranks.indexOf(before);
        const flagged = `a scan with ${engine} says ${after}; it was ${before} at publication`;
        if (isWorse) await tx.query('update versions set flagged = $2 where id = $1', [row.id, flagged]);
        const details = { before, after, engine, ...(isWorse ? { flagged } : {}) };
        return { action: 'version.rescan', details, isPublic: false };
      },
    });
    return readScans(call);
  },
  readScans: (call) => readScans(call),
} satisfies Partial<Handlers>;

/** Every scan of a version. */
async function readScans({ registry, caller, path }: Omit<OperationCall, 'query' | 'body'>) {
  const { facts, row } = await seeVersion(registry, caller, path);
  const rows = await registry.database.query<{ result: ScanResult }>(
    `select v.scan as result, 0 as id from versions v where v.id = $1
     union all select s.result, s.id from scans s where s.version_id = $1 order by id`,
    [row.id],
  );
  const flagged = may(caller, 'preview', facts.skill) ? row.flagged : null;
  return { scans: rows.map(({ result }) => result), flagged };
}

async function scanArchive(
  registry: Registry,
  { digest, name }: { digest: string; name: string },
): Promise<ScanResult> {
  const bytes = await registry.blobs.get(digest);
  if (bytes === undefined) throw new Failure('unavailable', 'the archive cannot be read at the moment');
  return withWorkDirectory('rescan', async (place) => {
    const archive = join(place, 'archive.tar.gz');
    await writeFile(archive, bytes, { mode: 0o600 });
    const { maxFiles, maxUnpackedBytes } = registry.settings;
    const directory = join(place, name);
    const request = { archive, directory, maxFiles, maxUnpackedBytes, profile: 'spec' } as const;
    const inspection = await inspectInThread(request, { account: 'rescan', bytes: bytes.byteLength });
    if ('problems' in inspection)
      throw new Failure('invalid_skill', 'the archive does not pass the checks of today', {
        details: inspection.problems,
      });
    const { verdict, engine, flags } = inspection.skill;
    return { verdict, engine, scanned: registry.now().toISOString(), flags: [...flags] };
  });
}
