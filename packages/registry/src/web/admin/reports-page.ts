// Reports about skills.

import { badge, dayAndTime, emptyState, foreign, html, submit, table } from 'skillwright/pages';
import { listReports } from '../../moderation/index.ts';
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
