// Publishes every skill below a directory: checked in several threads as an upload is, stored many at a time.

import { mkdir, readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { isIgnoredName } from 'skillwright/base';
import type { Caller } from '../access/index.ts';
import { Failure, Problem, withWorkDirectory } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import { admitPublications, type CheckedVersion, checkInspection, storeVersions } from '../skills/index.ts';
import { DatabaseUnavailable, databaseCode } from '../store/index.ts';
import type { ImportOutcome, ImportSetup } from './import-threads.ts';
import { startImportThreads } from './import-threads.ts';

/** Versions stored in one transaction, and bytes of their archives. */
const BATCH = 50;
const BATCH_BYTES = 4 * 1024 * 1024;
const MAX_THREADS = 8;
/** Skills that make another thread worth the seconds of processor time in which it loads and warms up. */
const SKILLS_PER_THREAD = 500;

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
  /** Ends the import after the current batch. */
  readonly stop: AbortSignal;
}

/** Numbers of skills so far. */
export interface ImportCounts {
  readonly found: number;
  readonly imported: number;
  readonly existed: number;
  readonly failed: number;
}

type Inspected = Extract<ImportOutcome, { kind: 'inspected' }>;

/** A skill that was packed and inspected, and has to be stored. */
interface Waiting {
  readonly directory: string;
  readonly skill: Inspected;
}

/**
 * Imports skills. A version that exists is left out, so that an import that was stopped can run again. After `stop` the skills
 * that are checked already are stored, and the others are left.
 */
export async function importSkills(
  registry: Registry,
  caller: Caller,
  { directory, owner, visibility, progress, failed, stop }: ImportOptions,
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
  const store = async (batch: readonly Waiting[]): Promise<void> => {
    const failures = await storeBatch(registry, caller, { batch, owner, visibility });
    counts.imported += batch.length - failures.length;
    for (const { directory: place, failure } of failures) fail(place, spellFailure(failure));
    progress(counts);
  };
  const setup = { taken: await listTaken(registry, owner), ...registry.settings };
  await withWorkDirectory('import', async (work) => {
    const setups = await makeSetups(setup, { work, skills: directories.length });
    let waiting: Waiting[] = [];
    let storing = Promise.resolve();
    for await (const { directory: place, result } of startImportThreads(directories, setups)) {
      if (result.kind === 'exists') counts.existed += 1;
      else if (result.kind === 'failed') fail(place, result.reason);
      else waiting.push({ directory: place, skill: result });
      if (stop.aborted) break;
      if (!isBatchFull(waiting)) continue;
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
  if (database.kind === 'postgres' && counts.imported > 0 && !stop.aborted)
    await database.query('vacuum (analyze) search_postings, search_documents, skills, versions');
  return counts;
}

/** Stores a batch and returns the skills that were refused. If the batch fails, each skill is stored alone: one of them is the cause. */
async function storeBatch(
  registry: Registry,
  caller: Caller,
  {
    batch,
    owner,
    visibility,
  }: { batch: readonly Waiting[]; owner: string; visibility: 'private' | 'public' },
): Promise<{ readonly directory: string; readonly failure: Failure }[]> {
  const failures: { directory: string; failure: Failure }[] = [];
  // Of two names that look alike the first is taken, whichever thread was faster.
  const sorted = batch.toSorted((a, b) => (a.directory < b.directory ? -1 : 1));
  const publications = sorted.map(({ skill: { name, version, archive, digest } }) => ({
    owner,
    name,
    version,
    archive,
    digest,
  }));
  const checked: { directory: string; version: CheckedVersion }[] = [];
  const admitted = await admitPublications(registry, caller, publications);
  for (const [at, { directory, skill }] of sorted.entries()) {
    const answer = admitted[at]!;
    const publication = publications[at]!;
    const version =
      answer instanceof Failure
        ? answer
        : await asFailure(checkInspection(registry, caller, { publication, ...answer, ...skill }));
    if (version instanceof Failure) failures.push({ directory, failure: version });
    else checked.push({ directory, version: { ...version, visibility } });
  }
  const results = await storeTogether(
    registry,
    caller,
    checked.map(({ version }) => version),
  );
  for (const [at, result] of results.entries())
    if (result instanceof Failure) failures.push({ directory: checked[at]!.directory, failure: result });
  return failures;
}

async function storeTogether(
  registry: Registry,
  caller: Caller,
  versions: readonly CheckedVersion[],
): Promise<unknown[]> {
  if (versions.length === 0) return [];
  try {
    return await storeVersions(registry, caller, versions);
  } catch (error) {
    if (databaseCode(error) === undefined || error instanceof DatabaseUnavailable) throw error;
    if (versions.length === 1)
      return [new Failure('invalid_skill', `the database refuses it: ${(error as Error).message}`)];
    const results: unknown[] = [];
    for (const version of versions) results.push(...(await storeTogether(registry, caller, [version])));
    return results;
  }
}

function asFailure<Result>(work: Promise<Result>): Promise<Result | Failure> {
  return work.catch((error: unknown) => {
    if (error instanceof Failure) return error;
    throw error;
  });
}

function isBatchFull(waiting: readonly Waiting[]): boolean {
  return (
    waiting.length >= BATCH ||
    waiting.reduce((sum, { skill: { archive } }) => sum + archive.byteLength, 0) >= BATCH_BYTES
  );
}

/** A setup for each thread, with a directory of its own. */
async function makeSetups(
  { taken, maxArchiveBytes, maxFiles, maxUnpackedBytes }: Omit<ImportSetup, 'workDirectory'>,
  { work, skills }: { work: string; skills: number },
): Promise<ImportSetup[]> {
  const threads = Math.min(availableParallelism(), MAX_THREADS, Math.ceil(skills / SKILLS_PER_THREAD));
  const setups: ImportSetup[] = [];
  for (let number = 0; number < threads; number++) {
    const workDirectory = join(work, String(number));
    await mkdir(workDirectory);
    setups.push({ taken, maxArchiveBytes, maxFiles, maxUnpackedBytes, workDirectory });
  }
  return setups;
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

/** Directories with a SKILL.md, in order. Skills inside a skill belong to it. */
async function findSkillDirectories(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  if (entries.some((entry) => entry.name === 'SKILL.md')) return [directory];
  const found: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    if (entry.isDirectory() && !isIgnoredName(entry.name))
      found.push(...(await findSkillDirectories(join(directory, entry.name))));
  return found;
}
