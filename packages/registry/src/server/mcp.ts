// The MCP endpoint, and where clients learn how to sign in.

import { originValidationResponse } from '@modelcontextprotocol/server';
import { anonymous, unauthorised, visibleTo } from '../access/index.ts';
import type { App } from '../http/index.ts';
import { RESOURCE_METADATA, serveMcp } from '../mcp/index.ts';
import type { Registry } from '../registry.ts';

/** `/mcp` and its metadata. */
export function mcp(app: App, registry: Registry): void {
  const serve = serveMcp(registry);
  app.all('/mcp', async (context) => {
    const caller = context.get('caller');
    const request = context.req.raw;
    const rejected = originValidationResponse(request, [new URL(registry.publicUrl).hostname]);
    if (rejected !== undefined) return rejected;
    if (caller.account === undefined && caller.via === 'anonymous' && !(await servesStrangers(registry)))
      throw unauthorised();
    return serve({ caller, address: context.get('address') }, request);
  });
  for (const path of [RESOURCE_METADATA, `${RESOURCE_METADATA}/mcp`])
    app.get(path, (context) => {
      const { publicUrl } = context.get('registry');
      return context.json(
        {
          resource: `${publicUrl}/mcp`,
          authorization_servers: [publicUrl],
          bearer_methods_supported: ['header'],
          scopes_supported: ['read'],
          resource_name: 'Skillwright registry',
        },
        200,
        { 'access-control-allow-origin': '*' },
      );
    });
}

/** Whether there is anything for callers without an account. */
async function servesStrangers({ settings, database }: Registry): Promise<boolean> {
  if (!settings.anonymousMcp) return false;
  const parameters: unknown[] = [];
  const [row] = await database.query<{ found: boolean }>(
    `select exists (select from skills s where ${visibleTo(anonymous, parameters)}) as found`,
    parameters,
  );
  return row?.found === true;
}
