// Verifies identity tokens of CI jobs.

import { createHash } from 'node:crypto';
import { decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import { type CiIdentity, readCiIdentity } from './ci-identity.ts';
import { type Identifying, IssuerUnreachable, issuerKeys } from './issuer-keys.ts';

/** Signatures with public keys only. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const SKEW_SECONDS = 60;

/** A job, and the mark by which its token is recognised when it comes again. */
export type VerifiedJob = Awaited<ReturnType<typeof verifyIdentityToken>>;

/** Verifies issuer, signature, audience and times. The issuer must be in the settings before anything is fetched. */
export async function verifyIdentityToken(registry: Identifying, token: string) {
  const named = issuerOf(token);
  const trusted = registry.settings.ciIssuers.find(({ issuer }) => issuer === named);
  if (trusted === undefined) throw new OauthError('invalid_grant', 'this registry does not know the issuer');
  const claims = await verify(registry, token, trusted.issuer);
  const identity: CiIdentity | undefined = readCiIdentity(trusted.kind, claims);
  if (identity === undefined)
    throw new OauthError('invalid_grant', 'the token does not describe a job of the CI system');
  if (identity.refusal !== undefined) throw new OauthError('invalid_grant', identity.refusal);
  return {
    identity,
    issuer: trusted.issuer,
    mark: markOf(token, claims),
    /** Until then the mark must be kept. */
    keepUntil: new Date((claims.exp! + 2 * SKEW_SECONDS) * 1000),
  };
}

function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

async function verify(registry: Identifying, token: string, issuer: string): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, issuerKeys(registry, issuer), {
      issuer,
      // Clients spell the address with or without a slash at the end.
      audience: [registry.publicUrl, `${registry.publicUrl}/`],
      algorithms: ALGORITHMS,
      clockTolerance: SKEW_SECONDS,
      currentDate: registry.now(),
      requiredClaims: ['exp', 'iat', 'sub'],
    });
    return payload;
  } catch (error) {
    if (error instanceof IssuerUnreachable)
      throw new OauthError('temporarily_unavailable', 'the issuer of the token cannot be reached');
    if (error instanceof errors.JWTExpired)
      throw new OauthError('invalid_grant', 'the identity token has expired');
    if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud')
      throw new OauthError(
        'invalid_grant',
        `the audience of the identity token must be ${registry.publicUrl}`,
      );
    throw new OauthError('invalid_grant', 'the identity token is not valid');
  }
}

/** By its id; without one by its signed part, since signatures can be written in several ways. */
function markOf(token: string, { iss, jti }: JWTPayload): Uint8Array {
  const text = jti === undefined ? token.slice(0, token.lastIndexOf('.')) : `${iss}\n${jti}`;
  return createHash('sha256').update(text).digest();
}

/** Error codes of RFC 6749, RFC 8628 and RFC 8693 that the registry uses. */
type OauthErrorCode =
  | 'access_denied'
  | 'authorization_pending'
  | 'expired_token'
  | 'invalid_grant'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'slow_down'
  | 'temporarily_unavailable'
  | 'unsupported_grant_type';

/** Answered with status 400, or 503 when trying again later can help. */
export class OauthError extends Error {
  readonly code: OauthErrorCode;

  constructor(code: OauthErrorCode, message: string) {
    super(message);
    this.code = code;
  }

  get status(): 400 | 503 {
    return this.code === 'temporarily_unavailable' ? 503 : 400;
  }
}
