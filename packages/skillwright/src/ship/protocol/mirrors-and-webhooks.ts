// Where the skills of a namespace come from, and who hears of its changes.

import * as z from 'zod';
import { asked } from './asked-field.ts';
import { OwnerName, Time, WebAddress } from './values.ts';

/** A mirror and how its last run went. */
export const Mirror = z.object({
  id: z.string(),
  owner: OwnerName,
  source: z.string(),
  everyMinutes: z.number().int(),
  synced: Time.nullable().describe('Last run that reached the source'),
  resolution: z.string().nullable().describe('Commit or digest of that run'),
  failure: z.string().nullable().describe('Why the last run failed'),
  notes: z.array(z.string()).describe('Skills that were left out, and why'),
});
export type Mirror = z.output<typeof Mirror>;

/** A new mirror. */
export const MirrorRequest = z.strictObject({
  source: asked(z.string().min(1).max(1000).describe('https address of a git repository or of a site'), {
    label: 'Source',
    hint: 'A Git address, or a site with .well-known/agent-skills',
  }),
  everyMinutes: asked(z.number().int().min(5).max(10_080).default(60), {
    label: 'Minutes between two runs',
    hint: '5 to 10,080',
    isRequired: true,
  }),
});

/** A run of one mirror. */
export const MirrorRun = z.object({
  source: z.string(),
  published: z.array(z.string()).describe('Versions that are new'),
  unchanged: z.number().int(),
  notes: z.array(z.string()).describe('Skills that were left out, and why'),
  failure: z.string().nullable(),
});
export type MirrorRun = z.output<typeof MirrorRun>;

/** A new webhook. */
export const WebhookRequest = z.strictObject({
  url: asked(WebAddress.max(1000), {
    label: 'Address',
    hint: 'It gets a signed POST request for every change',
  }),
});

/** A webhook without its secret. */
export const Webhook = z.object({
  id: z.string(),
  url: z.string(),
  created: Time,
  failures: z.number().int().describe('Failed deliveries since the last success'),
  disabled: z.string().nullable().describe('Why nothing is sent any more, or null'),
});
export type Webhook = z.output<typeof Webhook>;

/** A new webhook with its secret, which is shown once. */
export const CreatedWebhook = Webhook.extend({ secret: z.string() });
