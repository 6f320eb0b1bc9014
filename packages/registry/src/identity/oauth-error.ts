// Errors of the OAuth endpoints, in the form their clients expect.

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
