// The skills a domain publishes: the current index, the old one, or the one file of the first convention.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { decodeText, MAX_TEXT_BYTES } from '../../base/files/index.ts';
import { isSkillName, readFrontmatter } from '../../skill/format/index.ts';
import { checkUrl } from './check-url.ts';
import type { Fetched, Fetcher, FetchOptions } from './fetcher.ts';
import { misunderstood, showUrl } from './network-error.ts';
import { parseJson } from './parse-json.ts';
import type { WellKnown } from './read-index.ts';
import { IndexShape, indexProblem, readIndex } from './read-index.ts';

const MAX_INDEX_BYTES = 16 * 1024 * 1024;

/** One place to look. */
interface Candidate {
  readonly url: string;
  readonly kind: 'index' | 'default';
}

/**
 * Looks where a domain or a URL may publish skills: below the given path, then at the root. E201 when nothing
 * is published; E200 or another network error when the server cannot be read.
 */
export async function readWellKnown(
  base: string,
  fetcher: Fetcher,
  options: Pick<FetchOptions, 'signal' | 'timeout'> = {},
): Promise<WellKnown> {
  const start = baseUrl(base);
  const candidates = candidatesOf(start);
  let unusable: WellKnown | undefined;
  let doubt: SkillwrightError | undefined;
  for (const { url, kind } of candidates) {
    try {
      const maxBytes = kind === 'index' ? MAX_INDEX_BYTES : MAX_TEXT_BYTES;
      const accept = kind === 'index' ? 'application/json' : 'text/markdown, text/plain';
      const answer = await fetcher.get(url, { ...options, accept, maxBytes });
      const found = kind === 'index' ? readIndexAnswer(answer) : readDefaultSkill(answer);
      if (found.version !== null) {
        const earlier = unusable?.diagnostics ?? [];
        return { ...found, diagnostics: [...earlier, ...found.diagnostics] };
      }
      unusable ??= found;
    } catch (error) {
      if (!isAnswered(error)) throw error;
      // Ignore a missing file; report any other failure, which may be the publisher's mistake.
      if (error.code === 'E215' || error.code === 'E200') doubt ??= error;
    }
  }
  if (unusable !== undefined) return unusable;
  if (doubt !== undefined) throw doubt;
  const tried = candidates.map(({ url }) => `  ${showUrl(url)}`).join('\n');
  throw SkillwrightError.of(
    'E201',
    { what: `skills at ${showUrl(base)}` },
    { detail: `  looked at\n${tried}`, help: 'the site publishes no index of skills' },
  );
}

/** The URL for a domain or a URL. A bare domain uses https, this machine http. */
function baseUrl(base: string): URL {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(base)) return checkUrl(base);
  return checkUrl(`${/^localhost(?=[:/]|$)/i.test(base) ? 'http' : 'https'}://${base}`);
}

function candidatesOf(start: URL): Candidate[] {
  if (start.pathname.endsWith('.json')) return [{ url: start.href, kind: 'index' }];
  const path = start.pathname.replace(/\/+$/, '');
  if (/\/\.well-known\/(?:agent-)?skills$/.test(path))
    return [{ url: new URL(`${path}/index.json`, start).href, kind: 'index' }];
  return [...new Set([path, ''])].flatMap((prefix) => {
    const at = (name: string) => new URL(`${prefix}/.well-known/${name}`, start.origin).href;
    return [
      { url: at('agent-skills/index.json'), kind: 'index' as const },
      { url: at('skills/index.json'), kind: 'index' as const },
      { url: at('skills/default/skill.md'), kind: 'default' as const },
    ];
  });
}

/** True for an error response: another path of the same server may still work. */
function isAnswered(error: unknown): error is SkillwrightError {
  if (!(error instanceof SkillwrightError)) return false;
  if (error.code === 'E200') return error.data?.status !== undefined;
  return error.code === 'E201' || error.code === 'E202' || error.code === 'E215';
}

function readIndexAnswer({ body, url }: Fetched): WellKnown {
  const parsed = parseJson(body);
  if (parsed.problem !== undefined) throw misunderstood(url, parsed.problem);
  const index = IndexShape.safeParse(parsed.value);
  if (!index.success) throw indexProblem(parsed.value, url);
  return readIndex(index.data, url);
}

// The first convention: one file, /.well-known/skills/default/skill.md, which contains its own name.

/** The one skill of a domain. E215 when the response is not a SKILL.md. */
function readDefaultSkill({ body, url }: Fetched): WellKnown {
  const { text, valid } = decodeText(body);
  if (!valid || text.includes('\0')) throw misunderstood(url, 'not text');
  const { data, problems } = readFrontmatter(text);
  if (data === undefined)
    throw misunderstood(url, `not a SKILL.md: ${problems[0]?.message ?? 'no frontmatter'}`);
  const { name, description } = data;
  if (typeof name !== 'string' || !isSkillName(name))
    throw misunderstood(url, 'a SKILL.md with an invalid name');
  if (typeof description !== 'string' || description.trim() === '')
    throw misunderstood(url, 'a SKILL.md without a description');
  return {
    version: 'default',
    url,
    skills: [{ name, description: description.trim(), type: 'skill-md', url }],
    diagnostics: [],
  };
}
