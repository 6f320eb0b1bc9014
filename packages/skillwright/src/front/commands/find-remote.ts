// `skc find --remote`: searches the network for skills, and reports how each source answered.

import * as z from 'zod';
import { invalidOption, makeVisible, oneLine } from '../../base/diagnostics/index.ts';
import type { TrawlSource } from '../../ship/network/index.ts';
import type { CommandContext } from './command-context.ts';
import { type Line, linesOf, type View } from './define-command.ts';
import { choices, own, texts } from './fields.ts';
import { renderTable } from './render-table.ts';
import { cutToWidth } from './text-width.ts';

/** Kinds of places to search. Named here, so that a search on this machine does not load the network. */
const sources = ['registry', 'github', 'npm', 'well-known'] as const satisfies readonly TrawlSource[];

/** The fields of a search of the network. */
export const remoteFields = {
  source: own(choices(sources, 'With --remote: search these places only')),
  domain: own(texts('With --remote: also search the skills of this domain; network.domains lists others')),
};

/** A skill to install. */
export const Offer = z.object({
  name: z.string(),
  description: z.string(),
  from: z.enum(sources),
  source: z.string().describe('The source for skc install'),
  skill: z.string().nullable().describe('The skill to pick, if the source may have several'),
  score: z.number().min(0).max(1),
  reasons: z.array(z.string()).describe('Parts of the score, strongest first'),
  url: z.string().nullable(),
  repository: z.string().nullable(),
  level: z.enum(['community', 'verified', 'official']).nullable().describe('Trust level in the registry'),
  also: z.array(z.string()).describe('The same skill under other names'),
});
type Offer = z.output<typeof Offer>;

/** How a source answered. */
export const SourceStatus = z.object({
  source: z.enum(sources),
  domain: z.string().nullable(),
  status: z.enum(['ok', 'unreachable', 'skipped', 'failed']),
  reason: z.string().nullable(),
  count: z.number().int(),
  ms: z.number().int(),
});
type SourceStatus = z.output<typeof SourceStatus>;

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;

/** The input of a search. */
interface RemoteSearch {
  readonly limit?: number | undefined;
  readonly source: readonly TrawlSource[];
  readonly domain: readonly string[];
}

/** Searches the network. */
export async function searchRemote(
  query: string,
  { limit = DEFAULT_LIMIT, source, domain }: RemoteSearch,
  context: CommandContext,
): Promise<{
  query: string;
  results: Offer[];
  count: number;
  truncated: boolean;
  total: number;
  sources: SourceStatus[];
}> {
  if (limit > MAX_LIMIT) throw invalidOption(`--limit must be at most ${MAX_LIMIT}`);
  const { trawl } = await import('../../ship/network/trawl.ts');
  const waiting = new Set<string>(source.length > 0 ? source : sources);
  const showWaiting = () => {
    if (waiting.size > 0) context.progress(`asking ${[...waiting].join(', ')}`);
  };
  showWaiting();
  const results = await trawl(query, {
    workspace: context.workspace,
    ...(source.length > 0 ? { sources: source } : {}),
    domains: domain,
    maxResults: limit,
    signal: context.signal,
    onRemark: context.report,
    onStatus: (status) => {
      if (status.source !== 'well-known') waiting.delete(status.source);
      showWaiting();
    },
  });
  const { total, statuses } = results;
  return {
    query,
    results: results.map((result) => {
      const { name, description, from, source: origin, score, reasons, also } = result;
      const { skill = null, url = null, repository = null, level = null } = result;
      const about = { skill, url, repository, level, also: [...also] };
      return { name, description, from, source: origin, score, reasons: [...reasons], ...about };
    }),
    count: results.length,
    truncated: total > results.length,
    total,
    sources: statuses.map(({ domain: asked = null, reason = null, ...status }) => ({
      ...status,
      domain: asked,
      reason,
    })),
  };
}

/** The result as text. */
export function renderOffers(
  {
    query,
    results,
    total,
    sources: statuses,
  }: {
    query: string;
    results: readonly Offer[];
    total: number;
    sources: readonly SourceStatus[];
  },
  view: View,
): Line[] {
  const { paint, columns } = view;
  const blocks = results.map((result) => [
    `${paint.strong(cutToWidth(oneLine(result.name), columns))}  ${paint.faint(`${result.score.toFixed(2)}  ${result.from}`)}`,
    result.description !== '' && `  ${cutToWidth(oneLine(result.description), columns - 2)}`,
    `  ${paint.faint(cutToWidth(oneLine(result.reasons.join('; ')), columns - 2))}`,
    `  ${oneLine(installLine(result))}`,
  ]);
  const found = linesOf([
    blocks,
    results.length === 0 &&
      !isUnanswered(statuses) &&
      `nothing matches ${makeVisible(JSON.stringify(query))}`,
    total > results.length && `${total - results.length} more; raise --limit`,
  ]);
  return [found, found.length > 0 && '', renderSources(statuses, view)];
}

/** Whether no source answered. */
export function isUnanswered(statuses: readonly SourceStatus[]): boolean {
  return !statuses.some(({ status }) => status === 'ok');
}

/** The command that installs a result. */
function installLine({ source, skill, from }: Offer): string {
  // A path inside a repository already names one skill.
  return `skc install ${source}${skill === null || from === 'github' ? '' : ` --skill ${skill}`}`;
}

function renderSources(statuses: readonly SourceStatus[], view: View): string[] {
  const rows = statuses.map(({ source, domain, status, reason, count }) => [
    domain ?? source,
    status,
    status === 'ok' ? count : '',
    reason ?? '',
  ]);
  return renderTable(['SOURCE', 'STATUS', 'FOUND', ''], rows, view);
}
