// skc update: newer versions, with the user's edits kept.

import { join } from 'node:path';
import { readConfig } from '../config/read-config.ts';
import { type Diagnostic, diagnosticOf } from '../diagnostics/diagnostic.ts';
import { SkillwrightError } from '../diagnostics/skillwright-error.ts';
import { discardTemporary } from '../files/write-atomic.ts';
import type { StoreScope } from '../places/store-paths.ts';
import { type ContentCache, openContentCache } from './cache.ts';
import type { FetchedSource, Resolution } from './fetched-source.ts';
import { checkSkill } from './install-choice.ts';
import { askToGoOn, checkRisk } from './install-consent.ts';
import { entryOf } from './install-derive.ts';
import { findInstalled } from './install-names.ts';
import type { InstallContext, InstallPlace } from './install-place.ts';
import { lockedSource, openSource, type SourceOptions } from './install-source.ts';
import { checkTargets } from './install-targets.ts';
import { type LockedSkill, readLock } from './lock.ts';
import type { Review } from './preview.ts';
import { type OpenSources, openSources, skillOf } from './restore-files.ts';
import { changePlace, recoverIfNeeded } from './transaction.ts';
import { type PlannedUpdate, planUpdate, stageUpdate } from './update-plan.ts';

/** What is to be updated, and how. */
export interface UpdateRequest {
  /** Names; none for every skill. */
  readonly skills: readonly string[];
  readonly scope?: StoreScope | undefined;
  /** Takes the new version where both changed the same lines, and keeps a backup. */
  readonly force: boolean;
  readonly unpin: boolean;
  readonly yes: boolean;
  readonly acceptRisk: boolean;
  readonly dryRun: boolean;
  readonly offline: boolean;
}

/** What became of one skill. */
export interface UpdatedSkill {
  readonly name: string;
  readonly scope: StoreScope;
  readonly status: /** A newer version is there now, or would be. */
    | 'updated'
    /** The source has nothing newer. */
    | 'current'
    | 'pinned'
    /** A person said no. */
    | 'declined';
  readonly from: Resolution;
  readonly to: Resolution;
  /** Files that changed in the source. */
  readonly changed: readonly string[];
  /** Files that are as the user made them. */
  readonly kept: readonly string[];
  /** Files in which both changes were brought together. */
  readonly merged: readonly string[];
  readonly review: Review | null;
  readonly backup: string | null;
}

/** What came of an update. */
export interface UpdateOutcome {
  readonly skills: readonly UpdatedSkill[];
  readonly failed: readonly {
    readonly name: string;
    readonly scope: StoreScope;
    readonly error: Diagnostic;
  }[];
}

/** Updates installed skills. Each stands alone: one that fails does not stop the others. */
export async function updateSkills(request: UpdateRequest, context: InstallContext): Promise<UpdateOutcome> {
  const config = await readConfig(context);
  const options = { context, config, offline: request.offline };
  const installed = await findInstalled(request, context);
  const newest = new Map<string, Promise<FetchedSource>>();
  const skills: UpdatedSkill[] = [];
  const failed: { name: string; scope: StoreScope; error: Diagnostic }[] = [];
  try {
    for (const { name, place } of installed) {
      const sources = openSources(place, options);
      try {
        skills.push(await updateOne(name, { request, options, place, newest, sources }));
      } catch (error) {
        if (!(error instanceof SkillwrightError)) throw error;
        failed.push({ name, scope: place.scope, error: diagnosticOf(error) });
      } finally {
        sources.release();
      }
    }
  } finally {
    for (const fetching of newest.values())
      fetching.then(
        (fetched) => fetched.release(),
        () => {},
      );
  }
  return { skills, failed };
}

interface UpdateWork {
  readonly request: UpdateRequest;
  readonly options: SourceOptions;
  readonly place: InstallPlace;
  /** Sources as they are now, fetched once each. */
  readonly newest: Map<string, Promise<FetchedSource>>;
  readonly sources: OpenSources;
}

async function updateOne(name: string, work: UpdateWork): Promise<UpdatedSkill> {
  const { request, options, place, sources } = work;
  const { context } = options;
  await recoverIfNeeded(place, context);
  const entry = lockedEntry(name, place);
  const unchanged = {
    ...nothingDone,
    name,
    scope: place.scope,
    from: entry.resolution,
    to: entry.resolution,
  };
  if (entry.pinned && !request.unpin) return { ...unchanged, status: 'pinned' };
  const fetched = await fetchNewest(entry, work);
  const skill = skillOf(fetched, name, entry);
  checkSkill(skill);
  const cache = openContentCache(place.home);
  const dir = join(place.store.skills, name);
  const plan = await planUpdate(name, { entry, skill, fetched, dir, cache, sources, force: request.force });
  const staged = stageUpdate(plan);
  try {
    const review = await sources.review({ ...skill, dir: staged }, fetched);
    const { changed, kept, merged } = plan;
    const result = { ...unchanged, to: plan.entry.resolution, changed, kept, merged, review };
    const status = changed.length > 0 ? 'updated' : 'current';
    if (request.dryRun) return { ...result, status };
    if (plan.changed.length > 0) {
      await checkRisk([{ name, review }], request, context);
      context.note(`${name}: ${describeChange(plan)}`);
      const isAgreed = await askToGoOn(`Update ${name}?`, request, context);
      if (!isAgreed) return { ...result, status: 'declined' };
    }
    const backup = await writeUpdate(name, plan, { ...work, before: entry, cache });
    return { ...result, status, backup };
  } finally {
    discardTemporary(staged);
  }
}

const nothingDone = { changed: [], kept: [], merged: [], review: null, backup: null } as const;

function lockedEntry(name: string, place: InstallPlace): LockedSkill {
  const entry = entryOf(readLock(place.store.lock).lock, name);
  if (entry === undefined) throw SkillwrightError.of('E001', { skill: name });
  return entry;
}

function fetchNewest(entry: LockedSkill, { options, place, newest }: UpdateWork): Promise<FetchedSource> {
  const key = JSON.stringify([place.base, entry.source]);
  const known = newest.get(key);
  if (known !== undefined) return known;
  options.context.progress(`fetching ${entry.source}`);
  const fetching = (async () => openSource(lockedSource(entry, place, options), options))();
  newest.set(key, fetching);
  return fetching;
}

function describeChange({ changed, kept, merged }: PlannedUpdate): string {
  const count = (amount: number, words: string) => (amount === 0 ? [] : [`${amount} ${words}`]);
  return [
    ...count(changed.length, changed.length === 1 ? 'file changes' : 'files change'),
    ...count(merged.length, 'merged with your edits'),
    ...count(kept.length - merged.length, 'stay as you made them'),
  ].join(', ');
}

async function writeUpdate(
  name: string,
  plan: PlannedUpdate,
  work: UpdateWork & { before: LockedSkill; cache: ContentCache },
): Promise<string | null> {
  const { request, options, place, before, cache } = work;
  const { context } = options;
  const isNothing = !plan.isRewritten && JSON.stringify(plan.entry) === JSON.stringify(before);
  if (isNothing && !request.unpin) return null;
  return changePlace(place, context, (locked) => {
    const lock = locked.lock();
    const now = entryOf(lock, name);
    // What was merged is only right for what was there when it was read.
    if (JSON.stringify(now) !== JSON.stringify(before) || !plan.isStillRight())
      throw SkillwrightError.of('E216', { path: join(place.store.skills, name) });
    checkTargets(name, before.targets, { place, context, force: false });
    plan.remember(cache);
    const { backups } = locked.change({
      skills: [
        plan.isRewritten
          ? { name, keep: plan.losesEdits, fill: plan.fill }
          : { name, stays: true, keep: false },
      ],
      lock: { skills: { ...lock.skills, [name]: plan.entry } },
    });
    return backups.get(name) ?? null;
  });
}
