// skc update: installs newer versions and keeps the user's edits.

import { join } from 'node:path';
import { hideSecrets, makeVisible, once, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { StoreScope } from '../../skill/workspace/index.ts';
import type { Failure, UpdateOutcome } from '../results/index.ts';
import { type ClearedContent, type Consent, type Gate, openGate } from './gate/gate.ts';
import { entryOf, type LockedSkill, type ReadLock, readAgain, requireEntry } from './lock/lock.ts';
import { openContentCache } from './place/content-cache.ts';
import { checkTargets, type InstallContext, type InstallPlace } from './place/install-place.ts';
import { readPlaced, readProof } from './place/place-records.ts';
import { checkSkill } from './plan/choose-skills.ts';
import { askToGoOn, failureOf } from './plan/consent.ts';
import { findInstalled } from './plan/find-installed.ts';
import { type Review, reviewFiles, summarizeReview } from './plan/preview.ts';
import { type OpenSources, openSources, skillOf } from './restore/gather-files.ts';
import { type FetchedSource, resolvedOf } from './source/fetched-source.ts';
import {
  createSourceCache,
  fetchUnlessOffline,
  lockedSource,
  movedError,
  rememberSource,
  type SourceCache,
  type SourceOptions,
} from './source/locked-source.ts';
import { changePlace, type LockedPlace, recoverIfNeeded } from './transaction/change-place.ts';
import { type ConflictStyle, conflictsOf, describeUnsettled, writeVersions } from './update/merge-files.ts';
import { type PlannedUpdate, planUpdate } from './update/plan-update.ts';

/** A request to update. */
export interface UpdateRequest extends Consent {
  /** Names; none for every skill. */
  readonly skills: readonly string[];
  readonly scope?: StoreScope | undefined;
  /** Takes the new version where both sides changed the same lines, and keeps a backup. */
  readonly force: boolean;
  /** Handling of lines that both sides changed, unless `force` decides. */
  readonly conflict: ConflictStyle;
  readonly unpin: boolean;
  /** Accepts the new content of a moved tag or version. */
  readonly acceptMoved: boolean;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly offline: boolean;
}

type Updated = UpdateOutcome['updated'][number];

/** Updates installed skills. A skill that fails does not stop the rest. */
export async function updateSkills(request: UpdateRequest, context: InstallContext): Promise<UpdateOutcome> {
  const gate = openGate(request, context);
  const config = await context.workspace.config();
  const options = { context, config, offline: request.offline };
  const installed = await findInstalled(request, context);
  const newest = createSourceCache();
  const updated: Updated[] = [];
  const failed: Failure[] = [];
  const notes: LockNote[] = [];
  try {
    for (const { name, place, read } of installed) {
      const sources = openSources(place, options);
      try {
        updated.push(await updateOne(name, { request, options, place, read, newest, sources, notes, gate }));
      } catch (error) {
        failed.push(failureOf(name, error, context));
      } finally {
        sources.release();
      }
    }
    if (!request.dryRun) await writeNotes(notes, context);
    gate.close();
  } finally {
    newest.release();
  }
  return { dry_run: request.dryRun, updated, failed };
}

interface UpdateWork {
  readonly gate: Gate;
  readonly request: UpdateRequest;
  readonly options: SourceOptions;
  readonly place: InstallPlace;
  /** The lock in which it was found. */
  readonly read: ReadLock;
  /** Current sources, each fetched once. */
  readonly newest: SourceCache;
  readonly sources: OpenSources;
  /** Collects the changes to write once all skills have been checked. */
  readonly notes: LockNote[];
}

async function updateOne(name: string, work: UpdateWork): Promise<Updated> {
  const { request, options, place, sources } = work;
  const { context } = options;
  await recoverIfNeeded(place, context);
  // Safety: fetching the skills before it took time.
  const read = readAgain(place.store.lock, work.read);
  const entry = requireEntry(read.lock, name);
  const unchanged = {
    ...nothingDone,
    name,
    scope: place.scope,
    from: resolvedOf(entry.resolution),
    to: resolvedOf(entry.resolution),
  };
  if (entry.pinned && !request.unpin) return { ...unchanged, status: 'pinned' };
  const fetched = await fetchNewest(name, entry, work);
  const skill = skillOf(fetched, name, entry);
  const moved = movedError(entry, skill.resolution ?? fetched.resolution);
  if (moved !== undefined && !request.acceptMoved) throw moved;
  checkSkill(skill);
  const cache = openContentCache(context.workspace);
  const dir = join(place.store.skills, name);
  const { force, conflict } = request;
  const placed = entryOf(readPlaced(place), name);
  const from = { entry, skill, fetched, dir, place, placed, cache, sources };
  const plan = await planUpdate(name, { ...from, force, conflict });
  if (isOnlyNoted(plan, entry)) {
    work.notes.push({ name, place, before: entry, entry: plan.entry, proof: plan.proof, read });
    return { ...unchanged, status: 'current', to: resolvedOf(plan.entry.resolution), kept: [...plan.kept] };
  }
  const review = await reviewFiles(name, plan.files, fetched);
  const { changed, kept, merged, unsettled } = plan;
  const conflicts = unsettled.map(describeUnsettled);
  const versions = conflicts.length === 0 ? null : conflictsOf(name, place);
  const result = {
    ...unchanged,
    to: resolvedOf(plan.entry.resolution),
    changed: [...changed],
    kept: [...kept],
    merged: [...merged],
    review: summarizeReview(review),
    conflicts,
    versions,
  };
  const status: Updated['status'] =
    unsettled.length > 0 ? 'conflicts' : changed.length > 0 ? 'updated' : 'current';
  if (request.dryRun) return { ...result, status };
  const clear = once(() => clearUpdate(name, { plan, entry, review }, work));
  if (plan.changed.length > 0) {
    await clear();
    context.note(`${name}: ${describeChange(plan)}`);
    const isAgreed = await askToGoOn(`Update ${name}?`, request, context);
    if (!isAgreed) return { ...result, status: 'declined' };
  }
  const agreed = await settleEdits(name, { plan, entry, clear }, work);
  if (isOnlyNoted(agreed, entry)) {
    work.notes.push({ name, place, before: entry, entry: agreed.entry, proof: agreed.proof, read });
    return { ...result, status };
  }
  const content = await clear();
  const backup = await writeUpdate(name, agreed, { place, context, before: entry, content, read });
  return { ...result, status, backup };
}

async function clearUpdate(
  name: string,
  { plan, entry, review }: { plan: PlannedUpdate; entry: LockedSkill; review: Review },
  { gate, place }: UpdateWork,
): Promise<ClearedContent> {
  const { files } = plan;
  const candidate = { name, review, files: () => files, accepted: entry.accepted, isScored: true };
  const command = `skc update ${name} --scope ${place.scope}`;
  return (await gate.clear([candidate], { place, command })).get(name)!;
}

/**
 * When the source has nothing newer, edits are recorded in the lock only with the user's consent: otherwise tampering
 * would pass for an edit. E208 and E213 as for new content.
 */
async function settleEdits(
  name: string,
  { plan, entry, clear }: { plan: PlannedUpdate; entry: LockedSkill; clear: () => Promise<unknown> },
  { request, options: { context } }: UpdateWork,
): Promise<PlannedUpdate> {
  const isNoted = plan.kept.every((path) => plan.entry.edits[path] === entry.edits[path]);
  if (plan.changed.length > 0 || isNoted) return plan;
  const files = plan.kept.map(makeVisible).join(', ');
  const unnoted = { ...plan, entry: { ...plan.entry, edits: entry.edits } };
  if (!request.yes && context.ask === undefined) {
    context.note(`${name}: edits that are not in the lock: ${files}; --yes records them as yours`);
    return unnoted;
  }
  await clear();
  const question = `${name} was edited here: ${files}. Record that in the lock as your edits?`;
  if (!(await askToGoOn(question, request, context))) return unnoted;
  context.note(`${name}: recorded in the lock as your edits: ${files}`);
  return plan;
}

const nothingDone = {
  ...{ changed: [], kept: [], merged: [], conflicts: [] },
  ...{ versions: null, review: null, backup: null },
};

function fetchNewest(
  name: string,
  entry: LockedSkill,
  { options, place, newest, request }: UpdateWork,
): Promise<FetchedSource> {
  return newest.get([place.base, entry.source], async () => {
    const source = await lockedSource(name, entry, { place, options });
    options.context.progress(`fetching ${hideSecrets(entry.source)}`);
    const fetched = await fetchUnlessOffline(source, options);
    if (!request.dryRun) await rememberSource(fetched, options.context);
    return fetched;
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

/** A change of one entry that touches no file. */
interface LockNote {
  readonly name: string;
  readonly place: InstallPlace;
  readonly before: LockedSkill;
  readonly entry: LockedSkill;
  readonly proof?: string | null | undefined;
  /** The lock in which it was found. */
  readonly read: ReadLock;
}

/** Whether an update changes only the source's facts in the lock. */
function isOnlyNoted({ entry, isRewritten, changed }: PlannedUpdate, before: LockedSkill): boolean {
  return !isRewritten && changed.length === 0 && isSameJson(entry.edits, before.edits);
}

/** Writes lock-only changes, one transaction per place. An entry that another process has changed is kept. */
async function writeNotes(notes: readonly LockNote[], context: InstallContext): Promise<void> {
  for (const [place, its] of Map.groupBy(
    notes.filter(
      ({ name, place, before, entry, proof }) =>
        !isSameJson(before, entry) || (proof != null && readProof(name, place) === null),
    ),
    (note) => note.place,
  )) {
    const work = (locked: LockedPlace) => {
      const lock = locked.lock();
      const current = its.filter(({ name, before }) => isSameJson(entryOf(lock, name), before));
      return locked.change(current.map(({ name, entry: after, proof }) => ({ name, after, proof })));
    };
    await changePlace(place, context, { read: its[0]!.read, work });
  }
}

/** Writes one update; returns the backup of replaced edits. E216 when the skill has changed meanwhile. */
function writeUpdate(
  name: string,
  plan: PlannedUpdate,
  work: {
    readonly place: InstallPlace;
    readonly context: InstallContext;
    readonly before: LockedSkill;
    readonly content: ClearedContent;
    readonly read: ReadLock;
  },
): Promise<string | null> {
  const { place, context, before, content, read } = work;
  const write = async (locked: LockedPlace) => {
    const lock = locked.lock();
    // The merge is valid only for the files it was made from.
    if (!isSameJson(entryOf(lock, name), before) || !plan.isStillRight())
      throw SkillwrightError.of('E216', { path: join(place.store.skills, name) });
    await checkTargets(name, before.targets, { place, context, force: false });
    writeVersions(name, plan.unsettled, place);
    const { entry: after, proof, losesEdits: keep, theirs: origin } = plan;
    const { backups } = await locked.change([
      plan.isRewritten
        ? { name, after, content, origin, keep, takesBeside: true, proof }
        : { name, after, stays: content, origin, proof },
    ]);
    return backups.get(name) ?? null;
  };
  return changePlace(place, context, { read, work: write });
}

const isSameJson = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
