// Changes told to others: feeds and webhooks.

export { deliverWebhooks } from './deliver.ts';
export { readPublicChanges, renderFeed } from './public-changes.ts';
export { webhookOperations } from './webhook.ts';
