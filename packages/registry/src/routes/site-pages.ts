// Home, search, owners, status, style sheet and script.

import { toolVersion } from 'skillwright';
import {
  MemberRequest,
  OwnerName,
  PublisherRequest,
  SearchQuery,
  type SkillSummary,
} from 'skillwright/registry-protocol';
import type { Caller } from '../access/caller.ts';
import { may, notFound, visibleTo } from '../access/may.ts';
import type { App } from '../app/create-app.ts';
import { changeMember } from '../owners/change-member.ts';
import { findOwner } from '../owners/find-owner.ts';
import { showOwner } from '../owners/show-owner.ts';
import { declineTransfer, offerTransfer } from '../owners/transfers.ts';
import { addPublisher, listPublishers, removePublisher } from '../publishers/manage-publishers.ts';
import type { Registry } from '../registry.ts';
import { searchSkills } from '../search/search-skills.ts';
import { ownerHref } from '../web/addresses.ts';
import { checkForm, readChoices, readForm, showPage } from '../web/frame-of.ts';
import { homePage } from '../web/home-page.ts';
import { ownerPage } from '../web/owner-page.ts';
import { pageAssets } from '../web/page-assets.ts';
import { searchPage } from '../web/search-page.ts';
import { statusPage } from '../web/status-page.ts';
import { readSearchQuery } from './search.ts';

const OWNER = '/:owner{@[^/]+}' as const;

/** Pages about the registry as a whole, and of namespaces. */
export function sitePages(app: App): void {
  pageAssets(app);
  app.get(
    '/',
    showPage(async (context, frame) => {
      const [registry, caller] = [context.get('registry'), context.get('caller')];
      const [counts, popular, recent] = await Promise.all([
        countAll(registry, caller),
        list(registry, caller, { sort: 'downloads', limit: 6 }),
        list(registry, caller, { sort: 'updated', limit: 10 }),
      ]);
      return homePage({ counts, popular, recent }, frame);
    }),
  );
  app.get(
    '/search',
    showPage(async (context, frame) => {
      const [registry, caller] = [context.get('registry'), context.get('caller')];
      const filled = Object.fromEntries(
        Object.entries(context.req.query()).filter(([, value]) => value !== ''),
      );
      const query = readSearchQuery(filled);
      const page = await searchSkills(registry, caller, query);
      return searchPage({ query, page, facets: await facetsOf(registry, caller) }, frame);
    }),
  );
  app.get(
    '/status',
    showPage(async (context, frame) => {
      const registry = context.get('registry');
      const counts = await countAll(registry, context.get('caller'));
      const checks = [
        {
          name: 'Database',
          isOk: true,
          detail: registry.database.kind === 'postgres' ? 'PostgreSQL' : 'embedded PostgreSQL',
        },
      ];
      return statusPage({ checks, version: toolVersion, counts, log: await logState(registry) }, frame);
    }),
  );
  app.get(
    OWNER,
    showPage(async (context, frame) => {
      const [registry, caller] = [context.get('registry'), context.get('caller')];
      const name = ownerIn(context.req.param('owner')!);
      const owner = await showOwner(registry, caller, name);
      const { id } = await findOwner(registry.database, caller, name);
      const query = SearchQuery.parse({ owner: name, sort: 'updated', cursor: context.req.query('cursor') });
      const { skills, next } = await searchSkills(registry, caller, query);
      const mayManage = may(caller, 'manage', { ownerId: id });
      const publishers = mayManage
        ? (await listPublishers(registry, caller, name)).map(({ pending, ...rest }) => ({
            ...rest,
            isPending: pending,
          }))
        : undefined;
      return ownerPage({ owner, skills, next, mayManage, transfer: null, publishers }, frame);
    }),
  );
  app.post(
    `${OWNER}/members`,
    showPage(async (context) => {
      const owner = ownerIn(context.req.param('owner')!);
      const { account = '' } = await readForm(context);
      const { roles } = checkForm(MemberRequest, { roles: await readChoices(context, 'roles') });
      await changeMember(context.get('registry'), context.get('caller'), { owner, account, roles });
      return context.redirect(ownerHref(owner), 303);
    }),
  );
  app.post(
    `${OWNER}/transfer`,
    showPage(async (context) => {
      const owner = ownerIn(context.req.param('owner')!);
      const { to = '', withdraw } = await readForm(context);
      const [registry, caller] = [context.get('registry'), context.get('caller')];
      if (withdraw === undefined) await offerTransfer(registry, caller, { owner, to });
      else await declineTransfer(registry, caller, withdraw);
      return context.redirect(ownerHref(owner), 303);
    }),
  );
  app.post(
    `${OWNER}/publishers`,
    showPage(async (context) => {
      const owner = ownerIn(context.req.param('owner')!);
      const { csrf: _, ...fields } = await readForm(context);
      const filled = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
      await addPublisher(context.get('registry'), context.get('caller'), {
        owner,
        request: checkForm(PublisherRequest, filled),
      });
      return context.redirect(ownerHref(owner), 303);
    }),
  );
  app.post(
    `${OWNER}/publishers/:id/remove`,
    showPage(async (context) => {
      const owner = ownerIn(context.req.param('owner')!);
      await removePublisher(context.get('registry'), context.get('caller'), {
        owner,
        id: context.req.param('id')!,
      });
      return context.redirect(ownerHref(owner), 303);
    }),
  );
}

function ownerIn(text: string): string {
  const { success, data } = OwnerName.safeParse(text.slice(1));
  if (!success) throw notFound();
  return data;
}

async function list(
  registry: Registry,
  caller: Caller,
  query: { sort: 'downloads' | 'updated'; limit: number },
): Promise<readonly SkillSummary[]> {
  return (await searchSkills(registry, caller, SearchQuery.parse(query))).skills;
}

/** Counts of what the caller may see. */
async function countAll(
  { database }: Registry,
  caller: Caller,
): Promise<{ skills: number; versions: number; owners: number }> {
  const parameters: unknown[] = [];
  const [counts] = await database.query<{ skills: number; versions: number; owners: number }>(
    `select count(*) as skills, count(distinct s.owner_id) as owners, coalesce(sum(
       (select count(*) from versions v where v.skill_id = s.id and v.review = 'approved')), 0)::bigint as versions
     from skills s where ${visibleTo(caller, parameters)}`,
    parameters,
  );
  return counts!;
}

/** The most frequent owners, tags and categories among the skills the caller may see. */
async function facetsOf(
  { database }: Registry,
  caller: Caller,
): Promise<{ owners: string[]; tags: string[]; categories: string[] }> {
  const top = async (values: string) => {
    const parameters: unknown[] = [];
    const rows = await database.query<{ value: string }>(
      `select f.value from (select ${values} as value from skills s join owners o on o.id = s.owner_id
         where ${visibleTo(caller, parameters)} limit 20000) f where f.value is not null group by f.value
       order by count(*) desc, f.value limit 50`,
      parameters,
    );
    return rows.map(({ value }) => value);
  };
  const [owners, tags, categories] = await Promise.all([
    top('o.name'),
    top('unnest(s.tags)'),
    top('s.category'),
  ]);
  return { owners, tags, categories };
}

async function logState({ database }: Registry) {
  const [log] = await database.query<{ origin: string; size: number }>(
    'select origin, size from log_origins where closed_at is null',
  );
  return log === undefined ? null : { ...log, key: null, checkpointed: null };
}
