// The audit log.

import { badge, dayAndTime, emptyState, field, foreign, html, pager, submit, table } from 'skillwright/pages';
import { AuditQuery } from 'skillwright/registry-protocol';
import { callOf, handlers } from '../../api/index.ts';
import { Failure } from '../../base/index.ts';
import { skillHref } from '../addresses.ts';
import { definePage } from '../define-page.ts';
import { ownerLink } from '../skill-list.ts';
import { adminShell } from './admin-shell.ts';

export const auditPage = definePage({
  path: '/admin/audit',
  load: async (visit) => {
    const { actor = '', action = '', cursor } = visit.context.req.query();
    const query = AuditQuery.safeParse({ account: actor || undefined, action: action || undefined, cursor });
    if (!query.success) throw new Failure('bad_request', 'the filter is not valid');
    const page = await handlers.readAudit(callOf(visit, { query: query.data }));
    return { ...page, filter: { actor, action } };
  },
  draw({ entries, next, filter }, frame) {
    const query = new URLSearchParams({ ...filter, ...(next === null ? {} : { cursor: next }) });
    const main = html`<form class="form-inline" method="get" action="/admin/audit" aria-label="Filter">${field({ name: 'actor', label: 'Account', value: filter.actor })}${field({ name: 'action', label: 'Action', value: filter.action })}${submit('Filter', { kind: 'plain' })}</form>${table(
      {
        caption: 'Audit log',
        columns: ['Time', 'Account', 'Action', 'Subject', 'Details'],
        rows: entries.map(({ time, account, via, action, owner, skill, version, details }) => [
          dayAndTime(time),
          html`${foreign(account)} <span class="muted small">${via}</span>`,
          badge(action),
          html`${owner === null ? '' : skill === null ? ownerLink(owner) : html`<a href="${skillHref(`@${owner}/${skill}`, { version: version ?? undefined })}"><bdi>@${owner}/${skill}</bdi> ${version}</a>`}`,
          html`<span class="small mono"><bdi dir="auto">${JSON.stringify(details)}</bdi></span>`,
        ]),
        empty: emptyState('Nothing recorded'),
      },
    )}${pager({ next: next === null ? undefined : `/admin/audit?${query}` })}`;
    return adminShell(frame, { title: 'Audit log', href: '/admin/audit', main });
  },
});
