// The acceptances a skill needs before it may be installed, and the errors without them, each with the command to
// continue.

import { makeVisible, SkillwrightError } from '../../../base/diagnostics/index.ts';
import { type FindingIdentity, findingIdentity } from '../../../guard/scan/index.ts';
import { type Acceptance, describeAcceptance } from '../lock/acceptance.ts';
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

/** E208 when the scan found danger, else E213. The help is the command that accepts exactly this. */
export function refusal(open: readonly OpenDemand[], command: string): SkillwrightError {
  const dangerous = open.filter(({ rule }) => rule !== LOW_TRUST);
  const told = dangerous.length > 0 ? dangerous : open;
  const what = [...new Set(told.map(({ skill }) => skill))].join(', ');
  const lines = told.slice(0, SHOWN).map(describeDemand);
  const rest = told.length - lines.length;
  const more = rest > 0 ? [`  … and ${rest} more`] : [];
  const words = wordsFor(open);
  const isOne = words.length === 1;
  const help = `read ${isOne ? 'it' : 'them'}; to accept ${isOne ? 'it' : 'them'}: ${command} --accept ${words.join(',')} --reason "why it is safe"`;
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
