// Settings of a registry, from flags and environment.

import * as z from 'zod';
import { CiIssuer, IdentityProvider, knownCiIssuers } from './identity.ts';

/** Settings. Helpers of the command line and of tests fill in the defaults with `Settings.parse`. */
export const Settings = z.object({
  port: z.number().int().min(0).max(65_535).default(4873),
  host: z.string().default('127.0.0.1'),
  /** Directory of the embedded database, archives and caches. */
  data: z.string(),
  databaseUrl: z.string().optional(),
  /** Connections of this process to PostgreSQL. */
  databaseConnections: z.number().int().min(2).max(1000).default(10),
  /** Seconds a statement of the database may take. */
  statementSeconds: z.number().min(1).default(30),
  /** Address people and clients use; by default the address the server listens on. */
  publicUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** Addresses of proxies whose X-Forwarded-For counts. */
  trustedProxies: z.array(z.string()).default([]),
  /** Name of the registry on its pages. */
  title: z.string().min(1).max(60).default('Skills'),
  review: z.enum(['off', 'new', 'all']).default('off'),
  /** What happens to versions the scanner calls dangerous. */
  danger: z.enum(['refuse', 'review']).default('refuse'),
  /** Hours before a version can become `latest`. */
  minimumAgeHours: z.number().min(0).default(0),
  /** Private hosts, addresses and networks that mirrors may fetch from. */
  mirrorAllowPrivate: z.array(z.string()).default([]),
  maxFiles: z.number().int().min(1).default(512),
  maxArchiveBytes: z
    .number()
    .int()
    .min(1024)
    .default(16 * 1024 * 1024),
  /** Signing key of the log, `PRIVATE+KEY+…`; by default one is made at the first start and kept in the database. */
  logKey: z.string().optional(),
  /** Verifier keys of the witnesses whose cosignatures the log's checkpoint shows. */
  witnesses: z.array(z.string()).default([]),
  /** CI systems whose identity tokens can publish. */
  ciIssuers: z.array(CiIssuer).default(knownCiIssuers),
  /** Who may create namespaces. */
  newOwners: z.enum(['admins', 'accounts']).default('accounts'),
  /** Where people sign in. */
  providers: z.array(IdentityProvider).default([]),
  /** Hours after which an unused session ends. */
  sessionIdleHours: z.number().positive().default(72),
  /** Days after which every session ends. */
  sessionDays: z.number().positive().default(30),
  /** Bytes of all files of a version. */
  maxUnpackedBytes: z
    .number()
    .int()
    .min(1024)
    .default(64 * 1024 * 1024),
  /** Accept versions from trusted publishers only, for every skill. */
  requireProvenance: z.boolean().default(false),
  /** Seconds an upload may take. */
  uploadSeconds: z.number().min(0.01).default(120),
  /** Lets webhooks reach loopback and private networks. */
  webhooksToPrivate: z.boolean().default(false),
  /** Whether `/mcp` answers without a token, for public skills. */
  anonymousMcp: z.boolean().default(true),
  /** Disk space for unpacked versions that are being read. */
  readCacheBytes: z
    .number()
    .int()
    .min(0)
    .default(1024 * 1024 * 1024),
});
export type Settings = z.output<typeof Settings>;
