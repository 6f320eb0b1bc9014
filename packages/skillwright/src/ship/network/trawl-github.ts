// Searches GitHub: repositories that declare skills and, with a token, single SKILL.md files.

import * as z from 'zod';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { isSkillName } from '../../skill/format/index.ts';
import { isThisMachine } from './check-url.ts';
import type { Fetcher } from './fetcher.ts';
import type { TrawlCandidate } from './rank-candidates.ts';
import { isSafePath } from './safe-path.ts';

const FullName = z.string().regex(/^[A-Za-z0-9-]+\/[A-Za-z0-9._-]+$/);

const Repository = z.object({
  full_name: FullName,
  description: z.string().nullish(),
  html_url: z.string(),
  stargazers_count: z.number().nullish(),
  topics: z.array(z.string()).nullish().catch(undefined),
  archived: z.boolean().nullish().catch(undefined),
});

const CodeHit = z.object({
  path: z.string(),
  html_url: z.string(),
  repository: z.object({ full_name: FullName, html_url: z.string(), description: z.string().nullish() }),
});

const Answer = z.object({ items: z.array(z.unknown()) });

/** Options of a GitHub search. */
interface GithubOptions {
  readonly url: string;
  /** Sent only to the origin of `url`. */
  readonly token?: string | undefined;
  readonly signal: AbortSignal;
  readonly limit: number;
}

/** Matches on GitHub. Some of its requests may fail; when all do, the first failure is thrown. */
export async function trawlGithub(
  query: string,
  fetcher: Fetcher,
  options: GithubOptions,
): Promise<TrawlCandidate[]> {
  const base = new URL(options.url.endsWith('/') ? options.url : `${options.url}/`);
  const token = base.protocol === 'https:' || isThisMachine(base) ? options.token : undefined;
  const ask = async <Item extends z.ZodType>(kind: string, q: string, item: Item) => {
    const target = new URL(`search/${kind}`, base);
    target.search = new URLSearchParams({ q, per_page: String(options.limit) }).toString();
    const { value } = await fetcher.getJson(target, Answer, {
      signal: options.signal,
      accept: 'application/vnd.github+json',
      headers: {
        'x-github-api-version': '2022-11-28',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
    });
    return value.items.flatMap((entry) => {
      const read = item.safeParse(entry);
      return read.success ? [read.data] : [];
    });
  };
  const answers = await Promise.allSettled([
    ask('repositories', `${query} topic:agent-skills`, Repository).then((found) => found.map(ofRepository)),
    ask('repositories', `${query} "SKILL.md" in:readme`, Repository).then((found) => found.map(ofRepository)),
    // GitHub searches code only for accounts.
    ...(token === undefined
      ? []
      : [ask('code', `${query} filename:SKILL.md`, CodeHit).then((found) => found.flatMap(ofCode))]),
  ]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const failures = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [answer.reason as unknown] : [],
  );
  const bug = failures.find((failure) => !(failure instanceof SkillwrightError));
  if (bug !== undefined || failures.length === answers.length) throw bug ?? failures[0];
  return found;
}

function ofRepository(found: z.output<typeof Repository>): TrawlCandidate {
  return {
    name: found.full_name.split('/')[1]!,
    description: found.description ?? '',
    from: 'github',
    source: found.full_name,
    url: found.html_url,
    repository: `https://github.com/${found.full_name}`,
    tags: found.topics ?? undefined,
    stars: found.stargazers_count ?? undefined,
    deprecated: found.archived ? 'the repository is archived' : undefined,
  };
}

function ofCode({ path, html_url, repository }: z.output<typeof CodeHit>): TrawlCandidate[] {
  const folder = path.split('/').slice(0, -1);
  const [owner, name] = repository.full_name.split('/') as [string, string];
  const skill = folder.at(-1) ?? name.toLowerCase();
  const hidden = folder.map((part) => part.replace(/^\./, ''));
  if (path.split('/').at(-1) !== 'SKILL.md' || !isSkillName(skill)) return [];
  if (folder.length > 0 && !isSafePath(hidden.join('/'))) return [];
  return [
    {
      name: skill,
      description: repository.description ?? '',
      from: 'github',
      source: [owner, name, ...folder].join('/'),
      skill,
      url: html_url,
      repository: `https://github.com/${repository.full_name}`,
    },
  ];
}
