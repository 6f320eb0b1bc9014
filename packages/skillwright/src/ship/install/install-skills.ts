// skc install <source>: fetches, scans, asks, then writes everything at once.

import { join } from 'node:path';
import { makeVisible } from '../../base/diagnostics/index.ts';
import { isThere } from '../../base/files/index.ts';
import { configuredTargets, confirmTargets } from '../../make/compile/index.ts';
import type { Failure, InstallOutcome } from '../results/index.ts';
import { type Candidate, clearLocked, type Gate, openGate } from './gate/gate.ts';
import {
  entryOf,
  type Lock,
  type LockedSkill,
  type LockTarget,
  type ReadLock,
  readAgain,
  readLock,
} from './lock/lock.ts';
import {
  checkTargets,
  type InstallContext,
  type InstallPlace,
  joinTargets,
  placeOf,
  readTargets,
} from './place/install-place.ts';
import { readPlaced } from './place/place-records.ts';
import { rememberNews } from './place/remembered.ts';
import { describeFiles, readSkillFiles } from './place/stored-files.ts';
import { chooseSkills, isWanted, spellInstall, splitNames } from './plan/choose-skills.ts';
import { askToGoOn, failureOf } from './plan/consent.ts';
import { followPlugins } from './plan/follow-plugins.ts';
import {
  changesOf,
  type InstallPlan,
  type InstallRequest,
  type InstallWork,
  isSameOrigin,
  planSkill,
  settleConflict,
  statusOf,
} from './plan/plan-skill.ts';
import { type Preview, type Review, renderPreviews, reviewSkill, summarizeReview } from './plan/preview.ts';
import { rememberedNotices } from './source/ask-registries.ts';
import {
  type FetchedSkill,
  type FetchedSource,
  type Resolution,
  resolvedOf,
} from './source/fetched-source.ts';
import {
  chooseRegistry,
  confirmRegistry,
  fetchUnlessOffline,
  isSameRef,
  movedError,
  rememberSource,
  showSource,
  spellForLock,
  spellSource,
} from './source/locked-source.ts';
import { readSource } from './source/read-source.ts';
import { changePlace, recoverIfNeeded } from './transaction/change-place.ts';
import { compareWithLock, type FileDrift } from './verify/check-installed.ts';

type Installed = InstallOutcome['skills'][number];

/** A directory that the user names on the command line is confirmed by that. */
async function trustNamed(
  targets: readonly LockTarget[],
  { place, context }: { readonly place: InstallPlace; readonly context: InstallContext },
): Promise<void> {
  const { project } = place;
  if (project === undefined) return;
  const dirs = place.targets(targets).map(({ dir }) => dir);
  const ask = { confirm: async () => true };
  await confirmTargets(dirs, { project, workspace: context.workspace, ask });
}

/** Installs the chosen skills of a source together, except those that the gate refuses. */
export async function installSkills(
  request: InstallRequest,
  context: InstallContext,
): Promise<InstallOutcome> {
  const gate = openGate(request, context);
  const config = await context.workspace.config();
  const { cwd, home } = context.workspace;
  const named = readSource(request.source, { cwd, home, config });
  const settled = await settlePlace(request, context);
  const { place } = settled;
  const source = await chooseRegistry(named, { scope: place.scope, workspace: context.workspace });
  await confirmRegistry(source, { place, context });
  context.progress(`fetching ${makeVisible(showSource(spellSource(source)))}`);
  const wanted = splitNames(request.skills);
  const only = wanted.length === 0 ? undefined : wanted;
  const options = { context, config, offline: request.offline, only };
  const found = await fetchUnlessOffline(source, options);
  const { fetched, skills } = await followPlugins(found, { ...request, skills: wanted }, options);
  try {
    for (const diagnostic of fetched.diagnostics)
      if (isWanted(diagnostic, wanted)) context.report({ ...diagnostic, severity: 'warning' });
    return await installFetched(fetched, { ...settled, request: { ...request, skills }, context, gate });
  } finally {
    fetched.release();
  }
}

/** The destination of an installation, checked. */
type Settled = Pick<InstallWork, 'place' | 'targets'> & { readonly read: ReadLock };

/** Checks the destination before anything is fetched: the lock is usable, and skills may go to every target. */
async function settlePlace(request: InstallRequest, context: InstallContext): Promise<Settled> {
  const place = placeOf(request.scope, context);
  await recoverIfNeeded(place, context);
  const read = readLock(place.store.lock);
  const words =
    request.targets.length > 0 ? request.targets : await configuredTargets(context.workspace, context.ask);
  const targets = readTargets(words, { place, context, copy: request.copy });
  place.targets(targets);
  return { place, targets, read };
}

async function installFetched(
  fetched: FetchedSource,
  first: InstallWork & Settled & { readonly gate: Gate },
): Promise<InstallOutcome> {
  const { context, gate } = first;
  const chosen = await chooseSkills(fetched, first.request, context);
  const reviews = new Map<FetchedSkill, Review>();
  for (const [index, skill] of chosen.entries()) {
    if (chosen.length > 1) context.progress(`scanning ${index + 1} of ${chosen.length}`);
    reviews.set(skill, await reviewSkill(skill, skill.from ?? fetched));
  }
  const { settle } = first.request;
  const describe = (work: InstallWork & Settled, isSettled: boolean) => {
    const plans = chosen.map((skill) => planSkill(skill, { ...work, fetched }));
    const previews = plans.map((plan) => previewPlan(plan, reviews.get(plan.skill)!, work));
    return { plans, previews: isSettled ? previews : previews.map((one) => ({ ...one, agents: undefined })) };
  };
  const show = (previews: readonly Preview[], { place }: InstallWork) => {
    const source = showSource(spellForLock(fetched.source, place));
    const whose = settle === undefined ? `, for the ${place.scope}` : '';
    context.note(`from ${makeVisible(source)}${describeResolution(fetched.resolution)}${whose}`);
    context.note(renderPreviews(previews).join('\n'));
  };
  if (settle !== undefined) show(describe(first, false).previews, first);
  const request = settle === undefined ? first.request : { ...first.request, ...(await settle()) };
  const work = settle === undefined ? first : { ...first, request, ...(await settlePlace(request, context)) };
  const { place } = work;
  const { plans: all, previews } = describe(work, true);
  const { lock } = work.read;
  if (!request.acceptMoved) checkMoved(all, lock);
  if (settle === undefined) show(previews, work);
  const rowsOf = (plans: readonly InstallPlan[]) =>
    plans.map((plan) => rowOf(plan, previews.find(({ name }) => name === plan.name)!));
  const source = spellForLock(fetched.source, place);
  const failed: Failure[] = [];
  const outcome = { scope: place.scope, source, skills: rowsOf(all), declined: false, failed };
  if (request.dryRun) return { ...outcome, installed: false };
  await checkPlans(all, work);
  const candidates = all.map((plan) => candidateOf(plan, reviews.get(plan.skill)!, lock));
  const cleared = new Map(
    await gate.clear(candidates, {
      place,
      command: (names) => `${spellInstall(request)} --skill ${names} --scope ${place.scope}`,
      refused: (name, error) => failed.push(failureOf(name, error, context)),
    }),
  );
  const plans = all.filter(({ name }) => cleared.has(name));
  const rows = rowsOf(plans);
  const noticesOf = rememberedNotices(context.workspace);
  for (const plan of plans) {
    const entry = stayingEntry(plan, lock, work);
    if (entry === undefined) continue;
    const notices = noticesOf({ name: plan.name, place, entry });
    cleared.set(plan.name, await clearLocked(plan.name, entry, { gate, place, notices }));
  }
  gate.close();
  const amount = plans.length === 1 ? plans[0]!.name : `${plans.length} skills`;
  if (!(await askToGoOn(`Install ${amount}?`, request, context)))
    return { ...outcome, skills: rows, installed: false, declined: true };
  if (request.targets.length > 0) await trustNamed(work.targets, { place, context });
  const { lock: now, ...written } = await changePlace(place, context, {
    read: work.read,
    work: async (locked) =>
      locked.change(await changesOf(plans, { ...work, lock: locked.lock(), cleared }), {
        force: request.force,
      }),
  });
  await rememberSource(fetched, context);
  rememberNews(
    plans.map(({ name }) => ({
      lock: place.store.lock,
      name,
      entry: entryOf(now, name)!,
      wanted: null,
      latest: null,
      notices: fetched.notices ?? [],
    })),
    context,
  );
  const skills = rows.map((row) => ({
    ...row,
    agents: now.skills[row.name]!.targets.map(({ agent }) => agent),
    pinned: now.skills[row.name]!.pinned,
    deployments: [...(written.deployments.get(row.name) ?? [])],
    backup: written.backups.get(row.name) ?? null,
  }));
  return { ...outcome, installed: true, skills };
}

/** E221 when the lock has the same tag of the same repository, or the same version, with other content. */
function checkMoved(plans: readonly InstallPlan[], lock: Lock): void {
  for (const { name, entry } of plans) {
    const known = Object.entries(lock.skills).filter(
      ([other, { source }]) => isSameRef(source, entry.source) || (other === name && source === entry.source),
    );
    for (const [, locked] of known) {
      const moved = movedError(locked, entry.resolution);
      if (moved !== undefined) throw moved;
    }
  }
}

/** The lock entry of a skill whose directory stays unchanged although the source differs: edits, or a shipped store. */
function stayingEntry(
  { name, entry }: InstallPlan,
  lock: Lock,
  { place, request }: InstallWork,
): LockedSkill | undefined {
  const known = entryOf(lock, name);
  const dir = join(place.store.skills, name);
  if (request.force || known === undefined || !isSameOrigin(known, entry) || !isThere(dir)) return undefined;
  const isOther = known.digest === entry.digest && describeFiles(readSkillFiles(dir)).digest !== entry.digest;
  return isOther && isAsLocked(compareWithLock(dir, known, entryOf(readPlaced(place), name)))
    ? known
    : undefined;
}

/** Whether the skill already matches the lock, apart from the user's edits. */
const isAsLocked = ({ missing, behind }: FileDrift) => missing.length + behind.length === 0;

function candidateOf({ name, skill }: InstallPlan, review: Review, lock: Lock): Candidate {
  const accepted = entryOf(lock, name)?.accepted ?? [];
  const files = () => readSkillFiles(skill.dir);
  return { name, review, files, accepted, isScored: true, staged: skill };
}

/** E013 and E212 when something is in the way. Waits for another process that is changing the place. */
async function checkPlans(
  plans: readonly InstallPlan[],
  work: InstallWork & { readonly read: ReadLock },
): Promise<void> {
  const { request, context, place } = work;
  for (let { lock, text } = work.read; ; ) {
    try {
      for (const { name, entry } of plans) {
        settleConflict(name, entry, { ...work, lock });
        const isNamed = request.targets.length > 0;
        await checkTargets(name, entry.targets, { place, context, force: request.force, isNamed });
      }
      return;
    } catch (error) {
      await recoverIfNeeded(place, context);
      const now = readAgain(place.store.lock, { lock, text });
      if (now.text === text) throw error;
      ({ lock, text } = now);
    }
  }
}

function previewPlan(
  { name, skill, entry }: InstallPlan,
  review: Review,
  { read, place }: InstallWork & Settled,
): Preview & { agents: readonly string[] } {
  const known = entryOf(read.lock, name);
  const targets = joinTargets(isSameOrigin(known, entry) ? known!.targets : [], entry.targets);
  return {
    name,
    description: skill.description,
    path: skill.within,
    status: statusOf(name, entry, { known, place }),
    review,
    agents: targets.map(({ agent }) => agent),
  };
}

/** A skill of the result, before it is written. */
function rowOf(
  { name, entry }: InstallPlan,
  { status, path, description, agents = [], review }: Preview,
): Installed {
  return {
    name,
    status,
    path,
    description,
    agents: [...agents],
    pinned: entry.pinned,
    resolution: resolvedOf(entry.resolution),
    review: summarizeReview(review),
    deployments: [],
    backup: null,
  };
}

function describeResolution({ commit, version }: Resolution): string {
  if (commit !== undefined) return ` at ${commit.slice(0, 12)}`;
  return version === undefined ? '' : ` at ${makeVisible(version)}`;
}
