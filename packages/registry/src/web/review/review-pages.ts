// Versions that wait for a reviewer, and the page on which one decides.

import {
  abilityTable,
  actionColumn,
  dayAndTime,
  definitions,
  diffFiles,
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
import type { SkillAddress } from 'skillwright/registry-protocol';
import { demand, unauthorised } from '../../access/index.ts';
import { readReviewQueue, whyNotReviewer } from '../../moderation/index.ts';
import { seeVersion } from '../../skills/index.ts';
import { reviewHref, skillHref } from '../addresses.ts';
import { addressIn, checkVersion, definePage, type Visit } from '../define-page.ts';
import { sentence } from '../error-page.ts';
import { drawForm, pageForm } from '../forms/page-form.ts';
import { shell } from '../frame.ts';
import { loadVersion } from '../load/load-skill.ts';
import { openReadable, versionTexts } from '../load/version-texts.ts';
import { scanSection } from '../skill/safety-tab.ts';
import { addressText } from '../skill-list.ts';

const VERSION = '/review/:owner{@[^/]+}/:name/:version{[0-9][^/]*}';

const decisionForm = pageForm('review', 'reviewVersion');

/** Pending versions of the namespaces the viewer reviews, oldest first. */
export const reviewQueuePage = definePage({
  path: '/review',
  load: (visit) => {
    if (visit.caller.account === undefined) throw unauthorised();
    return readReviewQueue(visit);
  },
  draw(pending, frame) {
    const main = html`<div class="page-head"><h1>Review</h1><p>Versions nobody can install until a reviewer approves them.</p></div>${table(
      {
        caption: 'Pending versions',
        columns: ['Version', 'Verdict', 'Published by', 'Waiting since', actionColumn('Open')],
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
  },
});

export const reviewPage = definePage({
  path: VERSION,
  load: loadReview,
  draw({ document, scan, trust, abilities, before, changes, locked }, frame) {
    const { name, version, provenance } = document;
    const decision =
      locked !== null
        ? notice('neutral', { title: 'You cannot decide about this version', body: sentence(locked) })
        : drawForm(decisionForm, {
            frame,
            action: reviewHref(name, version),
            label: 'Decision',
            button: html`<div class="row">${submit('Approve', { name: 'decision', value: 'approve' })}${submit('Reject', { kind: 'danger', name: 'decision', value: 'reject' })}</div>`,
          });
    const main = html`<div class="page-head skill-head"><p class="small"><a href="/review">Review</a></p><h1>${addressText(name)} <span class="version">${version}</span></h1><p dir="auto">${document.description}</p><p class="facts"><span>by ${foreign(document.publishedBy)}</span><span>${dayAndTime(document.published)}</span><span>${plural(document.files.length, 'file')}</span><a href="${skillHref(name, { version })}">Read it</a></p></div>
<div class="columns"><div class="stack-large">
${scanSection(scan, { document })}
${abilities === undefined ? '' : html`<section class="stack"><h2>What it can do</h2>${abilityTable(abilities, 10)}</section>`}
<section class="stack"><h2>${before === null ? 'Everything is new' : `Changes from ${before}`}</h2>${changes.length === 0 ? emptyState('No differences') : diffView(changes)}</section>
</div><div class="beside"><section class="card"><h2 class="card-title">Decision</h2>${decision}</section>
<section class="card"><h2 class="card-title">Trust score: ${trust.score} of 100</h2>${trustFactors(trust)}</section>
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
  },
  forms: [{ path: VERSION, form: decisionForm, also: ['forbidden'], next: () => '/review' }],
});

/** One pending version, with everything a decision needs. */
async function loadReview({ registry, caller, context }: Visit) {
  const address: SkillAddress & { version: string } = {
    ...addressIn(context),
    version: checkVersion(context.req.param('version')),
  };
  const { facts, row } = await seeVersion(registry, caller, address);
  demand(caller, 'review', facts.skill);
  const texts = async (version: typeof row) => {
    const { document } = await loadVersion(registry, facts, version);
    const opened = await openReadable(registry, caller, { ...address, version: version.version });
    return versionTexts(opened, document.files);
  };
  const before = facts.versions
    .slice(facts.versions.indexOf(row) + 1)
    .find(({ review, purged }) => review === 'approved' && purged === null);
  const { document, scan, trust, abilities } = await loadVersion(registry, facts, row);
  const owned = { id: row.id, ownerId: facts.skill.ownerId };
  const isSettled = row.review === 'approved' && row.flagged === null;
  return {
    ...{ document, scan, trust, abilities },
    /** The version it is compared with; null for the first one. */
    before: before?.version ?? null,
    changes: diffFiles(before === undefined ? new Map() : await texts(before), await texts(row)),
    /** Why the viewer may not decide: it is the viewer's own version, or decided already. */
    locked:
      (await whyNotReviewer(registry.database, caller, owned)) ??
      (isSettled ? 'it does not wait for a review' : null),
  };
}
