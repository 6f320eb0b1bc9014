// Pages of namespaces, and the forms on them.

import type { Context } from 'hono';
import {
  type CreatedWebhook,
  MemberRequest,
  OwnerName,
  PublisherRequest,
  SearchQuery,
  WebhookRequest,
} from 'skillwright/registry-protocol';
import { may, notFound } from '../../access/index.ts';
import {
  addPublisher,
  changeMember,
  declineTransfer,
  findOffer,
  findOwner,
  listPublishers,
  offerTransfer,
  removePublisher,
  showOffered,
  showOwner,
} from '../../accounts/index.ts';
import { Failure } from '../../base/index.ts';
import { createWebhook, listWebhooks, removeWebhook } from '../../changes/index.ts';
import type { App, Environment } from '../../http/index.ts';
import { searchSkills } from '../../search/index.ts';
import { ownerHref } from '../addresses.ts';
import type { Frame } from '../frame.ts';
import { checkForm, orAgain, readChoices, readForm, showPage } from '../frame-of.ts';
import type { SentForm } from '../sent-form.ts';
import { ownerPage } from './owner-page.ts';

const OWNER = '/:owner{@[^/]+}' as const;

type Page = Context<Environment>;

/** `/@owner`. */
export function ownerPages(app: App): void {
  app.get(
    OWNER,
    showPage((context, frame) => show(context, frame)),
  );
  formOf(app, { form: 'members', main: 'account' }, async (context, owner) => {
    const { account = '' } = await readForm(context);
    const { roles } = checkForm(MemberRequest, { roles: await readChoices(context, 'roles') });
    await changeMember(context.get('registry'), context.get('caller'), { owner, account, roles });
    return undefined;
  });
  formOf(app, { form: 'transfer', main: 'to' }, async (context, owner) => {
    const { to = '', withdraw } = await readForm(context);
    const [registry, caller] = [context.get('registry'), context.get('caller')];
    if (withdraw === undefined) await offerTransfer(registry, caller, { owner, to });
    else await declineTransfer(registry, caller, withdraw);
    return undefined;
  });
  formOf(app, { form: 'publishers', main: 'repository' }, async (context, owner) => {
    const { csrf: _, ...fields } = await readForm(context);
    const filled = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
    const request = checkForm(PublisherRequest, filled);
    await addPublisher(context.get('registry'), context.get('caller'), { owner, request });
    return undefined;
  });
  app.post(
    `${OWNER}/publishers/:id/remove`,
    showPage(async (context) => {
      const address = { owner: ownerIn(context), id: context.req.param('id')! };
      await removePublisher(context.get('registry'), context.get('caller'), address);
      return context.redirect(ownerHref(address.owner), 303);
    }),
  );
  formOf(app, { form: 'webhooks', main: 'url' }, async (context, owner) => {
    const { url } = checkForm(WebhookRequest, { url: (await readForm(context)).url });
    return { created: await createWebhook(context.get('registry'), context.get('caller'), { owner, url }) };
  });
  app.post(
    `${OWNER}/webhooks/:id/remove`,
    showPage(async (context) => {
      const address = { owner: ownerIn(context), id: context.req.param('id')! };
      await removeWebhook(context.get('registry'), context.get('caller'), address);
      return context.redirect(ownerHref(address.owner), 303);
    }),
  );
}

interface Shown {
  readonly sent?: SentForm;
  readonly created?: CreatedWebhook;
}

/** A form of the page. Work that returns something shows it once, on the page itself. */
function formOf(
  app: App,
  { form, main }: { form: string; main: string },
  work: (context: Page, owner: string) => Promise<Shown | undefined>,
): void {
  app.post(
    `${OWNER}/${form}`,
    showPage((context, frame) =>
      orAgain(context, { form, main, again: (sent) => show(context, frame, { sent }) }, async () => {
        const owner = ownerIn(context);
        const shown = await work(context, owner);
        if (!shown) return context.redirect(ownerHref(owner), 303);
        context.header('cache-control', 'no-store');
        return show(context, frame, shown);
      }),
    ),
  );
}

async function show(context: Page, frame: Frame, { sent, created }: Shown = {}): Promise<string> {
  const [registry, caller] = [context.get('registry'), context.get('caller')];
  const name = ownerIn(context);
  const offered = await showOffered(registry, caller, name);
  const owner = await showOwner(registry, caller, name).catch((error: unknown) => {
    if (offered === undefined || !(error instanceof Failure && error.code === 'not_found')) throw error;
    return undefined;
  });
  const nothing = { skills: [], next: null, mayManage: false, publishers: undefined, webhooks: undefined };
  if (owner === undefined) return ownerPage({ ...offered!, ...nothing }, frame);
  const { id } = await findOwner(registry.database, caller, name);
  const query = SearchQuery.parse({ owner: name, sort: 'updated', cursor: context.req.query('cursor') });
  const { skills, next } = await searchSkills(registry, caller, query);
  const mayManage = may(caller, 'manage', { ownerId: id });
  const transfer = await findOffer(registry, caller, id);
  if (!mayManage)
    return ownerPage(
      { owner, skills, next, mayManage, transfer, publishers: undefined, webhooks: undefined, sent },
      frame,
    );
  const publishers = (await listPublishers(registry, caller, name)).map(({ pending, ...rest }) => ({
    ...rest,
    isPending: pending,
  }));
  const webhooks = { list: await listWebhooks(registry, caller, name), created };
  return ownerPage({ owner, skills, next, mayManage, transfer, publishers, webhooks, sent }, frame);
}

function ownerIn(context: Page): string {
  const { success, data } = OwnerName.safeParse(context.req.param('owner')!.slice(1));
  if (!success) throw notFound();
  return data;
}
