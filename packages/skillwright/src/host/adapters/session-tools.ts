// The tools through which a model uses the skills of a session, before any framework. An adapter only renames their parts.

import * as z from 'zod';
import { type Diagnostic, renderDiagnostic } from '../../base/diagnostics/index.ts';
import { neutralise, oneLine, visibleJson } from '../../read/catalog/index.ts';
import { shorten } from '../../skill/format/index.ts';
import { readChoices, renderAnswers, renderQuiz } from '../../skill/quiz/index.ts';
import { findActiveTool, wireSkill } from '../runtime/index.ts';
import { defineTool, referenceFields, type SessionTool } from './define-tool.ts';

/** A search result shows this much of a description. */
const MAX_DESCRIPTION = 400;

const search = defineTool({
  name: 'skill_search',
  description:
    'Finds skills by a few words about the task, among all there are: those the list of skills has no room for too. Skills are sets of instructions for one kind of task.',
  input: z.object({
    query: z.string().describe('What the skill should be able to do, or its name'),
    limit: z
      .number()
      .int()
      .positive()
      .optional()
      .describe('Most results; the host has a default and a maximum'),
    scope: z
      .enum(['repo', 'user', 'bundled'])
      .optional()
      .describe('Only the skills of the project (repo), of the user, or bundled ones'),
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
    'Loads the instructions of a skill and the list of its files. Load a skill before a task that it is for, then follow it.',
  input: z.object({
    ...referenceFields,
    offset: z.number().int().nonnegative().optional().describe('Bytes to skip, to read on in a long skill'),
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
    'Reads a text file of a skill, such as one that its instructions refer to. Lists the files of a directory.',
  input: z.object({
    ...referenceFields,
    file: z.string().describe('The file, relative to the skill or as the loaded skill lists it'),
    offset: z.number().int().nonnegative().optional().describe('Bytes to skip, to read on in a long file'),
    limit: z.number().int().positive().optional().describe('Most bytes'),
  }),
  async answer(session, request) {
    const { content, offset, size, next_offset } = await session.readResource(request);
    if (next_offset === null) return content;
    return `${content}\n\n[The file goes on: these are bytes ${offset} to ${next_offset} of ${size}. Read on with offset ${next_offset}.]`;
  },
});

const run = defineTool({
  name: 'skill_run',
  description:
    'Runs a script of a skill in a sandbox, where its instructions ask for that, and gives what it printed.',
  input: z.object({
    ...referenceFields,
    script: z.string().describe('The script, such as fill.py'),
    args: z.array(z.string()).optional().describe('Its arguments, each as it is'),
    timeout: z.number().positive().optional().describe('Seconds it may run'),
    stdin: z.string().optional().describe('Text for its standard input'),
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
  description:
    'Calls a tool that a loaded skill brings along. The loaded skill lists its tools and their input.',
  input: z.object({
    skill: z.string().describe('Name of the skill'),
    tool: z.string().describe('Name of the tool'),
    input: z.record(z.string(), z.unknown()).optional().describe('The input of the tool'),
  }),
  async answer(session, { skill, tool: name, input = {} }, { signal }) {
    return showResult(await findActiveTool(session, { skill, tool: name }).call(input, { signal }));
  },
});

const quiz = defineTool({
  name: 'skill_quiz',
  description:
    'Takes the quiz of a skill that is closed until it is passed. Without answers it gives the questions with their options.',
  input: z.object({
    ...referenceFields,
    answers: z
      .array(z.string())
      .optional()
      .describe('A question and its options each, such as "1=2" or "1=2,3"'),
  }),
  async answer(session, { answers = [], ...reference }) {
    if (answers.length === 0) return neutralise(renderQuiz(await session.quiz(reference)));
    const taken = await session.answerQuiz(reference, readChoices(answers));
    return neutralise(`${renderAnswers(taken.answers)}\n\n${renderQuiz(taken.quiz)}`);
  },
});

/** All tools, in the order in which they are used. */
export const sessionTools: readonly SessionTool[] = [search, load, read, run, tool, quiz];

/** What a tool of a skill gives, as text that cannot write structure of ours. */
export function showResult(result: unknown): string {
  return typeof result === 'string' ? neutralise(result) : visibleJson(result);
}

/** A stream shows this many characters. */
const MAX_STREAM = 50_000;

function shownStream(text: string, name: string): string[] {
  if (text.length <= MAX_STREAM) return text === '' ? [] : [text.trimEnd()];
  return [text.slice(0, MAX_STREAM), `[The rest of ${name} is left out: ${text.length} characters in all.]`];
}
