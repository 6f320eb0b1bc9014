// The registry's pages: pure functions from a view model to HTML.

export { type AccountView, accountPage } from './account/account-page.ts';
export { type DeviceView, devicePage } from './account/device-page.ts';
export { type InvitationView, invitationPage, welcomePage } from './account/invitation-page.ts';
export { type SignInView, signInPage } from './account/sign-in-page.ts';
export { type TokensView, tokensPage } from './account/tokens-page.ts';
export { type AccountsView, accountsPage } from './admin/accounts-page.ts';
export { type AuditView, auditPage } from './admin/audit-page.ts';
export { type MirrorsView, mirrorsPage } from './admin/mirrors-page.ts';
export { type ReportsView, reportsPage } from './admin/reports-page.ts';
export { type SettingsView, settingsPage } from './admin/settings-page.ts';
export { type ErrorView, errorPage } from './error-page.ts';
export { ASSETS, type Frame, type Viewer } from './frame.ts';
export { type HomeView, homePage } from './home-page.ts';
export { messagePage } from './message-page.ts';
export { type OwnerView, ownerPage } from './owner-page.ts';
export { type ReviewQueueView, type ReviewView, reviewPage, reviewQueuePage } from './review/review-pages.ts';
export { type SearchView, searchPage } from './search-page.ts';
export { skillPage } from './skill/skill-page.ts';
export type { SkillView } from './skill/skill-view.ts';
export { type StatusView, statusPage } from './status-page.ts';
