// Identity providers, discovered once per process.

import {
  allowInsecureRequests,
  ClientSecretBasic,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
  None,
} from 'openid-client';
import { Failure } from '../base/index.ts';
import type { IdentityProvider } from '../settings/index.ts';
import type { Identifying } from './issuer-keys.ts';

const TIMEOUT_SECONDS = 10;
/** Milliseconds before a provider that did not answer is asked again. */
const COOLDOWN = 10_000;

/** The provider with this name. */
export function findProvider({ settings }: Identifying, name: string | undefined): IdentityProvider {
  const provider = settings.providers.find((candidate) => candidate.name === name);
  if (provider === undefined) throw new Failure('not_found', 'this registry has no such identity provider');
  return provider;
}

/** Its endpoints and keys. A failed attempt is forgotten. */
export async function discoverProvider(
  registry: Identifying,
  provider: IdentityProvider,
): Promise<Configuration> {
  const { providers: known, unreachable } = registry.identities;
  const failure = () => new Failure('unavailable', `${provider.title} cannot be reached: try again later`);
  const now = registry.now().getTime();
  if (now - (unreachable.get(provider.name) ?? -Infinity) < COOLDOWN) throw failure();
  const running = known.get(provider.name) ?? discover(provider);
  known.set(provider.name, running);
  try {
    return await running;
  } catch {
    known.delete(provider.name);
    unreachable.set(provider.name, now);
    throw failure();
  }
}

function discover({ issuer, clientId, clientSecret }: IdentityProvider): Promise<Configuration> {
  return discovery(
    new URL(issuer),
    clientId,
    {},
    clientSecret === undefined ? None() : ClientSecretBasic(clientSecret),
    {
      timeout: TIMEOUT_SECONDS,
      execute: [
        // The signature of the identity token counts too, not its way over TLS alone.
        enableNonRepudiationChecks,
        // Settings allow http on this machine only.
        ...(issuer.startsWith('http:') ? [allowInsecureRequests] : []),
      ],
    },
  );
}
