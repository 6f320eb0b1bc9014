// Is the answer found? Questions are searched in one skill, and a scripted reader starts from the stub.

import * as z from 'zod';
import type { Located, SectionQuestion } from './eval-case.ts';
import { readFromStub, type StubWorld } from './read-from-stub.ts';

/** A section and its place. */
const SectionPlace = z.object({ file: z.string(), section: z.string() });
type SectionPlace = z.output<typeof SectionPlace>;

/** Result of one question. */
export const JudgedQuestion = z.object({
  question: z.string(),
  source: z.string(),
  position: z.number().int(),
  section: z.string().describe('The section that answers'),
  file: z.string().nullable(),
  proposed: z.boolean(),
  passed: z.boolean(),
  rank: z.number().int().nullable().describe('Place of the section in a search for the question'),
  tokens: z
    .number()
    .int()
    .nullable()
    .describe('Tokens an agent with the stub reads until it has the section'),
  first: z.array(SectionPlace).describe('Best results of that search'),
  why: z.string(),
});

/** The skill under test. */
export interface QuestionWorld {
  readonly world: StubWorld;
  /** Sections a search finds, best first. */
  find(question: string): Promise<readonly SectionPlace[]>;
  /** The text of the section that answers; undefined when the skill has none of that name. */
  textOf(
    section: string,
    file: string | undefined,
  ): Promise<(SectionPlace & { readonly text: string }) | undefined>;
}

const SHOWN = 3;

/** Judges one question: it passes when a reader with the stub gets to read the section. */
export async function judgeQuestion(
  wanted: Located<SectionQuestion>,
  { world, find, textOf }: QuestionWorld,
): Promise<z.output<typeof JudgedQuestion>> {
  const { question, source, position, section, file } = wanted;
  const proposed = wanted.proposed === true;
  const facts = { question, source, position, section, file: file ?? null, proposed };
  const answer = await textOf(section, file);
  if (answer === undefined) {
    const where = file === undefined ? 'the skill' : file;
    return {
      ...facts,
      passed: false,
      rank: null,
      tokens: null,
      first: [],
      why: `${where} has no section '${section}'`,
    };
  }
  const results = await find(question);
  const place = results.findIndex(
    (result) => result.file === answer.file && result.section === answer.section,
  );
  const reading = await readFromStub(question, {
    world,
    isAnswer: (text) => text.includes(beginningOf(answer.text)),
  });
  const first = results.slice(0, SHOWN).map((result) => ({ file: result.file, section: result.section }));
  const rank = place === -1 ? null : place + 1;
  if (reading.found) return { ...facts, passed: true, rank, tokens: reading.tokens, first, why: '' };
  const found = first.map((result) => `'${result.section}' (${result.file})`).join(', ');
  const why = first.length === 0 ? 'the search finds nothing' : `the search finds ${found} first`;
  return { ...facts, passed: false, rank, tokens: null, first, why };
}

/** Start of a section, which is in every text that shows it: a long one is cut. */
export function beginningOf(text: string): string {
  const lines = text.trimEnd().split('\n');
  const first = lines.findIndex((line, index) => index > 0 && line.trim() !== '');
  return lines.slice(0, first === -1 ? 1 : first + 1).join('\n');
}
