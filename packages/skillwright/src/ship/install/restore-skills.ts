// skc install without a source: restores every skill in the lock exactly.

import { join } from 'node:path';
import { diagnose, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { StoreScope } from '../../skill/workspace/index.ts';
import type { Failure, InstallOutcome } from '../results/index.ts';
import { type Consent, clearLocked, type Gate, openGate } from './gate/gate.ts';
import type { Lock, LockedSkill } from './lock/lock.ts';
import { type SettleRequest, settleLock } from './lock/merge-locks.ts';
import { type ContentCache, openContentCache } from './place/content-cache.ts';
import { checkTargets, type InstallContext, type InstallPlace, placeOf } from './place/install-place.ts';
import { readPlaced, readProof } from './place/place-records.ts';
import { diagnoseNotice } from './place/remembered.ts';
import { editedError, failureOf } from './plan/consent.ts';
import { type GatherFrom, gatherFiles, type OpenSources, openSources } from './restore/gather-files.ts';
import { hearNotices, type NoticesOf, withheldSkill } from './source/ask-registries.ts';
import type { SourceOptions } from './source/locked-source.ts';
import {
  changePlace,
  type LockedPlace,
  recoverIfNeeded,
  type SkillPlan,
} from './transaction/change-place.ts';
import { type Assessment, assessSkill, findLeft, restoredStatus } from './verify/check-installed.ts';

/** Options for restoring. */
export interface RestoreRequest extends Consent, SettleRequest {
  readonly scope?: StoreScope | undefined;
  /** Names in the lock; all without them. */
  readonly skills?: readonly string[] | undefined;
  readonly offline: boolean;
  /** Overwrites local edits with locked content, and keeps a backup. */
  readonly force: boolean;
}

type Restored = InstallOutcome['skills'][number];

/** Restores the skills of the lock. A skill that fails does not stop the rest. */
export async function restoreSkills(
  request: RestoreRequest,
  context: InstallContext,
): Promise<InstallOutcome> {
  const gate = openGate(request, context);
  const place = placeOf(request.scope, context);
  await recoverIfNeeded(place, context);
  const read = await settleLock(place, request, context);
  const { lock, text } = read;
  const config = await context.workspace.config();
  const options = { context, config, offline: request.offline };
  // Usually nothing has to change, and checking needs no lock.
  const placed = readPlaced(place);
  const looked = wantedIn(lock, request).map(([name, entry]) => {
    const assessed = assessSkill(name, entry, { place, placed });
    return { name, entry, assessed };
  });
  // A missing lock does not mean that skills should be removed.
  const left = request.skills === undefined && text !== null ? findLeft(lock, placed, place) : [];
  for (const { name, dir, isEdited } of left)
    if (isEdited) context.report(diagnose('W222', { skill: name, path: dir }));
  const noticesOf = await hearNews(looked, { place, options });
  const removed = left.filter(({ isEdited }) => !isEdited).map(({ name }) => name);
  const refusalOf = ({ name, entry, assessed }: LookedSkill) =>
    assessed.kind === 'right' ? undefined : withheldSkill({ name, entry }, noticesOf({ name, place, entry }));
  if (request.dryRun || (removed.length === 0 && looked.every(({ assessed }) => assessed.kind === 'right')))
    return {
      ...restoredIn(place),
      skills: [
        ...looked.filter((skill) => refusalOf(skill) === undefined).map(describeLooked),
        ...removed.map(describeRemoved),
      ],
      failed: looked.flatMap((skill) => {
        const error = refusalOf(skill);
        return error === undefined ? [] : [failureOf(skill.name, error, context)];
      }),
    };
  const sources = openSources(place, options);
  try {
    await fetchAhead(
      looked.filter((skill) => refusalOf(skill) === undefined),
      { cache: openContentCache(context.workspace), sources },
    );
    return await changePlace(place, context, {
      read,
      work: (locked) => restoreEach(locked, { request, options, sources, gate, removed, noticesOf }),
    });
  } finally {
    gate.close();
    sources.release();
  }
}

/** A skill of the lock, and its problem. */
interface LookedSkill {
  readonly name: string;
  readonly entry: LockedSkill;
  readonly assessed: Assessment;
}

/** Asks registries about the skills that have to be restored. W224 for their warnings, and for remembered ones about the rest. */
async function hearNews(
  looked: readonly LookedSkill[],
  { place, options }: { place: InstallPlace; options: SourceOptions },
): Promise<NoticesOf> {
  const { context } = options;
  const found = looked.map(({ name, entry, assessed }) => ({
    isRight: assessed.kind === 'right',
    skill: { name, entry, place },
  }));
  const wrong = found.flatMap(({ isRight, skill }) => (isRight ? [] : [skill]));
  const noticesOf = await hearNotices(wrong, options);
  for (const { isRight, skill } of found) {
    const notices = noticesOf(skill);
    // A refusal names the reason itself.
    if (isRight || withheldSkill(skill, notices) === undefined)
      for (const notice of notices) context.report(diagnoseNotice(skill.name, notice));
  }
  return noticesOf;
}

/** Fetches what is probably needed before the place is locked, so that no other process waits for the network. */
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
    // A failure is reported when the skill is restored.
    if (!isThere) await sources.at(name, entry).catch(() => {});
  }
}

interface RestoreWork {
  readonly gate: Gate;
  readonly request: RestoreRequest;
  readonly options: SourceOptions;
  readonly sources: OpenSources;
  /** Skills that the lock no longer names. */
  readonly removed: readonly string[];
  readonly noticesOf: NoticesOf;
}

/** Limit of content held in memory at once, in bytes. */
const BATCH_BYTES = 64 * 1024 * 1024;

async function restoreEach(locked: LockedPlace, work: RestoreWork): Promise<InstallOutcome> {
  const { context } = work.options;
  const skills: Restored[] = [];
  const failed: Failure[] = [];
  let batch: Planned[] = [];
  const flush = async () => {
    await writeBatch(batch, { ...work, locked, skills, failed });
    batch = [];
  };
  const entries = wantedIn(locked.lock(), work.request);
  for (const [index, [name, entry]] of entries.entries()) {
    context.progress(`restoring ${index + 1} of ${entries.length}`);
    try {
      const planned = await planOne(name, entry, { ...work, locked });
      if (planned.change === undefined) skills.push(planned.restored);
      else batch.push(planned);
    } catch (error) {
      failed.push(failureOf(name, error, context));
    }
    if (batch.reduce((sum, { bytes }) => sum + bytes, 0) > BATCH_BYTES) await flush();
  }
  await flush();
  for (const name of work.removed) {
    try {
      await locked.change([{ name, after: undefined }]);
      skills.push(describeRemoved(name));
    } catch (error) {
      failed.push(failureOf(name, error, context));
    }
  }
  const order = entries.map(([name]) => name);
  const rankOf = ({ name }: Restored) => (order.includes(name) ? order.indexOf(name) : order.length);
  skills.sort((a, b) => rankOf(a) - rankOf(b));
  const installed = skills.some(({ status }) => status !== 'unchanged');
  return { ...restoredIn(locked.place), installed, skills, failed };
}

function wantedIn({ skills }: Lock, { skills: wanted }: RestoreRequest): [string, LockedSkill][] {
  return Object.entries(skills).filter(([name]) => wanted?.includes(name) ?? true);
}

const restoredIn = ({ scope }: InstallPlace) => ({ scope, source: null, installed: false, declined: false });

/** A restored skill: the lock has no more to say about it than its name and its agents. */
const rowOf = (name: string, status: Restored['status'], agents: string[] = []): Restored => ({
  ...{ name, status, agents, path: null, description: null, pinned: null },
  ...{ resolution: null, review: null, deployments: [], backup: null },
});

const describeRemoved = (name: string): Restored => rowOf(name, 'removed');

interface Planned {
  readonly restored: Restored;
  /** Absent when there is nothing to do. */
  readonly change?: SkillPlan;
  readonly bytes: number;
}

/** Writes all at once; if that fails, one by one, so that only the failing skills fail. */
async function writeBatch(
  batch: readonly Planned[],
  work: RestoreWork & { locked: LockedPlace; skills: Restored[]; failed: Failure[] },
): Promise<void> {
  if (batch.length === 0) return;
  const { locked, request, skills, failed } = work;
  try {
    const changes = batch.map(({ change }) => change!);
    const { backups } = await locked.change(changes, { force: request.force });
    skills.push(
      ...batch.map(({ restored }) => ({ ...restored, backup: backups.get(restored.name) ?? null })),
    );
  } catch (error) {
    if (batch.length === 1) failed.push(failureOf(batch[0]!.restored.name, error, work.options.context));
    else for (const planned of batch) await writeBatch([planned], work);
  }
}

function describeLooked({ name, entry, assessed }: LookedSkill): Restored {
  const agents = entry.targets.map(({ agent }) => agent);
  return rowOf(name, restoredStatus[assessed.kind], agents);
}

async function planOne(
  name: string,
  entry: LockedSkill,
  work: RestoreWork & { locked: LockedPlace },
): Promise<Planned> {
  const { request, options, locked, sources, gate } = work;
  const { context } = options;
  const { place } = locked;
  const assessed = assessSkill(name, entry, { place, placed: readPlaced(place) });
  const restored = describeLooked({ name, entry, assessed });
  if (assessed.kind === 'right') return { restored, bytes: 0 };
  const notices = work.noticesOf({ name, place, entry });
  const withheld = withheldSkill({ name, entry }, notices);
  if (withheld !== undefined) throw withheld;
  await checkTargets(name, entry.targets, { place, context, force: request.force });
  const dir = join(place.store.skills, name);
  if (assessed.kind === 'links') {
    const stays = await clearLocked(name, entry, { gate, place, notices });
    return { restored, change: { name, after: entry, stays }, bytes: 0 };
  }
  const { drift } = assessed;
  const edits = drift === undefined ? [] : [...drift.modified, ...drift.extra];
  if (edits.length > 0 && !request.force) {
    const help = `'skc diff ${name}' shows the edits and 'skc update ${name}' keeps them; --force restores the locked version and keeps a backup`;
    throw editedError(name, edits, help);
  }
  const cache = openContentCache(context.workspace);
  const from = { dir, place, cache, sources };
  const gathered = await gatherLocked(name, entry, { from, force: request.force });
  const { files, fetched } = gathered;
  if (gathered.isWithoutEdits)
    context.note(
      `${name}: restored without the project's edits, which are not on this machine; the lock no longer lists them`,
    );
  const content = await clearLocked(name, gathered.entry, { gate, place, files, fetched, notices });
  // A proof that came with the lock stays: a new one would only differ in its checkpoint.
  const proof = readProof(name, place) === null ? fetched?.proof : undefined;
  const keep = edits.length > 0;
  const change = { name, after: gathered.entry, keep, content, takesBeside: true, proof };
  const bytes = [...files.values()].reduce((sum, file) => sum + file.bytes.length, 0);
  return { restored, change, bytes };
}

/** The locked entry, including its edits. With `force`, edits that are not on this machine are dropped. */
async function gatherLocked(
  name: string,
  entry: LockedSkill,
  { from, force }: { from: Omit<GatherFrom, 'edits'>; force: boolean },
) {
  try {
    const gathered = await gatherFiles(name, entry, { ...from, edits: true });
    return { ...gathered, entry, isWithoutEdits: false };
  } catch (error) {
    if (!force || !(error instanceof SkillwrightError) || error.code !== 'E224') throw error;
    const gathered = await gatherFiles(name, entry, { ...from, edits: false });
    return { ...gathered, entry: { ...entry, edits: {} }, isWithoutEdits: true };
  }
}
