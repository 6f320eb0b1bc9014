// Small labels: a tone, a sign for those who do not see colours, and a word.

import { type Content, type Html, html } from './html.ts';

/** Meaning of the colours, the same on every page. */
export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad';

/** A label. */
export function badge(text: string, options: { tone?: Tone; sign?: Content; title?: string } = {}): Html {
  const { tone = 'neutral', sign, title } = options;
  const mark = sign === undefined ? '' : html`<span aria-hidden="true">${sign}</span>`;
  const attributes = title === undefined ? '' : html` title="${title}"`;
  return html`<span class="badge ${tone}"${attributes}>${mark}<bdi>${text}</bdi></span>`;
}

const verdicts: Readonly<Record<string, { tone: Tone; sign: string; title: string }>> = {
  clean: { tone: 'good', sign: '✓', title: 'The scan found nothing' },
  caution: { tone: 'warn', sign: '!', title: 'Read the findings before you install it' },
  danger: { tone: 'bad', sign: '✕', title: 'Do not install it' },
};

/** The verdict of a scan, `unknown` without one; `all` is the one with findings that somebody accepted. */
export function verdictBadge(verdict: string, all: string = verdict): Html {
  if (verdict === 'unknown')
    return badge('not scanned', { sign: '?', title: 'Nobody has scanned this text' });
  if (verdict === 'clean' && all !== 'clean')
    return badge('accepted', {
      tone: 'accent',
      sign: '✓',
      title: `${all}, with findings that somebody accepted`,
    });
  return badge(verdict, verdicts[verdict] ?? { tone: 'neutral', sign: '?' });
}

const levels: Readonly<Record<string, { tone: Tone; sign: string; title: string }>> = {
  official: { tone: 'accent', sign: '★', title: 'The registry marks this skill as official' },
  verified: { tone: 'accent', sign: '✓', title: 'The registry verified its origin' },
  community: { tone: 'neutral', sign: '·', title: 'Published by a member' },
};

/** The trust level that a registry gives a skill. */
export function levelBadge(level: string): Html {
  return badge(level, levels[level] ?? {});
}

const states: Readonly<Record<string, { tone: Tone; sign: string }>> = {
  latest: { tone: 'good', sign: '●' },
  pending: { tone: 'warn', sign: '…' },
  'too-young': { tone: 'warn', sign: '…' },
  yanked: { tone: 'warn', sign: '!' },
  deprecated: { tone: 'warn', sign: '!' },
  quarantined: { tone: 'bad', sign: '✕' },
  rejected: { tone: 'bad', sign: '✕' },
  scan: { tone: 'bad', sign: '✕' },
  purged: { tone: 'bad', sign: '✕' },
};

/** The state of a version. */
export function stateBadge(state: string, reason?: string): Html {
  const { tone, sign } = states[state] ?? { tone: 'neutral' as const, sign: '·' };
  const word = state === 'scan' ? 'refused by scan' : state.replaceAll('-', ' ');
  return badge(word, { tone, sign, ...(reason === undefined ? {} : { title: reason }) });
}

const severities: Readonly<Record<string, Tone>> = {
  low: 'neutral',
  medium: 'warn',
  moderate: 'warn',
  high: 'bad',
  critical: 'bad',
};

/** How much harm a finding or an advisory can do. */
export function severityBadge(severity: string): Html {
  return badge(severity, { tone: severities[severity] ?? 'neutral' });
}

/** For skills only members see. */
export function privateBadge(): Html {
  const lock = html`<svg class="lock" viewBox="0 0 12 12" focusable="false"><path d="M3.5 5.5v-1.75a2.5 2.5 0 0 1 5 0V5.5M2.5 5.5h7v5h-7z"/></svg>`;
  return badge('private', { sign: lock, title: 'Only members see it' });
}
