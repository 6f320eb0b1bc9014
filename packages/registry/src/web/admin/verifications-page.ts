// Applications for the level `verified`.

import { badge, dayAndTime, emptyState, foreign, html, outsideLink, submit, table } from 'skillwright/pages';
import { listVerifications } from '../../moderation/index.ts';
import { skillHref } from '../addresses.ts';
import { definePage } from '../define-page.ts';
import { drawForm, pageForm } from '../forms/page-form.ts';
import { addressText } from '../skill-list.ts';
import { adminShell, listWork } from './admin-shell.ts';

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
