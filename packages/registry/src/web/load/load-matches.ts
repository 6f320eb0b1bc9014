// Why a search found its skills: for each the verdict of its newest scan, and the sentence that fits the question best.

import { scannerFor, stopWords } from 'skillwright/read';
import type { SkillSummary } from 'skillwright/registry-protocol';
import { type Caller, visibleTo } from '../../access/index.ts';
import type { Registry } from '../../registry.ts';
import type { SkillMatch } from '../skill-list.ts';

/** Characters of a text that are looked at. */
const MAX_BODY = 20_000;
const MAX_SENTENCE = 280;

/** The matches by name of the skill. A skill that a quiz locks keeps no text here, so it has no sentence. */
export async function loadMatches(
  { database }: Registry,
  caller: Caller,
  { skills, q }: { readonly skills: readonly SkillSummary[]; readonly q: string },
): Promise<ReadonlyMap<string, SkillMatch>> {
  const parameters: unknown[] = [skills.map(({ name }) => name), MAX_BODY];
  const rows = await database.query<{ name: string; verdict: string; body: string | null }>(
    `select n.name, coalesce((select c.result->>'verdict' from scans c where c.version_id = v.id order by c.id desc limit 1),
       v.scan->>'verdict') as verdict, left(v.search_text->>'body', $2::int) as body
     from unnest($1::text[]) as n(name) join owners o on o.name = split_part(substr(n.name, 2), '/', 1)
       join skills s on s.owner_id = o.id and s.name = split_part(n.name, '/', 2)
       join versions v on v.skill_id = s.id and v.version = s.shown where ${visibleTo(caller, parameters)}`,
    parameters,
  );
  const asked = stemsOf(
    q
      .split(/\s+/)
      .filter((word) => !stopWords.has(word.toLowerCase()))
      .join(' '),
  );
  return new Map(
    rows.map(({ name, verdict, body }) => [name, { verdict, sentence: bestOf(body ?? '', asked) }]),
  );
}

/** The sentence with most of the words; undefined when none has one. */
function bestOf(body: string, asked: ReadonlySet<string>): SkillMatch['sentence'] {
  let best: { text: string; found: ReadonlySet<string> } | undefined;
  for (const text of asked.size === 0 ? [] : sentencesIn(body)) {
    const found = new Set([...stemsOf(text)].filter((stem) => asked.has(stem)));
    if (found.size > (best?.found.size ?? 0)) best = { text, found };
    if (best?.found.size === asked.size) break;
  }
  if (best === undefined) return undefined;
  const parts: { text: string; isMatch: boolean }[] = [];
  let from = 0;
  scan(best.text, ({ words }, start, end) => {
    if (!words.some(({ term }) => best.found.has(term))) return;
    parts.push({ text: best.text.slice(from, start), isMatch: false });
    parts.push({ text: best.text.slice(start, end), isMatch: true });
    from = end;
  });
  return [...parts, { text: best.text.slice(from), isMatch: false }];
}

/** Lines of prose, cut into sentences; without code and the marks of Markdown. */
function* sentencesIn(body: string): Generator<string> {
  for (const line of body.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').split('\n')) {
    const prose = line.replace(/^[\s#>*+|-]+|[*_`|]+/g, ' ').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
    for (const sentence of prose.split(/(?<=[.!?。！？])\s+/)) {
      const text = sentence.replace(/\s+/g, ' ').trim();
      if (text.length > 2)
        yield text.length > MAX_SENTENCE ? `${text.slice(0, MAX_SENTENCE).toWellFormed()}…` : text;
    }
  }
}

const scan = scannerFor('porter');

function stemsOf(text: string): Set<string> {
  const stems = new Set<string>();
  scan(text, ({ words }) => {
    for (const { term } of words) stems.add(term);
  });
  return stems;
}
