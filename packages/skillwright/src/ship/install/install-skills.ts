// skc install <source>: fetches, scans, asks, then writes everything at once.

import { join } from 'node:path';
import { makeVisible } from '../../base/diagnostics/index.ts';
import { configuredTargets, confirmTargets } from '../../make/compile/index.ts';
import type { Failure, InstallOutcome } from '../results/index.ts';
import { type Candidate, clearLocked, type Gate, openGate } from './gate/gate.ts';
import { entryOf, type Lock, readAgain, readLock } from './lock/lock.ts';
import { type InstallContext, placeOf, readTargets } from './place/install-place.ts';
import { readPlaced } from './place/place-records.ts';
import { describeFiles, readSkillFiles } from './place/stored-files.ts';
import { chooseSkills, isWanted, spellInstall, splitNames } from './plan/choose-skills.ts';
import { askToGoOn, failureOf } from './plan/consent.ts';
import { followPlugins } from './plan/follow-plugins.ts';
import {
  changeOf,
  decideFate,
  type InstallChange,
  type InstallPlan,
  type InstallRequest,
  type InstallWork,
  planSkill,
} from './plan/plan-skill.ts';
import { type Preview, type Review, renderPreviews, reviewSkill, summarizeReview } from './plan/preview.ts';
import { reconcile } from './reconcile.ts';
import { rememberedNotices } from './source/ask-registries.ts';
import { type FetchedSkill, type Resolution, resolvedOf } from './source/fetched-source.ts';
import {
  chooseRegistry,
  confirmRegistry,
  fetchUnlessOffline,
  isSameRef,
  movedError,
  showSource,
  spellForLock,
  spellSource,
} from './source/locked-source.ts';
import { readSource } from './source/read-source.ts';
import { type Changed, type LocksNow, recoverIfNeeded } from './transaction/change-place.ts';

type Installed = InstallOutcome['skills'][number];

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
    return await installFetched({ ...settled, request: { ...request, skills }, context, fetched }, gate);
  } finally {
    fetched.release();
  }
}

/** Checks the destination before anything is fetched: the lock is usable, and skills may go to every target. */
async function settlePlace(
  request: InstallRequest,
  context: InstallContext,
): Promise<Pick<InstallWork, 'place' | 'targets' | 'read'>> {
  const place = placeOf(request.scope, context);
  await recoverIfNeeded(place, context);
  const read = readLock(place.store.lock);
  const words =
    request.targets.length > 0 ? request.targets : await configuredTargets(context.workspace, context.ask);
  const targets = readTargets(words, { place, context, copy: request.copy });
  place.targets(targets);
  return { place, targets, read };
}

async function installFetched(first: InstallWork, gate: Gate): Promise<InstallOutcome> {
  const { context, fetched } = first;
  const { settle } = first.request;
  const chosen = await chooseSkills(fetched, first.request, context);
  const reviewed: { skill: FetchedSkill; review: Review }[] = [];
  for (const [index, skill] of chosen.entries()) {
    if (chosen.length > 1) context.progress(`scanning ${index + 1} of ${chosen.length}`);
    reviewed.push({ skill, review: await reviewSkill(skill, skill.from ?? fetched) });
  }
  const planAll = (work: InstallWork) => reviewed.map((one) => planSkill(one, work));
  const show = (previews: readonly Preview[], { place }: InstallWork) => {
    const source = showSource(spellForLock(fetched.source, place));
    const whose = settle === undefined ? `, for the ${place.scope}` : '';
    const from = `from ${makeVisible(source)}${describeResolution(fetched.resolution)}${whose}`;
    context.note([from, ...renderPreviews(previews)].join('\n'));
  };
  if (settle !== undefined)
    show(
      planAll(first).map((plan) => ({ ...plan, agents: undefined })),
      first,
    );
  const request = settle === undefined ? first.request : { ...first.request, ...(await settle()) };
  const work = settle === undefined ? first : { ...first, request, ...(await settlePlace(request, context)) };
  const { place, read } = work;
  const all = planAll(work);
  const command = (names: string) => `${spellInstall(request)} --skill ${names} --scope ${place.scope}`;
  if (!request.acceptMoved) checkMoved(all, read.lock, command);
  if (settle === undefined) show(all, work);
  const failed: Failure[] = [];
  const source = spellForLock(fetched.source, place);
  const outcome = { scope: place.scope, source, skills: all.map(rowOf), declined: false, failed };
  const candidates = all.map((plan) => candidateOf(plan, read.lock));
  if (request.dryRun) {
    const locks = { lock: read.lock, placed: readPlaced(place) };
    for (const { name, entry } of all) decideFate(name, entry, { ...work, ...locks });
    for (const candidate of candidates) {
      const error = gate.refusalOf(candidate, command(candidate.name));
      if (error !== undefined) failed.push(failureOf(candidate.name, error, context));
    }
    const skills = outcome.skills.filter(({ name }) => failed.every((one) => one.name !== name));
    return { ...outcome, skills, installed: false };
  }
  const changes = await checkChanges(all, work);
  const cleared = new Map(
    await gate.clear(candidates, {
      place,
      command,
      refused: (name, error) => failed.push(failureOf(name, error, context)),
    }),
  );
  const plans = all.filter(({ name }) => cleared.has(name));
  const noticesOf = rememberedNotices(context.workspace);
  for (const { name, after, stays } of changes) {
    const known = entryOf(read.lock, name);
    if (!stays || !cleared.has(name) || known === undefined) continue;
    // It stays with edits: those were not in the source.
    const files = readSkillFiles(join(place.store.skills, name));
    if (describeFiles(files).digest === after?.digest) continue;
    const notices = noticesOf({ name, place, entry: known });
    cleared.set(name, await clearLocked(name, known, { gate, place, files, notices }));
  }
  gate.close();
  const amount = plans.length === 1 ? plans[0]!.name : `${plans.length} skills`;
  if (!(await askToGoOn(`Install ${amount}?`, request, context)))
    return { ...outcome, skills: plans.map(rowOf), installed: false, declined: true };
  if (request.targets.length > 0) await trustNamed(work);
  const desired = plans.map((plan) => ({
    name: plan.name,
    async settle(locks: LocksNow) {
      const { stays, ...change } = await changeOf(plan, { ...work, ...locks });
      const content = cleared.get(plan.name)!;
      const row = ({ lock, deployments, backups }: Changed) => ({
        ...rowOf(plan),
        agents: lock.skills[plan.name]!.targets.map(({ agent }) => agent),
        pinned: lock.skills[plan.name]!.pinned,
        deployments: [...(deployments.get(plan.name) ?? [])],
        backup: backups.get(plan.name) ?? null,
      });
      // Says too that the newest version was installed, in place of what a source said before.
      const { notices = [] } = fetched;
      return { plan: { ...change, notices, ...(stays ? { stays: content } : { content }) }, row };
    },
  }));
  const { force } = request;
  const { rows } = await reconcile(place, desired, { context, read, force, together: true });
  return { ...outcome, installed: true, skills: rows };
}

/** A directory that the user names on the command line is confirmed by that. */
async function trustNamed({ targets, place, context }: InstallWork): Promise<void> {
  const { project } = place;
  if (project === undefined) return;
  const dirs = place.targets(targets).map(({ dir }) => dir);
  const ask = { confirm: async () => true };
  await confirmTargets(dirs, { project, workspace: context.workspace, ask });
}

/** E221 when the lock has the same tag of the same repository, or the same version, with other content. */
function checkMoved(plans: readonly InstallPlan[], lock: Lock, command: (name: string) => string): void {
  for (const { name, entry } of plans) {
    const known = Object.entries(lock.skills).filter(
      ([other, { source }]) => isSameRef(source, entry.source) || (other === name && source === entry.source),
    );
    for (const [, locked] of known) {
      const moved = movedError(locked, { after: entry.resolution, command: command(name) });
      if (moved !== undefined) throw moved;
    }
  }
}

function candidateOf({ name, skill, review }: InstallPlan, lock: Lock): Candidate {
  const accepted = entryOf(lock, name)?.accepted ?? [];
  const files = () => readSkillFiles(skill.dir);
  return { name, review, files, accepted, isScored: true, staged: skill };
}

/** The changes as things are now. Waits for another process that is changing the place before it refuses. */
async function checkChanges(plans: readonly InstallPlan[], work: InstallWork): Promise<InstallChange[]> {
  const { context, place } = work;
  for (let { read } = work; ; ) {
    try {
      const locks = { lock: read.lock, placed: readPlaced(place) };
      const changes: InstallChange[] = [];
      for (const plan of plans) changes.push(await changeOf(plan, { ...work, ...locks }));
      return changes;
    } catch (error) {
      await recoverIfNeeded(place, context);
      const now = readAgain(place.store.lock, read);
      if (now.text === read.text) throw error;
      read = now;
    }
  }
}

/** A skill of the result, before it is written. */
function rowOf({ name, status, path, description, agents = [], review, entry }: InstallPlan): Installed {
  return {
    ...{ name, status, path, description, agents: [...agents], pinned: entry.pinned },
    resolution: resolvedOf(entry.resolution),
    review: summarizeReview(review),
    ...{ deployments: [], backup: null },
  };
}

function describeResolution({ commit, version }: Resolution): string {
  if (commit !== undefined) return ` at ${commit.slice(0, 12)}`;
  return version === undefined ? '' : ` at ${makeVisible(version)}`;
}
