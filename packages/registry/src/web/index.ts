// The registry's pages: pure functions from a view model to HTML.

export { accountPage } from './account/account-page.ts';
export { devicePage } from './account/device-page.ts';
export { invitationPage, welcomePage } from './account/invitation-page.ts';
export { signInPage } from './account/sign-in-page.ts';
export { tokensPage } from './account/tokens-page.ts';
export { accountsPage } from './admin/accounts-page.ts';
export { auditPage } from './admin/audit-page.ts';
export { mirrorsPage } from './admin/mirrors-page.ts';
export { reportsPage } from './admin/reports-page.ts';
export { settingsPage } from './admin/settings-page.ts';
export { errorPage } from './error-page.ts';
export type { Frame } from './frame.ts';
export { homePage } from './home-page.ts';
export { messagePage } from './message-page.ts';
export { ownerPage } from './owner-page.ts';
export { reviewPage, reviewQueuePage } from './review/review-pages.ts';
export { searchPage } from './search-page.ts';
export { skillPage } from './skill/skill-page.ts';
export type { SkillView } from './skill/skill-view.ts';
export { statusPage } from './status-page.ts';
