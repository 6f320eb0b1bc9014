// A namespace: its skills, and for members its members and publishers.

import {
  actionColumn,
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
  MAX_NAME,
  OwnerName,
  pathParts,
  SearchQuery,
  type SkillSummary,
} from 'skillwright/registry-protocol';
import { may, notFound } from '../../access/index.ts';
import { findOffer, findOwner, showOffered } from '../../accounts/index.ts';
import { callOf, handlers } from '../../api/index.ts';
import { Failure } from '../../base/index.ts';
import { searchSkills } from '../../search/index.ts';
import { transferOffer } from '../account/account-page.ts';
import { ownerHref } from '../addresses.ts';
import { definePage, type Visit } from '../define-page.ts';
import { buttonForm, drawForm, pageForm } from '../forms/page-form.ts';
import { type Frame, shell } from '../frame.ts';
import { skillList } from '../skill-list.ts';
import { ownerPublishers, publisherForms } from './owner-publishers.ts';
import { ownerWebhooks, webhookForms } from './owner-webhooks.ts';

/** A namespace as the viewer may see it. */
export type OwnerView = Awaited<ReturnType<typeof loadOwner>>;

const memberForm = pageForm('members', 'changeMember', {
  account: asked(pathParts.account, { label: 'Account', maxLength: MAX_NAME, autocomplete: 'off' }),
  roles: 'roles',
});
const transferForm = pageForm('transfer', 'offerTransfer');

const OWNER = '/:owner{@[^/]+}';

export const ownerPage = definePage({
  path: OWNER,
  load: loadOwner,
  draw(view, frame) {
    const { owner, skills, next } = view;
    const href = ownerHref(owner.name);
    const main = html`<div class="page-head"><h1><bdi>@${owner.name}</bdi></h1>${owner.title === '' ? '' : html`<p dir="auto">${owner.title}</p>`}<p class="facts"><span>${plural(owner.skills, 'skill')}</span><span>since ${day(owner.created)}</span>${owner.url === null ? '' : html`<span>${outsideLink(owner.url)}</span>`}<a href="${href}/feed.atom">Feed</a></p></div>
<div class="stack-large">${offer(view, frame)}<section><h2 class="unseen">Skills</h2>${
      skills.length === 0 ? emptyState('No skills to show', whyEmpty(view, frame)) : skillList(skills, 'h3')
    }${pager({ next: next === null ? undefined : `${href}?cursor=${encodeURIComponent(next)}` })}</section>
${members(view, frame)}${ownerPublishers(view, frame)}${ownerWebhooks(view, frame)}</div>`;
    const feed = { title: `Changes of @${owner.name}`, href: `${href}/feed.atom` };
    return shell(frame, { title: `@${owner.name}`, main, description: owner.title, feed });
  },
  forms: [
    { path: `${OWNER}/members`, form: memberForm, typedParts: { account: 'account' } },
    {
      path: `${OWNER}/transfer`,
      form: ({ withdraw }) => (withdraw === undefined ? transferForm : 'declineTransfer'),
      typedParts: { id: 'withdraw' },
    },
    ...publisherForms(OWNER),
    ...webhookForms(OWNER),
  ],
});

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

function members({ owner, mayManage, transfer }: OwnerView, frame: Frame): Html {
  if (owner.members === undefined) return html``;
  const href = ownerHref(owner.name);
  const { offered = [] } = owner;
  const list = table({
    caption: `Members of @${owner.name}`,
    columns: ['Account', 'Roles', ...(mayManage ? [actionColumn('Remove')] : [])],
    rows: [...owner.members, ...offered].map((member) => {
      const { account, roles } = member;
      const isMember = !offered.includes(member);
      const button = isMember ? submit('Remove', { kind: 'danger' }) : submit('Withdraw', { kind: 'plain' });
      return [
        foreign(account),
        html`<span class="row">${isMember ? '' : badge('invited', { tone: 'warn', title: 'Counts when the account accepts' })}${roles.map((role) => badge(role))}</span>`,
        ...(mayManage
          ? [
              buttonForm(frame, {
                action: `${href}/members`,
                label: isMember ? `Remove ${account}` : `Withdraw the roles offered to ${account}`,
                button: html`<input type="hidden" name="account" value="${account}">${button}`,
              }),
            ]
          : []),
      ];
    }),
  });
  if (!mayManage) return html`<section><h2>Members</h2>${list}</section>`;
  const add = drawForm(memberForm, {
    frame,
    action: `${href}/members`,
    usual: { roles: ['reader'] },
    button: 'Save',
  });
  const action = `${href}/transfer`;
  const hand =
    transfer !== null
      ? html`<p>Offered to ${foreign(transfer.to)} until ${day(transfer.expires)}.</p>${buttonForm(frame, { action, label: 'Withdraw the offer', button: submit('Withdraw', { kind: 'plain', name: 'withdraw', value: transfer.id }) })}`
      : drawForm(transferForm, { frame, action, button: submit('Offer', { kind: 'danger' }) });
  return html`<section class="stack"><h2>Members</h2>${list}<div class="two">${card('Invite or change a member', add)}${card('Transfer this namespace', hand)}</div></section>`;
}

async function loadOwner(visit: Visit) {
  const { registry, caller, context } = visit;
  const { data: name } = OwnerName.safeParse(context.req.param('owner')!.slice(1));
  if (name === undefined) throw notFound();
  const call = callOf(visit, { path: { owner: name } });
  const offered = await showOffered(visit, name);
  const owner = await handlers.getOwner(call).catch((error: unknown) => {
    if (offered === undefined || !(error instanceof Failure && error.code === 'not_found')) throw error;
    return undefined;
  });
  // Undefined for those who may not see them.
  const closed = { publishers: undefined, webhooks: undefined };
  if (owner === undefined) return { ...offered!, ...closed, skills: [], next: null, mayManage: false };
  const { id } = await findOwner(registry.database, caller, name);
  const query = SearchQuery.parse({ owner: name, sort: 'updated', cursor: context.req.query('cursor') });
  const { next, ...found } = await searchSkills(registry, caller, query);
  const skills: readonly SkillSummary[] = found.skills;
  const mayManage = may(caller, 'manage', { ownerId: id });
  const managed = mayManage
    ? {
        ...(await handlers.listPublishers(call)),
        ...(await handlers.listWebhooks(call)),
      }
    : closed;
  /** An offer of this namespace that nobody accepted yet; for its administrators and the account it is for. */
  const transfer = await findOffer(visit, id);
  return { owner, skills, next, mayManage, transfer, ...managed };
}
