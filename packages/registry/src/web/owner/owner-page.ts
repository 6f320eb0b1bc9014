// A namespace: its skills, and for members its members and publishers.

import {
  badge,
  card,
  choiceField,
  commandLine,
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
import { ownerHref } from '../addresses.ts';
import { type Frame, shell } from '../frame.ts';
import { filledIn, type SentForm } from '../sent-form.ts';
import { skillList } from '../skill-list.ts';
import { ownerPublishers, type PublisherView } from './owner-publishers.ts';
import { ownerWebhooks, type WebhooksView } from './owner-webhooks.ts';

/** A namespace as the viewer may see it. */
export interface OwnerView {
  readonly owner: Owner;
  readonly skills: readonly SkillSummary[];
  readonly next: string | null;
  /** True for its administrators. */
  readonly mayManage: boolean;
  /** An offer of this namespace that nobody accepted yet; for its administrators and the account it is for. */
  readonly transfer: Transfer | null;
  /** CI workflows that may publish; undefined for those who may not see them. */
  readonly publishers: readonly PublisherView[] | undefined;
  /** Undefined for those who may not see them. */
  readonly webhooks: WebhooksView | undefined;
  /** The form that was just refused. */
  readonly sent?: SentForm | undefined;
}

const roleChoices = [
  { value: 'reader', label: 'Reader', hint: 'reads private skills' },
  { value: 'publisher', label: 'Publisher', hint: 'publishes and yanks' },
  { value: 'reviewer', label: 'Reviewer', hint: 'approves versions of others' },
  { value: 'admin', label: 'Admin', hint: 'everything, members too' },
];

export function ownerPage(view: OwnerView, frame: Frame): string {
  const { owner, skills, next } = view;
  const href = ownerHref(owner.name);
  const main = html`<div class="page-head"><h1><bdi>@${owner.name}</bdi></h1>${owner.title === '' ? '' : html`<p dir="auto">${owner.title}</p>`}<p class="facts"><span>${plural(owner.skills, 'skill')}</span><span>since ${day(owner.created)}</span>${owner.url === null ? '' : html`<span>${outsideLink(owner.url)}</span>`}</p></div>
<div class="stack-large">${offer(view, frame)}<section><h2 class="unseen">Skills</h2>${
    skills.length === 0 ? emptyState('No skills to show', whyEmpty(view, frame)) : skillList(skills, 'h3')
  }${pager({ next: next === null ? undefined : `${href}?cursor=${encodeURIComponent(next)}` })}</section>
${members(view, frame)}${ownerPublishers(view, frame)}${ownerWebhooks(view, frame)}</div>`;
  return shell(frame, { title: `@${owner.name}`, main, description: owner.title });
}

function whyEmpty({ owner, mayManage }: OwnerView, { viewer, publicUrl }: Frame): Html | undefined {
  if (viewer === undefined)
    return html`<p>Private skills are shown to members. <a href="/signin?return=${encodeURIComponent(ownerHref(owner.name))}">Sign in</a>.</p>`;
  if (owner.skills > 0) return html`<p>Private skills are shown to members.</p>`;
  if (!mayManage) return undefined;
  return html`<p>Publish the first one from its directory:</p>${commandLine(`skc publish . --owner ${owner.name} --registry ${publicUrl}`, 'command that publishes')}`;
}

/** For the account that the namespace is offered to. */
function offer({ owner, transfer }: OwnerView, { csrf, viewer }: Frame): Html {
  if (transfer === null || transfer.to !== viewer?.account) return html``;
  return notice('accent', {
    title: html`${foreign(transfer.from)} offers you @${owner.name}`,
    body: html`<p>Accept before ${day(transfer.expires)} to become its only admin.</p>${form({ action: `/settings/transfers/${encodeURIComponent(transfer.id)}`, csrf, isInline: true, label: `Answer the offer of ${owner.name}`, content: html`${submit('Accept', { name: 'answer', value: 'accept' })}${submit('Decline', { kind: 'plain', name: 'answer', value: 'decline' })}` })}`,
  });
}

function members({ owner, mayManage, transfer, sent }: OwnerView, { csrf }: Frame): Html {
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
  const member = filledIn(sent, 'members');
  const offered = filledIn(sent, 'transfer');
  const add = form({
    action: `${href}/members`,
    csrf,
    content: html`${field({ name: 'account', label: 'Account', isRequired: true, maxLength: 64, autocomplete: 'off', ...member.text('account') })}${choiceField({ name: 'roles', label: 'Roles', kind: 'checkbox', choices: roleChoices, ...member.choices('roles', ['reader']) })}${submit('Save member')}`,
  });
  const hand =
    transfer !== null
      ? html`<p>Offered to ${foreign(transfer.to)} until ${day(transfer.expires)}.</p>${form({ action: `${href}/transfer`, csrf, isInline: true, label: 'Withdraw the offer', content: submit('Withdraw', { kind: 'plain', name: 'withdraw', value: transfer.id }) })}`
      : form({
          action: `${href}/transfer`,
          csrf,
          content: html`${field({ name: 'to', label: 'New admin', hint: 'The account becomes the only admin when it accepts.', isRequired: true, maxLength: 64, ...offered.text('to') })}${submit('Offer', { kind: 'danger' })}`,
        });
  return html`<section class="stack"><h2>Members</h2>${list}<div class="two">${card('Add or change a member', add)}${card('Transfer this namespace', hand)}</div></section>`;
}
