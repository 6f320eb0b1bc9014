// Errors of a registry.

import * as z from 'zod';

/** Path of the protocol below the base URL of a registry. */
export const REGISTRY_API = 'api/v1';

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
