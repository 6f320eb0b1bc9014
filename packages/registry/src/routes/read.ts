// Reading without installing.

import type { Context } from 'hono';
import { SkillwrightError } from 'skillwright';
import { readParameters } from 'skillwright/mcp';
import type { RegistryErrorCode } from 'skillwright/registry-protocol';
import { notFound } from '../access/may.ts';
import type { App, Environment } from '../app/create-app.ts';
import { Failure } from '../app/failure.ts';
import { findSkills, renderFound } from '../mcp/find-skills.ts';
import { openVersion } from '../read/open-version.ts';
import { parseWanted } from '../read/parse-wanted.ts';
import { operations, readingTools } from '../read/reading-tools.ts';
import { spellAddresses } from '../read/spell-addresses.ts';
import { readSearchQuery } from './search.ts';

/** `GET /api/v1/find` and `GET /api/v1/read/@owner/name[@version]/<operation>`, as text or, if you accept it, as JSON. */
export function read(app: App): void {
  app.get('/api/v1/find', async (context) => {
    const { q = '', limit, ...rest } = context.req.query();
    const query = readSearchQuery({ ...rest, q, ...(limit === undefined ? { limit: '8' } : { limit }) });
    if (query.q.trim() === '') throw new Failure('bad_request', 'q must name what to look for');
    const found = await findSkills(context.get('registry'), context.get('caller'), query);
    return answer(context, { output: found, text: renderFound(found) });
  });
  for (const operation of operations)
    app.get(`/api/v1/read/:owner/:name/${operation}`, async (context) => {
      const { owner, name } = context.req.param();
      const wanted = parseWanted(`${owner}/${name}`);
      if (wanted === undefined) throw notFound();
      const registry = context.get('registry');
      const opened = await openVersion(registry, context.get('caller'), wanted);
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
    });
}

function answer(context: Context<Environment>, { output, text }: { output: object; text: string }): Response {
  const wantsJson = /\bapplication\/json\b/.test(context.req.header('accept') ?? '');
  const headers = { vary: 'accept, authorization', 'cache-control': 'private, no-cache' };
  if (wantsJson) return context.json(output, 200, headers);
  // What a stranger wrote is never a page.
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
