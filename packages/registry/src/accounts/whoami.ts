// The account behind a token, as it sees itself.

import type { Role, Whoami } from 'skillwright/registry-protocol';
import { type Caller, unauthorised } from '../access/index.ts';
import type { Registry } from '../registry.ts';
import { queryMessages } from '../store/index.ts';
import { listOffers } from './transfers.ts';

/** The caller's account, token, namespaces and offered transfers. */
export async function whoami(registry: Registry, caller: Caller): Promise<Whoami> {
  const { account } = caller;
  if (account === undefined) throw unauthorised();
  const { database } = registry;
  const [person] = await database.query<{ display_name: string }>(
    'select display_name from accounts where id = $1',
    [account.id],
  );
  const [token = null] = await queryMessages<NonNullable<Whoami['token']>>(
    database,
    `select id, details->>'name' as name, scopes, expires_at as expires from secrets where id = $1`,
    [caller.tokenId ?? null],
  );
  const owners = await database.query<{ name: string; roles: Role[] }>(
    `select o.name, array_agg(r.role order by r.role) as roles from roles r join owners o on o.id = r.owner_id
     where r.account_id = $1 and ($2::bigint is null or o.id = $2) group by o.name order by o.name`,
    [account.id, caller.limitedTo ?? null],
  );
  return {
    account: account.name,
    displayName: person?.display_name ?? '',
    isAdmin: account.isAdmin,
    token,
    owners,
    transfers: caller.limitedTo === undefined ? await listOffers(registry, account.id) : [],
  };
}
