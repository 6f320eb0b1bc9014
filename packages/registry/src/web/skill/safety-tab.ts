// Why to trust a version, and why not: scan, trust, provenance, log.

import {
  abilityTable,
  commandLine,
  dayAndTime,
  definitions,
  emptyState,
  findingList,
  foreign,
  type Html,
  html,
  notice,
  outsideLink,
  plural,
  severityBadge,
  submit,
  trustFactors,
  verdictBadge,
} from 'skillwright/pages';
import type { Provenance, RegistryAdvisory, ScanResult } from 'skillwright/registry-protocol';
import { fileHref, skillHref } from '../addresses.ts';
import { buttonForm, drawClosedForm, pageForm } from '../forms/page-form.ts';
import type { Frame } from '../frame.ts';
import type { ShownVersion, SkillView } from './skill-page.ts';

export const reportForm = pageForm('report', 'reportSkill');
export const quarantineForm = pageForm('quarantine', 'quarantineVersion', { reason: 'quarantined' });

export function safetyTab(view: SkillView, frame: Frame): Html {
  const { index, version } = view;
  if (version === null) return emptyState('No version yet');
  const { scan, trust, proof, document, abilities } = version;
  return html`<div class="stack-large">${scanSection(scan, version)}
${abilities === undefined ? '' : html`<section class="stack"><h2>What it can do</h2>${abilityTable(abilities, 10)}</section>`}
<section class="stack"><h2>Trust score: ${trust.score} of 100</h2>${trustFactors(trust)}</section>
<section class="stack"><h2>Who published it</h2>${provenance(document.provenance, version)}</section>
<section class="stack"><h2>Transparency log</h2>${proofText(index.name, { version, proof, frame })}</section>
${advisories(view)}
${actions(view, frame)}</div>`;
}

function advisories({ index }: SkillView): Html {
  const list =
    index.advisories.length === 0
      ? html`<p class="muted">None for any version.</p>`
      : html`${index.advisories.map(advisoryNotice)}`;
  return html`<section class="stack"><h2>Advisories</h2>${list}</section>`;
}

/** The verdict of a scan, with every finding and where it is. */
export function scanSection(scan: ScanResult, { document }: Pick<ShownVersion, 'document'>): Html {
  const { name, version, files } = document;
  const found =
    scan.flags.length === 0
      ? html`<p>No finding in ${plural(files.length, 'file')}.</p>`
      : findingList(scan.flags, {
          link: ({ file, line }) => fileHref(name, { version, path: file, line }),
          most: scan.flags.length,
        });
  return html`<section class="stack"><h2>Scan ${verdictBadge(scan.verdict)}</h2>${found}<p class="muted small">By ${scan.engine}, ${dayAndTime(scan.scanned)}.</p></section>`;
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
  { version, proof, frame }: { version: ShownVersion; proof: ShownVersion['proof']; frame: Frame },
): Html {
  const { version: number, document, archive } = version.index;
  const digests = definitions([
    ['Archive', html`<span class="mono">${archive}</span>`],
    ['Document', html`<span class="mono">${document}</span>`],
  ]);
  if (proof === null) return html`${digests}<p class="muted small">This version has no entry in the log.</p>`;
  const path = `/api/v1/skills/${name}/${number}/proof`;
  return html`${definitions([
    ['Leaf', html`${proof.leaf} of ${proof.size} in <span class="mono">${proof.origin}</span>`],
    [
      'Checkpoint',
      proof.checkpointed === null
        ? html`<a href="/log/checkpoint">signed when you ask for it</a>`
        : html`<a href="/log/checkpoint">signed ${dayAndTime(proof.checkpointed)}</a>`,
    ],
    ['Proof', html`<a href="${path}">${frame.publicUrl}${path}</a>`],
  ])}${digests}<p class="small">Check it yourself after installing:</p>${commandLine(`skc verify ${name.split('/')[1]} --log`, 'command that checks the log')}`;
}

/** For those who are signed in: a report, and for reviewers the quarantine. */
function actions({ index, version, viewer }: SkillView, frame: Frame): Html {
  if (frame.viewer === undefined || version === null) return html``;
  const { version: number, quarantined } = version.index;
  const report = drawClosedForm('Report this version', reportForm, {
    frame,
    action: `/${index.name}/reports`,
    hidden: { version: number },
    button: 'Report',
  });
  if (!viewer.mayReview) return report;
  const action = `${skillHref(index.name, { version: number })}/quarantine`;
  const summary = 'Quarantine this version';
  if (quarantined === null)
    return html`${report}${drawClosedForm(summary, quarantineForm, { frame, action, button: submit('Quarantine', { kind: 'danger' }) })}`;
  const release = submit('Release from quarantine', { kind: 'plain', name: 'undo', value: 'yes' });
  return html`${report}<details class="card"><summary>${summary}</summary>${buttonForm(frame, { action, button: release })}</details>`;
}

export function advisoryNotice({ id, severity, summary, affected, url }: RegistryAdvisory): Html {
  return notice(severity === 'high' || severity === 'critical' ? 'bad' : 'warn', {
    title: html`Advisory ${id} ${severityBadge(severity)}`,
    body: html`<p dir="auto">${summary}</p><p>Affects <code>${affected}</code>${url === null ? '' : html` · ${outsideLink(url)}`}</p>`,
  });
}
