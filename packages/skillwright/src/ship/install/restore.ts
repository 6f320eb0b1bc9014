// skc install without a source: everything the lock names, exactly as it was.

import { join } from 'node:path';
import { type Diagnostic, diagnosticOf, SkillwrightError } from '../../base/diagnostics/index.ts';
import { readConfig } from '../../skill/config/index.ts';
import type { StoreScope } from '../../skill/places/index.ts';
import { openContentCache } from './cache.ts';
import { checkRisk } from './install-consent.ts';
import { copyBeside, listBeside, type SkillFile, writeSkillFiles } from './install-files.ts';
import { type InstallContext, type InstallPlace, placeOf } from './install-place.ts';
import type { SourceOptions } from './install-source.ts';
import { statusAt } from './install-status.ts';
import { checkTargets } from './install-targets.ts';
import { type Lock, type LockedSkill, readLock } from './lock.ts';
import { assessSkill, restoredStatus } from './restore-assess.ts';
import { gatherFiles, openSources } from './restore-files.ts';
import { changePlace, type LockedPlace, recoverIfNeeded, type SkillChangeRequest } from './transaction.ts';

/** How to restore. */
export interface RestoreRequest {
  readonly scope?: StoreScope | undefined;
  /** Names of the lock; all without them. */
  readonly skills?: readonly string[] | undefined;
  readonly offline: boolean;
  /** Puts locked content over local edits, and keeps a backup. */
  readonly force: boolean;
  readonly acceptRisk: boolean;
  readonly dryRun: boolean;
}

/** What was done for one skill. */
export interface RestoredSkill {
  readonly name: string;
  readonly status: /** Files were written. */
    | 'restored'
    /** Only its compiled form, links or copies were made again. */
    | 'linked'
    | 'unchanged';
  readonly agents: readonly string[];
  readonly backup: string | null;
}

/** A skill that could not be restored. */
export interface FailedSkill {
  readonly name: string;
  readonly error: Diagnostic;
}

/** What came of restoring. */
export interface RestoreOutcome {
  readonly scope: StoreScope;
  readonly skills: readonly RestoredSkill[];
  readonly failed: readonly FailedSkill[];
}

/** Restores the skills of the lock. Each stands alone: one that fails does not stop the others. */
export async function restoreSkills(
  request: RestoreRequest,
  context: InstallContext,
): Promise<RestoreOutcome> {
  const place = placeOf(request.scope, context);
  await recoverIfNeeded(place, context);
  const { lock } = readLock(place.store.lock);
  const names = namesIn(lock, request);
  const config = await readConfig(context);
  const options = { context, config, offline: request.offline };
  // Everything is right most of the time, and looking needs no lock.
  const isRight = names.every(
    (name) => assessSkill(name, lock.skills[name]!, { place, context }).kind === 'right',
  );
  if (isRight || request.dryRun) {
    const skills = names.map((name) => describeAssessed(name, lock.skills[name]!, { place, context }));
    return { scope: place.scope, skills, failed: [] };
  }
  const sources = openSources(place, options);
  try {
    await fetchAhead(names, { lock, place, context, sources });
    return await changePlace(place, context, (locked) => restoreEach(locked, { request, options, sources }));
  } finally {
    sources.release();
  }
}

/** Fetches what will be needed, as far as can be told now: nobody else has to wait for a network. */
async function fetchAhead(
  names: readonly string[],
  world: {
    lock: Lock;
    place: InstallPlace;
    context: InstallContext;
    sources: ReturnType<typeof openSources>;
  },
): Promise<void> {
  const { lock, place, context, sources } = world;
  const cache = openContentCache(place.home);
  for (const name of names) {
    const entry = lock.skills[name]!;
    const assessed = assessSkill(name, entry, { place, context });
    if (assessed.kind !== 'files') continue;
    const { missing = Object.keys(entry.files), modified = [] } = assessed.drift ?? {};
    const isThere = [...missing, ...modified].every((path) => {
      const integrity = entry.files[path];
      return integrity === undefined || cache.has(integrity);
    });
    // What fails is told when the skill's turn comes.
    if (!isThere) await sources.at(name, entry).catch(() => {});
  }
}

interface RestoreWork {
  readonly request: RestoreRequest;
  readonly options: SourceOptions;
  readonly sources: ReturnType<typeof openSources>;
}

/** Skills whose content is held in memory at once, in bytes. */
const BATCH_BYTES = 64 * 1024 * 1024;

async function restoreEach(locked: LockedPlace, work: RestoreWork): Promise<RestoreOutcome> {
  const { context } = work.options;
  const skills: RestoredSkill[] = [];
  const failed: FailedSkill[] = [];
  let batch: Planned[] = [];
  const flush = () => {
    writeBatch(batch, { ...work, locked, skills, failed });
    batch = [];
  };
  const lock = locked.lock();
  const entries = namesIn(lock, work.request).map((name) => [name, lock.skills[name]!] as const);
  for (const [index, [name, entry]] of entries.entries()) {
    context.progress(`restoring ${index + 1} of ${entries.length}`);
    try {
      const planned = await planOne(name, entry, { ...work, locked });
      if (planned.change === undefined) skills.push(planned.restored);
      else batch.push(planned);
    } catch (error) {
      failed.push(failureOf(name, error));
    }
    if (batch.reduce((sum, { bytes }) => sum + bytes, 0) > BATCH_BYTES) flush();
  }
  flush();
  const order = entries.map(([name]) => name);
  skills.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  return { scope: locked.place.scope, skills, failed };
}

function namesIn({ skills }: Lock, { skills: wanted }: RestoreRequest): string[] {
  return Object.keys(skills).filter((name) => wanted?.includes(name) ?? true);
}

interface Planned {
  readonly restored: RestoredSkill;
  /** Absent when there is nothing to do. */
  readonly change?: SkillChangeRequest;
  readonly bytes: number;
}

/** All at once; and when that fails one by one, so that only those fail that have to. */
function writeBatch(
  batch: readonly Planned[],
  work: RestoreWork & { locked: LockedPlace; skills: RestoredSkill[]; failed: FailedSkill[] },
): void {
  if (batch.length === 0) return;
  const { locked, request, skills, failed } = work;
  try {
    const changes = batch.map(({ change }) => change!);
    const { backups } = locked.change({ skills: changes, lock: locked.lock(), force: request.force });
    skills.push(
      ...batch.map(({ restored }) => ({ ...restored, backup: backups.get(restored.name) ?? null })),
    );
  } catch (error) {
    if (batch.length === 1) failed.push(failureOf(batch[0]!.restored.name, error));
    else for (const planned of batch) writeBatch([planned], work);
  }
}

function failureOf(name: string, error: unknown): FailedSkill {
  if (!(error instanceof SkillwrightError)) throw error;
  return { name, error: diagnosticOf(error) };
}

function describeAssessed(
  name: string,
  entry: LockedSkill,
  world: { place: InstallPlace; context: InstallContext },
): RestoredSkill {
  const { kind } = assessSkill(name, entry, world);
  return {
    name,
    status: restoredStatus[kind],
    agents: entry.targets.map(({ agent }) => agent),
    backup: null,
  };
}

async function planOne(
  name: string,
  entry: LockedSkill,
  work: RestoreWork & { locked: LockedPlace },
): Promise<Planned> {
  const { request, options, locked, sources } = work;
  const { context } = options;
  const { place } = locked;
  const restored = describeAssessed(name, entry, { place, context });
  const assessed = assessSkill(name, entry, { place, context });
  if (assessed.kind === 'right') return { restored, bytes: 0 };
  checkTargets(name, entry.targets, { place, context, force: request.force });
  if (assessed.kind === 'links') return { restored, change: { name, stays: true, keep: false }, bytes: 0 };
  const { drift } = assessed;
  const dir = join(place.store.skills, name);
  const edits = drift === undefined ? [] : [...drift.modified, ...drift.extra];
  if (edits.length > 0 && !request.force) throw editsInTheWay(name, edits);
  const cache = openContentCache(place.home);
  const { files, review } = await gatherFiles(name, entry, { dir, cache, sources, force: request.force });
  if (review !== undefined)
    await checkRisk([{ name, review }], { yes: true, acceptRisk: request.acceptRisk }, context);
  const change = { name, keep: edits.length > 0, fill: (staged: string) => fill(staged, files, dir) };
  const bytes = [...files.values()].reduce((sum, file) => sum + file.bytes.length, 0);
  return { restored, change, bytes };
}

function fill(staged: string, files: ReadonlyMap<string, SkillFile>, old: string): void {
  writeSkillFiles(staged, files);
  if (statusAt(old)?.isDirectory() && listBeside(old).length > 0) copyBeside(old, staged);
}

function editsInTheWay(name: string, files: readonly string[]): SkillwrightError {
  return SkillwrightError.of(
    'E212',
    { skill: name },
    {
      help: `'skc update ${name}' keeps the edits; --force puts back what was installed and keeps a backup`,
      detail: files.map((path) => `  ${path}`).join('\n'),
      data: { files },
    },
  );
}
