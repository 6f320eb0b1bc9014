// The frame of the administration pages, and the audit log.

import {
  badge,
  type Content,
  dayAndTime,
  emptyState,
  field,
  foreign,
  html,
  pager,
  submit,
  table,
  tabs,
} from 'skillwright/pages';
import { AuditQuery } from 'skillwright/registry-protocol';
import { isModerator, unauthorised } from '../../access/index.ts';
import { callOf, handlers } from '../../api/index.ts';
import { Failure } from '../../base/index.ts';
import { skillHref } from '../addresses.ts';
import { definePage, type Visit } from '../define-page.ts';
import { type Frame, shell } from '../frame.ts';
import { ownerLink } from '../skill-list.ts';

const parts: readonly { label: string; href: string; isForModerators?: true }[] = [
  { label: 'Accounts', href: '/admin/accounts' },
  { label: 'Mirrors', href: '/admin/mirrors' },
  { label: 'Reports', href: '/admin/reports', isForModerators: true },
  { label: 'Verification', href: '/admin/verifications', isForModerators: true },
  { label: 'Audit log', href: '/admin/audit' },
];

export function adminShell(
  frame: Frame,
  { title, href, main }: { title: string; href: string; main: Content },
): string {
  const links = tabs(
    'Administration',
    parts
      .filter(({ isForModerators }) => (isForModerators ? frame.viewer?.mayModerate : frame.viewer?.isAdmin))
      .map((part) => ({ label: part.label, href: part.href, isCurrent: part.href === href })),
  );
  return shell(frame, {
    title: `${title}: administration`,
    main: html`<h1>${title}</h1>${links}<div class="stack-large">${main}</div>`,
  });
}

/** A list for moderators: the open items first, then the closed ones, newest first. */
export async function listWork<Item>(
  act: Visit,
  list: (act: Visit, which: { readonly isOpen: boolean }) => Promise<Item[]>,
): Promise<readonly Item[]> {
  if (act.caller.account === undefined) throw unauthorised();
  if (!isModerator(act.caller))
    throw new Failure('forbidden', 'only moderators of the registry see this page');
  const [open, done] = await Promise.all([list(act, { isOpen: true }), list(act, { isOpen: false })]);
  return [...open, ...done.toReversed()];
}

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
