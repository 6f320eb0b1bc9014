// Accounts, sessions, invitations, publishers and the audit log, as people and administrators see them.

import * as z from 'zod';
import { asked } from './asked-field.ts';
import { PublisherRequest, rolesAsked } from './requests.ts';
import { MAX_NAME, OwnerName, Reason, Role, Time } from './values.ts';

/** Name of an account; same rules as for owners. */
export const AccountName = OwnerName.describe('Name of an account');

/** A trusted publisher. */
export const Publisher = PublisherRequest.extend({
  repositoryOwnerId: z.string().nullable().describe('Null for an old one that no job has used'),
  id: z.string(),
  pending: z.boolean().describe('The skill does not exist yet'),
  account: z.string().describe('Account it publishes for'),
  created: Time,
  used: Time.nullable(),
});
export type Publisher = z.output<typeof Publisher>;

/** Roles of an invited account in one namespace. */
export const InvitedRoles = z.strictObject({
  owner: asked(OwnerName, {
    label: 'Namespace',
    hint: 'Without @. Leave it empty for an account without roles.',
    isRequired: false,
    maxLength: MAX_NAME,
  }),
  roles: asked(z.array(Role).min(1).max(4), rolesAsked),
});

/** Invites a person: a link that creates the account, or signs in to it when it exists. */
export const InvitationRequest = z.strictObject({
  account: asked(AccountName, {
    label: 'Account',
    hint: 'Name of the new account',
    maxLength: MAX_NAME,
    autocomplete: 'off',
  }),
  roles: z.array(InvitedRoles).max(100).default([]),
  days: z.number().int().min(1).max(30).default(7),
});

/** An invitation with its link, which is shown once. */
export const Invitation = z.object({ id: z.string(), account: z.string(), link: z.string(), expires: Time });
export type Invitation = z.output<typeof Invitation>;

/** An invitation to the registry that nobody accepted yet, or roles that a namespace offers to an account. */
export const OpenInvitation = z.object({
  id: z.string(),
  account: z.string(),
  kind: z.enum(['link', 'roles']).describe('A link that makes the account, or an offer to an account'),
  roles: z.array(z.object({ owner: OwnerName, roles: z.array(Role) })),
  by: z.string(),
  expires: Time,
});
export type OpenInvitation = z.output<typeof OpenInvitation>;

/** The last part of an invitation's link. */
export const InvitationAcceptance = z.strictObject({ code: z.string().min(20).max(100) });

/** The account of an accepted invitation, with a token that is shown once. */
export const AcceptedInvitation = z.object({ account: z.string(), token: z.string() });

/** A browser that is signed in. */
export const SessionInfo = z.object({
  id: z.string(),
  agent: z.string().describe('What the browser calls itself'),
  current: z.boolean(),
  created: Time,
  used: Time,
  expires: Time,
});
export type SessionInfo = z.output<typeof SessionInfo>;

/** An account, as administrators see it. */
export const AccountInfo = z.object({
  name: z.string(),
  displayName: z.string(),
  email: z.string().nullable(),
  isAdmin: z.boolean(),
  isModerator: z.boolean(),
  suspended: z.string().nullable().describe('Reason, or null'),
  created: Time,
  tokens: z.number().int().nonnegative().describe('Tokens that work'),
});
export type AccountInfo = z.output<typeof AccountInfo>;

/** A page of accounts by name. */
export const AccountPage = z.object({ accounts: z.array(AccountInfo), next: z.string().nullable() });

/** Changes an account; fields left out stay. */
export const AccountChange = z.strictObject({
  suspended: asked(Reason.nullable().optional(), {
    label: 'Reason',
    hint: 'Its tokens and sessions end.',
    isRequired: true,
  }),
  isAdmin: z.boolean().optional(),
  isModerator: z
    .boolean()
    .optional()
    .describe('Decides about skills of every namespace, and hears of reports'),
});
export type AccountChange = z.output<typeof AccountChange>;

/** Query of the audit log; newest first. */
export const AuditQuery = z.object({
  account: z.string().max(MAX_NAME).optional(),
  owner: OwnerName.optional(),
  action: z
    .string()
    .max(100)
    .optional()
    .describe('An action, or its first words: `token` finds `token.create`'),
  cursor: z
    .string()
    .regex(/^[1-9][0-9]{0,15}$/)
    .optional()
    .describe('`next` of the page before'),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

/** One page of the audit log. */
export const AuditPage = z.object({
  entries: z.array(
    z.object({
      id: z.number().int(),
      time: Time,
      account: z.string().describe('Account, or `system`'),
      via: z.string(),
      action: z.string(),
      owner: OwnerName.nullable(),
      skill: z.string().nullable(),
      version: z.string().nullable(),
      details: z.record(z.string(), z.unknown()),
    }),
  ),
  next: z.string().nullable(),
});
export type AuditPage = z.output<typeof AuditPage>;
