// A namespace: its skills, and for members its members and publishers.

import {
  badge,
  card,
  choiceField,
  day,
  emptyState,
  field,
  foreign,
  form,
  type Html,
  html,
  notice,
  outsideLink,
  pager,
  plural,
  submit,
  table,
} from 'skillwright/pages';
import type { Owner, SkillSummary, Transfer } from 'skillwright/registry-protocol';
import { ownerHref } from './addresses.ts';
import { type Frame, shell } from './frame.ts';
import { skillList } from './skill-list.ts';

/** A namespace as the viewer may see it. */
export interface OwnerView {
  readonly owner: Owner;
  readonly skills: readonly SkillSummary[];
  readonly next: string | null;
  /** True for its administrators. */
  readonly mayManage: boolean;
  /** An offer of this namespace that nobody accepted yet. */
  readonly transfer: Transfer | null;
  /** CI workflows that may publish; undefined for those who may not see them. */
  readonly publishers: readonly PublisherView[] | undefined;
  readonly message?: { readonly tone: 'good' | 'bad'; readonly text: string } | undefined;
}

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

const roleChoices = [
  { value: 'reader', label: 'Reader', hint: 'reads private skills' },
  { value: 'publisher', label: 'Publisher', hint: 'publishes and yanks' },
  { value: 'reviewer', label: 'Reviewer', hint: 'approves versions of others' },
  { value: 'admin', label: 'Admin', hint: 'everything, members too' },
];

export function ownerPage(view: OwnerView, frame: Frame): string {
  const { owner, skills, next, message } = view;
  const href = ownerHref(owner.name);
  const main = html`<div class="page-head"><h1><bdi>@${owner.name}</bdi></h1>${owner.title === '' ? '' : html`<p dir="auto">${owner.title}</p>`}<p class="facts"><span>${plural(owner.skills, 'skill')}</span><span>since ${day(owner.created)}</span>${owner.url === null ? '' : html`<span>${outsideLink(owner.url)}</span>`}</p></div>
${message === undefined ? '' : notice(message.tone, { title: message.text })}
<div class="stack-large"><section><h2 class="unseen">Skills</h2>${
    skills.length === 0
      ? emptyState(
          'No skills to show',
          frame.viewer === undefined
            ? html`<p>Private skills are shown to members. <a href="/signin?return=${encodeURIComponent(href)}">Sign in</a>.</p>`
            : undefined,
        )
      : skillList(skills, 'h3')
  }${pager({ next: next === null ? undefined : `${href}?cursor=${encodeURIComponent(next)}` })}</section>
${members(view, frame)}${publishers(view, frame)}</div>`;
  return shell(frame, { title: `@${owner.name}`, main, description: owner.title });
}

function members({ owner, mayManage, transfer }: OwnerView, { csrf }: Frame): Html {
  if (owner.members === undefined) return html``;
  const href = ownerHref(owner.name);
  const list = table({
    caption: `Members of @${owner.name}`,
    columns: [
      { title: 'Account' },
      { title: 'Roles' },
      ...(mayManage ? [{ title: 'Remove', isTitleHidden: true, kind: 'action' as const }] : []),
    ],
    rows: owner.members.map(({ account, roles }) => [
      foreign(account),
      html`<span class="row">${roles.map((role) => badge(role))}</span>`,
      ...(mayManage
        ? [
            form({
              action: `${href}/members`,
              csrf,
              isInline: true,
              label: `Remove ${account}`,
              content: html`<input type="hidden" name="account" value="${account}">${submit('Remove', { kind: 'danger' })}`,
            }),
          ]
        : []),
    ]),
  });
  if (!mayManage) return html`<section><h2>Members</h2>${list}</section>`;
  const add = form({
    action: `${href}/members`,
    csrf,
    content: html`${field({ name: 'account', label: 'Account', isRequired: true, maxLength: 64, autocomplete: 'off' })}${choiceField({ name: 'roles', label: 'Roles', kind: 'checkbox', choices: roleChoices, chosen: ['reader'] })}${submit('Save member')}`,
  });
  const hand =
    transfer !== null
      ? html`<p>Offered to ${foreign(transfer.to)} until ${day(transfer.expires)}.</p>${form({ action: `${href}/transfer`, csrf, isInline: true, label: 'Withdraw the offer', content: submit('Withdraw', { kind: 'plain', name: 'withdraw', value: transfer.id }) })}`
      : form({
          action: `${href}/transfer`,
          csrf,
          content: html`${field({ name: 'to', label: 'New admin', hint: 'The account becomes the only admin when it accepts.', isRequired: true, maxLength: 64 })}${submit('Offer', { kind: 'danger' })}`,
        });
  return html`<section class="stack"><h2>Members</h2>${list}<div class="two">${card('Add or change a member', add)}${card('Transfer this namespace', hand)}</div></section>`;
}

function publishers({ owner, publishers: list, mayManage }: OwnerView, { csrf }: Frame): Html {
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
  const add = mayManage
    ? html`<details class="card"><summary>Add a publisher</summary>${form({
        action: href,
        csrf,
        content: html`${field({ name: 'skill', label: 'Skill', hint: `@${owner.name}/name; it need not exist yet`, isRequired: true })}${field({ name: 'issuer', label: 'Issuer', type: 'url', hint: 'Address of the CI system’s identity provider', isRequired: true })}${field({ name: 'repository', label: 'Repository', hint: 'group/project at the issuer', isRequired: true })}${field({ name: 'repositoryOwnerId', label: 'Id of the repository’s owner' })}${field({ name: 'workflow', label: 'Workflow file' })}${field({ name: 'environment', label: 'Environment' })}${submit('Add publisher')}`,
      })}</details>`
    : '';
  return html`<section class="stack"><h2>Trusted publishers</h2>${shown}${add}</section>`;
}
