// Reports about skills.

import { badge, dayAndTime, emptyState, foreign, html, submit, table } from 'skillwright/pages';
import type { Report } from 'skillwright/registry-protocol';
import { skillHref } from '../addresses.ts';
import { drawForm, pageForm, type SentForm } from '../forms/page-form.ts';
import type { Frame } from '../frame.ts';
import { addressText } from '../skill-list.ts';
import { adminShell } from './admin-shell.ts';

export const resolutionForm = pageForm('resolve', 'resolveReport');

/** Reports, open ones first. */
interface ReportsView {
  readonly reports: readonly Report[];
  /** The resolution that was just refused. */
  readonly sent?: SentForm | undefined;
}

export function reportsPage({ reports, sent }: ReportsView, frame: Frame): string {
  const main = table({
    caption: 'Reports',
    columns: [
      { title: 'Skill' },
      { title: 'Report' },
      { title: 'By' },
      { title: 'Time' },
      { title: 'Resolution' },
    ],
    rows: reports.map(({ id, name, version, kind, message: text, by, at, resolution }) => [
      html`<a href="${skillHref(name, { version: version ?? undefined, tab: 'safety' })}">${addressText(name)} ${version === null ? '' : html`<span class="mono">${version}</span>`}</a>`,
      html`${badge(kind, { tone: kind === 'malware' || kind === 'secrets' ? 'bad' : 'neutral' })} ${foreign(text)}`,
      foreign(by),
      dayAndTime(at),
      resolution === null
        ? drawForm(resolutionForm, {
            frame,
            action: `/admin/reports/${encodeURIComponent(id)}/resolve`,
            sent,
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
}
