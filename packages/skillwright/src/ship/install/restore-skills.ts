// skc install without a source: restores every skill in the lock exactly.

import { diagnose, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { InstallOutcome } from '../results/index.ts';
import { type Consent, clearLocked, type Gate, openGate } from './gate/gate.ts';
import { type Lock, requireEntry } from './lock/lock.ts';
import { type SettleRequest, settleLock } from './lock/merge-locks.ts';
import { checkTargets, type InstallContext, type InstallPlace, placeOf } from './place/install-place.ts';
import { readPlaced, readProof } from './place/place-records.ts';
import { diagnoseNotice } from './place/remembered.ts';
import { type ChangeRequest, editedError, failureOf, spellCommand } from './plan/consent.ts';
import type { Installed } from './plan/find-installed.ts';
import { reconcile, type Settled } from './reconcile.ts';
import { gatherFiles, type OpenSources, openSources } from './restore/gather-files.ts';
import { hearNotices, type NoticesOf, withheldSkill } from './source/ask-registries.ts';
import type { SourceOptions } from './source/locked-source.ts';
import { type Changed, type LocksNow, recoverIfNeeded } from './transaction/change-place.ts';
import { type Assessment, assessSkill, editsIn, findLeft, restoredStatus } from './verify/check-installed.ts';

/** A request to restore. Without names it is about every skill of the lock. */
export interface RestoreRequest
  extends Consent,
    SettleRequest,
    Pick<ChangeRequest, 'scope' | 'offline' | 'force'>,
    Partial<Pick<ChangeRequest, 'skills'>> {}

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
  const assessed = assessWanted({ lock, placed, place }, request);
  // A missing lock does not mean that skills should be removed.
  const left = request.skills === undefined && text !== null ? findLeft(lock, placed, place) : [];
  for (const { name, dir, isEdited } of left)
    if (isEdited) context.report(diagnose('W222', { skill: name, path: dir }));
  const removed = left.filter(({ isEdited }) => !isEdited).map(({ name }) => name);
  const noticesOf = await hearNews(assessed, options);
  const wrong = assessed.filter(isWrong);
  const withheld = new Map(wrong.map((skill) => [skill, withheldSkill(skill, noticesOf(skill))]));
  const outcome = { scope: place.scope, source: null, declined: false };
  if (request.dryRun || (removed.length === 0 && wrong.length === 0))
    return {
      ...outcome,
      installed: false,
      skills: [
        ...assessed.filter((skill) => withheld.get(skill) === undefined).map(describeRestored),
        ...removed.map((name) => rowOf(name, 'removed')),
      ],
      failed: [...withheld].flatMap(([{ name }, error]) =>
        error === undefined ? [] : [failureOf(name, error, context)],
      ),
    };
  const sources = openSources(place, options);
  try {
    const fetching = wrong.filter((skill) => withheld.get(skill) === undefined);
    await fetchAhead(fetching, sources);
    const work = { request, options, sources, gate, noticesOf };
    const desired = [
      ...assessed.map(({ name }, index) => ({
        name,
        async settle({ lock, placed }: LocksNow): Promise<Settled<Restored>> {
          context.progress(`restoring ${index + 1} of ${assessed.length}`);
          // Safety: assessed again under the lock.
          const skill = assess({ name, place, entry: requireEntry(lock, name) }, placed);
          return isWrong(skill) ? planOne(skill, work) : { row: () => describeRestored(skill) };
        },
      })),
      ...removed.map((name) => ({
        name,
        settle: () => ({ plan: { name, after: undefined }, row: rowAfter(rowOf(name, 'removed')) }),
      })),
    ];
    const { force } = request;
    const { rows: skills, failed } = await reconcile<Restored>(place, desired, { context, read, force });
    return { ...outcome, installed: skills.some(({ status }) => status !== 'unchanged'), skills, failed };
  } finally {
    gate.close();
    sources.release();
  }
}

/** A skill of the lock, and its problem. */
type AssessedEntry = Installed & { readonly assessed: Assessment };

const isWrong = ({ assessed }: AssessedEntry) => assessed.kind !== 'right';

function assessWanted(
  { lock, placed, place }: { lock: Lock; placed: Lock; place: InstallPlace },
  { skills: wanted }: RestoreRequest,
): AssessedEntry[] {
  const entries = Object.entries(lock.skills).filter(([name]) => wanted?.includes(name) ?? true);
  return entries.map(([name, entry]) => assess({ name, place, entry }, placed));
}

const assess = (skill: Installed, placed: Lock): AssessedEntry => ({
  ...skill,
  assessed: assessSkill(skill, placed),
});

/** Asks registries about the skills that have to be restored. W224 for their warnings, and for remembered ones about the rest. */
async function hearNews(skills: readonly AssessedEntry[], options: SourceOptions): Promise<NoticesOf> {
  const noticesOf = await hearNotices(skills.filter(isWrong), options);
  for (const skill of skills) {
    const notices = noticesOf(skill);
    // A refusal names the reason itself.
    if (isWrong(skill) && withheldSkill(skill, notices) !== undefined) continue;
    for (const notice of notices) options.context.report(diagnoseNotice(skill.name, notice));
  }
  return noticesOf;
}

/** Fetches what is probably needed before the place is locked, so that no other process waits for the network. */
async function fetchAhead(
  skills: readonly AssessedEntry[],
  { cache, at }: Pick<OpenSources, 'cache' | 'at'>,
): Promise<void> {
  for (const { name, entry, assessed } of skills) {
    if (assessed.kind !== 'files') continue;
    const { missing = Object.keys(entry.files), modified = [] } = assessed.drift ?? {};
    const isThere = [...missing, ...modified].every((path) => {
      const integrity = entry.files[path];
      return integrity === undefined || cache.has(integrity);
    });
    // A failure is reported when the skill is restored.
    if (!isThere) await at(name, entry).catch(() => {});
  }
}

interface RestoreWork {
  readonly gate: Gate;
  readonly request: RestoreRequest;
  readonly options: SourceOptions;
  readonly sources: OpenSources;
  readonly noticesOf: NoticesOf;
}

/** A restored skill: the lock has no more to say about it than its name and its agents. */
const rowOf = (name: string, status: Restored['status'], agents: string[] = []): Restored => ({
  ...{ name, status, agents, path: null, description: null, pinned: null },
  ...{ resolution: null, review: null, deployments: [], backup: null },
});

const describeRestored = ({ name, entry, assessed }: AssessedEntry): Restored =>
  rowOf(
    name,
    restoredStatus[assessed.kind],
    entry.targets.map(({ agent }) => agent),
  );

const rowAfter =
  (row: Restored) =>
  ({ backups }: Changed) => ({ ...row, backup: backups.get(row.name) ?? null });

async function planOne(skill: AssessedEntry, work: RestoreWork): Promise<Settled<Restored>> {
  const { name, place, entry, assessed } = skill;
  const { request, options, gate } = work;
  const { context } = options;
  const row = rowAfter(describeRestored(skill));
  const command = spellCommand(['skc install --scope', place.scope], request);
  const notices = work.noticesOf(skill);
  const withheld = withheldSkill(skill, notices);
  if (withheld !== undefined) throw withheld;
  await checkTargets(name, entry.targets, { place, context, force: request.force });
  if (assessed.kind !== 'files') {
    const stays = await clearLocked(name, entry, { gate, place, notices, command });
    return { row, plan: { name, after: entry, stays } };
  }
  const edits = editsIn(assessed.drift);
  if (edits.length > 0 && !request.force) {
    const help = `'skc diff ${name}' shows the edits and 'skc update ${name}' keeps them; --force restores the locked version and keeps a backup`;
    throw editedError(name, edits, help);
  }
  const { after, files, fetched } = await gatherLocked(skill, work);
  const content = await clearLocked(name, after, { gate, place, files, fetched, notices, command });
  // A proof that came with the lock stays: a new one would only differ in its checkpoint.
  const proof = readProof(name, place) === null ? fetched?.proof : undefined;
  const plan = { name, after, keep: edits.length > 0, content, takesBeside: true, proof };
  return { row, plan, bytes: [...files.values()].reduce((sum, file) => sum + file.bytes.length, 0) };
}

/** The locked files, including the project's edits. With `force`, edits that are not on this machine are dropped. */
async function gatherLocked(
  { name, entry }: AssessedEntry,
  { sources, request, options: { context } }: RestoreWork,
) {
  try {
    return { after: entry, ...(await gatherFiles(name, entry, { sources, edits: true })) };
  } catch (error) {
    if (!request.force || !(error instanceof SkillwrightError) || error.code !== 'E224') throw error;
    const gathered = await gatherFiles(name, entry, { sources, edits: false });
    context.note(
      `${name}: restored without the project's edits, which are not on this machine; the lock no longer lists them`,
    );
    return { after: { ...entry, edits: {} }, ...gathered };
  }
}
