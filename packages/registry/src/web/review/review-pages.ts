// Versions that wait for a reviewer, and the page on which one decides.

import type { TrustScore } from 'skillwright/guard';
import {
  type DiffFile,
  dayAndTime,
  definitions,
  diffView,
  emptyState,
  foreign,
  html,
  notice,
  outsideLink,
  plural,
  submit,
  table,
  trustFactors,
  verdictBadge,
} from 'skillwright/pages';
import type { PendingVersion, ScanResult, VersionDocument } from 'skillwright/registry-protocol';
import { reviewHref, skillHref } from '../addresses.ts';
import { sentence } from '../error-page.ts';
import { drawForm, pageForm, type SentForm } from '../forms/page-form.ts';
import { type Frame, shell } from '../frame.ts';
import { scanSection } from '../skill/safety-tab.ts';
import { addressText } from '../skill-list.ts';

export const decisionForm = pageForm('review', 'reviewVersion');

/** Pending versions of the namespaces the viewer reviews, oldest first. */
interface ReviewQueueView {
  readonly pending: readonly Omit<PendingVersion, 'installable'>[];
}

export function reviewQueuePage({ pending }: ReviewQueueView, frame: Frame): string {
  const main = html`<div class="page-head"><h1>Review</h1><p>Versions nobody can install until a reviewer approves them.</p></div>${table(
    {
      caption: 'Pending versions',
      columns: [
        { title: 'Version' },
        { title: 'Verdict' },
        { title: 'Published by' },
        { title: 'Waiting since' },
        { title: 'Open', isTitleHidden: true, kind: 'action' },
      ],
      rows: pending.map(({ name, version, published, publishedBy, verdict, flagged, isOwn }) => [
        html`<a href="${reviewHref(name, version)}">${addressText(name)} <span class="mono">${version}</span></a> ${isOwn ? html`<span class="muted small">yours</span>` : ''}`,
        html`${verdictBadge(verdict)} ${flagged === null ? '' : html`<span class="small">${foreign(flagged)}</span>`}`,
        foreign(publishedBy),
        dayAndTime(published),
        html`<a class="button" href="${reviewHref(name, version)}">Review<span class="unseen"> ${name} ${version}</span></a>`,
      ]),
      empty: emptyState('Nothing to review', 'New versions appear here when they need a decision.'),
    },
  )}`;
  return shell(frame, { title: 'Review', main });
}

/** One pending version, with everything a decision needs. */
interface ReviewView {
  readonly document: VersionDocument;
  readonly scan: ScanResult;
  readonly trust: TrustScore | null;
  /** The version it is compared with; null for the first one. */
  readonly before: string | null;
  readonly changes: readonly DiffFile[];
  /** Why the viewer may not decide: it is the viewer's own version, or decided already. */
  readonly locked: string | null;
  /** The decision that was just refused. */
  readonly sent?: SentForm | undefined;
}

export function reviewPage(view: ReviewView, frame: Frame): string {
  const { document, scan, trust, before, changes, locked, sent } = view;
  const { name, version, provenance } = document;
  const decision =
    locked !== null
      ? notice('neutral', { title: 'You cannot decide about this version', body: sentence(locked) })
      : drawForm(decisionForm, {
          frame,
          action: reviewHref(name, version),
          sent,
          label: 'Decision',
          button: html`<div class="row">${submit('Approve', { name: 'decision', value: 'approve' })}${submit('Reject', { kind: 'danger', name: 'decision', value: 'reject' })}</div>`,
        });
  const main = html`<div class="page-head skill-head"><p class="small"><a href="/review">Review</a></p><h1>${addressText(name)} <span class="version">${version}</span></h1><p dir="auto">${document.description}</p><p class="facts"><span>by ${foreign(document.publishedBy)}</span><span>${dayAndTime(document.published)}</span><span>${plural(document.files.length, 'file')}</span><a href="${skillHref(name, { version })}">Read it</a></p></div>
<div class="columns"><div class="stack-large">
${scanSection(scan, view)}
<section class="stack"><h2>${before === null ? 'Everything is new' : `Changes from ${before}`}</h2>${changes.length === 0 ? emptyState('No differences') : diffView(changes)}</section>
</div><div class="beside"><section class="card"><h2 class="card-title">Decision</h2>${decision}</section>
${trust === null ? '' : html`<section class="card"><h2 class="card-title">Trust score: ${trust.score} of 100</h2>${trustFactors(trust)}</section>`}
<section class="card"><h2 class="card-title">Provenance</h2>${
    provenance === null
      ? html`<p class="small">Published from a person’s machine.</p>`
      : definitions([
          ['Repository', provenance.repository === null ? null : foreign(provenance.repository)],
          [
            'Commit',
            provenance.commit === null ? null : html`<span class="mono">${provenance.commit}</span>`,
          ],
          ['Run', provenance.run === null ? null : outsideLink(provenance.run)],
        ])
  }</section></div></div>`;
  return shell(frame, { title: `Review ${name} ${version}`, main });
}
