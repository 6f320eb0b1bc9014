// skc update: installs newer versions and keeps the user's edits.

import { join } from 'node:path';
import { makeVisible, once, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { Failure, UpdateOutcome } from '../results/index.ts';
import { clearSkill, type Gate, openGate } from './gate/gate.ts';
import { entryOf, type LockedSkill, type ReadLock, readAgain, requireEntry } from './lock/lock.ts';
import { checkTargets, type InstallContext, type InstallPlace } from './place/install-place.ts';
import { readPlaced, readProof } from './place/place-records.ts';
import { checkSkill } from './plan/choose-skills.ts';
import { askToGoOn, type ChangeRequest, failureOf, spellCommand } from './plan/consent.ts';
import { findInstalled } from './plan/find-installed.ts';
import { reviewFiles, summarizeReview } from './plan/preview.ts';
import { BATCH_BYTES, type Desired, reconcile } from './reconcile.ts';
import { type OpenSources, openSources, skillOf } from './restore/gather-files.ts';
import { type FetchedSource, resolvedOf } from './source/fetched-source.ts';
import {
  createSourceCache,
  fetchUnlessOffline,
  lockedSource,
  movedError,
  type SourceCache,
  type SourceOptions,
  showSource,
} from './source/locked-source.ts';
import { type LocksNow, recoverIfNeeded } from './transaction/change-place.ts';
import { type ConflictStyle, conflictsOf, describeUnsettled, writeVersions } from './update/merge-files.ts';
import { type PlannedUpdate, planUpdate } from './update/plan-update.ts';

/** A request to update. With `force` the new version wins where both sides changed the same lines; a backup is kept. */
export interface UpdateRequest extends ChangeRequest {
  /** Handling of lines that both sides changed, unless `force` decides. */
  readonly conflict: ConflictStyle;
  readonly unpin: boolean;
}

type Updated = UpdateOutcome['updated'][number];

/** Updates installed skills. A skill that fails does not stop the rest. */
export async function updateSkills(request: UpdateRequest, context: InstallContext): Promise<UpdateOutcome> {
  const gate = openGate(request, context);
  const config = await context.workspace.config();
  const options = { context, config, offline: request.offline };
  const installed = await findInstalled(request, context);
  const newest = createSourceCache();
  const rows = new Map<string, Updated>();
  const failed: Failure[] = [];
  const planned: PlannedChange[] = [];
  const write = async () => {
    for (const [place, changes] of Map.groupBy(planned.splice(0), (change) => change.place)) {
      const done = await reconcile(place, changes, { context, read: changes[0]!.read });
      for (const row of done.rows) rows.set(row.name, row);
      failed.push(...done.failed);
    }
  };
  try {
    for (const { name, place, read } of installed) {
      const sources = openSources(place, options);
      try {
        const update = await updateOne(name, { request, options, read, newest, sources, gate });
        if ('settle' in update) planned.push(update);
        else rows.set(name, update);
      } catch (error) {
        failed.push(failureOf(name, error, context));
      } finally {
        sources.release();
      }
      if (planned.reduce((sum, { bytes }) => sum + bytes, 0) > BATCH_BYTES) await write();
    }
    await write();
    gate.close();
  } finally {
    newest.release();
  }
  const updated = installed.flatMap(({ name }) => rows.get(name) ?? []);
  return { dry_run: request.dryRun, updated, failed };
}

interface UpdateWork {
  readonly gate: Gate;
  readonly request: UpdateRequest;
  readonly options: SourceOptions;
  /** The lock in which it was found. */
  readonly read: ReadLock;
  /** Current sources, each fetched once. */
  readonly newest: SourceCache;
  readonly sources: OpenSources;
}

/** An update that the user agreed to, written once all skills have been checked. */
interface PlannedChange extends Desired<Updated> {
  readonly place: InstallPlace;
  readonly read: ReadLock;
  /** Size of its content in memory. */
  readonly bytes: number;
}

async function updateOne(name: string, work: UpdateWork): Promise<Updated | PlannedChange> {
  const { request, options, sources } = work;
  const { context } = options;
  const { place } = sources;
  await recoverIfNeeded(place, context);
  // Safety: fetching the skills before it took time.
  const read = readAgain(place.store.lock, work.read);
  const entry = requireEntry(read.lock, name);
  const from = resolvedOf(entry.resolution);
  const unchanged = { name, ...nothingDone, scope: place.scope, from, to: from };
  if (entry.pinned && !request.unpin) return { ...unchanged, status: 'pinned' };
  const fetched = await fetchNewest(name, entry, work);
  const skill = skillOf(fetched, name, entry);
  const style = request.conflict === 'stop' ? [] : ['--conflict', request.conflict];
  const command = spellCommand(['skc update', name, '--scope', place.scope, ...style], request);
  const moved = movedError(entry, { after: skill.resolution ?? fetched.resolution, command });
  if (moved !== undefined && !request.acceptMoved) throw moved;
  checkSkill(skill);
  const { force, conflict } = request;
  const placed = entryOf(readPlaced(place), name);
  const plan = await planUpdate(name, { entry, skill, fetched, sources, placed, force, conflict });
  const { proof } = plan;
  /** Changes the lock alone, unless another process has changed the entry. */
  const note = (after: LockedSkill, row: Updated): Updated | PlannedChange => {
    const isKnown = isSameJson(entry, after) && (proof == null || readProof(name, place) !== null);
    if (request.dryRun || isKnown) return row;
    const settle = ({ lock }: LocksNow) => {
      const isCurrent = isSameJson(entryOf(lock, name), entry);
      return { ...(isCurrent && { plan: { name, after, proof } }), row: () => row };
    };
    return { name, place, read, bytes: 0, settle };
  };
  const to = resolvedOf(plan.entry.resolution);
  if (isOnlyNoted(plan, entry))
    return note(plan.entry, { ...unchanged, status: 'current', to, kept: [...plan.kept] });
  const review = await reviewFiles(name, plan.files, fetched);
  const { changed, kept, merged, unsettled } = plan;
  const conflicts = unsettled.map(describeUnsettled);
  const versions = conflicts.length === 0 ? null : conflictsOf(name, place);
  const lists = { changed: [...changed], kept: [...kept], merged: [...merged], conflicts };
  const result = { ...unchanged, to, ...lists, versions, review: summarizeReview(review) };
  const status: Updated['status'] =
    unsettled.length > 0 ? 'conflicts' : changed.length > 0 ? 'updated' : 'current';
  if (request.dryRun) return { ...result, status };
  const clear = once(() =>
    clearSkill(name, entry, { gate: work.gate, place, review, files: plan.files, isScored: true, command }),
  );
  if (plan.changed.length > 0) {
    await clear();
    context.note(`${name}: ${describeChange(plan)}`);
    const isAgreed = await askToGoOn(`Update ${name}?`, request, context);
    if (!isAgreed) return { ...result, status: 'declined' };
  }
  const after = await settleEdits(name, { plan, entry, clear }, work);
  if (isOnlyNoted({ ...plan, entry: after }, entry)) return note(after, { ...result, status });
  const content = await clear();
  const { isRewritten, losesEdits: keep, theirs: origin } = plan;
  const bytes = [...plan.files.values()].reduce((sum, file) => sum + file.bytes.length, 0);
  return {
    ...{ name, place, read, bytes },
    async settle({ lock }) {
      // The merge is valid only for the files it was made from.
      if (!isSameJson(entryOf(lock, name), entry) || !plan.isStillRight())
        throw SkillwrightError.of('E216', { path: join(place.store.skills, name) });
      await checkTargets(name, entry.targets, { place, context, force: false });
      writeVersions(name, unsettled, place);
      const written = isRewritten ? { content, keep, takesBeside: true } : { stays: content };
      return {
        plan: { name, after, origin, proof, ...written },
        bytes,
        row: ({ backups }) => ({ ...result, status, backup: backups.get(name) ?? null }),
      };
    },
  };
}

/**
 * When the source has nothing newer, edits are recorded in the lock only with the user's consent: otherwise tampering
 * would pass for an edit. E208 and E213 as for new content.
 */
async function settleEdits(
  name: string,
  { plan, entry, clear }: { plan: PlannedUpdate; entry: LockedSkill; clear: () => Promise<unknown> },
  { request, options: { context } }: UpdateWork,
): Promise<LockedSkill> {
  const isNoted = plan.kept.every((path) => plan.entry.edits[path] === entry.edits[path]);
  if (plan.changed.length > 0 || isNoted) return plan.entry;
  const files = plan.kept.map(makeVisible).join(', ');
  const unnoted = { ...plan.entry, edits: entry.edits };
  if (!request.yes && context.ask === undefined) {
    context.note(`${name}: edits that are not in the lock: ${files}; --yes records them as yours`);
    return unnoted;
  }
  await clear();
  const question = `${name} was edited here: ${files}. Record that in the lock as your edits?`;
  if (!(await askToGoOn(question, request, context))) return unnoted;
  context.note(`${name}: recorded in the lock as your edits: ${files}`);
  return plan.entry;
}

const nothingDone = {
  ...{ changed: [], kept: [], merged: [], conflicts: [] },
  ...{ versions: null, review: null, backup: null },
};

function fetchNewest(
  name: string,
  entry: LockedSkill,
  { options, sources: { place }, newest }: UpdateWork,
): Promise<FetchedSource> {
  return newest.get([place.base, entry.source], async () => {
    const source = await lockedSource(name, entry, { place, options });
    options.context.progress(`fetching ${showSource(entry.source)}`);
    return fetchUnlessOffline(source, options);
  });
}

function describeChange({ changed, kept, merged }: PlannedUpdate): string {
  const count = (amount: number, words: string) => (amount === 0 ? [] : [`${amount} ${words}`]);
  return [
    ...count(changed.length, changed.length === 1 ? 'file changes' : 'files change'),
    ...count(merged.length, 'merged with your edits'),
    ...count(kept.length - merged.length, 'with your edits kept'),
  ].join(', ');
}

/** Whether an update changes only the source's facts in the lock. */
function isOnlyNoted({ entry, isRewritten, changed }: PlannedUpdate, before: LockedSkill): boolean {
  return !isRewritten && changed.length === 0 && isSameJson(entry.edits, before.edits);
}

const isSameJson = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
