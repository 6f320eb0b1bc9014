// The gate: content enters a place only as `ClearedContent`, and only this file creates that.

import { join } from 'node:path';
import { diagnose, SkillwrightError } from '../../../base/diagnostics/index.ts';
import type { Skill } from '../../../skill/skill/index.ts';
import type { Notice } from '../../results/index.ts';
import { type Acceptance, describeAcceptance, isAbout, type LockedSkill } from '../lock/lock.ts';
import type { InstallContext, InstallPlace } from '../place/install-place.ts';
import {
  describeFiles,
  moveDirectory,
  readSkillFiles,
  type SkillFiles,
  writeSkillFiles,
} from '../place/stored-files.ts';
import { ASK_BELOW, type Review, reviewFiles, WARN_BELOW } from '../plan/preview.ts';
import { withheldSkill } from '../source/ask-registries.ts';
import type { FetchedSource } from '../source/fetched-source.ts';
import {
  acceptingUser,
  confirmAcceptances,
  type Demand,
  demandsOf,
  LOW_TRUST,
  refusal,
  unconfirmed,
  unconfirmedError,
} from './demands.ts';

/** Acceptances given on the command line. */
export interface Consent {
  /** Ids of findings or rules. */
  readonly accept: readonly string[];
  /** The reason; required when something is accepted. */
  readonly reason?: string | undefined;
  /** Treats the acceptances in the lock as the user's own. */
  readonly trustLock: boolean;
}

/** Accepts nothing. */
export const noConsent: Consent = { accept: [], trustLock: false };

/** A scanned skill to write or to deploy to agents. */
export interface Candidate {
  readonly name: string;
  readonly review: Review;
  /** Files to write: they must be the scanned ones. */
  files(): SkillFiles;
  /** The skill in a private directory with exactly these files. The directory is moved, not copied. */
  readonly staged?: Skill | undefined;
  /** Acceptances from the lock. */
  readonly accepted: readonly Acceptance[];
  /** Whether its trust score includes facts from the source. */
  readonly isScored: boolean;
}

/** Destination of skills. */
export interface Entrance {
  readonly place: Pick<InstallPlace, 'scope'>;
  /** The command to repeat with `--accept`, without its flags; of several skills, one for each. */
  readonly command: string | ((name: string) => string);
  /** Receives the skills that are refused while others are cleared; without it, one refused skill stops all. */
  readonly refused?: ((name: string, error: SkillwrightError) => void) | undefined;
}

interface GateWorld extends Entrance {
  readonly context: InstallContext;
  readonly words: readonly string[];
}

/** Scanned content that may enter a place. */
class Cleared {
  readonly #candidate: Candidate;
  /** Acceptances to write to the lock. */
  readonly accepted: readonly Acceptance[];

  constructor(candidate: Candidate, accepted: readonly Acceptance[]) {
    this.#candidate = candidate;
    this.accepted = accepted;
  }

  /** The skill as it was scanned, if it was opened for that; its directory is no longer there once it is placed. */
  get skill(): Skill | undefined {
    return this.#candidate.staged;
  }

  /** The verdict on these files. */
  get verdict(): Review['verdict'] {
    return this.#candidate.review.verdict;
  }

  /** The scanned files. E204 when they have changed. */
  files(): SkillFiles {
    return this.#check(this.#candidate.files());
  }

  /** Writes the files to `dir`, which must not exist, and returns them. E204 when they have changed. */
  placeAt(dir: string): SkillFiles {
    const { staged } = this.#candidate;
    // Safety: read and hashed again at the new path. Nothing reads the old one any more.
    if (staged !== undefined && moveDirectory(staged.dir, dir)) return this.#check(readSkillFiles(dir));
    const files = this.files();
    writeSkillFiles(dir, files);
    return files;
  }

  #check(files: SkillFiles): SkillFiles {
    if (describeFiles(files).digest !== this.#candidate.review.digest)
      throw SkillwrightError.of('E204', { what: this.#candidate.name });
    return files;
  }
}

/** Scanned content that may enter a place. Only a gate creates it. */
export type ClearedContent = Cleared;

/** The gate of one command. */
export interface Gate {
  /**
   * Clears skills that need no acceptance, and those whose findings were all accepted: on this command, or in the lock by
   * a person the user trusts. E208 for unaccepted danger, E213 for an unaccepted very low score, E219 for acceptances in
   * the lock that the user has not confirmed.
   */
  clear(candidates: readonly Candidate[], entrance: Entrance): Promise<ReadonlyMap<string, ClearedContent>>;
  /** The error with which `clear` would refuse a skill, if nobody can be asked about it. */
  refusalOf(candidate: Candidate, command: string): SkillwrightError | undefined;
  /** W216 for acceptances that matched no finding. Call it after all skills were cleared. */
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
    refusalOf(candidate, command) {
      const { open } = judge(candidate, words);
      const mayAsk = context.ask !== undefined && open.every(({ rule }) => rule === LOW_TRUST);
      return open.length === 0 || mayAsk
        ? undefined
        : refusal(named(candidate, open), { command, given: words });
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
  const open = judged.flatMap(({ open: demands, candidate }) => named(candidate, demands));
  const isAgreed = open.length > 0 && (await askAboutTrust(open, context));
  const refused = isAgreed ? [] : judged.filter((one) => one.open.length > 0);
  const { command } = world;
  const commandOf = typeof command === 'string' ? () => command : command;
  if (refused.length > 0 && (world.refused === undefined || refused.length === judged.length))
    throw refusal(open, {
      command: commandOf([...new Set(open.map(({ skill }) => skill))].join(',')),
      given: words,
    });
  for (const { candidate, open: own } of refused) {
    const { name } = candidate;
    world.refused?.(name, refusal(named(candidate, own), { command: commandOf(name), given: words }));
  }
  const now = isAgreed ? [...open] : [];
  const good = judged.filter((one) => !refused.includes(one));
  const accepting = good.some(({ byWord }) => byWord.length > 0) || isAgreed;
  const signature = accepting ? await signatureOf(consent, context) : undefined;
  const cleared = good.map(({ candidate, byLock, byWord }) => {
    const added = [...byWord, ...now.filter(({ skill }) => skill === candidate.name)].map((demand) =>
      acceptanceOf(demand, signature!),
    );
    confirmAcceptances(added, context.workspace.user);
    const kept = [...byLock, ...otherwiseKnown(candidate, [...byLock, ...added])];
    return [candidate.name, new Cleared(candidate, [...kept, ...added])] as const;
  });
  return new Map(cleared);
}

const named = ({ name }: Candidate, demands: readonly Demand[]) =>
  demands.map((demand) => ({ skill: name, ...demand }));

/** The values of `--accept`. E100 without a reason. */
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
  /** Required acceptances that the lock already has. */
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

/** Acceptances of findings that still exist but need no acceptance now. */
function otherwiseKnown({ accepted, review }: Candidate, used: readonly Acceptance[]): readonly Acceptance[] {
  return accepted.filter(
    (acceptance) =>
      used.every(({ finding }) => finding !== acceptance.finding) &&
      (review.findings.some((finding) => isAbout(acceptance, finding)) ||
        (acceptance.file === '.' && acceptance.digest === review.digest)),
  );
}

/** Prints every acceptance from the lock, and asks about those not confirmed on this machine. */
async function settleLocked(
  locked: readonly { readonly name: string; readonly acceptance: Acceptance }[],
  { trustLock }: Consent,
  { context, place, command }: GateWorld,
): Promise<void> {
  if (locked.length === 0) return;
  const { ask, workspace } = context;
  // The user's own lock was written with the user's consent.
  const known = locked.map(({ acceptance }) => acceptance);
  const strange = place.scope === 'user' ? [] : unconfirmed(known, workspace.user);
  const refuse = () =>
    unconfirmedError(
      locked.filter(({ acceptance }) => strange.includes(acceptance)),
      typeof command === 'string' ? command : command(locked.map(({ name }) => name).join(',')),
    );
  const hasToAsk = strange.length > 0 && !trustLock;
  if (hasToAsk && ask === undefined) throw refuse();
  const lines = locked.map(({ name, acceptance }) => describeAcceptance(acceptance, name));
  context.note(['accepted in the lock:', ...lines].join('\n'));
  const amount = strange.length === 1 ? 'a dangerous finding' : `${strange.length} dangerous findings`;
  if (hasToAsk && !(await ask?.confirm(`The lock accepts ${amount} for you. Do you agree?`))) throw refuse();
  confirmAcceptances(strange, workspace.user);
}

/** Warns about low scores. The preview shows the scores of all skills. */
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

/** Asks at the terminal about a low score. Danger must be accepted finding by finding. */
async function askAboutTrust(
  open: readonly (Demand & { readonly skill: string })[],
  { ask }: InstallContext,
): Promise<boolean> {
  if (ask === undefined || open.some(({ rule }) => rule !== LOW_TRUST)) return false;
  const names = open.map(({ skill }) => skill).join(', ');
  return ask.confirm(`The trust score of ${names} is below ${ASK_BELOW}. Accept the risk?`);
}

interface Signature {
  readonly by: string;
  readonly reason: string;
  readonly at: string;
}

async function signatureOf({ reason = '' }: Consent, context: InstallContext): Promise<Signature> {
  const by = await acceptingUser(context.workspace);
  const why = reason.trim().slice(0, 1000) || 'accepted at the prompt';
  return { by, reason: why, at: context.now().toISOString() };
}

const acceptanceOf = ({ id, rule, file, digest }: Demand, signature: Signature): Acceptance => ({
  finding: id,
  rule,
  file,
  digest,
  ...signature,
});

/** A skill that the lock names: what was found in it, and where it goes. */
interface KnownContent extends Entrance, Pick<Candidate, 'review' | 'isScored'> {
  readonly gate: Gate;
  readonly files: SkillFiles;
}

/** Clears other content of a locked skill. E208, E213 and E219 as for the gate. */
export async function clearSkill(
  name: string,
  { accepted }: Pick<LockedSkill, 'accepted'>,
  { gate, files, review, isScored, ...entrance }: KnownContent,
): Promise<ClearedContent> {
  const candidate = { name, review, isScored, accepted, files: () => files };
  return (await gate.clear([candidate], entrance)).get(name)!;
}

/** The content of a locked skill. */
interface LockedContent {
  readonly gate: Gate;
  readonly place: InstallPlace;
  /** Warnings of its registry: a version that is withheld now does not come back from the cache either. */
  readonly notices: readonly Notice[];
  /** Without them, those in the store. */
  readonly files?: SkillFiles | undefined;
  /** The source, if it was fetched. */
  readonly fetched?: FetchedSource | undefined;
  /** The command to repeat; without it, a plain install. */
  readonly command?: string | undefined;
}

/** Clears the locked content of a skill: the errors of `clearSkill`, and E236 and E237 when its registry withholds it. */
export async function clearLocked(
  name: string,
  entry: LockedSkill,
  {
    place,
    files: given,
    fetched,
    notices,
    gate,
    command = `skc install --scope ${place.scope}`,
  }: LockedContent,
): Promise<ClearedContent> {
  const withheld = withheldSkill({ name, entry }, notices);
  if (withheld !== undefined) throw withheld;
  const files = given ?? readSkillFiles(join(place.store.skills, name));
  const review = await reviewFiles(name, files, fetched ?? { verified: true });
  return clearSkill(name, entry, { gate, place, command, files, review, isScored: fetched !== undefined });
}
