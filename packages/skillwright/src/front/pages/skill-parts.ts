// Parts of a page about one skill, the same in the studio, in reports and in the registry.

import { formatPlace } from '../../base/diagnostics/index.ts';
import { formatBytes } from '../../base/files/index.ts';
import type { Ability } from '../../guard/abilities/index.ts';
import type { ScanFinding, TrustScore } from '../../guard/scan/index.ts';
import { badge, severityBadge } from './badge.ts';
import { shareBar } from './bars.ts';
import { foreign, showControls } from './foreign.ts';
import { type Content, type Html, html } from './html.ts';
import { day, formatCount, plural } from './numbers.ts';
import { type Column, table } from './table.ts';

/** The factors of a trust score as bars, each with its reason; in brief as a line of those that count. */
export function trustFactors(
  { factors, cap }: Pick<TrustScore, 'factors' | 'cap'>,
  { isBrief = false }: { readonly isBrief?: boolean } = {},
): Html {
  const counted = factors.filter(({ max }) => max > 0);
  if (isBrief)
    return html`<p class="small">${cap === null ? '' : html`${cap.reason}. `}${counted.map(({ factor, points, max }) => `${factor} ${points}/${max}`).join(', ')}</p>`;
  return html`${cap === null ? '' : html`<p>${badge(`capped at ${cap.at}`, { tone: 'bad' })} ${cap.reason}</p>`}<ul class="trust">${factors.map(
    ({ factor, points, max, reason }) =>
      html`<li><span class="trust-factor">${factor}</span>${shareBar(points / Math.max(1, max))}<span class="trust-points">${max === 0 ? '–' : `${points} of ${max}`}</span><span class="trust-reason">${foreign(reason)}</span></li>`,
  )}</ul>`;
}

/** A finding of a scan. Registries keep less of it, and reports add who accepted it. */
type ShownFinding = Pick<ScanFinding, 'rule' | 'file' | 'line' | 'message'> &
  Partial<Pick<ScanFinding, 'name' | 'reason' | 'excerpt'>> & {
    readonly severity: string;
    readonly confidence: string;
    readonly accepted?: { readonly by: string; readonly why: string; readonly at: string } | null;
  };

/** Findings shown of one skill unless a page says otherwise. */
const MAX_FINDINGS = 200;

/** Findings with what was found, why it matters and the line itself. `link` leads to its place; `rest` says where all are. */
export function findingList<Finding extends ShownFinding>(
  findings: readonly Finding[],
  options: {
    readonly link?: (finding: Finding) => string | undefined;
    readonly most?: number;
    readonly rest?: Content;
  } = {},
): Html {
  const { link, most = MAX_FINDINGS, rest } = options;
  const left = findings.length - most;
  const place = (finding: Finding) => {
    const text = html`<bdi class="mono">${formatPlace(finding.file, finding.line)}</bdi>`;
    const address = link?.(finding);
    return address === undefined || address === '#' ? text : html`<a href="${address}">${text}</a>`;
  };
  return html`<ul class="evidence">${findings.slice(0, most).map((finding) => {
    const { rule, name, severity, confidence, message, reason, excerpt, accepted } = finding;
    const title = name === undefined ? rule : `${rule} ${name}`;
    return html`<li><div class="row">${severityBadge(severity)} <strong>${title}</strong> ${place(finding)}${confidence === 'high' ? '' : html` <span class="muted">${confidence} confidence</span>`}${accepted ? html`${badge('accepted', { tone: 'good' })} <span>by ${foreign(accepted.by)} on ${day(accepted.at)}: ${foreign(accepted.why)}</span>` : ''}</div><p>${foreign(message)}${reason === undefined ? '' : `. ${reason}`}</p>${excerpt ? html`<code>${showControls(excerpt)}</code>` : ''}</li>`;
  })}${left > 0 ? html`<li class="muted">${plural(left, 'more finding')} not shown. ${rest}</li>` : ''}</ul>`;
}

/** Titles of the kinds of abilities. */
export const abilityTitles: Readonly<Record<Ability['kind'], string>> = {
  network: 'Network',
  programs: 'Scripts and programs',
  secrets: 'Secrets',
  writes: 'Writes files',
  tools: 'Tools of the agent',
};

/** An ability that was found, or a sample of one. */
export const abilityBadge = (word: string, isDeclared: boolean): Html =>
  isDeclared
    ? badge(word)
    : badge(word, { tone: 'warn', sign: '!', title: 'Found in its files, not declared in its frontmatter' });

/** Abilities by kind, as declared and as found, with at most so many of each. */
export function abilityTable(abilities: readonly Ability[], most: number): Html {
  const used = abilities.filter(({ declared, found }) => declared.length + found.length > 0);
  return table({
    caption: 'What it can do',
    columns: [{ title: 'Kind' }, { title: 'Declared' }, { title: 'Found' }],
    rows: used.map(({ kind, declared, found }) => [
      abilityTitles[kind],
      declared.length === 0 ? html`<span class="shout">nothing</span>` : points(declared.map(foreign), most),
      found.length === 0
        ? html`<span class="muted">nothing</span>`
        : // With nothing declared at all, the other column says so once.
          points(
            found.map((one) => foundAbility(one, { isMarked: !one.declared && declared.length > 0 })),
            most,
          ),
    ]),
    empty: html`<p class="muted">Nothing was declared or found.</p>`,
  });
}

function foundAbility(
  { what, by, count, file, line, excerpt }: Ability['found'][number],
  { isMarked }: { isMarked: boolean },
): Html {
  const place =
    file === null
      ? ''
      : html` <span class="muted">in <bdi class="mono">${formatPlace(file, line)}</bdi>${by === 'instructions' ? ', for the agent to run' : ''}</span>`;
  return html`${isMarked ? html`<span class="shout">not declared:</span> ` : ''}<strong>${foreign(what)}</strong>${count > 1 ? ` ×${count}` : ''}${place}${excerpt === null ? '' : html`<br><code>${showControls(excerpt)}</code>`}`;
}

/** A list with at most so many points, and how many more there are. */
export function points(items: readonly Content[], most: number): Html {
  const rest = items.length - most;
  return html`<ul class="points">${items.slice(0, most).map((item) => html`<li>${item}</li>`)}${rest > 0 ? html`<li class="muted">and ${formatCount(rest)} more</li>` : ''}</ul>`;
}

/** Columns of a list of files, and the cells of one; a page adds its own behind them. */
export const fileColumns: readonly Column[] = [{ title: 'File' }, { title: 'Size', kind: 'number' }];

/** The first cells of a file. The one that is shown has no address. */
export function fileCells(
  { path, size }: { readonly path: string; readonly size: number },
  address?: string,
): Html[] {
  const name = html`<bdi class="mono">${showControls(path)}</bdi>`;
  return [
    address === undefined
      ? html`<strong>${name}</strong>`
      : address === '#'
        ? name
        : html`<a href="${address}">${name}</a>`,
    html`${formatBytes(size)}`,
  ];
}
