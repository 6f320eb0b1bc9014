// The pages of a registry, and the routes to them.

export { accountPages } from './account/account-routes.ts';
export { signin } from './account/sign-in-routes.ts';
export { adminPages } from './admin/admin-routes.ts';
export { failurePage, wantsPage } from './frame-of.ts';
export { ownerPages } from './owner/owner-routes.ts';
export { reviewPages } from './review/review-routes.ts';
export { sitePages } from './site-routes.ts';
export { skillPages } from './skill/skill-routes.ts';
