// Operations that search, and that read skills without installing them.

import type { Context } from 'hono';
import { SkillwrightError } from 'skillwright';
import { readParameters } from 'skillwright/mcp';
import { type RegistryErrorCode, SearchPage, SearchQuery } from 'skillwright/registry-protocol';
import * as z from 'zod';
import { notFound } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import type { Environment } from '../http/index.ts';
import { FoundSkills, findSkills, renderFound } from '../mcp/index.ts';
import {
  openVersion,
  operations,
  parseWanted,
  type ReadingOperation,
  readingTools,
  spellAddresses,
} from '../reading/index.ts';
import { searchSkills } from '../search/index.ts';
import { defineOperation, type Operation } from './operation.ts';

const FindQuery = SearchQuery.extend({
  q: SearchQuery.shape.q.unwrap().refine((q) => q.trim() !== '', 'name what to look for'),
  limit: z.coerce.number().int().min(1).max(100).default(8),
});

const summaries: Readonly<Record<ReadingOperation, string>> = {
  outline: 'The sections of a skill with their sizes',
  show: 'One section of a skill, or the whole text',
  search: 'Sections of a skill that answer a question',
  open: 'A file or lines of a skill',
  sources: 'Where the statements of a skill come from',
};

export const readOperations: readonly Operation[] = [
  defineOperation({
    id: 'searchSkills',
    method: 'GET',
    path: '/api/v1/search',
    summary: 'One page of skills, best first',
    scope: null,
    query: SearchQuery,
    status: 200,
    response: SearchPage,
    errors: ['bad_request', 'unauthorised'],
    run: ({ registry, caller, query, context }) => {
      context.header('cache-control', 'private, no-cache');
      return searchSkills(registry, caller, withoutNul(query));
    },
  }),
  defineOperation({
    id: 'findSkills',
    method: 'GET',
    path: '/api/v1/find',
    summary: 'The best skills for a task, in few words',
    scope: null,
    query: FindQuery,
    status: 200,
    response: FoundSkills,
    hasText: true,
    errors: ['bad_request', 'unauthorised'],
    run: async ({ registry, caller, query, context }) => {
      const found = await findSkills(registry, caller, withoutNul(query));
      return answer(context, { output: found, text: renderFound(found) });
    },
  }),
  ...operations.map((operation) =>
    defineOperation({
      id: `read${operation[0]!.toUpperCase()}${operation.slice(1)}`,
      method: 'GET',
      path: `/api/v1/read/@{owner}/{wanted}/${operation}`,
      summary: summaries[operation],
      scope: null,
      parametersOf: operation,
      status: 200,
      response: z.looseObject({ version: z.string() }),
      hasText: true,
      errors: [
        'bad_request',
        'unauthorised',
        'forbidden',
        'not_found',
        'quarantined',
        'purged',
        'unavailable',
      ],
      run: async ({ registry, caller, path: { owner, wanted: name }, context }) => {
        const wanted = parseWanted(`@${owner}/${name}`);
        if (wanted === undefined) throw notFound();
        const opened = await openVersion(registry, caller, wanted);
        const tools = await readingTools();
        const tool = tools.get(`skc_${operation}`)!;
        const args = readParameters(tool, new URL(context.req.url).searchParams);
        const { signal } = context.req.raw;
        const result = await opened.run({ tool, tools, args, signal }).catch(refuse);
        const { output, text, warnings } = spellAddresses(result, registry.publicUrl);
        return answer(context, {
          output: {
            ...(output as object),
            version: opened.found.version,
            ...(warnings.length === 0 ? {} : { warnings }),
          },
          text,
        });
      },
    }),
  ),
];

/** PostgreSQL has no such character. */
function withoutNul<Query extends object>(query: Query): Query {
  if (Object.values(query).some((value) => typeof value === 'string' && value.includes('\0')))
    throw new Failure('bad_request', 'the query is not valid', { details: ['a parameter contains a NUL'] });
  return query;
}

function answer(context: Context<Environment>, { output, text }: { output: object; text: string }): Response {
  const wantsJson = /\bapplication\/json\b/.test(context.req.header('accept') ?? '');
  const headers = { vary: 'accept, authorization', 'cache-control': 'private, no-cache' };
  if (wantsJson) return context.json(output, 200, headers);
  // Text of strangers is never a page.
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

function refuse(error: unknown): never {
  if (!(error instanceof SkillwrightError)) throw error;
  const { code, message, detail, help } = error;
  const details = [...(detail?.split('\n') ?? []), help ?? ''].map((line) => line.trim()).filter(Boolean);
  throw new Failure(codes[code] ?? 'bad_request', `${code}: ${message}`, { details });
}
