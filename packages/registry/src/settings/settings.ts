// Settings of a registry, from flags, environment and file.

import { parseVerifierKey } from 'skillwright/transparency-log';
import * as z from 'zod';

/** Tokens and keys travel over https, or stay on this machine. */
export function isSafeTransport(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return (
    protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
  );
}

const Issuer = z.string().refine(isSafeTransport, 'must be an https address, or http on this machine');

/** A CI system that gives its jobs identity tokens. */
export const CiIssuer = z.strictObject({ issuer: Issuer, kind: z.enum(['github', 'gitlab']) });
export type CiIssuer = z.output<typeof CiIssuer>;

/** Hosted CI systems, known without settings. */
const knownCiIssuers: CiIssuer[] = [
  { issuer: 'https://token.actions.githubusercontent.com', kind: 'github' },
  { issuer: 'https://gitlab.com', kind: 'gitlab' },
];

/** An OpenID Connect provider where people sign in. */
export const IdentityProvider = z.strictObject({
  /** Part of addresses. */
  name: z.string().regex(/^[a-z0-9-]{1,32}$/),
  /** Shown on the page. */
  title: z.string().min(1),
  issuer: Issuer,
  clientId: z.string().min(1),
  clientSecret: z.string().min(1).optional(),
  scope: z.string().default('openid profile email'),
  /** Domains of e-mail addresses that may sign in; none: all. */
  domains: z.array(z.string().toLowerCase()).default([]),
  /** Groups of which a person needs one; none: no group is needed. */
  groups: z.array(z.string()).default([]),
  /** Claim with the groups. */
  groupsClaim: z.string().default('groups'),
  /** Take e-mail addresses that the provider does not call verified. */
  trustsEmail: z.boolean().default(false),
  /** Whether a first sign-in creates the account, or an invitation is needed. */
  accounts: z.enum(['create', 'invited']).default('create'),
});
export type IdentityProvider = z.output<typeof IdentityProvider>;

function isVerifierKey(text: string): boolean {
  try {
    return parseVerifierKey(text).kind === 'cosignature';
  } catch {
    return false;
  }
}

const count = z.number().int().min(0);
const megabytes = (value: number) => value * 1024 * 1024;

/** Settings. The command line and tests fill in the defaults with `Settings.parse`. Descriptions are the text of `--help`. */
export const Settings = z.object({
  port: z.number().int().min(0).max(65_535).default(4873).describe('Port to listen on; 0 takes a free one'),
  host: z.string().default('127.0.0.1').describe('Address to listen on'),
  data: z.string().describe('Directory of the embedded database, archives and caches'),
  databaseUrl: z
    .string()
    .regex(/^postgres(?:ql)?:\/\//, 'must start with postgres://')
    .optional()
    .describe('PostgreSQL to use instead of the embedded database; also DATABASE_URL'),
  databaseReadUrl: z
    .string()
    .regex(/^postgres(?:ql)?:\/\//, 'must start with postgres://')
    .optional()
    .describe(
      'Streaming replica of that PostgreSQL, for searches, pages and reads that may be a second old; also DATABASE_READ_URL',
    ),
  databaseConnections: z
    .number()
    .int()
    .min(2)
    .max(1000)
    .default(10)
    .describe('Connections of this process to PostgreSQL'),
  statementSeconds: z.number().min(1).default(30).describe('Seconds a statement of the database may take'),
  blobs: z
    .string()
    .regex(/^(?:database|files|s3:\/\/.+)$/, 'must be database, files, or s3://bucket/prefix')
    .optional()
    .describe(
      'Where archives are: database, files, or s3://bucket/prefix with credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; by default rows of PostgreSQL, or files in the data directory',
    ),
  blobsEndpoint: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address of the object store; by default that of the region at Amazon'),
  blobsRegion: z.string().min(1).default('us-east-1').describe('Region of the object store'),
  blobsPathStyle: z
    .boolean()
    .default(true)
    .describe('The bucket is a part of the path, not of the host name'),
  blobsRedirect: z
    .boolean()
    .default(false)
    .describe(
      'Send clients to a short-lived address of the object store instead of passing archives through',
    ),
  copies: count.default(3).describe('Copies of the embedded database to keep; 0 makes none'),
  copyHours: z.number().min(0.01).default(24).describe('Hours between two copies of the embedded database'),
  publicUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address people and clients use; by default the one the server listens on'),
  trustedProxies: z
    .array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]))
    .default([])
    .describe('Addresses or networks of proxies whose X-Forwarded-For counts'),
  title: z.string().min(1).max(60).default('Skills').describe('Name of the registry on its pages'),
  review: z
    .enum(['off', 'new', 'all'])
    .default('off')
    .describe(
      'Versions that wait for a reviewer of their namespace, other than the publisher: none, the first of a skill, or all',
    ),
  danger: z
    .enum(['refuse', 'review'])
    .default('refuse')
    .describe('Versions the scanner calls dangerous: refused, or waiting for a moderator of the registry'),
  minimumAgeHours: z.number().min(0).default(0).describe('Hours before a version can become latest'),
  mirrorAllowPrivate: z
    .array(z.string())
    .default([])
    .describe('Private hosts, addresses and networks that mirrors may fetch from'),
  maxFiles: z.number().int().min(1).default(512).describe('Files a skill may have'),
  maxArchiveBytes: z.number().int().min(1024).default(megabytes(16)).describe('Size of an archive'),
  maxUnpackedBytes: z
    .number()
    .int()
    .min(1024)
    .default(megabytes(64))
    .describe('Size of all files of a version'),
  requireProvenance: z
    .boolean()
    .default(false)
    .describe('Accept versions from trusted publishers only, for every skill'),
  uploadSeconds: z.number().min(0.01).default(120).describe('Seconds an upload may take'),
  webhooksToPrivate: z.boolean().default(false).describe('Let webhooks reach loopback and private networks'),
  logSigningKey: z
    .string()
    .optional()
    .describe('Signing key of the log; by default one is made at the first start and kept in the database'),
  logMemory: z
    .string()
    .min(1)
    .optional()
    .describe(
      'File outside the database that remembers the newest signed checkpoint; by default log-high-water in the data directory of an embedded database',
    ),
  witnesses: z
    .array(z.string().refine(isVerifierKey, 'must be a verifier key: name+hash+key'))
    .default([])
    .describe("Verifier keys of the witnesses whose cosignatures the log's checkpoint shows"),
  ciIssuers: z
    .array(CiIssuer)
    .default(knownCiIssuers)
    .describe('CI systems whose identity tokens can publish'),
  newOwners: z.enum(['admins', 'accounts']).default('accounts').describe('Who may create namespaces'),
  maxOwners: count
    .default(20)
    .describe('Namespaces that one account may create; administrators have no limit'),
  providers: z.array(IdentityProvider).default([]).describe('Where people sign in'),
  sessionIdleHours: z.number().positive().default(72).describe('Hours after which an unused session ends'),
  sessionDays: z.number().positive().default(30).describe('Days after which every session ends'),
  anonymousMcp: z.boolean().default(true).describe('Whether /mcp answers without a token, for public skills'),
  readCacheBytes: z
    .number()
    .int()
    .min(0)
    .default(megabytes(1024))
    .describe('Disk space for unpacked versions that are being read'),
  searchMemoryBytes: z
    .number()
    .int()
    .min(megabytes(1))
    .default(megabytes(40))
    .describe('Memory of a process for words and skills that searches have read'),
  maxRequestBytes: z.number().int().min(1024).default(megabytes(1)).describe('Size of any other request'),
  maxRequests: z.number().int().min(1).default(1000).describe('Requests handled at the same time'),
  maxUploads: z.number().int().min(1).default(8).describe('Archives received at the same time; more wait'),
  requestSeconds: z.number().min(1).default(60).describe('Seconds a request may take'),
  stopSeconds: z.number().min(0).default(20).describe('Seconds open requests get at a stop'),
  readLimit: count.default(1200).describe('Reads per caller and minute; 0 for no limit'),
  searchLimit: count.default(240).describe('Searches per caller and minute; 0 for no limit'),
  writeLimit: count.default(120).describe('Changes per caller and minute; 0 for no limit'),
  loginLimit: count.default(30).describe('Sign-in attempts per address and minute; 0 for no limit'),
  metricsToken: z
    .string()
    .min(16)
    .optional()
    .describe('Token that may read /metrics; administrators may always'),
});
export type Settings = z.output<typeof Settings>;
