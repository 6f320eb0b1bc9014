// The acceptances a skill needs before it may be installed, those that the user of this machine has confirmed, and the
// errors without them, each with the command to continue. A lock comes with a repository, so its acceptances are
// untrusted until the user confirms them.

import { makeVisible, SkillwrightError } from '../../../base/diagnostics/index.ts';
import { askProgram, sha256 } from '../../../base/files/index.ts';
import { type FindingIdentity, findingIdentity } from '../../../guard/scan/index.ts';
import { readState, type Store, updateState, type Workspace } from '../../../skill/workspace/index.ts';
import { type Acceptance, describeAcceptance } from '../lock/lock.ts';
import { ASK_BELOW, type Review } from '../plan/preview.ts';

/** One thing to accept. */
export interface Demand extends FindingIdentity {
  readonly line: number | null;
  readonly severity: string;
  readonly message: string;
}

/** The rule under which a very low trust score is accepted. */
export const LOW_TRUST = 'low-trust';

/** The rule under which danger is accepted that no finding explains. */
const DANGER = 'danger';

/**
 * The acceptances a skill needs: with danger one for every finding above a remark, else one for a trust score below 30.
 * The score counts only if the source was fetched: it is unknown for content from the cache.
 */
export function demandsOf(
  review: Review,
  { isScored }: { readonly isScored: boolean },
): readonly [Demand, ...Demand[]] | readonly [] {
  const { verdict, findings, trust } = review;
  if (verdict === 'danger') {
    const grave = findings.filter(({ severity }) => severity !== 'low');
    const once = new Map((grave.length > 0 ? grave : findings).map((finding) => [finding.id, finding]));
    const [first, ...others] = once.values();
    return first === undefined ? [wholeDemand(DANGER, 'dangerous as a whole', review)] : [first, ...others];
  }
  if (!isScored || trust.score >= ASK_BELOW) return [];
  return [wholeDemand(LOW_TRUST, `trust score ${trust.score} of 100`, review)];
}

/** A demand about all of a skill. */
function wholeDemand(rule: string, message: string, { digest, verdict }: Review): Demand {
  const identity = findingIdentity({ rule, file: '.' }, { digest, line: '' });
  return { ...identity, line: null, severity: verdict === 'danger' ? 'high' : 'low', message };
}

const SHOWN = 20;

/** A required acceptance that is missing. */
type OpenDemand = Demand & { readonly skill: string };

/** E208 when the scan found danger, else E213. The help is the command that accepts this, besides the words already given. */
export function refusal(
  open: readonly OpenDemand[],
  { command, given }: { readonly command: string; readonly given: readonly string[] },
): SkillwrightError {
  const dangerous = open.filter(({ rule }) => rule !== LOW_TRUST);
  const told = dangerous.length > 0 ? dangerous : open;
  const what = [...new Set(told.map(({ skill }) => skill))].join(', ');
  const lines = told.slice(0, SHOWN).map(describeDemand);
  const rest = told.length - lines.length;
  const more = rest > 0 ? [`  … and ${rest} more`] : [];
  const words = wordsFor(open);
  const isOne = words.length === 1;
  const help = `read ${isOne ? 'it' : 'them'}; to accept ${isOne ? 'it' : 'them'}: ${command} --accept ${[...given, ...words].join(',')} --reason "why it is safe"`;
  const detail = [...lines, ...more].join('\n');
  const findings = open.map(({ skill, id, rule, file, line, severity, message }) => ({
    skill,
    id,
    rule,
    file,
    line,
    severity,
    message,
  }));
  return dangerous.length > 0
    ? SkillwrightError.of('E208', { what }, { help, detail, data: { findings } })
    : SkillwrightError.of('E213', { skill: what }, { help, detail, data: { findings } });
}

/** Finding ids, or rule ids when there are too many findings. */
function wordsFor(open: readonly OpenDemand[]): string[] {
  const ids = [...new Set(open.map(({ id }) => id))];
  return ids.length <= SHOWN ? ids : [...new Set(open.map(({ rule }) => rule))];
}

function describeDemand({ skill, severity, file, line, message, rule, id }: OpenDemand): string {
  const where = line === null ? file : `${file}:${line}`;
  return makeVisible(`  ${skill}: ${severity}: ${where}: ${message} (${rule}, ${id})`);
}

/** E219 for acceptances that came with a lock. */
export function unconfirmedError(
  locked: readonly { readonly name: string; readonly acceptance: Acceptance }[],
  command: string,
): SkillwrightError {
  return SkillwrightError.of(
    'E219',
    { skill: [...new Set(locked.map(({ name }) => name))].join(', ') },
    {
      help: `if you trust the people who accepted them: ${command} --trust-lock`,
      detail: locked.map(({ name, acceptance }) => describeAcceptance(acceptance, name)).join('\n'),
      data: { accepted: locked.map(({ name, acceptance }) => ({ skill: name, ...acceptance })) },
    },
  );
}

const KEY = 'accepted_findings';

/** The acceptances that the user has not confirmed. */
export function unconfirmed(
  acceptances: readonly Acceptance[],
  user: Pick<Store, 'state'>,
): readonly Acceptance[] {
  if (acceptances.length === 0) return [];
  const known = new Set(listed(readState(user.state).state));
  return acceptances.filter((acceptance) => !known.has(acceptanceKey(acceptance)));
}

/** Remembers acceptances as the user's own. E016 when that cannot be written. */
export function confirmAcceptances(acceptances: readonly Acceptance[], user: Pick<Store, 'state'>): void {
  if (unconfirmed(acceptances, user).length === 0) return;
  updateState(user.state, (state) => {
    const all = new Set([...listed(state), ...acceptances.map(acceptanceKey)]);
    return { ...state, [KEY]: [...all].sort() };
  });
}

/** An acceptance covers one finding in one content, with the name and the reason that were shown. */
const acceptanceKey = ({ finding, rule, file, digest, by, reason }: Acceptance): string =>
  sha256(JSON.stringify([finding, rule, file, digest, by, reason]));

function listed(state: Readonly<Record<string, unknown>>): string[] {
  const value = state[KEY];
  return Array.isArray(value) ? value.filter((key) => typeof key === 'string') : [];
}

const MAX_NAME = 200;
const TIMEOUT_MS = 2_000;

/** The user's name from git, else the account name. A repository cannot change it. */
export async function acceptingUser({ env, home }: Pick<Workspace, 'env' | 'home'>): Promise<string> {
  const name = (await gitName({ env, home })) || env.USER || env.LOGNAME || env.USERNAME || 'unknown';
  return (
    name
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, MAX_NAME) || 'unknown'
  );
}

/** `user.name` from the user's own git configuration; undefined when it is not set or git is missing. */
function gitName({ env, home }: Pick<Workspace, 'env' | 'home'>): Promise<string | undefined> {
  const { PATH, XDG_CONFIG_HOME } = env;
  return askProgram('git', ['config', '--global', '--get', 'user.name'], {
    env: { PATH, HOME: home, XDG_CONFIG_HOME },
    timeoutMs: TIMEOUT_MS,
  });
}
