// The audit log.

import { badge, dayAndTime, emptyState, field, foreign, html, pager, submit, table } from 'skillwright/pages';
import { skillHref } from '../addresses.ts';
import type { Frame } from '../frame.ts';
import { ownerLink } from '../skill-list.ts';
import { adminShell } from './admin-shell.ts';

/** Rows of the log, newest first. */
interface AuditView {
  readonly entries: readonly {
    readonly id: string;
    readonly at: string;
    readonly actor: string;
    readonly via: string;
    readonly action: string;
    readonly owner: string | null;
    /** `@owner/name`, or null. */
    readonly skill: string | null;
    readonly version: string | null;
    readonly details: string;
  }[];
  readonly next: string | null;
  readonly filter: { readonly actor: string; readonly action: string };
}

export function auditPage({ entries, next, filter }: AuditView, frame: Frame): string {
  const query = new URLSearchParams({ ...filter, ...(next === null ? {} : { cursor: next }) });
  const main = html`<form class="form-inline" method="get" action="/admin/audit" aria-label="Filter">${field({ name: 'actor', label: 'Account', value: filter.actor })}${field({ name: 'action', label: 'Action', value: filter.action })}${submit('Filter', { kind: 'plain' })}</form>${table(
    {
      caption: 'Audit log',
      columns: [
        { title: 'Time' },
        { title: 'Account' },
        { title: 'Action' },
        { title: 'Subject' },
        { title: 'Details' },
      ],
      rows: entries.map(({ at, actor, via, action, owner, skill, version, details }) => [
        dayAndTime(at),
        html`${foreign(actor)} <span class="muted small">${via}</span>`,
        badge(action),
        html`${skill !== null ? html`<a href="${skillHref(skill, { version: version ?? undefined })}"><bdi>${skill}</bdi> ${version}</a>` : owner === null ? '' : ownerLink(owner)}`,
        html`<span class="small mono"><bdi dir="auto">${details}</bdi></span>`,
      ]),
      empty: emptyState('Nothing recorded'),
    },
  )}${pager({ next: next === null ? undefined : `/admin/audit?${query}` })}`;
  return adminShell(frame, { title: 'Audit log', href: '/admin/audit', main });
}
