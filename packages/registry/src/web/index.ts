// The pages of a registry, and the routes to them.

import type { App } from '../http/index.ts';
import { accountPage } from './account/account-page.ts';
import { signin } from './account/sign-in-routes.ts';
import { sessionsPage, tokensPage } from './account/tokens-page.ts';
import { accountsPage } from './admin/accounts-page.ts';
import { auditPage } from './admin/admin-shell.ts';
import { mirrorsPage } from './admin/mirrors-page.ts';
import { reportsPage, verificationsPage } from './admin/reports-page.ts';
import { mountPage } from './forms/form-route.ts';
import { homePage } from './home-page.ts';
import { logPage } from './log-page.ts';
import { ownerPage } from './owner/owner-page.ts';
import { reviewPage, reviewQueuePage } from './review/review-pages.ts';
import { searchPage } from './search-page.ts';
import { siteFiles } from './site-routes.ts';
import { skillFiles, skillPages } from './skill/skill-pages.ts';

export { failurePage, wantsPage } from './define-page.ts';

/** Every page but those of skills. */
export function sitePages(app: App): void {
  siteFiles(app);
  signin(app);
  app.get('/admin', (context) => context.redirect('/admin/accounts', 303));
  mountPage(app, homePage);
  mountPage(app, searchPage);
  mountPage(app, logPage);
  mountPage(app, accountPage);
  mountPage(app, sessionsPage);
  mountPage(app, tokensPage);
  mountPage(app, accountsPage);
  mountPage(app, auditPage);
  mountPage(app, reportsPage);
  mountPage(app, verificationsPage);
  mountPage(app, mirrorsPage);
  mountPage(app, reviewQueuePage);
  mountPage(app, reviewPage);
  mountPage(app, ownerPage);
}

/** `/@owner/name`, which would take the addresses of other routes. */
export function skillRoutes(app: App): void {
  skillFiles(app);
  for (const page of skillPages) mountPage(app, page);
}
