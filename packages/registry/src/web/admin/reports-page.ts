// Reports about skills.

import {
  badge,
  dayAndTime,
  emptyState,
  field,
  foreign,
  form,
  html,
  pager,
  submit,
  table,
} from 'skillwright/pages';
import { skillHref } from '../addresses.ts';
import type { Frame } from '../frame.ts';
import { filledIn, type SentForm } from '../sent-form.ts';
import { addressText } from '../skill-list.ts';
import { adminShell } from './admin-shell.ts';

/** Reports, open ones first. */
interface ReportsView {
  readonly reports: readonly {
    readonly id: string;
    readonly name: string;
    readonly version: string | null;
    readonly kind: string;
    readonly message: string;
    readonly by: string;
    readonly at: string;
    /** The resolution, or null. */
    readonly resolution: string | null;
  }[];
  readonly next: string | null;
  /** The resolution that was just refused. */
  readonly sent?: SentForm | undefined;
}

export function reportsPage({ reports, next, sent }: ReportsView, frame: Frame): string {
  const main = html`${table({
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
        ? form({
            action: `/admin/reports/${encodeURIComponent(id)}/resolve`,
            csrf: frame.csrf,
            label: `Resolve the report about ${name}`,
            content: html`${field({ name: 'resolution', id: `resolve-${id}`, label: 'What was done', isRequired: true, maxLength: 500, ...filledIn(sent, `resolve ${id}`).text('resolution') })}${submit('Resolve', { kind: 'plain' })}`,
          })
        : foreign(resolution),
    ]),
    empty: emptyState('No reports'),
  })}${pager({ next: next === null ? undefined : `/admin/reports?cursor=${encodeURIComponent(next)}` })}`;
  return adminShell(frame, { title: 'Reports', href: '/admin/reports', main });
}
