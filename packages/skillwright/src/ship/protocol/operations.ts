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
  Verification,
  VerificationDecision,
  VerificationRequest,
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

type Declared = Pick<RegistryOperation, 'scope'> & Partial<RegistryOperation>;

/** Rows of one method. A row lists the errors that do not follow from its scope, its path and its input. */
const rowOf =
  <Method extends RegistryOperation['method']>(method: Method) =>
  <const Facts extends Declared & { readonly also?: readonly RegistryErrorCode[] }>(
    path: string,
    summary: string,
    facts: Facts,
  ) => {
    const { scope, body, query, also = [] } = facts;
    const errors: readonly RegistryErrorCode[] = [
      ...(body === undefined && query === undefined ? [] : ['bad_request' as const]),
      ...(scope === null ? [] : ['unauthorised' as const, 'forbidden' as const]),
      ...(path.includes('{') ? ['not_found' as const] : []),
      ...also,
    ];
    return { method, path, summary, errors, ...facts };
  };
const [get, put, post] = [rowOf('GET'), rowOf('PUT'), rowOf('POST')];
const [patch, remove] = [rowOf('PATCH'), rowOf('DELETE')];

const seen = ['unauthorised', 'not_found'] as const;
const changing = ['bad_request', 'unauthorised', 'forbidden', 'not_found'] as const;
const withheld = ['quarantined', 'purged', 'unavailable'] as const;

/** A tool of skc on one version. */
const readWith = (operation: string, summary: string) =>
  get(`/api/v1/read/@{owner}/{wanted}/${operation}`, summary, {
    scope: null,
    tool: `skc_${operation}`,
    response: z.looseObject({ version: z.string() }),
    hasText: true,
    errors: [...changing, ...withheld],
  });

const feed = { scope: null, response: 'application/atom+xml', errors: [] } as const;

/** The operations by id, which clients generated from the document use as function names. */
export const registryOperations = {
  whoami: get('/api/v1/whoami', 'The account behind a token', {
    scope: 'any',
    response: Whoami,
    errors: ['unauthorised'],
  }),
  listTokens: get('/api/v1/tokens', 'Tokens of your account that work', {
    scope: 'owner',
    response: TokenList,
  }),
  createToken: post('/api/v1/tokens', 'Make a token with some of your rights', {
    scope: 'owner',
    body: TokenRequest,
    creates: true,
    response: CreatedToken,
    also: ['not_found'],
  }),
  revokeToken: remove(
    '/api/v1/tokens/{id}',
    'Revoke a token and those made with it; scope `owner` for tokens other than the one you send',
    { scope: 'any' },
  ),
  listSessions: get('/api/v1/sessions', 'Browsers that are signed in to your account', {
    scope: 'owner',
    response: z.object({ sessions: z.array(SessionInfo) }),
  }),
  endSession: remove('/api/v1/sessions/{id}', 'Sign a browser out', { scope: 'owner' }),
  listAccounts: get('/api/v1/admin/accounts', 'Accounts by name', {
    scope: 'admin',
    query: z.object({ cursor: z.string().max(100).optional().describe('`next` of the page before') }),
    response: AccountPage,
  }),
  changeAccount: patch(
    '/api/v1/admin/accounts/{account}',
    'Suspend an account, or make it an administrator or a moderator of the registry',
    {
      scope: 'admin',
      body: AccountChange,
      response: AccountInfo,
      also: ['conflict'],
    },
  ),
  revokeAccountTokens: remove(
    '/api/v1/admin/accounts/{account}/tokens',
    'Revoke every token of an account and end its sessions',
    {
      scope: 'admin',
      response: z.object({ revoked: z.number().int().nonnegative() }),
    },
  ),
  readAudit: get(
    '/api/v1/admin/audit',
    'The audit log, newest first; with `owner`, also for admins of that namespace (scope `owner`)',
    {
      scope: 'admin',
      query: AuditQuery,
      response: AuditPage,
    },
  ),
  createInvitation: post('/api/v1/invitations', 'Invite a person with a link that works once', {
    scope: 'admin',
    body: InvitationRequest,
    creates: true,
    response: Invitation,
    also: ['not_found', 'name_taken'],
  }),
  listInvitations: get(
    '/api/v1/invitations',
    'Roles that your namespaces offer; for administrators also the links that nobody used yet',
    {
      scope: 'owner',
      response: z.object({ invitations: z.array(OpenInvitation) }),
    },
  ),
  withdrawInvitation: remove(
    '/api/v1/invitations/{id}',
    'Withdraw an invitation, or roles that a namespace offers',
    { scope: 'owner' },
  ),
  acceptInvitation: post(
    '/api/v1/invitations/accept',
    'Accept an invitation by the code in its link; where people sign in at a provider, that page is needed',
    {
      scope: null,
      body: InvitationAcceptance,
      creates: true,
      response: AcceptedInvitation,
      also: ['forbidden', 'not_found'],
    },
  ),
  readSkill: get(SKILL, 'The index of a skill: its versions and their states', {
    scope: null,
    response: SkillIndex,
    errors: seen,
  }),
  readVersion: get(VERSION, 'The document of a version, which never changes', {
    scope: null,
    response: VersionDocument,
    errors: seen,
  }),
  readArchive: get('/api/v1/archives/{digest}', 'The archive with this digest', {
    scope: null,
    response: 'application/gzip',
    errors: [...seen, ...withheld],
  }),
  readStates: post('/api/v1/states', 'The states of up to 100 installed versions', {
    scope: null,
    body: StatesRequest,
    response: StatesResponse,
    also: ['unauthorised', 'too_large'],
  }),
  readAtomFeed: get('/feed.atom', 'Changes of public skills, newest first', feed),
  readOwnerAtomFeed: get(
    '/@{owner}/feed.atom',
    'Changes of public skills of one namespace, newest first',
    feed,
  ),
  readSkillLog: get(`${SKILL}/log`, 'Everything the transparency log says about a skill', {
    scope: null,
    response: SkillLog,
    errors: seen,
  }),
  proveVersion: get(
    `${VERSION}/proof`,
    'Proof that a version is in the transparency log, as a tlog-proof file',
    {
      scope: null,
      query: z.object({
        witnessed: z
          .literal('yes')
          .optional()
          .describe('With the newest checkpoint that witnesses have cosigned'),
      }),
      response: 'text/plain',
      errors: [...seen, 'unavailable'],
    },
  ),
  listMirrors: get(`${OWNER}/mirrors`, 'Mirrors of a namespace, and how their last runs went', {
    scope: 'owner',
    response: z.object({ mirrors: z.array(Mirror) }),
  }),
  addMirror: post(`${OWNER}/mirrors`, 'Keep the skills of a repository or site as versions of a namespace', {
    scope: 'owner',
    body: MirrorRequest,
    creates: true,
    response: Mirror,
    also: ['conflict'],
  }),
  removeMirror: remove(`${OWNER}/mirrors/{id}`, 'End a mirror; its skills stay', { scope: 'owner' }),
  syncMirror: post(`${OWNER}/mirrors/{id}/sync`, 'Fetch a mirror now', {
    scope: 'owner',
    response: MirrorRun,
  }),
  rateSkill: put(`${SKILL}/rating`, 'Rate a skill with one to five stars', {
    scope: 'rate',
    body: RatingRequest,
    response: SkillSummary,
  }),
  unrateSkill: remove(`${SKILL}/rating`, 'Take your rating back', {
    scope: 'rate',
    response: SkillSummary,
    errors: changing,
  }),
  reportSkill: post(`${SKILL}/reports`, 'Report a skill to the moderators of the registry', {
    scope: 'read',
    body: ReportRequest,
    creates: true,
    response: z.object({ id: z.string() }),
    also: ['conflict', 'rate_limited'],
  }),
  listReports: get(
    '/api/v1/reports',
    'Reports about skills; none for callers who do not moderate the registry',
    {
      scope: 'review',
      query: z.object({ state: z.enum(['open', 'resolved']).default('open') }),
      response: z.object({ reports: z.array(Report) }),
      errors: ['bad_request', 'unauthorised'],
    },
  ),
  resolveReport: post('/api/v1/reports/{id}/resolve', 'Resolve a report, with what was done about it', {
    scope: 'review',
    body: ResolveRequest,
    also: ['conflict'],
  }),
  applyForVerification: post(`${SKILL}/verification`, 'Apply for the level `verified`', {
    scope: 'owner',
    body: VerificationRequest,
    creates: true,
    response: Verification,
    also: ['conflict'],
  }),
  listVerifications: get(
    '/api/v1/verifications',
    'Applications for the level `verified`: all of them for moderators, else those of namespaces you manage',
    {
      scope: 'any',
      query: z.object({ state: z.enum(['open', 'decided']).default('open') }),
      response: z.object({ verifications: z.array(Verification) }),
    },
  ),
  decideVerification: post('/api/v1/verifications/{id}/decide', 'Grant or decline an application', {
    scope: 'review',
    body: VerificationDecision,
    response: Verification,
    also: ['conflict'],
  }),
  readReviewQueue: get('/api/v1/review', 'Versions that wait for your review', {
    scope: 'review',
    response: z.object({ versions: z.array(PendingVersion) }),
    errors: ['unauthorised'],
  }),
  reviewVersion: post(
    `${VERSION}/review`,
    'Approve or reject a version that somebody else published; a moderator of the registry decides about dangerous ones',
    {
      scope: 'review',
      body: ReviewRequest,
      response: IndexVersion,
      also: ['conflict'],
    },
  ),
  quarantineVersion: post(`${VERSION}/quarantine`, 'Quarantine a version, or release it', {
    scope: 'review',
    body: QuarantineRequest,
    response: IndexVersion,
  }),
  purgeVersion: post(`${VERSION}/purge`, 'Delete the bytes of a version for good', {
    scope: 'admin',
    body: PurgeRequest,
    response: IndexVersion,
  }),
  rescanVersion: post(`${VERSION}/rescan`, 'Scan a version again; the first result stays', {
    scope: 'review',
    response: ScanHistory,
    errors: [...changing, 'purged', 'invalid_skill', 'unavailable'],
  }),
  readScans: get(`${VERSION}/scans`, 'Every scan of a version, the one at publication first', {
    scope: null,
    response: ScanHistory,
    errors: seen,
  }),
  publishAdvisory: post(`${SKILL}/advisories`, 'Warn of a known problem of some versions', {
    scope: 'review',
    body: AdvisoryRequest,
    creates: true,
    response: RegistryAdvisory,
  }),
  withdrawAdvisory: remove(`${SKILL}/advisories/{id}`, 'Withdraw an advisory', {
    scope: 'review',
    errors: changing,
  }),
  setLevel: put(`${SKILL}/level`, 'Set the trust level of a skill', {
    scope: 'admin',
    body: LevelRequest,
    response: SkillIndex,
  }),
  getOwner: get(OWNER, 'A namespace; its members are shown to members', {
    scope: null,
    response: Owner,
  }),
  putOwner: put(
    OWNER,
    'Create a namespace (201), or change the title and address of one you manage (200), unless `If-None-Match: *` asks for a new one',
    {
      scope: 'owner',
      body: OwnerRequest,
      creates: true,
      response: Owner,
      also: ['name_taken'],
    },
  ),
  changeMember: put(
    `${OWNER}/members/{account}`,
    'Give a member exactly these roles; none removes the member. Roles the account lacks are offered: they count when it accepts',
    {
      scope: 'owner',
      body: MemberRequest,
      response: Owner,
      also: ['conflict'],
    },
  ),
  offerTransfer: post(`${OWNER}/transfer`, 'Offer a namespace to another account', {
    scope: 'owner',
    body: TransferRequest,
    creates: true,
    response: Transfer,
  }),
  acceptTransfer: post(
    '/api/v1/transfers/{id}/accept',
    'Take over a namespace, or the roles, that was offered to you',
    {
      scope: 'owner',
      response: Transfer,
    },
  ),
  declineTransfer: post('/api/v1/transfers/{id}/decline', 'Decline an offer, or take one back', {
    scope: 'owner',
    response: Transfer,
  }),
  listPublishers: get(`${OWNER}/publishers`, 'Trusted publishers of a namespace', {
    scope: 'owner',
    response: z.object({ publishers: z.array(Publisher) }),
  }),
  addPublisher: post(`${OWNER}/publishers`, 'Let a CI workflow publish a skill, which need not exist yet', {
    scope: 'owner',
    body: PublisherRequest,
    creates: true,
    response: Publisher,
  }),
  removePublisher: remove(
    `${OWNER}/publishers/{id}`,
    'Remove a trusted publisher and revoke the tokens of its jobs',
    { scope: 'owner' },
  ),
  publishVersion: put(VERSION, 'Publish a version; the first one creates the skill', {
    scope: 'publish',
    body: 'archive',
    creates: true,
    response: IndexVersion,
    also: [
      'version_exists',
      'name_taken',
      'too_large',
      'digest_mismatch',
      'invalid_skill',
      'refused_by_scan',
      'unavailable',
    ],
  }),
  yankVersion: patch(VERSION, 'Yank a version, or undo that', {
    scope: 'publish',
    body: YankRequest,
    response: IndexVersion,
  }),
  changeSkill: patch(SKILL, 'Deprecate a skill, or change who sees it and who may publish it', {
    scope: 'publish',
    body: SkillChange,
    response: SkillIndex,
  }),
  searchSkills: get('/api/v1/search', 'One page of skills, best first', {
    scope: null,
    query: SearchQuery,
    response: SearchPage,
    also: ['unauthorised'],
  }),
  findSkills: get('/api/v1/find', 'The best skills for a task, in few words', {
    scope: null,
    query: FindQuery,
    response: FoundSkills,
    hasText: true,
    also: ['unauthorised'],
  }),
  readOutline: readWith('outline', 'The sections of a skill with their sizes'),
  readShow: readWith('show', 'One section of a skill, or the whole text'),
  readSearch: readWith('search', 'Sections of a skill that answer a question'),
  readOpen: readWith('open', 'A file or lines of a skill'),
  readSources: readWith('sources', 'Where the statements of a skill come from'),
  listWebhooks: get(`${OWNER}/webhooks`, 'Webhooks of a namespace', {
    scope: 'owner',
    response: z.object({ webhooks: z.array(Webhook) }),
  }),
  createWebhook: post(`${OWNER}/webhooks`, 'Send every change in a namespace to an address', {
    scope: 'owner',
    body: WebhookRequest,
    creates: true,
    response: CreatedWebhook,
    also: ['conflict'],
  }),
  removeWebhook: remove(`${OWNER}/webhooks/{id}`, 'Remove a webhook', { scope: 'owner' }),
} satisfies Record<string, RegistryOperation>;

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
