// The results of the commands that read a skill. Apart from the commands, which load without zod.

import * as z from 'zod';

const ShownCandidate = z.object({
  file: z.string(),
  section: z.string(),
  start_line: z.number().int(),
  command: z.string().describe('Shows this one'),
});

const ShownPart = z.object({
  file: z.string(),
  section: z.string(),
  anchor: z.string(),
  level: z.number().int(),
  start_line: z.number().int(),
  end_line: z.number().int(),
  content: z.string(),
  more_lines: z.number().int().describe('Lines left out at the end'),
  next: z
    .string()
    .optional()
    .describe('Present when a model gets only part of the section: the call for the next part'),
  candidates: z
    .array(ShownCandidate)
    .optional()
    .describe('Present when several sections match: all of them, the shown one first'),
});

/** Sections of a skill. */
export const showOutput = z.object({ skill: z.string(), sections: z.array(ShownPart) });

const Heading = z.object({
  level: z.number().int().min(1).max(6),
  text: z.string(),
  file: z.string(),
  anchor: z.string(),
  start_line: z.number().int(),
  end_line: z.number().int(),
  from_line: z
    .number()
    .int()
    .optional()
    .describe('Present for the first heading of a file when text before it belongs to its section'),
  repeated: z
    .literal(true)
    .optional()
    .describe('Present when an identical heading earlier in the file is left out'),
});

const LeftOut = z.object({
  headings: z.number().int(),
  files: z.number().int().describe('Files without any listed heading'),
  by_file: z.array(z.object({ file: z.string(), headings: z.number().int() })),
  next: z.array(z.string()).describe('Commands that list more'),
});

/** The headings of a skill. */
export const outlineOutput = z.object({
  skill: z.string(),
  headings: z.array(Heading),
  total: z.number().int().describe('Headings without the limit'),
  left_out: LeftOut.optional().describe('Present when the budget was too small for all of them'),
  unlisted: z
    .array(z.object({ file: z.string(), why: z.enum(['evals', 'unreadable']) }))
    .optional()
    .describe('Markdown files without listed headings: evals, and files that are not text'),
  behind_quiz: z
    .number()
    .int()
    .optional()
    .describe('Present while a quiz locks the skill: headings that are hidden until it is passed'),
  is_empty: z.literal(true).optional().describe('Present when SKILL.md has no text at all'),
});

const SearchResult = z.object({
  file: z.string(),
  section: z.string(),
  anchor: z.string(),
  start_line: z.number().int(),
  end_line: z.number().int(),
  heading: z.string().optional().describe('The heading with its matches marked, when it has any'),
  snippet: z.string(),
  missing: z.array(z.string()).optional().describe('Words of the query that the section does not have'),
  read_before: z.literal(true).optional().describe('Present when it was read after a similar search'),
  score: z.number(),
  command: z.string().describe('Shows this section'),
});

/** Sections that match a query. */
export const searchOutput = z.object({
  query: z.string(),
  results: z.array(SearchResult),
  relaxed: z.literal(true).optional().describe('Present when no section has all the words'),
  instead: z
    .array(z.object({ word: z.string(), by: z.array(z.string()) }))
    .optional()
    .describe('Words the skill does not have, and the ones searched for instead'),
  left_out: z
    .object({ results: z.number().int(), next: z.string().describe('The call that returns them too') })
    .optional()
    .describe('Present when the budget was too small for all results'),
  try: z.array(z.string()).optional().describe('Suggestions when there are no results'),
});

/** One file of a skill. */
export const openOutput = z.object({
  skill: z.string(),
  path: z.string(),
  content: z.string(),
  more_lines: z.number().int().describe('Lines left out at the end'),
  next: z
    .string()
    .optional()
    .describe('Present when a model gets only part of the file: the call for the next part'),
});

const SourceEntry = z.object({
  path: z.string(),
  type: z.enum(['file', 'directory']),
  files: z.number().int().nullable().describe('Files below a directory'),
  expanded: z.boolean().nullable().describe('False for a directory whose content is not listed'),
});

/** The files of a skill. */
export const sourcesOutput = z.object({
  skill: z.string(),
  root: z.string(),
  entries: z.array(SourceEntry),
  total: z.number().int().describe('Entries without the limit'),
  next: z.string().nullable().describe('The first entry the limit left out'),
  evals: z
    .number()
    .int()
    .optional()
    .describe('Files with evals, which are not listed; present when there are some'),
  unreadable: z
    .array(z.string())
    .optional()
    .describe('Listed Markdown files that are not text; present when there are some'),
  left_out: z
    .object({
      depth: z.number().int().describe('Levels shown'),
      next: z.array(z.string()).describe('Commands that list more'),
    })
    .optional()
    .describe('Present when the budget was too small for all levels'),
});
