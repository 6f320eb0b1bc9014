// Mirrors from the command line of the machine the registry runs on.

import { type Mirror, MirrorRequest, type MirrorRun } from 'skillwright/registry-protocol';
import { anonymous, type Caller } from '../access/index.ts';
import { Problem } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import type { OperationCall } from '../work/index.ts';
import { listAllMirrors, mirrorOperations } from './mirrors.ts';
import { syncNow } from './sync-mirrors.ts';

/** Does what the words of the command ask for. The mirrors it added, listed or removed, or the run it made. */
export async function manageMirrors(
  registry: Registry,
  { action, owner, source = '', every, id }: Readonly<Record<string, string>>,
): Promise<Mirror[] | MirrorRun> {
  const caller = await operator(registry);
  const callFor = (path: { readonly owner: string; readonly id?: string }) =>
    ({ registry, caller, path, query: {}, body: undefined }) as OperationCall<never, undefined>;
  if (action === 'add') {
    await demandOwner(registry, owner);
    const request = MirrorRequest.safeParse({
      source,
      ...(every === undefined ? {} : { everyMinutes: Number(every) }),
    });
    if (!request.success)
      throw new Problem(
        request.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
      );
    return [await mirrorOperations.addMirror({ ...callFor({ owner: owner! }), body: request.data })];
  }
  const mirrors = await listAllMirrors({ registry, caller });
  if (action === 'list') return mirrors.filter((one) => owner === undefined || one.owner === owner);
  const mirror = mirrors.find((one) => one.id === id);
  if (mirror === undefined)
    throw new Problem(`there is no mirror ${id}. See: skillwright-registry mirror list`);
  if (action === 'sync') return syncNow(registry, { id: Number(mirror.id) }, new AbortController().signal);
  await mirrorOperations.removeMirror(callFor(mirror));
  return [mirror];
}

async function demandOwner({ database, publicUrl }: Registry, owner: string | undefined): Promise<void> {
  const [row] = await database.query('select from owners where name = $1', [owner ?? '']);
  if (row === undefined)
    throw new Problem(
      `there is no namespace @${owner}. Create it first: skc owner create @${owner} --registry ${publicUrl}`,
    );
}

/** The command acts for the first administrator, because a mirror belongs to an account. */
async function operator({ database }: Registry): Promise<Caller> {
  const [account] = await database.query<{ id: number; name: string }>(
    'select id, name from accounts where is_admin and suspended is null order by id limit 1',
  );
  if (account === undefined)
    throw new Problem('nobody administers this registry. Run: skillwright-registry admin token');
  return { ...anonymous, via: 'system', account: { ...account, isAdmin: true } };
}
