// CI workflows that may publish in a namespace.

import { actionColumn, badge, emptyState, foreign, type Html, html, table } from 'skillwright/pages';
import { ownerHref } from '../addresses.ts';
import type { FormRow } from '../forms/form-route.ts';
import { buttonForm, drawClosedForm, pageForm } from '../forms/page-form.ts';
import type { Frame } from '../frame.ts';
import type { OwnerView } from './owner-page.ts';

const publisherForm = pageForm('publishers', 'addPublisher');

/** Forms of the page at a path. */
export const publisherForms = (at: string): readonly FormRow[] => [
  { path: `${at}/publishers`, form: publisherForm, main: 'repository' },
  { path: `${at}/publishers/:id/remove`, form: 'removePublisher' },
];

/** The list and the form, for administrators. */
export function ownerPublishers(
  { owner, publishers: list }: Pick<OwnerView, 'owner' | 'publishers'>,
  frame: Frame,
): Html {
  if (list === undefined) return html``;
  const href = `${ownerHref(owner.name)}/publishers`;
  const shown = table({
    caption: 'Trusted publishers',
    columns: ['Skill', 'Repository', 'Workflow', 'State', actionColumn('Remove')],
    rows: list.map(({ id, skill, issuer, repository, workflow, environment, pending }) => [
      html`<bdi>${skill}</bdi>`,
      html`${foreign(repository)} <span class="muted small">at ${issuer}</span>`,
      html`${workflow ?? 'any'}${environment === null ? '' : html` <span class="muted small">in ${environment}</span>`}`,
      pending
        ? badge('pending', { tone: 'warn', title: 'Nothing published yet' })
        : badge('active', { tone: 'good' }),
      buttonForm(frame, {
        action: `${href}/${encodeURIComponent(id)}/remove`,
        label: `Remove the publisher of ${skill}`,
        button: 'Remove',
      }),
    ]),
    empty: emptyState('No trusted publishers', 'A CI workflow listed here publishes without a stored token.'),
  });
  const add = drawClosedForm('Add a publisher', publisherForm, {
    frame,
    action: href,
    button: 'Add publisher',
  });
  return html`<section class="stack"><h2>Trusted publishers</h2>${shown}${add}</section>`;
}
