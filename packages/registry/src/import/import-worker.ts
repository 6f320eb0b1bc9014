// A thread of an import: packs a skill and inspects the archive exactly as if it had been uploaded.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { SkillwrightError } from 'skillwright/base';
import { archiveSkill, packSkill } from 'skillwright/ship';
import { digestOf } from '../skills/digest-of.ts';
import { inspectArchive } from '../skills/inspect-archive.ts';
import type { ImportedSkill, ImportSetup } from './import-work.ts';

const setup = workerData as ImportSetup;
let count = 0;

let turn = Promise.resolve();

// Several directories may wait; they are answered in order.
parentPort?.on('message', (directory: string) => {
  turn = turn.then(async () => parentPort?.postMessage(await importSkill(directory)));
});

async function importSkill(source: string): Promise<ImportedSkill> {
  count += 1;
  const place = join(setup.workDirectory, String(count));
  try {
    const { name, version, files } = packSkill(source);
    if (version === undefined) return { kind: 'failed', reason: 'SKILL.md has no version' };
    if (setup.taken.has(`${name}@${version}`)) return { kind: 'exists' };
    const archive = await archiveSkill(files);
    const { maxArchiveBytes, maxFiles, maxUnpackedBytes } = setup;
    if (archive.byteLength > maxArchiveBytes)
      return { kind: 'failed', reason: `the archive has more than ${maxArchiveBytes} bytes` };
    const room = join(place, 'reading_room');
    mkdirSync(room, { recursive: true, mode: 0o700 });
    const file = join(place, 'archive.tar.gz');
    writeFileSync(file, archive);
    const inspection = await inspectArchive({
      archive: file,
      directory: join(place, name),
      maxFiles,
      maxUnpackedBytes,
      profile: 'registry',
      room,
    });
    return { kind: 'inspected', name, version, archive, digest: digestOf(archive), inspection };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      kind: 'failed',
      reason: error instanceof SkillwrightError ? reason : `the skill cannot be read: ${reason}`,
    };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
