// Namespaces: members, transfers, trusted publishers.

import {
  MemberRequest,
  OwnerName,
  OwnerRequest,
  PublisherRequest,
  REGISTRY_API,
  TransferRequest,
} from 'skillwright/registry-protocol';
import { notFound } from '../access/may.ts';
import type { App } from '../app/create-app.ts';
import { readBody } from '../app/read-body.ts';
import { changeMember } from '../owners/change-member.ts';
import { putOwner } from '../owners/put-owner.ts';
import { showOwner } from '../owners/show-owner.ts';
import { acceptTransfer, declineTransfer, offerTransfer } from '../owners/transfers.ts';
import { addPublisher, listPublishers, removePublisher } from '../publishers/manage-publishers.ts';

const OWNER = `/${REGISTRY_API}/owners/:owner{@[^/]+}` as const;

/** `/owners/@o` and what is below it, `/transfers`. */
export function owners(app: App): void {
  app.get(OWNER, async (context) =>
    context.json(
      await showOwner(context.get('registry'), context.get('caller'), nameOf(context.req.param('owner'))),
    ),
  );
  app.put(OWNER, async (context) => {
    const request = await readBody(context, OwnerRequest);
    const name = nameOf(context.req.param('owner'));
    const { owner, isNew } = await putOwner(context.get('registry'), context.get('caller'), {
      name,
      request,
    });
    return context.json(owner, isNew ? 201 : 200);
  });
  app.put(`${OWNER}/members/:account`, async (context) => {
    const { roles } = await readBody(context, MemberRequest);
    const { owner, account } = context.req.param();
    return context.json(
      await changeMember(context.get('registry'), context.get('caller'), {
        owner: nameOf(owner),
        account,
        roles,
      }),
    );
  });
  app.post(`${OWNER}/transfer`, async (context) => {
    const { to } = await readBody(context, TransferRequest);
    const owner = nameOf(context.req.param('owner'));
    return context.json(
      await offerTransfer(context.get('registry'), context.get('caller'), { owner, to }),
      201,
    );
  });
  app.post(`/${REGISTRY_API}/transfers/:id/accept`, async (context) =>
    context.json(
      await acceptTransfer(context.get('registry'), context.get('caller'), context.req.param('id')),
    ),
  );
  app.post(`/${REGISTRY_API}/transfers/:id/decline`, async (context) =>
    context.json(
      await declineTransfer(context.get('registry'), context.get('caller'), context.req.param('id')),
    ),
  );
  app.get(`${OWNER}/publishers`, async (context) =>
    context.json({
      publishers: await listPublishers(
        context.get('registry'),
        context.get('caller'),
        nameOf(context.req.param('owner')),
      ),
    }),
  );
  app.post(`${OWNER}/publishers`, async (context) => {
    const request = await readBody(context, PublisherRequest);
    const owner = nameOf(context.req.param('owner'));
    return context.json(
      await addPublisher(context.get('registry'), context.get('caller'), { owner, request }),
      201,
    );
  });
  app.delete(`${OWNER}/publishers/:id`, async (context) => {
    const { owner, id } = context.req.param();
    await removePublisher(context.get('registry'), context.get('caller'), { owner: nameOf(owner), id });
    return context.body(null, 204);
  });
}

/** `@owner` → `owner`. A name no namespace can have does not exist either. */
function nameOf(text: string): string {
  const { success, data } = OwnerName.safeParse(text.slice(1));
  if (!success) throw notFound();
  return data;
}
