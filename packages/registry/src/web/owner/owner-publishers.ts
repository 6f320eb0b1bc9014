// CI workflows that may publish in a namespace.

import { badge, emptyState, foreign, type Html, html, table } from 'skillwright/pages';
import type { Publisher } from 'skillwright/registry-protocol';
import { ownerHref } from '../addresses.ts';
import { formRoute } from '../forms/form-route.ts';
import { buttonForm, drawClosedForm, pageForm } from '../forms/page-form.ts';
import type { Frame } from '../frame.ts';
import type { OwnerRoutes, OwnerView } from './owner-page.ts';

const publisherForm = pageForm('publishers', 'addPublisher');

/** Routes of the forms. */
export function publisherRoutes({ app, at, again, next }: OwnerRoutes): void {
  formRoute(app, `${at}/publishers`, { form: publisherForm, main: 'repository', again, next });
  formRoute(app, `${at}/publishers/:id/remove`, { form: 'removePublisher', next });
}

/** A trusted publisher. */
export type PublisherView = Pick<
  Publisher,
  'id' | 'skill' | 'issuer' | 'repository' | 'workflow' | 'environment' | 'pending'
>;

/** The list, and the form for administrators. */
export function ownerPublishers(
  {
    owner,
    publishers: list,
    mayManage,
    sent,
  }: Pick<OwnerView, 'owner' | 'publishers' | 'mayManage' | 'sent'>,
  frame: Frame,
): Html {
  if (list === undefined) return html``;
  const href = `${ownerHref(owner.name)}/publishers`;
  const shown = table({
    caption: 'Trusted publishers',
    columns: [
      { title: 'Skill' },
      { title: 'Repository' },
      { title: 'Workflow' },
      { title: 'State' },
      ...(mayManage ? [{ title: 'Remove', isTitleHidden: true, kind: 'action' as const }] : []),
    ],
    rows: list.map(({ id, skill, issuer, repository, workflow, environment, pending }) => [
      html`<bdi>${skill}</bdi>`,
      html`${foreign(repository)} <span class="muted small">at ${issuer}</span>`,
      html`${workflow ?? 'any'}${environment === null ? '' : html` <span class="muted small">in ${environment}</span>`}`,
      pending
        ? badge('pending', { tone: 'warn', title: 'Nothing published yet' })
        : badge('active', { tone: 'good' }),
      ...(mayManage
        ? [
            buttonForm(frame, {
              action: `${href}/${encodeURIComponent(id)}/remove`,
              label: `Remove the publisher of ${skill}`,
              button: 'Remove',
            }),
          ]
        : []),
    ]),
    empty: emptyState('No trusted publishers', 'A CI workflow listed here publishes without a stored token.'),
  });
  const add = mayManage
    ? drawClosedForm('Add a publisher', publisherForm, { frame, action: href, sent, button: 'Add publisher' })
    : '';
  return html`<section class="stack"><h2>Trusted publishers</h2>${shown}${add}</section>`;
}
