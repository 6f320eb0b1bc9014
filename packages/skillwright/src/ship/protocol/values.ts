// Small values of the protocol, and how a failure is told.

import * as z from 'zod';
import { isSemver, isSkillName } from '../../skill/format/index.ts';

const ADDRESS = /^@([a-z0-9]+(?:-[a-z0-9]+)*)\/([a-z0-9]+(?:-[a-z0-9]+)*)$/;

/** Longest name of an owner or a skill. */
export const MAX_NAME = 64;

/** The parts of `@owner/name`. */
export interface SkillAddress {
  readonly owner: string;
  readonly name: string;
}

/** The parts of `@owner/name`; undefined when the text is not such an address. */
export function parseAddress(text: string): SkillAddress | undefined {
  const [, owner, name] = ADDRESS.exec(text) ?? [];
  if (owner === undefined || name === undefined) return undefined;
  return owner.length > MAX_NAME || name.length > MAX_NAME ? undefined : { owner, name };
}

/** `@owner/name`. */
export function spellAddress({ owner, name }: SkillAddress): string {
  return `@${owner}/${name}`;
}

/** `@owner/name`, as in every message. */
export const Address = z
  .string()
  .refine((text) => parseAddress(text) !== undefined, 'must be @owner/name')
  .describe('`@owner/name`');

/** Name of an owner (a namespace) without `@`; same rules as for skills. */
export const OwnerName = z.string().refine(isSkillName, 'must be an owner name').describe('Without `@`');

export const Version = z.string().refine(isSemver, 'must be a semantic version');
export const Digest = z.string().regex(/^sha256:[0-9a-f]{64}$/, 'must be sha256: and 64 hex digits');
export const Time = z.iso.datetime();
export const Count = z.number().int().nonnegative();
export const WebAddress = z.url({ protocol: /^https?$/ });
/** One line of text that a person wrote. */
export const Reason = z.string().trim().min(1).max(500);

/** The trust level of a skill. Only a registry sets it, never the skill itself. */
export const RegistryLevel = z.enum(['community', 'verified', 'official']);
export type RegistryLevel = z.output<typeof RegistryLevel>;

/** Rights in a namespace. `publisher` and `reviewer` may read; `admin` may do everything. */
export const Role = z.enum(['reader', 'publisher', 'reviewer', 'admin']);
export type Role = z.output<typeof Role>;

/** Rights of a token. It never has more rights than its account. */
export const Scope = z.enum(['read', 'publish', 'rate', 'owner', 'review', 'admin']);
export type Scope = z.output<typeof Scope>;

/** Error codes of a registry, and their statuses. */
export const registryErrors = {
  bad_request: 400,
  unauthorised: 401,
  forbidden: 403,
  quarantined: 403,
  not_found: 404,
  version_exists: 409,
  name_taken: 409,
  conflict: 409,
  purged: 410,
  too_large: 413,
  digest_mismatch: 422,
  invalid_skill: 422,
  refused_by_scan: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;

/** One of the error codes. */
export type RegistryErrorCode = keyof typeof registryErrors;

/** Body of every response with a status of 400 or above. More codes may be added later. */
export const RegistryFailure = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.array(z.string()).optional().describe('One line per problem of a refused skill'),
  }),
});
export type RegistryFailure = z.output<typeof RegistryFailure>;
