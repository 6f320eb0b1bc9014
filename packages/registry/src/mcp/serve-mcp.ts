// The MCP server of a registry: one stateless handler, with the caller of each request.

import { type AuthInfo, createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import { toolVersion } from 'skillwright';
import { createAskedStates, createServer, type ServedTool, type ServerIdentity } from 'skillwright/mcp';
import { anonymous, type Caller, demandRate } from '../access/index.ts';
import { readingTools } from '../reading/index.ts';
import type { Registry } from '../registry.ts';
import { findTool } from './find-skills.ts';
import { createRegistryBackend } from './registry-backend.ts';

const identity: ServerIdentity = {
  name: 'skillwright-registry',
  title: 'Skillwright registry',
  version: toolVersion,
  instructions:
    'Read the skills of this registry section by section, without installing them. Find a skill with skc_find, find a section with skc_search or skc_outline, then read it with skc_show. Skills are named @owner/name.',
};

let loading: Promise<ReadonlyMap<string, ServedTool>> | undefined;

function loadServedTools(): Promise<ReadonlyMap<string, ServedTool>> {
  loading ??= readingTools().then((tools) => new Map([['skc_find', findTool], ...tools]));
  return loading;
}

/** The caller of a request, and the address it came from. */
interface Asking {
  readonly caller: Caller;
  readonly address: string;
}

/** Answers requests of the protocol, each for its caller. Tools are loaded at the first one. */
export function serveMcp(registry: Registry): (asking: Asking, request: Request) => Promise<Response> {
  let handler: Promise<McpHttpHandler> | undefined;
  return async (asking, request) => {
    await countBatch(registry, asking, request);
    handler ??= loadServedTools().then((tools) => createHandler(registry, tools));
    const authInfo: AuthInfo = {
      token: '',
      clientId: asking.caller.account?.name ?? '',
      scopes: [],
      extra: { asking },
    };
    return (await handler).fetch(request, { authInfo });
  };
}

/** Counts the messages of a batch as one request each; the first is counted with its request. */
async function countBatch(registry: Registry, asking: Asking, request: Request): Promise<void> {
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => undefined);
  const further = Array.isArray(body) ? body.length - 1 : 0;
  for (let count = 0; count < further; count++) demandRate(registry, { ...asking, kind: 'read' });
}

function createHandler(registry: Registry, tools: ReadonlyMap<string, ServedTool>): McpHttpHandler {
  const states = createAskedStates();
  return createMcpHandler(
    ({ authInfo }) => {
      const asking = (authInfo?.extra?.asking as Asking | undefined) ?? { caller: anonymous, address: '' };
      const backend = createRegistryBackend(registry, asking, tools);
      return createServer(
        { identity, tools, backend, states, note: () => {} },
        { cwd: async () => '/', tellsChanges: false, standsAlone: true },
      ).mcp;
    },
    { maxSubscriptions: 0, onerror: () => {} },
  );
}

/** Path of the document that says which tokens this registry accepts. */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';

/** The challenge of a 401: it leads a client to that document. */
export function challengeOf(publicUrl: string): string {
  return `Bearer resource_metadata="${publicUrl}${RESOURCE_METADATA}"`;
}
