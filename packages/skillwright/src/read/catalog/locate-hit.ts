// Finds the place in a skill that answers a query.

import { attempt, cutText } from '../../base/diagnostics/index.ts';
import { splitLines } from '../../base/files/index.ts';
import { readMarkdown } from '../../base/markdown/index.ts';
import { scannerFor } from '../../base/words/index.ts';
import { isGatedText, lineOfKey, readFrontmatter, readSkillText } from '../../skill/format/index.ts';
import { behindQuiz } from './search-skills.ts';
import type { SkillRecord } from './skill-record.ts';

/** The part of a skill that best shows why it was found. */
interface HitPlace {
  readonly field: 'name' | 'description' | 'tags' | 'heading' | 'body';
  /** 1-based line of SKILL.md. */
  readonly line: number;
  /** The heading above a line of the body. */
  readonly section?: string;
  readonly text: string;
}

const MAX_TEXT = 160;

/**
 * Creates a finder for one query. Undefined for a skill that is gone or contains none of the words. Omits headings and
 * text of the skills in the directories `sealed`; by default, of those behind a quiz.
 */
export function createHitLocator(
  query: string,
  sealed?: ReadonlySet<string>,
): (skill: SkillRecord) => HitPlace | undefined {
  const hashesOf = (text: string): Set<number> => {
    const hashes = new Set<number>();
    scannerFor('porter')(text, (analysis) => {
      for (const hash of analysis.hashes) hashes.add(hash);
    });
    return hashes;
  };
  const wanted = hashesOf(query);
  const countIn = (text: string): number => {
    const hashes = hashesOf(text);
    return [...wanted].filter((hash) => hashes.has(hash)).length;
  };
  return (skill) => {
    let best: { place: HitPlace; count: number } | undefined;
    for (const place of listPlaces(skill, sealed ?? behindQuiz([skill]))) {
      const count = countIn(place.text);
      if (count > (best?.count ?? 0)) best = { place, count };
      if (count === wanted.size) break;
    }
    return best === undefined ? undefined : { ...best.place, text: cutLine(best.place.text) };
  };
}

/** Everything that can match in a skill, the most telling first. */
function* listPlaces(skill: SkillRecord, sealed: ReadonlySet<string>): Generator<HitPlace> {
  const text = readListedText(skill.dir);
  const frontmatter = readFrontmatter(text ?? '');
  const { body, bodyLine } = frontmatter;
  const lineOf = (key: string): number => lineOfKey(frontmatter, [key]) ?? 1;
  yield { field: 'name', line: lineOf('name'), text: skill.name };
  yield { field: 'description', line: lineOf('description'), text: skill.description };
  if (skill.tags.length > 0) yield { field: 'tags', line: lineOf('tags'), text: skill.tags.join(', ') };
  if (text === undefined || sealed.has(skill.dir) || (!skill.gated && isGatedText(text))) return;
  const { headings } = readMarkdown(body, { firstLine: bodyLine });
  for (const heading of headings) yield { field: 'heading', line: heading.line, text: heading.text };
  const lines = splitLines(body);
  const headingAt = new Map(headings.map((heading) => [heading.line, heading.text]));
  let section: string | undefined;
  for (const [index, content] of lines.entries()) {
    const line = bodyLine + index;
    section = headingAt.get(line) ?? section;
    if (content.trim() === '' || headingAt.has(line)) continue;
    yield { field: 'body', line, ...(section === undefined ? {} : { section }), text: content.trim() };
  }
}

/** Undefined when the skill is gone or locked since it was catalogued. */
function readListedText(dir: string): string | undefined {
  const content = attempt(() => readSkillText(dir));
  return content?.problem === undefined ? content?.text : undefined;
}

function cutLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_TEXT ? cutText(line, MAX_TEXT - 1) : line;
}
