// Every operation of a registry, declared once: routes, the OpenAPI document and the client come from this table.

import * as z from 'zod';
import {
  AcceptedInvitation,
  AccountChange,
  AccountInfo,
  AccountPage,
  AuditPage,
  AuditQuery,
  Invitation,
  InvitationAcceptance,
  InvitationRequest,
  OpenInvitation,
  Publisher,
  SessionInfo,
} from './accounts.ts';
import { SkillLog } from './log-entry.ts';
import {
  CreatedWebhook,
  Mirror,
  MirrorRequest,
  MirrorRun,
  Webhook,
  WebhookRequest,
} from './mirrors-and-webhooks.ts';
import {
  AdvisoryRequest,
  LevelRequest,
  PendingVersion,
  Report,
  ResolveRequest,
  ScanHistory,
} from './moderation.ts';
import {
  CreatedToken,
  MemberRequest,
  Owner,
  OwnerRequest,
  PublisherRequest,
  PurgeRequest,
  QuarantineRequest,
  RatingRequest,
  ReportRequest,
  ReviewRequest,
  SkillChange,
  TokenList,
  TokenRequest,
  Transfer,
  TransferRequest,
  Whoami,
  YankRequest,
} from './requests.ts';
import { FindQuery, FoundSkills, SearchPage, SearchQuery } from './search-page.ts';
import {
  IndexVersion,
  RegistryAdvisory,
  SkillIndex,
  SkillSummary,
  StatesRequest,
  StatesResponse,
} from './skill-index.ts';
import { Digest, OwnerName, type RegistryErrorCode, type Scope, Version } from './values.ts';
import { VersionDocument } from './version-document.ts';

/** The variable parts of paths. A part that does not match names nothing: 404. */
export const pathParts = {
  owner: OwnerName.describe('Namespace, without `@`'),
  name: OwnerName.describe('Name of the skill'),
  version: Version,
  digest: Digest,
  id: z.string().regex(/^[A-Za-z0-9-]{1,100}$/),
  wanted: z.string().max(300).describe('Name of the skill, or `name@version`'),
  account: z.string().regex(/^[A-Za-z0-9._@-]{1,64}$/, 'must be the name of an account'),
} as const satisfies Record<string, z.ZodType<string>>;

/** Name of a variable part of a path. */
export type PathPart = keyof typeof pathParts;

/** One operation. */
export interface RegistryOperation {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** As OpenAPI spells it: `/api/v1/skills/@{owner}/{name}`. */
  readonly path: string;
  readonly summary: string;
  /** The scope a token needs; null when callers without an account may ask. */
  readonly scope: Scope | 'any' | null;
  readonly query?: z.ZodObject;
  /** The tool of skc whose parameters are in the query too. */
  readonly tool?: string;
  /** JSON that matches a schema, or an archive. */
  readonly body?: z.ZodType | 'archive';
  /** True when success makes something new: status 201. */
  readonly creates?: true;
  /** JSON of a schema, or bytes of a media type; left out for an answer without content. */
  readonly response?: z.ZodType | string;
  /** Also answers as text, for callers who do not accept JSON. */
  readonly hasText?: true;
  readonly errors: readonly RegistryErrorCode[];
}

const SKILL = '/api/v1/skills/@{owner}/{name}';
const VERSION = `${SKILL}/{version}` as const;
const OWNER = '/api/v1/owners/@{owner}';
const READ = '/api/v1/read/@{owner}/{wanted}';

const signedIn = ['unauthorised', 'forbidden'] as const;
const managed = [...signedIn, 'not_found'] as const;
const changing = ['bad_request', ...managed] as const;
const reading = [...changing, 'quarantined', 'purged', 'unavailable'] as const;
const readAnswer = z.looseObject({ version: z.string() });

/** The operations by id, which clients generated from the document use as function names. */
export const registryOperations = {
  whoami: {
    method: 'GET',
    path: '/api/v1/whoami',
    summary: 'The account behind a token',
    scope: 'any',
    response: Whoami,
    errors: ['unauthorised'],
  },
  listTokens: {
    method: 'GET',
    path: '/api/v1/tokens',
    summary: 'Tokens of your account that work',
    scope: 'owner',
    response: TokenList,
    errors: signedIn,
  },
  createToken: {
    method: 'POST',
    path: '/api/v1/tokens',
    summary: 'Make a token with some of your rights',
    scope: 'owner',
    body: TokenRequest,
    creates: true,
    response: CreatedToken,
    errors: changing,
  },
  revokeToken: {
    method: 'DELETE',
    path: '/api/v1/tokens/{id}',
    summary: 'Revoke a token and those made with it; scope `owner` for tokens other than the one you send',
    scope: 'any',
    errors: managed,
  },
  listSessions: {
    method: 'GET',
    path: '/api/v1/sessions',
    summary: 'Browsers that are signed in to your account',
    scope: 'owner',
    response: z.object({ sessions: z.array(SessionInfo) }),
    errors: signedIn,
  },
  endSession: {
    method: 'DELETE',
    path: '/api/v1/sessions/{id}',
    summary: 'Sign a browser out',
    scope: 'owner',
    errors: managed,
  },
  listAccounts: {
    method: 'GET',
    path: '/api/v1/admin/accounts',
    summary: 'Accounts by name',
    scope: 'admin',
    query: z.object({ cursor: z.string().max(100).optional().describe('`next` of the page before') }),
    response: AccountPage,
    errors: ['bad_request', ...signedIn],
  },
  changeAccount: {
    method: 'PATCH',
    path: '/api/v1/admin/accounts/{account}',
    summary: 'Suspend an account, or make it an administrator or a moderator of the registry',
    scope: 'admin',
    body: AccountChange,
    response: AccountInfo,
    errors: [...changing, 'conflict'],
  },
  revokeAccountTokens: {
    method: 'DELETE',
    path: '/api/v1/admin/accounts/{account}/tokens',
    summary: 'Revoke every token of an account and end its sessions',
    scope: 'admin',
    response: z.object({ revoked: z.number().int().nonnegative() }),
    errors: managed,
  },
  readAudit: {
    method: 'GET',
    path: '/api/v1/admin/audit',
    summary: 'The audit log, newest first; with `owner`, also for admins of that namespace (scope `owner`)',
    scope: 'admin',
    query: AuditQuery,
    response: AuditPage,
    errors: ['bad_request', ...signedIn],
  },
  createInvitation: {
    method: 'POST',
    path: '/api/v1/invitations',
    summary: 'Invite a person with a link that works once',
    scope: 'admin',
    body: InvitationRequest,
    creates: true,
    response: Invitation,
    errors: [...changing, 'name_taken'],
  },
  listInvitations: {
    method: 'GET',
    path: '/api/v1/invitations',
    summary: 'Roles that your namespaces offer; for administrators also the links that nobody used yet',
    scope: 'owner',
    response: z.object({ invitations: z.array(OpenInvitation) }),
    errors: signedIn,
  },
  withdrawInvitation: {
    method: 'DELETE',
    path: '/api/v1/invitations/{id}',
    summary: 'Withdraw an invitation, or roles that a namespace offers',
    scope: 'owner',
    errors: managed,
  },
  acceptInvitation: {
    method: 'POST',
    path: '/api/v1/invitations/accept',
    summary:
      'Accept an invitation by the code in its link; where people sign in at a provider, that page is needed',
    scope: null,
    body: InvitationAcceptance,
    creates: true,
    response: AcceptedInvitation,
    errors: ['bad_request', 'forbidden', 'not_found'],
  },
  readSkill: {
    method: 'GET',
    path: SKILL,
    summary: 'The index of a skill: its versions and their states',
    scope: null,
    response: SkillIndex,
    errors: ['unauthorised', 'not_found'],
  },
  readVersion: {
    method: 'GET',
    path: VERSION,
    summary: 'The document of a version, which never changes',
    scope: null,
    response: VersionDocument,
    errors: ['unauthorised', 'not_found'],
  },
  readArchive: {
    method: 'GET',
    path: '/api/v1/archives/{digest}',
    summary: 'The archive with this digest',
    scope: null,
    response: 'application/gzip',
    errors: ['unauthorised', 'not_found', 'quarantined', 'purged', 'unavailable'],
  },
  readStates: {
    method: 'POST',
    path: '/api/v1/states',
    summary: 'The states of up to 100 installed versions',
    scope: null,
    body: StatesRequest,
    response: StatesResponse,
    errors: ['bad_request', 'unauthorised', 'too_large'],
  },
  readJsonFeed: {
    method: 'GET',
    path: '/feed.json',
    summary: 'Changes of public skills, newest first',
    scope: null,
    response: 'application/feed+json',
    errors: [],
  },
  readAtomFeed: {
    method: 'GET',
    path: '/feed.atom',
    summary: 'Changes of public skills, newest first',
    scope: null,
    response: 'application/atom+xml',
    errors: [],
  },
  readOwnerJsonFeed: {
    method: 'GET',
    path: '/@{owner}/feed.json',
    summary: 'Changes of public skills of one namespace, newest first',
    scope: null,
    response: 'application/feed+json',
    errors: [],
  },
  readOwnerAtomFeed: {
    method: 'GET',
    path: '/@{owner}/feed.atom',
    summary: 'Changes of public skills of one namespace, newest first',
    scope: null,
    response: 'application/atom+xml',
    errors: [],
  },
  readSkillLog: {
    method: 'GET',
    path: `${SKILL}/log`,
    summary: 'Everything the transparency log says about a skill',
    scope: null,
    response: SkillLog,
    errors: ['unauthorised', 'not_found'],
  },
  proveVersion: {
    method: 'GET',
    path: `${VERSION}/proof`,
    summary: 'Proof that a version is in the transparency log, as a tlog-proof file',
    scope: null,
    query: z.object({
      witnessed: z
        .literal('yes')
        .optional()
        .describe('With the newest checkpoint that witnesses have cosigned'),
    }),
    response: 'text/plain',
    errors: ['unauthorised', 'not_found', 'unavailable'],
  },
  listMirrors: {
    method: 'GET',
    path: `${OWNER}/mirrors`,
    summary: 'Mirrors of a namespace, and how their last runs went',
    scope: 'owner',
    response: z.object({ mirrors: z.array(Mirror) }),
    errors: managed,
  },
  addMirror: {
    method: 'POST',
    path: `${OWNER}/mirrors`,
    summary: 'Keep the skills of a repository or site as versions of a namespace',
    scope: 'owner',
    body: MirrorRequest,
    creates: true,
    response: Mirror,
    errors: [...changing, 'conflict'],
  },
  removeMirror: {
    method: 'DELETE',
    path: `${OWNER}/mirrors/{id}`,
    summary: 'End a mirror; its skills stay',
    scope: 'owner',
    errors: managed,
  },
  syncMirror: {
    method: 'POST',
    path: `${OWNER}/mirrors/{id}/sync`,
    summary: 'Fetch a mirror now',
    scope: 'owner',
    response: MirrorRun,
    errors: managed,
  },
  rateSkill: {
    method: 'PUT',
    path: `${SKILL}/rating`,
    summary: 'Rate a skill with one to five stars',
    scope: 'rate',
    body: RatingRequest,
    response: SkillSummary,
    errors: changing,
  },
  unrateSkill: {
    method: 'DELETE',
    path: `${SKILL}/rating`,
    summary: 'Take your rating back',
    scope: 'rate',
    response: SkillSummary,
    errors: changing,
  },
  reportSkill: {
    method: 'POST',
    path: `${SKILL}/reports`,
    summary: 'Report a skill to the moderators of the registry',
    scope: 'read',
    body: ReportRequest,
    creates: true,
    response: z.object({ id: z.string() }),
    errors: [...changing, 'conflict', 'rate_limited'],
  },
  listReports: {
    method: 'GET',
    path: '/api/v1/reports',
    summary: 'Reports about skills; none for callers who do not moderate the registry',
    scope: 'review',
    query: z.object({ state: z.enum(['open', 'resolved']).default('open') }),
    response: z.object({ reports: z.array(Report) }),
    errors: ['bad_request', 'unauthorised'],
  },
  resolveReport: {
    method: 'POST',
    path: '/api/v1/reports/{id}/resolve',
    summary: 'Resolve a report, with what was done about it',
    scope: 'review',
    body: ResolveRequest,
    errors: [...changing, 'conflict'],
  },
  readReviewQueue: {
    method: 'GET',
    path: '/api/v1/review',
    summary: 'Versions that wait for your review',
    scope: 'review',
    response: z.object({ versions: z.array(PendingVersion) }),
    errors: ['unauthorised'],
  },
  reviewVersion: {
    method: 'POST',
    path: `${VERSION}/review`,
    summary:
      'Approve or reject a version that somebody else published; a moderator of the registry decides about dangerous ones',
    scope: 'review',
    body: ReviewRequest,
    response: IndexVersion,
    errors: [...changing, 'conflict'],
  },
  quarantineVersion: {
    method: 'POST',
    path: `${VERSION}/quarantine`,
    summary: 'Quarantine a version, or release it',
    scope: 'review',
    body: QuarantineRequest,
    response: IndexVersion,
    errors: changing,
  },
  purgeVersion: {
    method: 'POST',
    path: `${VERSION}/purge`,
    summary: 'Delete the bytes of a version for good',
    scope: 'admin',
    body: PurgeRequest,
    response: IndexVersion,
    errors: changing,
  },
  rescanVersion: {
    method: 'POST',
    path: `${VERSION}/rescan`,
    summary: 'Scan a version again; the first result stays',
    scope: 'review',
    response: ScanHistory,
    errors: [...changing, 'purged', 'invalid_skill', 'unavailable'],
  },
  readScans: {
    method: 'GET',
    path: `${VERSION}/scans`,
    summary: 'Every scan of a version, the one at publication first',
    scope: null,
    response: ScanHistory,
    errors: ['unauthorised', 'not_found'],
  },
  publishAdvisory: {
    method: 'POST',
    path: `${SKILL}/advisories`,
    summary: 'Warn of a known problem of some versions',
    scope: 'review',
    body: AdvisoryRequest,
    creates: true,
    response: RegistryAdvisory,
    errors: changing,
  },
  withdrawAdvisory: {
    method: 'DELETE',
    path: `${SKILL}/advisories/{id}`,
    summary: 'Withdraw an advisory',
    scope: 'review',
    errors: changing,
  },
  setLevel: {
    method: 'PUT',
    path: `${SKILL}/level`,
    summary: 'Set the trust level of a skill',
    scope: 'admin',
    body: LevelRequest,
    response: SkillIndex,
    errors: changing,
  },
  getOwner: {
    method: 'GET',
    path: OWNER,
    summary: 'A namespace; its members are shown to members',
    scope: null,
    response: Owner,
    errors: ['not_found'],
  },
  putOwner: {
    method: 'PUT',
    path: OWNER,
    summary:
      'Create a namespace (201), or change the title and address of one you manage (200), unless `If-None-Match: *` asks for a new one',
    scope: 'owner',
    body: OwnerRequest,
    creates: true,
    response: Owner,
    errors: [...changing, 'name_taken'],
  },
  changeMember: {
    method: 'PUT',
    path: `${OWNER}/members/{account}`,
    summary:
      'Give a member exactly these roles; none removes the member. Roles the account lacks are offered: they count when it accepts',
    scope: 'owner',
    body: MemberRequest,
    response: Owner,
    errors: [...changing, 'conflict'],
  },
  offerTransfer: {
    method: 'POST',
    path: `${OWNER}/transfer`,
    summary: 'Offer a namespace to another account',
    scope: 'owner',
    body: TransferRequest,
    creates: true,
    response: Transfer,
    errors: changing,
  },
  acceptTransfer: {
    method: 'POST',
    path: '/api/v1/transfers/{id}/accept',
    summary: 'Take over a namespace, or the roles, that was offered to you',
    scope: 'owner',
    response: Transfer,
    errors: managed,
  },
  declineTransfer: {
    method: 'POST',
    path: '/api/v1/transfers/{id}/decline',
    summary: 'Decline an offer, or take one back',
    scope: 'owner',
    response: Transfer,
    errors: managed,
  },
  listPublishers: {
    method: 'GET',
    path: `${OWNER}/publishers`,
    summary: 'Trusted publishers of a namespace',
    scope: 'owner',
    response: z.object({ publishers: z.array(Publisher) }),
    errors: managed,
  },
  addPublisher: {
    method: 'POST',
    path: `${OWNER}/publishers`,
    summary: 'Let a CI workflow publish a skill, which need not exist yet',
    scope: 'owner',
    body: PublisherRequest,
    creates: true,
    response: Publisher,
    errors: changing,
  },
  removePublisher: {
    method: 'DELETE',
    path: `${OWNER}/publishers/{id}`,
    summary: 'Remove a trusted publisher and revoke the tokens of its jobs',
    scope: 'owner',
    errors: managed,
  },
  publishVersion: {
    method: 'PUT',
    path: VERSION,
    summary: 'Publish a version; the first one creates the skill',
    scope: 'publish',
    body: 'archive',
    creates: true,
    response: IndexVersion,
    errors: [
      ...changing,
      'version_exists',
      'name_taken',
      'too_large',
      'digest_mismatch',
      'invalid_skill',
      'refused_by_scan',
      'unavailable',
    ],
  },
  yankVersion: {
    method: 'PATCH',
    path: VERSION,
    summary: 'Yank a version, or undo that',
    scope: 'publish',
    body: YankRequest,
    response: IndexVersion,
    errors: changing,
  },
  changeSkill: {
    method: 'PATCH',
    path: SKILL,
    summary: 'Deprecate a skill, or change who sees it and who may publish it',
    scope: 'publish',
    body: SkillChange,
    response: SkillIndex,
    errors: changing,
  },
  searchSkills: {
    method: 'GET',
    path: '/api/v1/search',
    summary: 'One page of skills, best first',
    scope: null,
    query: SearchQuery,
    response: SearchPage,
    errors: ['bad_request', 'unauthorised'],
  },
  findSkills: {
    method: 'GET',
    path: '/api/v1/find',
    summary: 'The best skills for a task, in few words',
    scope: null,
    query: FindQuery,
    response: FoundSkills,
    hasText: true,
    errors: ['bad_request', 'unauthorised'],
  },
  readOutline: {
    method: 'GET',
    path: `${READ}/outline`,
    summary: 'The sections of a skill with their sizes',
    scope: null,
    tool: 'skc_outline',
    response: readAnswer,
    hasText: true,
    errors: reading,
  },
  readShow: {
    method: 'GET',
    path: `${READ}/show`,
    summary: 'One section of a skill, or the whole text',
    scope: null,
    tool: 'skc_show',
    response: readAnswer,
    hasText: true,
    errors: reading,
  },
  readSearch: {
    method: 'GET',
    path: `${READ}/search`,
    summary: 'Sections of a skill that answer a question',
    scope: null,
    tool: 'skc_search',
    response: readAnswer,
    hasText: true,
    errors: reading,
  },
  readOpen: {
    method: 'GET',
    path: `${READ}/open`,
    summary: 'A file or lines of a skill',
    scope: null,
    tool: 'skc_open',
    response: readAnswer,
    hasText: true,
    errors: reading,
  },
  readSources: {
    method: 'GET',
    path: `${READ}/sources`,
    summary: 'Where the statements of a skill come from',
    scope: null,
    tool: 'skc_sources',
    response: readAnswer,
    hasText: true,
    errors: reading,
  },
  listWebhooks: {
    method: 'GET',
    path: `${OWNER}/webhooks`,
    summary: 'Webhooks of a namespace',
    scope: 'owner',
    response: z.object({ webhooks: z.array(Webhook) }),
    errors: managed,
  },
  createWebhook: {
    method: 'POST',
    path: `${OWNER}/webhooks`,
    summary: 'Send every change in a namespace to an address',
    scope: 'owner',
    body: WebhookRequest,
    creates: true,
    response: CreatedWebhook,
    errors: [...changing, 'conflict'],
  },
  removeWebhook: {
    method: 'DELETE',
    path: `${OWNER}/webhooks/{id}`,
    summary: 'Remove a webhook',
    scope: 'owner',
    errors: managed,
  },
} as const satisfies Record<string, RegistryOperation>;

/** Id of an operation. */
export type OperationId = keyof typeof registryOperations;

type Table = typeof registryOperations;
type Parsed<Schema, Otherwise> = Schema extends z.ZodType ? z.output<Schema> : Otherwise;

/** The checked query of an operation. */
export type OperationQuery<Id extends OperationId> = Table[Id] extends { query: infer Query }
  ? Parsed<Query, never>
  : Record<string, never>;

/** The checked body of an operation. */
export type OperationBody<Id extends OperationId> = Table[Id] extends { body: infer Body }
  ? Parsed<Body, undefined>
  : undefined;

/** The body of an operation as callers may write it: fields with a default can be left out. */
export type OperationInput<Id extends OperationId> = Table[Id] extends { body: infer Body }
  ? Body extends z.ZodType
    ? z.input<Body>
    : never
  : never;

/** The answer of an operation, if it is JSON. */
export type OperationAnswer<Id extends OperationId> = Table[Id] extends { response: infer Answer }
  ? Parsed<Answer, never>
  : undefined;

/** The variable parts of an operation's path, in order. */
export function partsOf({ path }: Pick<RegistryOperation, 'path'>): PathPart[] {
  return [...path.matchAll(/\{([a-z]+)\}/g)].map(([, part]) => part as PathPart);
}
