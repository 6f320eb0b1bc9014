// Requests that change something, and what accounts see of themselves.

import * as z from 'zod';
import { asked, type FieldWords } from './asked-field.ts';
import { Address, Count, OwnerName, Reason, Role, Scope, Time, WebAddress } from './values.ts';

/** Request header with the digest of a published archive. */
export const DIGEST_HEADER = 'skill-digest';

/** Yanks a version, or undoes that. */
export const YankRequest = z.strictObject({
  yanked: asked(Reason.nullable(), { label: 'Reason', isRequired: true }),
});

/** Changes settings of a skill; fields left out stay. */
export const SkillChange = z.strictObject({
  deprecated: asked(Reason.nullable().optional(), {
    label: 'Reason',
    hint: 'Shown to everybody who looks at it, installs it or has it. Leave it empty to undo.',
  }),
  visibility: asked(z.enum(['private', 'public']).optional(), {
    label: 'Visibility',
    isOpen: true,
    choices: {
      private: ['Private', 'members of the namespace'],
      public: ['Public', 'everybody who can reach this registry'],
    },
  }),
  requireProvenance: asked(z.boolean().optional().describe('Accept versions from trusted publishers only'), {
    label: 'Publishing',
    choices: { yes: ['Accept versions from trusted CI workflows only'] },
  }),
});

/** One to five stars. */
export const RatingRequest = z.strictObject({ stars: z.number().int().min(1).max(5) });

/** A report to the moderators of the registry. */
export const ReportRequest = z.strictObject({
  version: z.string().nullable().default(null),
  kind: asked(z.enum(['malware', 'secrets', 'licence', 'name', 'spam', 'other']), {
    label: 'What is wrong?',
  }),
  message: asked(Reason, { label: 'Message to the moderators', rows: 3 }),
});

/** A moderator's decision about a version; null undoes quarantine. */
export const QuarantineRequest = z.strictObject({
  quarantined: asked(Reason.nullable(), { label: 'Reason', isRequired: true }),
});
export const PurgeRequest = z.strictObject({ purged: Reason });
/** Approves or rejects a pending version, or overrides the scan. */
export const ReviewRequest = z.strictObject({
  decision: z.enum(['approve', 'reject']),
  reason: asked(Reason, {
    label: 'Reason',
    hint: 'The publisher sees it, and the log keeps it.',
    rows: 3,
  }),
});

/** A new namespace. */
export const OwnerRequest = z.strictObject({
  title: asked(z.string().max(100).default(''), { label: 'Title' }),
  url: WebAddress.nullable().default(null),
});
export type OwnerRequest = z.output<typeof OwnerRequest>;

const Members = z.array(z.object({ account: z.string(), roles: z.array(Role) }));

/** A namespace and its members; members are shown to members only. */
export const Owner = z.object({
  name: OwnerName,
  title: z.string(),
  url: WebAddress.nullable(),
  created: Time,
  skills: Count,
  members: Members.optional(),
  offered: Members.optional().describe('Roles that an account has not accepted yet; for admins'),
});
export type Owner = z.output<typeof Owner>;

/** The field in which roles are given. */
export const rolesAsked: FieldWords = {
  label: 'Roles',
  choices: {
    reader: ['Reader', 'reads private skills'],
    publisher: ['Publisher', 'publishes and yanks'],
    reviewer: ['Reviewer', 'approves versions of others'],
    admin: ['Admin', 'everything, members too'],
  },
};

/** Roles of a member; none removes the member. Roles that the account lacks are offered to it. */
export const MemberRequest = z.strictObject({ roles: asked(z.array(Role).max(4), rolesAsked) });

/** Offers the namespace to another account, which becomes its only admin on acceptance. */
export const TransferRequest = z.strictObject({
  to: asked(z.string().min(1).max(64), {
    label: 'New admin',
    hint: 'The account becomes the only admin when it accepts.',
  }),
});
/** An offered namespace, or offered roles in one. */
export const Transfer = z.object({
  id: z.string(),
  owner: OwnerName,
  roles: z.array(Role).optional().describe('Offered roles; left out: the namespace itself'),
  from: z.string(),
  to: z.string(),
  expires: Time,
});
export type Transfer = z.output<typeof Transfer>;

/** The account behind a token. */
export const Whoami = z.object({
  account: z.string(),
  displayName: z.string(),
  isAdmin: z.boolean(),
  token: z
    .object({
      id: z.string().optional().describe('For `DELETE /tokens/<id>`'),
      name: z.string(),
      scopes: z.array(Scope),
      expires: Time.nullable(),
    })
    .nullable(),
  owners: z.array(z.object({ name: OwnerName, roles: z.array(Role) })),
  transfers: z.array(Transfer).describe('Offered to this account'),
});
export type Whoami = z.output<typeof Whoami>;

/** A new token. */
export const TokenRequest = z.strictObject({
  name: asked(z.string().trim().min(1).max(100), {
    label: 'Name',
    hint: 'To recognise it later',
    autocomplete: 'off',
  }),
  scopes: asked(z.array(Scope).min(1), {
    label: 'Scopes',
    choices: {
      read: ['read', 'read private skills'],
      publish: ['publish', 'publish, yank, deprecate'],
      rate: ['rate', 'rate skills'],
      owner: ['owner', 'members, publishers, transfers'],
      review: ['review', 'approve and quarantine'],
      admin: ['admin', 'administer the registry'],
    },
  }),
  owner: asked(OwnerName.nullable().default(null).describe('Limits the token to one namespace'), {
    label: 'Namespace',
    choices: { '': ['All my namespaces'] },
  }),
  days: asked(z.number().int().min(1).max(366).nullable().default(90).describe('Null: never expires'), {
    label: 'Expires',
    choices: {
      7: ['In 7 days'],
      30: ['In 30 days'],
      90: ['In 90 days'],
      366: ['In a year'],
      '': ['Never'],
    },
  }),
});

/** A token without its secret. */
export const TokenInfo = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string().describe('First characters of the token'),
  scopes: z.array(Scope),
  owner: OwnerName.nullable(),
  created: Time,
  expires: Time.nullable(),
  used: Time.nullable(),
});
export type TokenInfo = z.output<typeof TokenInfo>;

/** The tokens of an account, newest first. */
export const TokenList = z.object({ tokens: z.array(TokenInfo) });

/** A new token with its secret, which is shown once. */
export const CreatedToken = TokenInfo.extend({ token: z.string() });
export type CreatedToken = z.output<typeof CreatedToken>;

/** A CI workflow that may publish. For a skill that does not exist yet it is pending. */
export const PublisherRequest = z.strictObject({
  skill: asked(Address, { label: 'Skill', hint: '@namespace/name; it need not exist yet' }),
  issuer: asked(WebAddress, { label: 'Issuer', hint: 'Address of the CI system’s identity provider' }),
  repository: asked(z.string().min(1).max(300).describe('`group/project` at the issuer'), {
    label: 'Repository',
    hint: 'group/project at the issuer',
  }),
  repositoryOwnerId: asked(
    z
      .string()
      .min(1)
      .max(100)
      .describe('Immutable id of the account that owns the repository, as the CI system knows it'),
    {
      label: 'Id of the repository’s owner',
      hint: 'GitHub: the id at api.github.com/users/<owner>; GitLab: the id of the group',
    },
  ),
  workflow: asked(z.string().max(300).nullable().default(null), { label: 'Workflow file' }),
  environment: asked(z.string().max(100).nullable().default(null), { label: 'Environment' }),
});
export type PublisherRequest = z.output<typeof PublisherRequest>;
