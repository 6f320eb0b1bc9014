// skc install without a source: everything the lock names, exactly as it was.

import { join } from 'node:path';
import type { StoreScope } from '../../skill/workspace/index.ts';
import { clearLocked } from './gate/clear-locked.ts';
import { type Consent, type Gate, openGate } from './gate/gate.ts';
import type { Acceptance } from './lock/acceptance.ts';
import { type Lock, type LockedSkill, readLock } from './lock/lock.ts';
import { type ContentCache, openContentCache } from './place/content-cache.ts';
import { type InstallContext, placeOf } from './place/install-place.ts';
import { checkTargets } from './place/lock-targets.ts';
import { editedError } from './plan/edited-error.ts';
import { type FailedSkill, failureOf } from './plan/failed-skill.ts';
import { type Assessment, assessSkill, restoredStatus } from './restore/assess-skill.ts';
import { gatherFiles, type OpenSources, openSources } from './restore/gather-files.ts';
import type { SourceOptions } from './source/locked-source.ts';
import {
  changePlace,
  type LockedPlace,
  recoverIfNeeded,
  type SkillChangeRequest,
} from './transaction/change-place.ts';

/** How to restore. */
export interface RestoreRequest extends Consent {
  readonly scope?: StoreScope | undefined;
  /** Names of the lock; all without them. */
  readonly skills?: readonly string[] | undefined;
  readonly offline: boolean;
  /** Puts locked content over local edits, and keeps a backup. */
  readonly force: boolean;
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
  const gate = openGate(request, context);
  const place = placeOf(request.scope, context);
  await recoverIfNeeded(place, context);
  const { lock } = readLock(place.store.lock);
  const config = await context.workspace.config();
  const options = { context, config, offline: request.offline };
  // Everything is right most of the time, and looking needs no lock.
  const looked = wantedIn(lock, request).map(([name, entry]) => {
    const assessed = assessSkill(name, entry, { place, context });
    return { name, entry, assessed };
  });
  if (request.dryRun || looked.every(({ assessed }) => assessed.kind === 'right'))
    return { scope: place.scope, skills: looked.map(describeLooked), failed: [] };
  const sources = openSources(place, options);
  try {
    await fetchAhead(looked, { cache: openContentCache(context.workspace), sources });
    return await changePlace(place, context, (locked) =>
      restoreEach(locked, { request, options, sources, gate }),
    );
  } finally {
    gate.close();
    sources.release();
  }
}

/** A skill of the lock, and what is wrong with it. */
interface LookedSkill {
  readonly name: string;
  readonly entry: LockedSkill;
  readonly assessed: Assessment;
}

/** Fetches what will be needed, as far as can be told now: nobody else has to wait for a network. */
async function fetchAhead(
  looked: readonly LookedSkill[],
  { cache, sources }: { cache: ContentCache; sources: OpenSources },
): Promise<void> {
  for (const { name, entry, assessed } of looked) {
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
  readonly gate: Gate;
  readonly request: RestoreRequest;
  readonly options: SourceOptions;
  readonly sources: OpenSources;
}

/** Skills whose content is held in memory at once, in bytes. */
const BATCH_BYTES = 64 * 1024 * 1024;

async function restoreEach(locked: LockedPlace, work: RestoreWork): Promise<RestoreOutcome> {
  const { context } = work.options;
  const skills: RestoredSkill[] = [];
  const failed: FailedSkill[] = [];
  let batch: Planned[] = [];
  const flush = async () => {
    await writeBatch(batch, { ...work, locked, skills, failed });
    batch = [];
  };
  const lock = locked.lock();
  const entries = wantedIn(lock, work.request);
  for (const [index, [name, entry]] of entries.entries()) {
    context.progress(`restoring ${index + 1} of ${entries.length}`);
    try {
      const planned = await planOne(name, entry, { ...work, locked });
      if (planned.change === undefined) skills.push(planned.restored);
      else batch.push(planned);
    } catch (error) {
      failed.push(failureOf(name, error));
    }
    if (batch.reduce((sum, { bytes }) => sum + bytes, 0) > BATCH_BYTES) await flush();
  }
  await flush();
  const order = entries.map(([name]) => name);
  skills.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  return { scope: locked.place.scope, skills, failed };
}

function wantedIn({ skills }: Lock, { skills: wanted }: RestoreRequest): [string, LockedSkill][] {
  return Object.entries(skills).filter(([name]) => wanted?.includes(name) ?? true);
}

interface Planned {
  readonly restored: RestoredSkill;
  /** Absent when there is nothing to do. */
  readonly change?: SkillChangeRequest;
  /** What was accepted of it. */
  readonly accepted?: readonly Acceptance[];
  readonly bytes: number;
}

/** All at once; and when that fails one by one, so that only those fail that have to. */
async function writeBatch(
  batch: readonly Planned[],
  work: RestoreWork & { locked: LockedPlace; skills: RestoredSkill[]; failed: FailedSkill[] },
): Promise<void> {
  if (batch.length === 0) return;
  const { locked, request, skills, failed } = work;
  try {
    const changes = batch.map(({ change }) => change!);
    const { backups } = await locked.change({
      skills: changes,
      lock: withAccepted(locked.lock(), batch),
      force: request.force,
    });
    skills.push(
      ...batch.map(({ restored }) => ({ ...restored, backup: backups.get(restored.name) ?? null })),
    );
  } catch (error) {
    if (batch.length === 1) failed.push(failureOf(batch[0]!.restored.name, error));
    else for (const planned of batch) await writeBatch([planned], work);
  }
}

/** The lock with what was accepted on the way. */
function withAccepted({ skills }: Lock, batch: readonly Planned[]): Lock {
  const changed = batch.flatMap(({ restored: { name }, accepted }) => {
    const entry = skills[name];
    return entry === undefined || accepted === undefined
      ? []
      : [[name, { ...entry, accepted: [...accepted] }]];
  });
  return { skills: { ...skills, ...Object.fromEntries(changed) } };
}

function describeLooked({ name, entry, assessed }: LookedSkill): RestoredSkill {
  const agents = entry.targets.map(({ agent }) => agent);
  return { name, status: restoredStatus[assessed.kind], agents, backup: null };
}

async function planOne(
  name: string,
  entry: LockedSkill,
  work: RestoreWork & { locked: LockedPlace },
): Promise<Planned> {
  const { request, options, locked, sources, gate } = work;
  const { context } = options;
  const { place } = locked;
  const assessed = assessSkill(name, entry, { place, context });
  const restored = describeLooked({ name, entry, assessed });
  if (assessed.kind === 'right') return { restored, bytes: 0 };
  checkTargets(name, entry.targets, { place, context, force: request.force });
  const dir = join(place.store.skills, name);
  if (assessed.kind === 'links') {
    const stays = await clearLocked(name, entry, { gate, place });
    return { restored, change: { name, stays, keep: false }, accepted: stays.accepted, bytes: 0 };
  }
  const { drift } = assessed;
  const edits = drift === undefined ? [] : [...drift.modified, ...drift.extra];
  if (edits.length > 0 && !request.force) {
    const help = `'skc update ${name}' keeps the edits; --force puts back what was installed and keeps a backup`;
    throw editedError(name, edits, help);
  }
  const cache = openContentCache(context.workspace);
  const { files, fetched } = await gatherFiles(name, entry, { dir, cache, sources, force: request.force });
  const content = await clearLocked(name, entry, { gate, place, files, fetched });
  cache.remember(content);
  const change = { name, keep: edits.length > 0, content, takesBeside: true };
  const bytes = [...files.values()].reduce((sum, file) => sum + file.bytes.length, 0);
  return { restored, change, accepted: content.accepted, bytes };
}
