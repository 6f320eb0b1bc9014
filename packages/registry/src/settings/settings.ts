// Settings of a registry, from flags and environment.

import * as z from 'zod';

/** Settings. Helpers of the command line and of tests fill in the defaults with `Settings.parse`. */
export const Settings = z.object({
  port: z.number().int().min(0).max(65_535).default(4873),
  host: z.string().default('127.0.0.1'),
  /** Directory of the embedded database, archives and caches. */
  data: z.string(),
  databaseUrl: z.string().optional(),
  /** Address people and clients use; by default the address the server listens on. */
  publicUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** Addresses of proxies whose X-Forwarded-For counts. */
  trustedProxies: z.array(z.string()).default([]),
  review: z.enum(['off', 'new', 'all']).default('off'),
  /** What happens to versions the scanner calls dangerous. */
  danger: z.enum(['refuse', 'review']).default('refuse'),
  /** Hours before a version can become `latest`. */
  minimumAgeHours: z.number().min(0).default(0),
  maxFiles: z.number().int().min(1).default(512),
  maxArchiveBytes: z
    .number()
    .int()
    .min(1024)
    .default(16 * 1024 * 1024),
});
export type Settings = z.output<typeof Settings>;
