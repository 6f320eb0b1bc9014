// Publishes every skill below a directory: checked in several threads as an upload is, stored many at a time.

import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Caller } from '../access/caller.ts';
import { Failure } from '../app/failure.ts';
import { Problem } from '../problem.ts';
import type { Registry } from '../registry.ts';
import { withWorkDirectory } from '../running/work-directory.ts';
import { admitPublication } from '../skills/admit-publication.ts';
import { checkInspection } from '../skills/publish.ts';
import { type CheckedVersion, storeVersions } from '../skills/store-version.ts';
import { findSkillDirectories } from './find-skill-directories.ts';
import { startImportThreads } from './import-threads.ts';
import type { ImportedSkill } from './import-work.ts';

/** Versions stored in one transaction. */
const BATCH = 50;
const MAX_THREADS = 8;

/** Skills to import. */
export interface ImportOptions {
  readonly directory: string;
  readonly owner: string;
  /** Of skills that do not exist yet. */
  readonly visibility: 'private' | 'public';
  /** Called after each batch. */
  progress(counts: ImportCounts): void;
  /** Called for each skill that was not imported, with one line. */
  failed(directory: string, reason: string): void;
}

/** Numbers of skills so far. */
export interface ImportCounts {
  readonly found: number;
  readonly imported: number;
  readonly existed: number;
  readonly failed: number;
}

interface Waiting {
  readonly directory: string;
  readonly checked: CheckedVersion;
}

/** Imports skills. A version that exists is left out, so that an import that was stopped can run again. */
export async function importSkills(
  registry: Registry,
  caller: Caller,
  { directory, owner, visibility, progress, failed }: ImportOptions,
): Promise<ImportCounts> {
  const { database } = registry;
  const [known] = await database.query('select from owners where name = $1', [owner]);
  if (known === undefined) throw new Problem(`there is no owner @${owner}; create it first`);
  const directories = await findSkillDirectories(directory);
  if (directories.length === 0) throw new Problem(`there is no SKILL.md below ${directory}`);
  const counts = { found: directories.length, imported: 0, existed: 0, failed: 0 };
  const fail = (place: string, reason: string) => {
    counts.failed += 1;
    failed(place, reason);
  };
  const taken = await listTaken(registry, owner);
  let waiting: Waiting[] = [];

  const store = async (given: readonly Waiting[]): Promise<void> => {
    // Of two names that look alike the first is taken, whichever thread was faster.
    const batch = given.toSorted((a, b) => (a.directory < b.directory ? -1 : 1));
    const results = await storeVersions(
      registry,
      caller,
      batch.map(({ checked }) => checked),
    );
    for (const [at, failure] of results.entries())
      if (failure === undefined) counts.imported += 1;
      else fail(batch[at]!.directory, spellFailure(failure));
    progress(counts);
  };
  const check = async (place: string, result: Extract<ImportedSkill, { kind: 'inspected' }>) => {
    const { name, version, archive, digest, inspection } = result;
    const publication = { owner, name, version, archive, digest };
    const { ownerId } = await admitPublication(registry, caller, publication);
    const checked = await checkInspection(registry, caller, { publication, ownerId, inspection });
    waiting.push({ directory: place, checked: { ...checked, visibility } });
  };
  const take = async (place: string, result: ImportedSkill): Promise<void> => {
    if (result.kind === 'exists') counts.existed += 1;
    else if (result.kind === 'failed') fail(place, result.reason);
    else
      await check(place, result).catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error;
        fail(place, spellFailure(error));
      });
  };

  await withWorkDirectory('import', async (work) => {
    const { maxArchiveBytes, maxFiles, maxUnpackedBytes } = registry.settings;
    const workDirectories = Array.from(
      { length: Math.min(availableParallelism(), MAX_THREADS, directories.length) },
      (_, number) => join(work, String(number)),
    );
    for (const place of workDirectories) await mkdir(place);
    const setups = workDirectories.map((workDirectory) => ({
      taken,
      maxArchiveBytes,
      maxFiles,
      maxUnpackedBytes,
      workDirectory,
    }));
    let storing = Promise.resolve();
    for await (const { directory: place, result } of startImportThreads(directories, setups)) {
      await take(place, result);
      if (waiting.length < BATCH) continue;
      // The threads go on meanwhile, at most one batch ahead.
      await storing;
      const batch = waiting;
      waiting = [];
      storing = store(batch);
      storing.catch(() => {});
    }
    await storing;
    if (waiting.length > 0) await store(waiting);
  });
  // Searches read the index of words alone once PostgreSQL knows that all of it is visible.
  if (database.kind === 'postgres' && counts.imported > 0)
    await database.query('vacuum (analyze) search_postings, search_documents, skills, versions');
  return counts;
}

async function listTaken({ database }: Registry, owner: string): Promise<Set<string>> {
  const rows = await database.query<{ name: string; version: string }>(
    `select s.name, v.version from versions v join skills s on s.id = v.skill_id join owners o on o.id = s.owner_id
     where o.name = $1`,
    [owner],
  );
  return new Set(rows.map(({ name, version }) => `${name}@${version}`));
}

function spellFailure({ message, details }: Failure): string {
  return details === undefined || details.length === 0 ? message : `${message}: ${details.join('; ')}`;
}
