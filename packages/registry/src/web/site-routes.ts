// Home, search, status, style sheet and script.

import { toolVersion } from 'skillwright';
import { SearchQuery, type SkillSummary } from 'skillwright/registry-protocol';
import { anonymous, type Caller, visibleTo } from '../access/index.ts';
import { readStatus } from '../doctor/index.ts';
import type { App } from '../http/index.ts';
import type { Registry } from '../registry.ts';
import { readFacets, readSearchQuery, searchSkills } from '../search/index.ts';
import { showPage } from './frame-of.ts';
import { homePage } from './home-page.ts';
import { pageAssets } from './page-assets.ts';
import { searchPage } from './search-page.ts';
import { statusPage } from './status-page.ts';

/** Pages about the registry as a whole. */
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
      return searchPage({ query, page, facets: await readFacets(registry, caller) }, frame);
    }),
  );
  app.get('/sitemap.xml', async (context) =>
    context.body(await renderSitemap(context.get('registry')), 200, {
      'content-type': 'application/xml; charset=utf-8',
      'cache-control': 'public, max-age=3600',
    }),
  );
  app.get('/robots.txt', (context) =>
    context.text(
      `User-agent: *\nAllow: /\nSitemap: ${context.get('registry').publicUrl}/sitemap.xml\n`,
      200,
      {
        'cache-control': 'public, max-age=3600',
      },
    ),
  );
  app.get(
    '/status',
    showPage(async (context, frame) => {
      const [registry, caller] = [context.get('registry'), context.get('caller')];
      const counts = await countAll(registry, caller);
      return statusPage({ ...(await readStatus(registry)), version: toolVersion, counts }, frame);
    }),
  );
}

/** The addresses of public skills, for search engines; the newest first, as many as a sitemap may have. */
const MAX_SITEMAP = 50_000;

async function renderSitemap({ database, publicUrl }: Registry): Promise<string> {
  const rows = await database.query<{ owner: string; name: string; updated: Date }>(
    `select o.name as owner, s.name, s.updated_at as updated from skills s join owners o on o.id = s.owner_id
     where ${visibleTo(anonymous, [])} order by s.updated_at desc, s.id desc limit ${MAX_SITEMAP}`,
  );
  const urls = rows.map(
    ({ owner, name, updated }) =>
      `<url><loc>${publicUrl}/@${owner}/${name}</loc><lastmod>${updated.toISOString()}</lastmod></url>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('')}</urlset>\n`;
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
