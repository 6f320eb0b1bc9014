// The registry that the configuration names, with the user's token where it may be sent.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { type ConfigContext, loadConfig } from '../../skill/config/index.ts';
import { isThisMachine } from './check-url.ts';
import type { Fetcher } from './fetcher.ts';
import { createRegistryClient, type RegistryClient } from './registry-client.ts';

/** The token for a registry, or why there is one that is not sent. */
export interface RegistryToken {
  readonly token?: string | undefined;
  readonly withheld?: string | undefined;
}

/** A registry that can be asked. */
export interface OpenRegistry extends RegistryToken {
  readonly client: RegistryClient;
}

/** The configured registry; undefined when there is none. E110 when the token cannot be one. */
export function openRegistry(context: ConfigContext, fetcher: Fetcher): OpenRegistry | undefined {
  const { url } = loadConfig(context).values.registry;
  if (url === undefined) return undefined;
  const access = registryToken(url, context);
  return { ...access, client: createRegistryClient({ url, fetcher, token: access.token }) };
}

/**
 * `SKILLC_TOKEN`, if it may go to this registry: only where the user chose the address, because a project could otherwise
 * send it to a stranger, and only protected. E110 when it cannot be a token.
 */
export function registryToken(url: string, context: ConfigContext): RegistryToken {
  const token = context.env.SKILLC_TOKEN || undefined;
  if (token === undefined) return {};
  if (/[^\x21-\x7e]/.test(token))
    throw SkillwrightError.of('E110', { where: 'SKILLC_TOKEN', why: 'not a token: it holds odd characters' });
  const address = new URL(url);
  if (address.protocol === 'http:' && !isThisMachine(address))
    return { withheld: 'a token is sent over https alone' };
  if (isUsersRegistry(url, context)) return { token };
  return {
    withheld: `the project chose this registry; confirm it with 'skc config registry.url ${url} --scope user'`,
  };
}

/** Whether the user chose this registry: what one says that only a project names counts for nothing. */
export function isUsersRegistry(url: string, context: ConfigContext): boolean {
  return loadConfig(context).layers.some(
    ({ origin, values }) => origin.layer !== 'project' && values.get('registry.url') === url,
  );
}
