// Pages of namespaces, and the forms on them.

import type { Context } from 'hono';
import { OwnerName, SearchQuery } from 'skillwright/registry-protocol';
import { may, notFound } from '../../access/index.ts';
import { findOffer, findOwner, listPublishers, showOffered, showOwner } from '../../accounts/index.ts';
import { Failure } from '../../base/index.ts';
import { listWebhooks } from '../../changes/index.ts';
import type { App, Environment } from '../../http/index.ts';
import { searchSkills } from '../../search/index.ts';
import { ownerHref } from '../addresses.ts';
import type { Frame } from '../frame.ts';
import { showPage } from '../frame-of.ts';
import { memberRoutes, type OwnerRoutes, ownerPage, type ShownOnce } from './owner-page.ts';
import { publisherRoutes } from './owner-publishers.ts';
import { webhookRoutes } from './owner-webhooks.ts';

const OWNER = '/:owner{@[^/]+}' as const;

type Page = Context<Environment>;

/** `/@owner`. */
export function ownerPages(app: App): void {
  app.get(
    OWNER,
    showPage((context, frame) => showNamespace(context, frame)),
  );
  const routes: OwnerRoutes = {
    app,
    at: OWNER,
    show: showNamespace,
    again: (context, frame, sent) => showNamespace(context, frame, { sent }),
    next: ({ owner }) => ownerHref(owner),
  };
  memberRoutes(routes);
  publisherRoutes(routes);
  webhookRoutes(routes);
}

async function showNamespace(
  context: Page,
  frame: Frame,
  { sent, created }: ShownOnce = {},
): Promise<string> {
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
  const publishers = await listPublishers(registry, caller, name);
  const webhooks = { list: await listWebhooks(registry, caller, name), created };
  return ownerPage({ owner, skills, next, mayManage, transfer, publishers, webhooks, sent }, frame);
}

function ownerIn(context: Page): string {
  const { success, data } = OwnerName.safeParse(context.req.param('owner')!.slice(1));
  if (!success) throw notFound();
  return data;
}
