// The style sheet, the script, and the choice of colours.

import type { Context, Env, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { assets, readTheme, safeReturn, type Theme } from 'skillwright/pages';
import { ASSETS } from './frame.ts';

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
