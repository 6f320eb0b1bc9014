// Style sheet, script, colours, and what search engines ask for.

import type { Context, Env, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { assets, readTheme, safeReturn, type Theme } from 'skillwright/pages';
import { anonymous, visibleTo } from '../access/index.ts';
import type { App } from '../http/index.ts';
import type { Registry } from '../registry.ts';
import { ASSETS } from './frame.ts';

const kept = { 'cache-control': 'public, max-age=3600' };

/** Routes that serve files. */
export function siteFiles(app: App): void {
  pageAssets(app);
  app.get('/sitemap.xml', async (context) =>
    context.body(await renderSitemap(context.get('registry')), 200, {
      ...kept,
      'content-type': 'application/xml; charset=utf-8',
    }),
  );
  app.get('/robots.txt', (context) =>
    context.text(
      `User-agent: *\nAllow: /\nSitemap: ${context.get('registry').publicUrl}/sitemap.xml\n`,
      200,
      kept,
    ),
  );
}

/** Addresses that a sitemap may have; the newest public skills come first. */
const MAX_SITEMAP = 50_000;

/** PostgreSQL spells it: the server has other requests to answer meanwhile. */
async function renderSitemap({ database, publicUrl }: Registry): Promise<string> {
  const [row] = await database.query<{ urls: string | null }>(
    `select string_agg('<url><loc>' || $1::text || '/@' || owner || '/' || name || '</loc><lastmod>'
       || to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || E'</lastmod></url>\\n', '') as urls
     from (select o.name as owner, s.name, s.updated_at from skills s join owners o on o.id = s.owner_id
       where ${visibleTo(anonymous, [])} order by s.updated_at desc, s.id desc limit ${MAX_SITEMAP}) newest`,
    [publicUrl],
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${row?.urls ?? ''}</urlset>\n`;
}

const THEME_COOKIE = 'theme';
const YEAR = 365 * 24 * 60 * 60;

/** The colours chosen in this browser. */
export function themeOf(context: Context): Theme {
  return readTheme(getCookie(context, THEME_COOKIE));
}

/** `/assets/…`, kept by browsers for a year, and `/theme`. */
export function pageAssets<E extends Env>(app: Hono<E>): void {
  for (const { name, type, body } of Object.values(assets))
    app.get(`${ASSETS}/${name}`, (context) =>
      context.body(body, 200, {
        'content-type': type,
        'cache-control': `public, max-age=${YEAR}, immutable`,
      }),
    );
  // Changes only the colours of the visitor's own browser.
  app.post('/theme', async (context) => {
    const { theme, back } = await context.req.parseBody();
    setCookie(context, THEME_COOKIE, readTheme(typeof theme === 'string' ? theme : undefined), {
      path: '/',
      httpOnly: true,
      sameSite: 'Lax',
      secure: new URL(context.req.url).protocol === 'https:',
      maxAge: YEAR,
    });
    return context.redirect(safeReturn(back), 303);
  });
}
