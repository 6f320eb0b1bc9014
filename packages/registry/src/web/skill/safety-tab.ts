// Why to trust a version, and why not: scan, trust, provenance, log.

import {
  badge,
  commandLine,
  dayAndTime,
  definitions,
  emptyState,
  field,
  foreign,
  form,
  type Html,
  html,
  outsideLink,
  plural,
  selectField,
  severityBadge,
  submit,
  verdictBadge,
} from 'skillwright/pages';
import type { Provenance, ScanResult } from 'skillwright/registry-protocol';
import { fileHref, skillHref } from '../addresses.ts';
import type { Frame } from '../frame.ts';
import { advisoryNotice } from './advisory-notice.ts';
import type { ProofView, ShownVersion, SkillView, TrustView } from './skill-view.ts';

export function safetyTab(view: SkillView, frame: Frame): Html {
  const { index, version } = view;
  if (version === null) return emptyState('No version yet');
  const { scan, trust, proof, document } = version;
  return html`<div class="stack-large"><section class="stack"><h2>Scan ${verdictBadge(scan.verdict)}</h2>${scanEvidence(scan, version)}</section>
${trust === null ? '' : html`<section class="stack"><h2>Trust score: ${trust.score} of 100</h2>${trustReasons(trust)}</section>`}
<section class="stack"><h2>Who published it</h2>${provenance(document.provenance, version)}</section>
<section class="stack"><h2>Transparency log</h2>${proofText(index.name, { version, proof, frame })}</section>
${advisories(view)}
${reportForm(view, frame)}</div>`;
}

function advisories({ index }: SkillView): Html {
  const list =
    index.advisories.length === 0
      ? html`<p class="muted">None for any version.</p>`
      : html`${index.advisories.map(advisoryNotice)}`;
  return html`<section class="stack"><h2>Advisories</h2>${list}</section>`;
}

/** Every finding with rule, file and line. */
export function scanEvidence(scan: ScanResult, { document }: Pick<ShownVersion, 'document'>): Html {
  const { name, version } = document;
  const by = html`<p class="muted small">By ${scan.engine}, ${dayAndTime(scan.scanned)}.</p>`;
  if (scan.flags.length === 0)
    return html`<p>No finding in ${plural(document.files.length, 'file')}.</p>${by}`;
  return html`<ul class="evidence">${scan.flags.map(
    ({ rule, category, severity, confidence, file, line, message }) =>
      html`<li><p class="row">${severityBadge(severity)}<strong class="mono">${rule}</strong><span class="muted small">${category}, ${confidence} confidence</span></p><p dir="auto">${message}</p><p class="small"><a href="${fileHref(name, { version, path: file, line })}"><bdi>${file}</bdi>${line === null ? '' : html`, line ${line}`}</a></p></li>`,
  )}</ul>${by}`;
}

/** The score's factors as bars with reasons. */
export function trustReasons({ factors, cap }: TrustView): Html {
  return html`${cap === undefined ? '' : html`<p>${badge(`capped at ${cap.at}`, { tone: 'bad' })} ${cap.reason}</p>`}${definitions(
    factors.map(({ factor, points, max, reason }) => [
      factor,
      html`<div class="meter"><svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect width="${Math.round((Math.max(0, points) / Math.max(1, max)) * 100)}" height="6"/></svg><span class="small">${points} of ${max}</span></div><span class="small muted">${reason}</span>`,
    ]),
  )}`;
}

function provenance(found: Provenance | null, { document }: ShownVersion): Html {
  if (found === null)
    return html`${definitions([
      ['Account', foreign(document.publishedBy)],
      ['Published', dayAndTime(document.published)],
    ])}<p class="muted small">Published from a person’s machine: no build proves where it comes from.</p>`;
  const text = (value: string | null) =>
    value === null ? null : html`<span class="mono">${foreign(value)}</span>`;
  return definitions([
    ['Kind', found.kind === 'ci' ? 'Built and published by a CI workflow' : 'Mirrored from its source'],
    ['Repository', text(found.repository)],
    ['Commit', text(found.commit)],
    ['Branch or tag', text(found.ref)],
    ['Workflow', text(found.workflow)],
    ['Run', found.run === null ? null : outsideLink(found.run)],
    ['Issuer', text(found.issuer)],
    ['Subject', text(found.subject)],
    ['Owner id', text(found.ownerId)],
    ['Account', foreign(document.publishedBy)],
    ['Published', dayAndTime(document.published)],
  ]);
}

function proofText(
  name: string,
  { version, proof, frame }: { version: ShownVersion; proof: ProofView | null; frame: Frame },
): Html {
  const { version: number, document, archive } = version.index;
  const digests = definitions([
    ['Archive', html`<span class="mono">${archive}</span>`],
    ['Document', html`<span class="mono">${document}</span>`],
  ]);
  if (proof === null)
    return html`${digests}<p class="muted small">Not in a checkpoint yet. The next one is signed within a minute.</p>`;
  const path = `/api/v1/skills/${name}/${number}/proof`;
  return html`${definitions([
    ['Leaf', html`${proof.leaf} of ${proof.size} in <span class="mono">${proof.origin}</span>`],
    ['Checkpoint', proof.checkpointed === null ? null : dayAndTime(proof.checkpointed)],
    ['Proof', html`<a href="${path}">${frame.publicUrl}${path}</a>`],
  ])}${digests}<p class="small">Check it yourself after installing:</p>${commandLine(`skc verify ${name.split('/')[1]} --log`, 'command that checks the log')}`;
}

function reportForm({ index, version, viewer }: SkillView, { csrf, viewer: account }: Frame): Html {
  if (account === undefined || version === null) return html``;
  const kinds = ['malware', 'secrets', 'licence', 'name', 'spam', 'other'];
  const moderation = viewer.mayReview
    ? html`<details class="card"><summary>Quarantine this version</summary>${form({
        action: `${skillHref(index.name, { version: version.index.version })}/quarantine`,
        csrf,
        content:
          version.index.quarantined === null
            ? html`${field({ name: 'reason', label: 'Reason', isRequired: true, maxLength: 500 })}${submit('Quarantine', { kind: 'danger' })}`
            : submit('Release from quarantine', { kind: 'plain', name: 'undo', value: 'yes' }),
      })}</details>`
    : '';
  return html`<details class="card"><summary>Report this version</summary>${form({
    action: `/${index.name}/reports`,
    csrf,
    content: html`<input type="hidden" name="version" value="${version.index.version}">${selectField({ name: 'kind', label: 'What is wrong?', choices: kinds.map((value) => ({ value, label: value })) })}${field({ name: 'message', label: 'Message to the reviewers', rows: 3, isRequired: true, maxLength: 500 })}${submit('Report')}`,
  })}</details>${moderation}`;
}
