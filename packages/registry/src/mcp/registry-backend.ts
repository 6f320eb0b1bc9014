// The work of the MCP server for one caller: everything the caller may see, read with the tools of skc.

import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { SkillReadResult } from '@modelcontextprotocol/server/ext/skills';
import { SkillwrightError } from 'skillwright';
import { type Backend, failedCall, type ServedSource, type ServedTool, type ToolCall } from 'skillwright/mcp';
import { SearchQuery } from 'skillwright/registry-protocol';
import type { Caller } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import { openVersion, parseWanted } from '../reading/index.ts';
import type { Registry } from '../registry.ts';
import { findSkills, renderFound } from './find-skills.ts';
import { FindInput } from './find-tool.ts';
import { listEntries } from './skill-entries.ts';
import { versionIn } from './skill-uri.ts';

type ToolResult = NonNullable<Awaited<ReturnType<Backend['callTool']>>['result']>;

/** Creates the backend of one request. It keeps nothing, so any process can answer the next one. */
export function createRegistryBackend(
  registry: Registry,
  caller: Caller,
  tools: ReadonlyMap<string, ServedTool>,
): Backend {
  const sourceOf = async (uri: string): Promise<ServedSource | undefined> => {
    const wanted = versionIn(uri);
    if (wanted === undefined) return undefined;
    try {
      return (await openVersion(registry, caller, wanted)).source();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.code === 'not_found') return undefined;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
    }
  };
  const call = async ({ name, args, signal }: ToolCall): Promise<ToolResult> => {
    try {
      if (name === 'skc_find') return await find(registry, caller, args);
      const { skill, ...rest } = (args ?? {}) as Record<string, unknown>;
      const wanted = typeof skill === 'string' ? parseWanted(skill) : undefined;
      if (wanted === undefined)
        throw SkillwrightError.of('E100', { why: 'skill must be @owner/name or @owner/name@version' });
      const opened = await openVersion(registry, caller, wanted);
      return await opened.call({ tool: tools.get(name)!, tools, args: rest, signal });
    } catch (error) {
      if (error instanceof Failure) return refused(error);
      return failedCall(error, { tools });
    }
  };
  return {
    callTool: async (_connection, request) => ({ result: await call(request) }),
    listPrompts: async () => [],
    getPrompt: async (_connection, { name }) => {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Prompt ${name} not found`);
    },
    async read(_connection, uri) {
      const result: SkillReadResult | undefined = await (await sourceOf(uri))?.read(uri);
      return result === undefined ? {} : { result };
    },
    complete: async () => ({ values: [], total: 0, hasMore: false }),
    stamp: async () => ({}),
    skillSource: () => ({
      list: ({ cursor }) => listEntries(registry, caller, cursor),
      get: async (uri) => (await sourceOf(uri))?.get(uri),
      read: async (uri) => (await sourceOf(uri))?.read(uri),
      readDirectory: async (uri, parameters, context) =>
        (await sourceOf(uri))?.readDirectory?.(uri, parameters, context),
    }),
    watch: () => ({ ready: Promise.resolve(), follow: () => {}, close: () => {} }),
    close: async () => {},
  };
}

async function find(registry: Registry, caller: Caller, args: unknown): Promise<ToolResult> {
  const input = FindInput.safeParse(args ?? {});
  if (!input.success) {
    const [issue] = input.error.issues;
    throw SkillwrightError.of('E100', { why: `${issue!.path.join('.')}: ${issue!.message}` });
  }
  const { query, ...filters } = input.data;
  const q = [query].flat().join(' ').trim();
  if (q === '') throw SkillwrightError.of('E004', {});
  const parsed = SearchQuery.safeParse({ ...filters, q: q.slice(0, 500).replaceAll('\0', ' ') });
  if (!parsed.success) throw SkillwrightError.of('E100', { why: parsed.error.issues[0]!.message });
  const found = await findSkills(registry, caller, parsed.data);
  // The text has the descriptions.
  const results = found.results.map(({ description: _, ...result }) => result);
  return {
    content: [{ type: 'text', text: renderFound(found) }],
    structuredContent: { ...found, results },
  };
}

function refused({ code, message }: Failure): ToolResult {
  return {
    content: [{ type: 'text', text: `${message}\n` }],
    structuredContent: { error: { code, message } },
    isError: true,
  };
}
