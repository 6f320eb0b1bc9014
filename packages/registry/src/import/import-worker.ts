// A thread of an import: packs a skill and inspects the archive exactly as if it had been uploaded.

import { ftruncateSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { SkillwrightError } from 'skillwright/base';
import { archiveSkill, packSkill } from 'skillwright/ship';
import { digestOf } from '../base/index.ts';
import { inspectArchive } from '../skills/index.ts';
import type { ImportOutcome, ImportSetup } from './import-threads.ts';

const setup = workerData as ImportSetup;
// Skills share everything but the directory they are unpacked to: making and removing files takes longer than most checks.
const place = mkdtempSync(join(setup.workDirectory, 'thread_'));
const room = join(place, 'reading_room');
mkdirSync(room);
const file = join(place, 'archive.tar.gz');
const descriptor = openSync(file, 'w', 0o600);

parentPort?.on('message', async (directory: string) => {
  parentPort?.postMessage(await importSkill(directory));
});

async function importSkill(source: string): Promise<ImportOutcome> {
  let directory: string | undefined;
  try {
    const { name, version, files } = packSkill(source);
    if (version === undefined) return { kind: 'failed', reason: 'SKILL.md has no version' };
    if (setup.taken.has(`${name}@${version}`)) return { kind: 'exists' };
    const archive = await archiveSkill(files);
    const { maxArchiveBytes, maxFiles, maxUnpackedBytes } = setup;
    if (archive.byteLength > maxArchiveBytes)
      return { kind: 'failed', reason: `the archive has more than ${maxArchiveBytes} bytes` };
    writeArchive(archive);
    // The name is that of a skill, so it is neither the room nor the archive.
    directory = join(place, name);
    const inspection = await inspectArchive({
      archive: file,
      directory,
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
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  }
}

function writeArchive(archive: Uint8Array): void {
  ftruncateSync(descriptor, archive.byteLength);
  for (let at = 0; at < archive.byteLength; )
    at += writeSync(descriptor, archive, at, archive.byteLength - at, at);
}
