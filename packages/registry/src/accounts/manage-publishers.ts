// Trusted publishers of a namespace: CI workflows that may publish one skill.

import { randomUUID } from 'node:crypto';
import { type Publisher, type PublisherRequest, parseAddress } from 'skillwright/registry-protocol';
import { type Caller, record, unauthorised } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import { queryMessages } from '../store/index.ts';
import { findManaged } from './find-owner.ts';

const PUBLISHERS = `select p.id, '@' || o.name || '/' || p.skill as skill, p.issuer, p.repository,
    p.repository_owner_id as "repositoryOwnerId", p.workflow, p.environment,
    not exists (select from skills s where s.owner_id = p.owner_id and s.name = p.skill) as pending,
    a.name as account, p.created_at as created, p.used_at as used
  from publishers p join owners o on o.id = p.owner_id join accounts a on a.id = p.created_by`;

/** Publishers of a namespace. */
export async function listPublishers(
  { database }: Registry,
  caller: Caller,
  name: string,
): Promise<Publisher[]> {
  const owner = await findManaged(database, caller, name);
  const sql = `${PUBLISHERS} where p.owner_id = $1 order by p.skill, p.created_at, p.id`;
  return queryMessages(database, sql, [owner.id]);
}

/** Adds a publisher, bound to the immutable id of the repository's owner: a name can change hands. It acts for the caller's account, and stops when that loses its role. */
export async function addPublisher(
  registry: Registry,
  caller: Caller,
  { owner: name, request }: { readonly owner: string; readonly request: PublisherRequest },
): Promise<Publisher> {
  return registry.database.transaction(async (tx) => {
    const owner = await findManaged(tx, caller, name);
    if (caller.account === undefined) throw unauthorised();
    const address = parseAddress(request.skill);
    if (address?.owner !== owner.name)
      throw new Failure('bad_request', `the skill must be in the namespace @${owner.name}`);
    if (!registry.settings.ciIssuers.some(({ issuer }) => issuer === request.issuer))
      throw new Failure('bad_request', 'this registry does not trust the issuer', {
        details: registry.settings.ciIssuers.map(({ issuer }) => `trusted: ${issuer}`),
      });
    const id = randomUUID();
    await tx.query(
      `insert into publishers (id, owner_id, skill, issuer, repository, repository_owner_id, workflow, environment,
         created_by, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        id,
        owner.id,
        address.name,
        request.issuer,
        request.repository,
        request.repositoryOwnerId,
        request.workflow,
        request.environment,
        caller.account.id,
        registry.now(),
      ],
    );
    await record(tx, caller, { action: 'publisher.add', ownerId: owner.id, details: { id, ...request } });
    const [added] = await queryMessages<Publisher>(tx, `${PUBLISHERS} where p.id = $1`, [id]);
    return added!;
  });
}

/** Removes a publisher, and revokes the tokens its jobs still have. */
export async function removePublisher(
  registry: Registry,
  caller: Caller,
  { owner: name, id }: { readonly owner: string; readonly id: string },
): Promise<void> {
  await registry.database.transaction(async (tx) => {
    const owner = await findManaged(tx, caller, name);
    const [row] = await tx.query<{ skill: string; repository: string }>(
      'delete from publishers where id = $1 and owner_id = $2 returning skill, repository',
      [id, owner.id],
    );
    if (row === undefined) throw new Failure('not_found', 'no such publisher');
    await tx.query(
      `update secrets set ended_at = $3 where kind = 'token' and owner_id = $1 and details->>'skill' = $2
         and details->>'provenance' is not null and ended_at is null`,
      [owner.id, row.skill, registry.now()],
    );
    await record(tx, caller, { action: 'publisher.remove', ownerId: owner.id, details: { id, ...row } });
  });
}
