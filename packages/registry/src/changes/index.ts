// Changes told to others: feeds and webhooks.

export { deliverWebhooks } from './deliver.ts';
export { readPublicChanges } from './public-changes.ts';
export { renderAtomFeed, renderJsonFeed } from './render-feed.ts';
export { webhookOperations } from './webhook.ts';
