// A namespace: its skills, and for members its members and publishers.

import type { Context } from 'hono';
import {
  badge,
  card,
  commandLine,
  day,
  emptyState,
  foreign,
  type Html,
  html,
  outsideLink,
  pager,
  plural,
  submit,
  table,
} from 'skillwright/pages';
import {
  asked,
  type CreatedWebhook,
  MAX_NAME,
  type Owner,
  pathParts,
  type SkillSummary,
  type Transfer,
} from 'skillwright/registry-protocol';
import type { App, Environment } from '../../http/index.ts';
import { transferOffer } from '../account/account-page.ts';
import { ownerHref } from '../addresses.ts';
import { formRoute } from '../forms/form-route.ts';
import { buttonForm, drawForm, pageForm, type SentForm } from '../forms/page-form.ts';
import { type Frame, shell } from '../frame.ts';
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

/** Shown once: a form that was refused, or what a form made. */
export interface ShownOnce {
  readonly sent?: SentForm;
  readonly created?: CreatedWebhook;
}

/** Where the forms of the page are sent, and how it is shown afterwards. */
export interface OwnerRoutes {
  readonly app: App;
  /** The page's own path. */
  readonly at: string;
  show(context: Context<Environment>, frame: Frame, shown: ShownOnce): Promise<string>;
  again(context: Context<Environment>, frame: Frame, sent: SentForm): Promise<string>;
  next(parts: { readonly owner: string }): string;
}

const memberForm = pageForm('members', 'changeMember', {
  account: asked(pathParts.account, { label: 'Account', maxLength: MAX_NAME, autocomplete: 'off' }),
  roles: 'roles',
});
const transferForm = pageForm('transfer', 'offerTransfer');

/** Routes of members and transfers. */
export function memberRoutes({ app, at, again, next }: OwnerRoutes): void {
  formRoute(app, `${at}/members`, { form: memberForm, typedParts: { account: 'account' }, again, next });
  formRoute<'offerTransfer' | 'declineTransfer'>(app, `${at}/transfer`, {
    form: ({ withdraw }) => (withdraw === undefined ? transferForm : 'declineTransfer'),
    typedParts: { id: 'withdraw' },
    again,
    next,
  });
}

export function ownerPage(view: OwnerView, frame: Frame): string {
  const { owner, skills, next } = view;
  const href = ownerHref(owner.name);
  const main = html`<div class="page-head"><h1><bdi>@${owner.name}</bdi></h1>${owner.title === '' ? '' : html`<p dir="auto">${owner.title}</p>`}<p class="facts"><span>${plural(owner.skills, 'skill')}</span><span>since ${day(owner.created)}</span>${owner.url === null ? '' : html`<span>${outsideLink(owner.url)}</span>`}<a href="${href}/feed.atom">Feed</a></p></div>
<div class="stack-large">${offer(view, frame)}<section><h2 class="unseen">Skills</h2>${
    skills.length === 0 ? emptyState('No skills to show', whyEmpty(view, frame)) : skillList(skills, 'h3')
  }${pager({ next: next === null ? undefined : `${href}?cursor=${encodeURIComponent(next)}` })}</section>
${members(view, frame)}${ownerPublishers(view, frame)}${ownerWebhooks(view, frame)}</div>`;
  const feed = { title: `Changes of @${owner.name}`, href: `${href}/feed.atom` };
  return shell(frame, { title: `@${owner.name}`, main, description: owner.title, feed });
}

function whyEmpty({ owner, mayManage }: OwnerView, { viewer, publicUrl }: Frame): Html | undefined {
  if (viewer === undefined)
    return html`<p>Private skills are shown to members. <a href="/signin?return=${encodeURIComponent(ownerHref(owner.name))}">Sign in</a>.</p>`;
  if (owner.skills > 0) return html`<p>Private skills are shown to members.</p>`;
  if (!mayManage) return undefined;
  return html`<p>Publish the first one from its directory:</p>${commandLine(`skc publish . --owner ${owner.name} --registry ${publicUrl}`, 'command that publishes')}`;
}

/** For the account that the namespace is offered to. */
function offer({ transfer }: OwnerView, frame: Frame): Html {
  if (transfer === null || transfer.to !== frame.viewer?.account) return html``;
  return transferOffer(transfer, frame);
}

function members({ owner, mayManage, transfer, sent }: OwnerView, frame: Frame): Html {
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
            buttonForm(frame, {
              action: `${href}/members`,
              label: `Remove ${account}`,
              button: html`<input type="hidden" name="account" value="${account}">${submit('Remove', { kind: 'danger' })}`,
            }),
          ]
        : []),
    ]),
  });
  if (!mayManage) return html`<section><h2>Members</h2>${list}</section>`;
  const add = drawForm(memberForm, {
    frame,
    action: `${href}/members`,
    sent,
    usual: { roles: ['reader'] },
    button: 'Save member',
  });
  const action = `${href}/transfer`;
  const hand =
    transfer !== null
      ? html`<p>Offered to ${foreign(transfer.to)} until ${day(transfer.expires)}.</p>${buttonForm(frame, { action, label: 'Withdraw the offer', button: submit('Withdraw', { kind: 'plain', name: 'withdraw', value: transfer.id }) })}`
      : drawForm(transferForm, { frame, action, sent, button: submit('Offer', { kind: 'danger' }) });
  return html`<section class="stack"><h2>Members</h2>${list}<div class="two">${card('Add or change a member', add)}${card('Transfer this namespace', hand)}</div></section>`;
}
