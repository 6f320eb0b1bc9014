// The work of the MCP server for one caller: everything the caller may see, read with the tools of skc.

import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Skill } from '@modelcontextprotocol/server/ext/skills';
import { SkillwrightError } from 'skillwright';
import { type Backend, failedCall, type ServedSource, type ServedTool, type ToolCall } from 'skillwright/mcp';
import { SearchQuery } from 'skillwright/registry-protocol';
import { type Caller, demandRate, visibleTo } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import { installableOf, type VersionRow, versionColumns } from '../catalog/index.ts';
import { openVersion, parseWanted, type StoredEntry, type WantedVersion } from '../reading/index.ts';
import type { Registry } from '../registry.ts';
import { FindInput, findSkills, renderFound } from './find-skills.ts';

type ToolResult = NonNullable<Awaited<ReturnType<Backend['callTool']>>['result']>;

/** Creates the backend of one request. It keeps nothing, so any process can answer the next one. */
export function createRegistryBackend(
  registry: Registry,
  { caller, address }: { readonly caller: Caller; readonly address: string },
  tools: ReadonlyMap<string, ServedTool>,
): Backend {
  /** Counts one message: a request may have many. */
  const count = (kind: 'read' | 'search') => demandRate(registry, { caller, address, kind });
  const sourceOf = async (uri: string): Promise<ServedSource | undefined> => {
    const wanted = versionIn(uri);
    if (wanted === undefined) return undefined;
    try {
      count('read');
      return (await openVersion(registry, caller, wanted)).source();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.code === 'not_found') return undefined;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
    }
  };
  const call = async ({ name, args }: ToolCall, signal: AbortSignal): Promise<ToolResult> => {
    try {
      count(name === 'skc_find' || name === 'skc_search' ? 'search' : 'read');
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
    callTool: async ({ signal = new AbortController().signal }, request) => ({
      result: await call(request, signal),
    }),
    listPrompts: async () => [],
    getPrompt: async (_connection, { name }) => {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Prompt ${name} not found`);
    },
    async read(_connection, uri) {
      const result = await (await sourceOf(uri))?.read(uri);
      return result === undefined ? {} : { result };
    },
    complete: async () => ({ values: [], total: 0, hasMore: false }),
    stamp: async () => ({}),
    async source(_connection, name, [first, second]) {
      if (name === 'list') return listEntries(registry, caller, (first as { cursor?: string }).cursor);
      if (name === 'listResources') return [];
      const uri = first as string;
      const source = await sourceOf(uri);
      return name === 'get' ? source?.get(uri) : source?.readDirectory(uri, second as { cursor?: string });
    },
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

const PATTERN = /^skill:\/\/([a-z0-9-]+)\/(?:@([^/#]+)\/)?([a-z0-9-]+)(?:\/|$)/;

/** The version a URI leads into; undefined when it leads nowhere. */
function versionIn(uri: string): WantedVersion | undefined {
  const [, owner, version, name] = PATTERN.exec(uri) ?? [];
  if (owner === undefined || name === undefined) return undefined;
  return parseWanted(`@${owner}/${name}${version === undefined ? '' : `@${version}`}`);
}

const PAGE_SIZE = 50;

/** One page of the latest versions the caller may read. */
async function listEntries(
  { database, now }: Registry,
  caller: Caller,
  cursor: string | undefined,
): Promise<{ skills: Skill[]; nextCursor?: string }> {
  const parameters: unknown[] = [placeOfCursor(cursor)];
  const rows = await database.query<VersionRow & { owner: string; name: string; entry: StoredEntry }>(
    `select ${versionColumns}, o.name as owner, s.name, e.entry
     from skills s join owners o on o.id = s.owner_id
     join versions v on v.skill_id = s.id and v.version = s.latest
     join served_entries e on e.archive_digest = v.archive_digest
     where s.id > $1 and ${visibleTo(caller, parameters)}
     order by s.id limit ${PAGE_SIZE + 1}`,
    parameters,
  );
  const page = rows.slice(0, PAGE_SIZE);
  const at = now();
  const readable = page.filter((row) => installableOf(row, at).answer === 'yes');
  const skills = readable.map(({ owner, name, entry }) => {
    const root = `skill://${owner}/${name}`;
    return {
      uri: `${root}/SKILL.md`,
      frontmatter: entry.frontmatter as Skill['frontmatter'],
      resources: entry.files.map(({ path, digest, size }) => ({ uri: `${root}/${path}`, digest, size })),
    } as Skill;
  });
  const last = page.at(-1);
  return last === undefined || rows.length <= PAGE_SIZE
    ? { skills }
    : { skills, nextCursor: String(last.skill_id) };
}

function placeOfCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^\d{1,15}$/.test(cursor)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid cursor');
  return Number(cursor);
}
