// Where clients learn how to sign in (RFC 9728).

/** Path of the document that says which tokens this registry accepts. */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';

/** The challenge of a 401: it leads a client to that document. */
export function challengeOf(publicUrl: string): string {
  return `Bearer resource_metadata="${publicUrl}${RESOURCE_METADATA}"`;
}
