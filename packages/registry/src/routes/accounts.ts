// What accounts do with themselves: whoami, tokens, sessions.

import { REGISTRY_API, TokenRequest } from 'skillwright/registry-protocol';
import { listTokens, requestToken, revokeToken } from '../accounts/manage-tokens.ts';
import { endSession, listSessions } from '../accounts/sessions.ts';
import { whoami } from '../accounts/whoami.ts';
import type { App } from '../app/create-app.ts';
import { readBody } from '../app/read-body.ts';

/** `/whoami`, `/tokens`, `/sessions`. */
export function accounts(app: App): void {
  app.get(`/${REGISTRY_API}/whoami`, async (context) =>
    context.json(await whoami(context.get('registry'), context.get('caller')), 200, PRIVATE),
  );
  app.get(`/${REGISTRY_API}/tokens`, async (context) =>
    context.json({ tokens: await listTokens(context.get('registry'), context.get('caller')) }, 200, PRIVATE),
  );
  app.post(`/${REGISTRY_API}/tokens`, async (context) => {
    const request = await readBody(context, TokenRequest);
    const created = await requestToken(context.get('registry'), context.get('caller'), request);
    return context.json(created, 201, PRIVATE);
  });
  app.delete(`/${REGISTRY_API}/tokens/:id`, async (context) => {
    await revokeToken(context.get('registry'), context.get('caller'), context.req.param('id'));
    return context.body(null, 204);
  });
  app.get(`/${REGISTRY_API}/sessions`, async (context) =>
    context.json(
      { sessions: await listSessions(context.get('registry'), context.get('caller')) },
      200,
      PRIVATE,
    ),
  );
  app.delete(`/${REGISTRY_API}/sessions/:id`, async (context) => {
    await endSession(context.get('registry'), context.get('caller'), context.req.param('id'));
    return context.body(null, 204);
  });
}

const PRIVATE = { 'cache-control': 'no-store' };
