// A scripted reader: what an agent that has only the stub reads until it has the answer to a question.

import { estimateTokens } from '../../base/tokens/index.ts';
import { stopWords } from '../../base/words/index.ts';

/** The skill as such a reader meets it. Every text is what the agent would see, messages included. */
export interface StubWorld {
  readonly stub: string;
  show(section: string): Promise<string>;
  search(question: string): Promise<SearchedText>;
  outline(): Promise<string>;
}

/** The text of a search, and the reads it offers. */
interface SearchedText {
  readonly text: string;
  readonly reads: readonly (() => Promise<string>)[];
}

/** The result of a reading. */
interface ScriptedReading {
  readonly tokens: number;
  readonly found: boolean;
  /** Texts read after the stub. */
  readonly reads: number;
}

/** An agent gives up a list of results after this many texts. */
const PATIENCE = 5;

/**
 * Reads the stub, a listed section that fits the question, the first results of a search, then the outline, and stops at
 * the first text that answers.
 */
export async function readFromStub(
  question: string,
  { world, isAnswer }: { readonly world: StubWorld; readonly isAnswer: (text: string) => boolean },
): Promise<ScriptedReading> {
  let tokens = estimateTokens(world.stub);
  let reads = 0;
  const take = (text: string): string => {
    tokens += estimateTokens(text);
    reads += 1;
    return text;
  };
  const result = (found: boolean): ScriptedReading => ({ tokens, found, reads });
  const wanted = significantWords(question);
  const listed = closestHeading(headingsIn(world.stub), wanted);
  if (listed !== undefined && isAnswer(take(await world.show(listed)))) return result(true);
  const searched = await world.search(question);
  take(searched.text);
  for (const read of searched.reads.slice(0, PATIENCE)) if (isAnswer(take(await read()))) return result(true);
  const heading = closestHeading(headingsIn(take(await world.outline())), wanted);
  return result(heading !== undefined && isAnswer(take(await world.show(heading))));
}

/** Words of a question that can locate an answer. */
export function significantWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !stopWords.has(word) && word.length > 1));
}

/** Headings listed in a stub or an outline, without the text after the dash. */
function headingsIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => /^\s*(?:- |#+ )(.*)$/.exec(line)?.[1]?.split(' — ')[0]?.trim())
    .filter((heading) => heading !== undefined && heading !== '' && !heading.startsWith('...'))
    .map((heading) => heading as string);
}

/** The heading with most of the words, if it has more than half of them. */
function closestHeading(headings: readonly string[], words: ReadonlySet<string>): string | undefined {
  const share = (heading: string) => {
    const own = significantWords(heading);
    return [...words].filter((word) => own.has(word)).length / words.size;
  };
  const best = headings.reduce<string | undefined>(
    (found, heading) => (found === undefined || share(heading) > share(found) ? heading : found),
    undefined,
  );
  return best !== undefined && share(best) > 0.5 ? best : undefined;
}
