// Whether it may be installed: what the scan and the score demand, and the yes of whoever is asked.

import { makeVisible, SkillwrightError } from '../../../base/diagnostics/index.ts';
import type { InstallContext } from '../place/install-place.ts';
import { ASK_BELOW, type PreviewedSkill, WARN_BELOW } from './preview.ts';

/** What the user agreed to beforehand. */
export interface Consent {
  readonly yes: boolean;
  readonly acceptRisk: boolean;
}

/**
 * E208 when the scan found danger, E213 when the trust score is too low and nobody takes the risk: both need
 * `acceptRisk`. A low score warns.
 */
export async function checkRisk(
  skills: readonly Pick<PreviewedSkill, 'name' | 'review'>[],
  consent: Consent,
  context: InstallContext,
): Promise<void> {
  const dangerous = skills.filter(({ review }) => review.verdict === 'danger');
  if (dangerous.length > 0 && !consent.acceptRisk) throw refused(dangerous);
  const low = skills.filter(
    ({ review }) => review.trust.score >= ASK_BELOW && review.trust.score < WARN_BELOW,
  );
  if (low.length > 0) {
    const names = low.map(({ name, review }) => `${name} (${review.trust.score})`).join(', ');
    context.note(`warning: trust score below ${WARN_BELOW}: ${names}`);
  }
  const risky = skills.filter(({ review }) => review.trust.score < ASK_BELOW);
  if (risky.length === 0 || consent.acceptRisk) return;
  const names = risky.map(({ name }) => name).join(', ');
  const question = `The trust score of ${names} is below ${ASK_BELOW}. Take the risk?`;
  if (context.ask !== undefined && (await context.ask.confirm(question))) return;
  throw SkillwrightError.of(
    'E213',
    { skill: names },
    {
      detail: risky.map(({ name, review }) => `  ${name}: ${review.trust.score} of 100`).join('\n'),
      data: { skills: risky.map(({ name, review }) => ({ name, score: review.trust.score })) },
    },
  );
}

/** The yes of the user. E100 when it was not given; false when a person said no. */
export async function askToGoOn(
  question: string,
  consent: Consent,
  context: InstallContext,
): Promise<boolean> {
  if (consent.yes) return true;
  if (context.ask !== undefined) return context.ask.confirm(question);
  throw SkillwrightError.of(
    'E100',
    { why: 'there is nobody to ask' },
    { help: 'pass --yes to go on without a question, or --dry-run to look only' },
  );
}

function refused(skills: readonly Pick<PreviewedSkill, 'name' | 'review'>[]): SkillwrightError {
  const findings = skills.flatMap(({ name, review }) =>
    review.findings.slice(0, 5).map((finding) => ({ skill: name, ...finding })),
  );
  return SkillwrightError.of(
    'E208',
    { what: skills.map(({ name }) => name).join(', ') },
    {
      help: 'read what was found; --accept-risk installs all the same',
      detail: findings
        .map(
          ({ skill, severity, file, line, message }) =>
            `  ${skill}: ${severity}: ${makeVisible(file)}${line === null ? '' : `:${line}`}: ${message}`,
        )
        .join('\n'),
      data: { findings },
    },
  );
}
