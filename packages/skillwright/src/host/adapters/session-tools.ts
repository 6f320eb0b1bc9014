// The tools through which a model uses the skills of a session. Framework adapters only rename their parts.

import * as z from 'zod';
import { type Diagnostic, renderDiagnostic } from '../../base/diagnostics/index.ts';
import { neutralise, oneLine, visibleJson } from '../../read/catalog/index.ts';
import { shorten } from '../../skill/format/index.ts';
import { readChoices, renderAnswers, renderQuiz } from '../../skill/quiz/index.ts';
import { findActiveTool, wireSkill } from '../runtime/index.ts';
import { defineTool, referenceFields, type SessionTool } from './define-tool.ts';

/** Longest description in a search result, in characters. */
const MAX_DESCRIPTION = 400;

const search = defineTool({
  name: 'skill_search',
  description:
    'Search all skills for a task, including those left out of your skill list. A skill is a set of instructions for one kind of task.',
  input: z.object({
    query: z.string().describe('A few words about the task, or a skill name'),
    limit: z
      .number()
      .int()
      .positive()
      .optional()
      .describe('Maximum number of results; the host sets a default and an upper limit'),
    scope: z
      .enum(['repo', 'user', 'bundled'])
      .optional()
      .describe('Search only project skills (repo), user skills (user) or bundled skills'),
  }),
  async answer(session, { query, limit, scope }) {
    const answer = await session.search({ query, limit, scope });
    const results = answer.results.map(({ skill, score, reason }) => {
      const { name, description, path, scope: place } = wireSkill(skill);
      return {
        name: oneLine(name),
        description: shorten(oneLine(description), MAX_DESCRIPTION),
        path,
        scope: place,
        reason,
        score: Number(score.toFixed(4)),
      };
    });
    return visibleJson({ ...answer, results });
  },
});

const load = defineTool({
  name: 'skill_load',
  description:
    'Load the instructions of a skill and the list of its files. Load the matching skill before you start a task, then follow its instructions.',
  input: z.object({
    ...referenceFields,
    offset: z.number().int().nonnegative().optional().describe('Bytes to skip, to continue a long skill'),
  }),
  async answer(session, { offset, ...reference }) {
    const { text, diagnostics } = await session.load(reference, { offset });
    const remarks = diagnostics.map((diagnostic) => neutralise(renderDiagnostic(diagnostic).trimEnd()));
    return [text, ...remarks].join('\n');
  },
});

const read = defineTool({
  name: 'skill_read',
  description:
    'Read a text file of a skill, such as one its instructions refer to. Pass a directory to list its files.',
  input: z.object({
    ...referenceFields,
    file: z.string().describe('Path relative to the skill, or as listed by skill_load'),
    offset: z.number().int().nonnegative().optional().describe('Bytes to skip, to continue a long file'),
    limit: z.number().int().positive().optional().describe('Maximum number of bytes to return'),
  }),
  async answer(session, request) {
    const { content, offset, size, next_offset } = await session.readResource(request);
    if (next_offset === null) return content;
    return `${content}\n\n[More to read: these are bytes ${offset} to ${next_offset} of ${size}. Continue with offset ${next_offset}.]`;
  },
});

const run = defineTool({
  name: 'skill_run',
  description:
    'Run a script of a skill in a sandbox and return its output. Use it when the instructions of the skill tell you to run a script.',
  input: z.object({
    ...referenceFields,
    script: z.string().describe('Name of the script, such as fill.py'),
    args: z.array(z.string()).optional().describe('Arguments for the script, passed unchanged'),
    timeout: z.number().positive().optional().describe('Time limit in seconds'),
    stdin: z.string().optional().describe('Text for standard input'),
  }),
  async answer(session, { name, path, script, ...how }, { signal }) {
    const remarks: string[] = [];
    const report = (diagnostic: Diagnostic) => remarks.push(renderDiagnostic(diagnostic).trimEnd());
    const envelope = await session.runScript({ name, path }, script, { ...how, signal, report });
    const { ok, exitCode, stdout, stderr, truncated, timedOut } = envelope;
    const ending = timedOut ? 'it ran too long' : truncated ? 'it printed too much' : `status ${exitCode}`;
    const parts = [
      ...(ok ? [] : [`[The script failed: ${ending}.]`]),
      ...shownStream(stdout, 'standard output'),
      ...(stderr === '' ? [] : ['[Standard error:]', ...shownStream(stderr, 'standard error')]),
      ...remarks,
    ];
    return parts.length === 0 ? '[The script printed nothing.]' : neutralise(parts.join('\n'));
  },
});

const tool = defineTool({
  name: 'skill_tool',
  description: 'Call a tool provided by a loaded skill. Loading the skill lists its tools and their input.',
  input: z.object({
    skill: z.string().describe('Name of the skill'),
    tool: z.string().describe('Name of the tool'),
    input: z.record(z.string(), z.unknown()).optional().describe('Input for the tool'),
  }),
  async answer(session, { skill, tool: name, input = {} }, { signal }) {
    return showResult(await findActiveTool(session, { skill, tool: name }).call(input, { signal }));
  },
});

const quiz = defineTool({
  name: 'skill_quiz',
  description:
    'Take the quiz that unlocks a skill. Call it without answers to get the questions and their options.',
  input: z.object({
    ...referenceFields,
    answers: z
      .array(z.string())
      .optional()
      .describe('One question with its chosen options per entry, such as "1=2" or "1=2,3"'),
  }),
  async answer(session, { answers = [], ...reference }) {
    if (answers.length === 0) return neutralise(renderQuiz(await session.quiz(reference)));
    const taken = await session.answerQuiz(reference, readChoices(answers));
    return neutralise(`${renderAnswers(taken.answers)}\n\n${renderQuiz(taken.quiz)}`);
  },
});

/** All tools, in the order they are usually called. */
export const sessionTools: readonly SessionTool[] = [search, load, read, run, tool, quiz];

/** Result of a skill's tool as text that cannot imitate our own markup. */
export function showResult(result: unknown): string {
  return typeof result === 'string' ? neutralise(result) : visibleJson(result);
}

/** Longest stream shown, in characters. */
const MAX_STREAM = 50_000;

function shownStream(text: string, name: string): string[] {
  if (text.length <= MAX_STREAM) return text === '' ? [] : [text.trimEnd()];
  return [
    text.slice(0, MAX_STREAM),
    `[The rest of ${name} is left out: ${text.length} characters in total.]`,
  ];
}
