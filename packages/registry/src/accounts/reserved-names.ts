// Names no namespace can have.

import { nameSkeleton } from '../base/index.ts';

/** Parts of the registry's addresses, and names that would pass for the registry itself. */
const RESERVED = new Set(
  `about account accounts admin administrator anonymous api archives assets audit auth blog callback code contact device
  docs download downloads everyone feed feeds find healthz help home index invitations invite invites issuer legal log login
  logout mcp me members metrics mirror mirrors moderator new null oauth official openapi owner owners page pages policy
  privacy public publish publisher publishers read readyz registry report reports review reviews root search security self
  session sessions settings signin signout signup site skc skill skills skillwright staff static status support system team
  terms token tokens transfer transfers undefined user users verified version versions webhooks well-known whoami www`
    .split(/\s+/)
    .map(nameSkeleton),
);

/** Whether a name, or one it looks like, is kept for the registry. */
export function isReservedName(name: string): boolean {
  return RESERVED.has(nameSkeleton(name));
}
