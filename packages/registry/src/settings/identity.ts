// Settings of identity providers for people and CI jobs.

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
export const knownCiIssuers: CiIssuer[] = [
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
