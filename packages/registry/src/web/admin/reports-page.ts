// Work of the moderators: reports about skills, and applications for the level `verified`.

import { badge, dayAndTime, emptyState, foreign, html, outsideLink, submit, table } from 'skillwright/pages';
import { listReports, listVerifications } from '../../moderation/index.ts';
import { skillHref } from '../addresses.ts';
import { definePage } from '../define-page.ts';
import { drawForm, pageForm } from '../forms/page-form.ts';
import { addressText } from '../skill-list.ts';
import { adminShell, listWork } from './admin-shell.ts';

const resolutionForm = pageForm('resolve', 'resolveReport');

export const reportsPage = definePage({
  path: '/admin/reports',
  load: (visit) => listWork(visit, listReports),
  draw(reports, frame) {
    const main = table({
      caption: 'Reports',
      columns: ['Skill', 'Report', 'By', 'Time', 'Resolution'],
      rows: reports.map(({ id, name, version, kind, message: text, by, at, resolution }) => [
        html`<a href="${skillHref(name, { version: version ?? undefined, tab: 'safety' })}">${addressText(name)} ${version === null ? '' : html`<span class="mono">${version}</span>`}</a>`,
        html`${badge(kind, { tone: kind === 'malware' || kind === 'secrets' ? 'bad' : 'neutral' })} ${foreign(text)}`,
        foreign(by),
        dayAndTime(at),
        resolution === null
          ? drawForm(resolutionForm, {
              frame,
              action: `/admin/reports/${encodeURIComponent(id)}/resolve`,
              about: id,
              id: `resolve-${id}`,
              label: `Resolve the report about ${name}`,
              button: submit('Resolve', { kind: 'plain' }),
            })
          : foreign(resolution),
      ]),
      empty: emptyState('No reports'),
    });
    return adminShell(frame, { title: 'Reports', href: '/admin/reports', main });
  },
  forms: [{ path: '/admin/reports/:id/resolve', form: resolutionForm, about: 'id' }],
});

const verificationDecisionForm = pageForm('decide', 'decideVerification');

export const verificationsPage = definePage({
  path: '/admin/verifications',
  load: (visit) => listWork(visit, listVerifications),
  draw(verifications, frame) {
    const list = table({
      caption: 'Applications',
      columns: ['Skill', 'Statement', 'By', 'Time', 'Decision'],
      rows: verifications.map(({ id, name, statement, url, by, at, decision, reason }) => [
        html`<a href="${skillHref(name)}">${addressText(name)}</a>`,
        html`${foreign(statement)}${url === null ? '' : html`<div class="small">${outsideLink(url)}</div>`}`,
        foreign(by),
        dayAndTime(at),
        decision === null
          ? drawForm(verificationDecisionForm, {
              frame,
              action: `/admin/verifications/${encodeURIComponent(id)}`,
              about: id,
              id: `decide-${id}`,
              label: `Decide about ${name}`,
              button: html`<div class="row">${submit('Grant', { name: 'decision', value: 'grant' })}${submit('Decline', { kind: 'danger', name: 'decision', value: 'decline' })}</div>`,
            })
          : html`${badge(decision === 'grant' ? 'granted' : 'declined', { tone: decision === 'grant' ? 'good' : 'neutral' })} ${foreign(reason ?? '')}`,
      ]),
      empty: emptyState('No applications', 'Admins of a namespace apply on the settings of a skill.'),
    });
    const main = html`<p class="muted">Grant the level when you have checked who publishes the skill.</p>${list}`;
    return adminShell(frame, { title: 'Verification', href: '/admin/verifications', main });
  },
  forms: [
    {
      path: '/admin/verifications/:id',
      form: verificationDecisionForm,
      about: 'id',
      also: ['forbidden'],
    },
  ],
});
