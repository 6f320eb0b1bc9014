// The gate: content enters a place only as `ClearedContent`, and only this file makes that.

import { join } from 'node:path';
import { diagnose, SkillwrightError } from '../../../base/diagnostics/index.ts';
import { type Acceptance, describeAcceptance, isAbout } from '../lock/acceptance.ts';
import type { InstallContext, InstallPlace } from '../place/install-place.ts';
import {
  describeFiles,
  moveDirectory,
  readSkillFiles,
  type SkillFiles,
  writeSkillFiles,
} from '../place/stored-files.ts';
import { ASK_BELOW, type Review, WARN_BELOW } from '../plan/preview.ts';
import { confirmAcceptances, unconfirmed } from './acceptance-memory.ts';
import { acceptingUser } from './accepting-user.ts';
import { type Demand, demandsOf, LOW_TRUST } from './demands.ts';
import { refusal, unconfirmedError } from './refusal.ts';
import { noteVerdict } from './verdict-memory.ts';

/** What the user accepts beforehand. */
export interface Consent {
  /** Ids of findings, or of rules. */
  readonly accept: readonly string[];
  /** Why; needed where something is accepted. */
  readonly reason?: string | undefined;
  /** Takes the acceptances of the lock for the user's own. */
  readonly trustLock: boolean;
}

/** A consent to nothing. */
export const noConsent: Consent = { accept: [], trustLock: false };

/** A scanned skill that is to be written, or to be given to agents. */
export interface Candidate {
  readonly name: string;
  readonly review: Review;
  /** What would be written: it has to be what was scanned. */
  files(): SkillFiles;
  /** A private directory that holds just these files and that nobody needs afterwards: it is moved, not copied. */
  readonly staged?: string | undefined;
  /** What the lock accepts of it. */
  readonly accepted: readonly Acceptance[];
  /** Whether its trust score rests on what the source says. */
  readonly isScored: boolean;
}

/** Where skills are to go. */
export interface Entrance {
  readonly place: Pick<InstallPlace, 'scope'>;
  /** The command to repeat with `--accept`, without its flags. */
  readonly command: string;
}

interface GateWorld extends Entrance {
  readonly context: InstallContext;
  readonly words: readonly string[];
}

/** Content that was scanned and that may enter a place. */
class Cleared {
  readonly #candidate: Candidate;
  /** What was accepted of it, for the lock. */
  readonly accepted: readonly Acceptance[];

  constructor(candidate: Candidate, accepted: readonly Acceptance[]) {
    this.#candidate = candidate;
    this.accepted = accepted;
  }

  /** The files that were scanned. E204 when they are no longer the same. */
  files(): SkillFiles {
    return this.#check(this.#candidate.files());
  }

  /** Puts the files into `dir`, which must not exist, and gives their paths. E204 when they are no longer the same. */
  placeAt(dir: string): string[] {
    const { staged } = this.#candidate;
    if (staged === undefined || !moveDirectory(staged, dir)) return writeSkillFiles(dir, this.files());
    // Checked where it lies now: nothing reads the old place any more.
    return [...this.#check(readSkillFiles(dir)).keys()].map((path) => join(dir, path));
  }

  #check(files: SkillFiles): SkillFiles {
    if (describeFiles(files).digest !== this.#candidate.review.digest)
      throw SkillwrightError.of('E204', { what: this.#candidate.name });
    noteVerdict(this.#candidate.review);
    return files;
  }
}

/** Content that was scanned and that may enter a place. Only a gate makes it. */
export type ClearedContent = Cleared;

/** The gate of one command. */
export interface Gate {
  /**
   * Lets skills through: those in which nothing has to be accepted, and those whose every finding was accepted here, or
   * in the lock by somebody the user relies on. E208 for danger and E213 for a very low score that nobody accepts, E219
   * for acceptances of a lock that the user has not confirmed.
   */
  clear(candidates: readonly Candidate[], entrance: Entrance): Promise<ReadonlyMap<string, ClearedContent>>;
  /** W216 for what was accepted and not found, once everything was looked at. */
  close(): void;
}

/** Opens the gate. E100 when something is accepted without a reason. */
export function openGate(consent: Consent, context: InstallContext): Gate {
  const words = wordsOf(consent);
  const unused = new Set(words);
  return {
    clear(candidates, entrance) {
      for (const { review } of candidates)
        for (const { id, rule } of [...review.findings, ...demandsOf(review, { isScored: true })])
          for (const word of [id, rule]) unused.delete(word);
      return clearSkills(candidates, consent, { ...entrance, context, words });
    },
    close() {
      for (const finding of unused) context.report(diagnose('W216', { finding }));
    },
  };
}

async function clearSkills(
  candidates: readonly Candidate[],
  consent: Consent,
  world: GateWorld,
): Promise<ReadonlyMap<string, ClearedContent>> {
  const { context, words } = world;
  const judged = candidates.map((candidate) => ({ ...judge(candidate, words), candidate }));
  await settleLocked(
    judged.flatMap(({ byLock, candidate: { name } }) => byLock.map((acceptance) => ({ name, acceptance }))),
    consent,
    world,
  );
  warnOfLowTrust(candidates, context);
  const open = judged.flatMap(({ open: demands, candidate: { name } }) =>
    demands.map((demand) => ({ skill: name, ...demand })),
  );
  const isAgreed = open.length > 0 && (await askAboutTrust(open, context));
  if (open.length > 0 && !isAgreed) throw refusal(open, world.command);
  const now = isAgreed ? [...open] : [];
  const accepting = judged.some(({ byWord }) => byWord.length > 0) || isAgreed;
  const signature = accepting ? await signatureOf(consent, context) : undefined;
  const cleared = judged.map(({ candidate, byLock, byWord }) => {
    const added = [...byWord, ...now.filter(({ skill }) => skill === candidate.name)].map((demand) =>
      acceptanceOf(demand, signature!),
    );
    confirmAcceptances(added, context.workspace.user);
    const kept = [...byLock, ...otherwiseKnown(candidate, [...byLock, ...added])];
    return [candidate.name, new Cleared(candidate, [...kept, ...added])] as const;
  });
  return new Map(cleared);
}

/** The words of `--accept`. E100 without a reason. */
function wordsOf({ accept, reason }: Consent): readonly string[] {
  const words = accept.flatMap((list) => list.split(',')).map((word) => word.trim());
  const given = words.filter((word) => word !== '');
  if (given.length > 0 && (reason ?? '').trim() === '')
    throw SkillwrightError.of(
      'E100',
      { why: '--accept needs a reason' },
      { help: 'say why with --reason "…"; it is written to the lock' },
    );
  return given;
}

interface Judged {
  /** What the lock accepts and has to be accepted. */
  readonly byLock: readonly Acceptance[];
  readonly byWord: readonly Demand[];
  readonly open: readonly Demand[];
}

function judge({ review, isScored, accepted }: Candidate, words: readonly string[]): Judged {
  const byLock: Acceptance[] = [];
  const byWord: Demand[] = [];
  const open: Demand[] = [];
  for (const demand of demandsOf(review, { isScored })) {
    const locked = accepted.find((acceptance) => isAbout(acceptance, demand));
    if (words.includes(demand.id) || words.includes(demand.rule)) byWord.push(demand);
    else if (locked !== undefined) byLock.push(locked);
    else open.push(demand);
  }
  return { byLock, byWord, open };
}

/** Acceptances of findings that are still there, though nothing depends on them at present. */
function otherwiseKnown({ accepted, review }: Candidate, used: readonly Acceptance[]): readonly Acceptance[] {
  return accepted.filter(
    (acceptance) =>
      used.every(({ finding }) => finding !== acceptance.finding) &&
      (review.findings.some((finding) => isAbout(acceptance, finding)) ||
        (acceptance.file === '.' && acceptance.digest === review.digest)),
  );
}

/** Tells every acceptance that the lock brings, and asks for those the user of this machine does not know. */
async function settleLocked(
  locked: readonly { readonly name: string; readonly acceptance: Acceptance }[],
  { trustLock }: Consent,
  { context, place, command }: GateWorld,
): Promise<void> {
  if (locked.length === 0) return;
  const { ask, workspace } = context;
  // The user's own lock was written on the user's word.
  const known = locked.map(({ acceptance }) => acceptance);
  const strange = place.scope === 'user' ? [] : unconfirmed(known, workspace.user);
  const refuse = () =>
    unconfirmedError(
      locked.filter(({ acceptance }) => strange.includes(acceptance)),
      command,
    );
  const hasToAsk = strange.length > 0 && !trustLock;
  if (hasToAsk && ask === undefined) throw refuse();
  const lines = locked.map(({ name, acceptance }) => describeAcceptance(acceptance, name));
  context.note(['accepted in the lock:', ...lines].join('\n'));
  const amount = strange.length === 1 ? 'a dangerous finding' : `${strange.length} dangerous findings`;
  if (hasToAsk && !(await ask?.confirm(`The lock accepts ${amount} for you. Do you agree?`))) throw refuse();
  confirmAcceptances(strange, workspace.user);
}

/** The scores of all skills stand in the preview. */
const SHOWN_NAMES = 10;

function warnOfLowTrust(candidates: readonly Candidate[], context: InstallContext): void {
  const low = candidates.filter(
    ({ review, isScored }) => isScored && review.trust.score >= ASK_BELOW && review.trust.score < WARN_BELOW,
  );
  if (low.length === 0) return;
  const names = low.slice(0, SHOWN_NAMES).map(({ name, review }) => `${name} (${review.trust.score})`);
  const more = low.length > SHOWN_NAMES ? `, and ${low.length - SHOWN_NAMES} more` : '';
  context.note(`warning: trust score below ${WARN_BELOW}: ${names.join(', ')}${more}`);
}

/** A person may take the risk of a low score at the terminal. Danger has to be accepted finding by finding. */
async function askAboutTrust(
  open: readonly (Demand & { readonly skill: string })[],
  { ask }: InstallContext,
): Promise<boolean> {
  if (ask === undefined || open.some(({ rule }) => rule !== LOW_TRUST)) return false;
  const names = open.map(({ skill }) => skill).join(', ');
  return ask.confirm(`The trust score of ${names} is below ${ASK_BELOW}. Take the risk?`);
}

interface Signature {
  readonly by: string;
  readonly reason: string;
  readonly at: string;
}

async function signatureOf({ reason = '' }: Consent, context: InstallContext): Promise<Signature> {
  const by = await acceptingUser(context.workspace);
  const why = reason.trim().slice(0, 1000) || 'agreed to when asked';
  return { by, reason: why, at: context.now().toISOString() };
}

const acceptanceOf = ({ id, rule, file, digest }: Demand, signature: Signature): Acceptance => ({
  finding: id,
  rule,
  file,
  digest,
  ...signature,
});
