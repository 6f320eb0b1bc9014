// CI workflows that may publish in a namespace.

import { badge, emptyState, field, foreign, form, type Html, html, submit, table } from 'skillwright/pages';
import { ownerHref } from '../addresses.ts';
import type { Frame } from '../frame.ts';
import { filledIn } from '../sent-form.ts';
import type { OwnerView } from './owner-page.ts';

/** A trusted publisher. */
export interface PublisherView {
  readonly id: string;
  readonly skill: string;
  readonly issuer: string;
  readonly repository: string;
  readonly workflow: string | null;
  readonly environment: string | null;
  /** True until its first publication. */
  readonly isPending: boolean;
}

/** The list, and the form for administrators. */
export function ownerPublishers(
  {
    owner,
    publishers: list,
    mayManage,
    sent,
  }: Pick<OwnerView, 'owner' | 'publishers' | 'mayManage' | 'sent'>,
  { csrf }: Frame,
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
    rows: list.map(({ id, skill, issuer, repository, workflow, environment, isPending }) => [
      html`<bdi>${skill}</bdi>`,
      html`${foreign(repository)} <span class="muted small">at ${issuer}</span>`,
      html`${workflow ?? 'any'}${environment === null ? '' : html` <span class="muted small">in ${environment}</span>`}`,
      isPending
        ? badge('pending', { tone: 'warn', title: 'Nothing published yet' })
        : badge('active', { tone: 'good' }),
      ...(mayManage
        ? [
            form({
              action: `${href}/${encodeURIComponent(id)}/remove`,
              csrf,
              isInline: true,
              label: `Remove the publisher of ${skill}`,
              content: submit('Remove', { kind: 'danger' }),
            }),
          ]
        : []),
    ]),
    empty: emptyState('No trusted publishers', 'A CI workflow listed here publishes without a stored token.'),
  });
  const again = filledIn(sent, 'publishers');
  const add = mayManage
    ? html`<details class="card"${again.isSent ? html` open` : ''}><summary>Add a publisher</summary>${form({
        action: href,
        csrf,
        content: html`${field({ name: 'skill', label: 'Skill', hint: `@${owner.name}/name; it need not exist yet`, isRequired: true, ...again.text('skill') })}${field({ name: 'issuer', label: 'Issuer', type: 'url', hint: 'Address of the CI system’s identity provider', isRequired: true, ...again.text('issuer') })}${field({ name: 'repository', label: 'Repository', hint: 'group/project at the issuer', isRequired: true, ...again.text('repository') })}${field({ name: 'repositoryOwnerId', label: 'Id of the repository’s owner', ...again.text('repositoryOwnerId') })}${field({ name: 'workflow', label: 'Workflow file', ...again.text('workflow') })}${field({ name: 'environment', label: 'Environment', ...again.text('environment') })}${submit('Add publisher')}`,
      })}</details>`
    : '';
  return html`<section class="stack"><h2>Trusted publishers</h2>${shown}${add}</section>`;
}
