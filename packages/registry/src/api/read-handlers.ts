// Search, and skills that are read without installing them.

import type { Context } from 'hono';
import { SkillwrightError } from 'skillwright';
import { readParameters } from 'skillwright/mcp';
import type { RegistryErrorCode } from 'skillwright/registry-protocol';
import { notFound } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import type { Environment } from '../http/index.ts';
import { findSkills, renderFound } from '../mcp/index.ts';
import { openVersion, parseWanted, readingTools, spellAddresses } from '../reading/index.ts';
import { searchSkills } from '../search/index.ts';
import type { Handlers, OperationCall } from '../work/index.ts';

export const readHandlers = {
  searchSkills: ({ registry, caller, query }) => searchSkills(registry, caller, withoutNul(query)),
  findSkills: async ({ registry, caller, query, context }) => {
    const found = await findSkills(registry, caller, withoutNul(query));
    return answerText(context, { output: found, text: renderFound(found) });
  },
  readOutline: (call) => readWith(call, 'skc_outline'),
  readShow: (call) => readWith(call, 'skc_show'),
  readSearch: (call) => readWith(call, 'skc_search'),
  readOpen: (call) => readWith(call, 'skc_open'),
  readSources: (call) => readWith(call, 'skc_sources'),
} satisfies Partial<Handlers>;

/** Runs a tool of skc on one version. */
async function readWith(
  { registry, caller, path: { owner, wanted: name }, context }: OperationCall<unknown, unknown>,
  toolName: string,
): Promise<Response> {
  const wanted = parseWanted(`@${owner}/${name}`);
  if (wanted === undefined) throw notFound();
  const opened = await openVersion(registry, caller, wanted);
  const tools = await readingTools();
  const tool = tools.get(toolName)!;
  const args = readParameters(tool, new URL(context.req.url).searchParams);
  const { signal } = context.req.raw;
  const result = await opened.run({ tool, tools, args, signal }).catch(refuseReading);
  const { output, text, warnings } = spellAddresses(result, registry.publicUrl);
  return answerText(context, {
    output: {
      ...(output as object),
      version: opened.found.version,
      ...(warnings.length === 0 ? {} : { warnings }),
    },
    text,
  });
}

/** PostgreSQL has no such character. */
function withoutNul<Query extends object>(query: Query): Query {
  if (Object.values(query).some((value) => typeof value === 'string' && value.includes('\0')))
    throw new Failure('bad_request', 'the query is not valid', { details: ['a parameter contains a NUL'] });
  return query;
}

function answerText(
  context: Context<Environment>,
  { output, text }: { output: object; text: string },
): Response {
  const wantsJson = /\bapplication\/json\b/.test(context.req.header('accept') ?? '');
  const headers = { vary: 'accept, authorization, cookie' };
  if (wantsJson) return context.json(output, 200, headers);
  // Third-party text is never a page.
  return context.text(text, 200, {
    ...headers,
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  });
}

/** Statuses of the failures of reading; all others are the caller's mistakes. */
const codes: Readonly<Record<string, RegistryErrorCode>> = {
  E010: 'not_found',
  E020: 'not_found',
  E021: 'not_found',
  E060: 'forbidden',
  E061: 'forbidden',
  E062: 'forbidden',
};

function refuseReading(error: unknown): never {
  if (!(error instanceof SkillwrightError)) throw error;
  const { code, message, detail, help } = error;
  const details = [...(detail?.split('\n') ?? []), help ?? ''].map((line) => line.trim()).filter(Boolean);
  throw new Failure(codes[code] ?? 'bad_request', `${code}: ${message}`, { details });
}
