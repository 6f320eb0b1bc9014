// skc trawl: searches the network for skills, and reports how each source answered.

import * as z from 'zod';
import { makeVisible, oneLine, SkillwrightError } from '../../base/diagnostics/index.ts';
import { type TrawlStatus, trawlSources } from '../../ship/network/index.ts';
import { defineCommand, type View } from './define-command.ts';
import { renderTable } from './render-table.ts';
import { cutToWidth } from './text-width.ts';

const Result = z.object({
  name: z.string(),
  description: z.string(),
  from: z.enum(trawlSources),
  source: z.string().describe('The source for skc install'),
  skill: z.string().nullable().describe('The skill to pick, if the source may have several'),
  score: z.number().min(0).max(1),
  reasons: z.array(z.string()).describe('Parts of the score, strongest first'),
  url: z.string().nullable(),
  repository: z.string().nullable(),
  level: z.enum(['community', 'verified', 'official']).nullable().describe('Trust level in the registry'),
  also: z.array(z.string()).describe('The same skill under other names'),
});

const Status = z.object({
  source: z.enum(trawlSources),
  domain: z.string().nullable(),
  status: z.enum(['ok', 'unreachable', 'skipped', 'failed']),
  reason: z.string().nullable(),
  count: z.number().int(),
  ms: z.number().int(),
});

/** Searches the network. */
export const trawl = defineCommand({
  input: z.strictObject({
    query: z.array(z.string()).min(1).describe('What the skill should do, or its name'),
    source: z.array(z.enum(trawlSources)).default([]).describe('Search these places only'),
    domain: z
      .array(z.string())
      .default([])
      .describe('Also search the skills of this domain; network.domains lists others'),
    limit: z.number().int().positive().max(100).default(10).describe('At most this many results'),
  }),
  positionals: ['query'],
  output: z.object({
    query: z.string(),
    results: z.array(Result),
    total: z.number().int().describe('Results before the limit'),
    sources: z.array(Status).describe('How each source answered'),
  }),
  effect: 'read',
  writes: [],
  touches: 'nothing',
  about:
    'Searches the registry, GitHub, npm and the domains you name, all at once. If a place cannot be reached, the result says why. With a token in GITHUB_TOKEN or GH_TOKEN, GitHub is searched for single skills too.',
  examples: [
    { line: 'skc trawl fill pdf forms', note: 'search everywhere' },
    {
      line: 'skc trawl payments --domain stripe.com --source well-known',
      note: 'search what one company publishes',
    },
    { line: 'skc trawl "release notes" --json', note: 'print JSON for a program' },
  ],
  async run(input, context) {
    const query = input.query.join(' ').trim();
    if (query === '') throw SkillwrightError.of('E004', {});
    const [network, { openRegistry }, { confirmingCommand }, { trawl: search }] = await Promise.all([
      import('../../ship/network/create-fetcher.ts'),
      import('../../ship/network/open-registry.ts'),
      import('../../ship/network/registry-of.ts'),
      import('../../ship/network/trawl.ts'),
    ]);
    const { network: settings } = await context.workspace.config();
    const fetcher = network.createFetcher(network.fetcherSettings(settings));
    const { env } = context.workspace;
    const registry = await openRegistry(context.workspace, { fetcher });
    const waiting = new Set<string>(input.source.length > 0 ? input.source : trawlSources);
    const showWaiting = () => {
      if (waiting.size > 0) context.progress(`asking ${[...waiting].join(', ')}`);
    };
    showWaiting();
    const { results, total, statuses } = await search(query, {
      fetcher,
      ...(input.source.length > 0 ? { sources: input.source } : {}),
      domains: [...input.domain, ...settings.domains],
      maxResults: input.limit,
      registry: waiting.has('registry') && registry?.isConfirmed ? registry : undefined,
      registryWithheld:
        registry === undefined || registry.isConfirmed
          ? undefined
          : `the project names ${registry.client.url}; to use it: ${await confirmingCommand({ url: registry.url }, context.workspace)}`,
      githubUrl: settings.github_url,
      githubToken: env.GITHUB_TOKEN || env.GH_TOKEN || undefined,
      npmUrl: settings.npm_url,
      signal: context.signal,
      onStatus: ({ source }) => {
        if (source !== 'well-known') waiting.delete(source);
        showWaiting();
      },
    });
    return {
      query,
      results: results.map((result) => ({
        name: result.name,
        description: result.description,
        from: result.from,
        source: result.source,
        skill: result.skill ?? null,
        score: result.score,
        reasons: result.reasons,
        url: result.url ?? null,
        repository: result.repository ?? null,
        level: result.level ?? null,
        also: result.also,
      })),
      total,
      sources: statuses.map(wireStatus),
    };
  },
  text({ query, results, total, sources }, view) {
    const { paint, columns } = view;
    const blocks = results.map((result) => {
      const head = `${result.score.toFixed(2)}  ${result.from}`;
      return [
        `${paint.strong(cutToWidth(oneLine(result.name), columns))}  ${paint.faint(head)}`,
        ...(result.description === '' ? [] : [`  ${cutToWidth(oneLine(result.description), columns - 2)}`]),
        `  ${paint.faint(cutToWidth(oneLine(result.reasons.join('; ')), columns - 2))}`,
        `  ${oneLine(installLine(result))}`,
      ].join('\n');
    });
    const answered = sources.some(({ status }) => status === 'ok');
    const notes = [
      ...(results.length === 0 && answered ? [`nothing matches ${makeVisible(JSON.stringify(query))}`] : []),
      ...(total > results.length ? [`${total - results.length} more; raise --limit`] : []),
    ];
    const found = [...blocks, ...notes];
    return `${[...found, ...(found.length > 0 ? [''] : []), ...renderSources(sources, view)].join('\n')}\n`;
  },
  failed: ({ sources }) => !sources.some(({ status }) => status === 'ok'),
});

function wireStatus({ source, domain, status, reason, count, ms }: TrawlStatus): z.output<typeof Status> {
  return { source, domain: domain ?? null, status, reason: reason ?? null, count, ms };
}

/** The command that installs a result. */
function installLine({ source, skill, from }: z.output<typeof Result>): string {
  // A path inside a repository already names one skill.
  return `skc install ${source}${skill === null || from === 'github' ? '' : ` --skill ${skill}`}`;
}

function renderSources(sources: readonly z.output<typeof Status>[], view: View): string[] {
  const rows = sources.map(({ source, domain, status, reason, count }) => [
    domain ?? source,
    status,
    status === 'ok' ? count : '',
    reason ?? '',
  ]);
  const columns = [
    { title: 'SOURCE' },
    { title: 'STATUS' },
    { title: 'FOUND', numeric: true },
    { title: '' },
  ];
  return renderTable(columns, rows, view);
}
