// The tools through which a model uses the skills of a session. Framework adapters only rename their parts.

import * as z from 'zod';
import { type Diagnostic, renderDiagnostic } from '../../base/diagnostics/index.ts';
import { neutralise, oneLine, visibleJson } from '../../read/catalog/index.ts';
import { describePage } from '../../read/gateway/index.ts';
import { shorten } from '../../skill/format/index.ts';
import { readChoices, renderAnswers, renderQuiz } from '../../skill/quiz/index.ts';
import { WireScope } from '../answers/index.ts';
import {
  findActiveTool,
  renderHeadings,
  resourceFields,
  sectionRequests,
  wireSkill,
} from '../runtime/index.ts';
import { defineTool, referenceFields, type SessionTool } from './define-tool.ts';

/** Longest description in a search result, in characters. */
const MAX_DESCRIPTION = 400;

const search = defineTool({
  name: 'skill_search',
  description:
    'Search all skills for a task, including those left out of your skill list. A skill is a set of instructions for one kind of task.',
  input: z.strictObject({
    query: z.string().describe('A few words about the task, or a skill name'),
    limit: z
      .number()
      .int()
      .positive()
      .optional()
      .describe('Maximum number of results; the host sets a default and an upper limit'),
    scope: WireScope.optional().describe(
      'Search only project skills (repo), user skills (user) or bundled skills',
    ),
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
    'Load the instructions of a skill and the list of its files. Load the matching skill before you start a task, then follow its instructions. A large skill comes as its headings; read its sections with skill_section.',
  input: z.strictObject({
    ...referenceFields,
    offset: z
      .number()
      .int()
      .nonnegative()
      .optional()
      .describe('Bytes to skip, to continue a long skill; 0 gives the text of a skill that came as a stub'),
  }),
  async answer(session, { offset, ...reference }) {
    const { text, diagnostics } = await session.load(reference, { offset });
    return [text, ...renderRemarks({ diagnostics })].join('\n');
  },
});

const read = defineTool({
  name: 'skill_read',
  description:
    'Read a text file of a skill, such as one its instructions refer to. Pass a directory to list its files.',
  input: z.strictObject({ ...referenceFields, ...resourceFields }),
  async answer(session, request) {
    const { content, offset, size, next_offset } = await session.readResource(request);
    if (content === '' && size > 0) return `[Nothing from there on: the file has ${size} bytes.]`;
    if (next_offset === null) return content;
    return `${content}\n\n[More to read: these are bytes ${offset} to ${next_offset} of ${size}. Continue with offset ${next_offset}.]`;
  },
});

/** Fields of a request for one section, as a call. */
const spellSection = (path: string, request: object) =>
  `skill_section ${JSON.stringify({ path, ...request })}`;

const outline = defineTool({
  name: 'skill_outline',
  description: 'List the headings of a skill, file by file. Read the sections you need with skill_section.',
  input: z.strictObject({ ...referenceFields, ...sectionRequests.outline }),
  async answer(session, request) {
    const found = await session.outline(request);
    const { headings, total, left_out: leftOut, behind_quiz: behind, path } = found;
    const more = leftOut[0] && JSON.stringify({ path, file: leftOut[0].file });
    return neutralise(
      [
        ...(total === 0 ? ['no headings; read its files with skill_read'] : renderHeadings(found)),
        ...(more === undefined || headings.length === total
          ? []
          : [`[${headings.length} of ${total} headings. For more: skill_outline ${more}]`]),
        ...(behind === 0 ? [] : [`[${behind} more behind the quiz: skill_quiz ${JSON.stringify({ path })}]`]),
        ...renderRemarks(found),
      ].join('\n'),
    );
  },
});

const section = defineTool({
  name: 'skill_section',
  description:
    'Read one section of a skill by its heading. It costs less than loading a large skill or reading a whole file.',
  input: z.strictObject({ ...referenceFields, ...sectionRequests.section }),
  async answer(session, request) {
    const shown = await session.section(request);
    const {
      path,
      file,
      section: heading,
      anchor,
      content,
      others,
      next_offset,
      start_line,
      end_line,
    } = shown;
    const next = anchor === '' ? { section: heading || file, file } : { section: `#${anchor}`, file };
    return [
      `[${neutralise(file)}, lines ${start_line} to ${end_line}]`,
      content.trimEnd(),
      ...(next_offset === null
        ? []
        : [
            '',
            `[${describePage(shown)}; to continue: ${neutralise(spellSection(path, { ...next, offset: next_offset }))}]`,
          ]),
      ...(others.length === 0
        ? []
        : [
            '',
            '[Other sections of this name:]',
            ...others.slice(0, MAX_OTHERS).map(({ request: other }) => neutralise(spellSection(path, other))),
          ]),
      ...renderRemarks(shown),
    ].join('\n');
  },
});

/** Most sections of the same name that are listed. */
const MAX_OTHERS = 5;

const findIn = defineTool({
  name: 'skill_find_in',
  description:
    'Search inside one skill for words or a question, and get the sections that answer it, best first.',
  input: z.strictObject({ ...referenceFields, ...sectionRequests.findIn }),
  async answer(session, request) {
    const found = await session.findIn(request);
    const { path, results, relaxed, instead } = found;
    const lines = [
      ...(results.length === 0
        ? [`no results; list the headings with skill_outline ${JSON.stringify({ path })}`]
        : []),
      ...instead.map(
        ({ word, by }) =>
          `[${JSON.stringify(word)} is not in this skill; searched for ${by.join(', ')} instead]`,
      ),
      ...(relaxed ? ['[no section has all the words; the closest matches:]'] : []),
      ...results.flatMap(
        ({ file, section: heading, start_line, end_line, snippet, missing, request: own, offset }) => [
          `${heading || file}  ${file}:${start_line}-${end_line}${missing.length === 0 ? '' : `  (without: ${missing.join(', ')})`}`,
          ...(snippet === '' ? [] : [`  ${oneLine(snippet.replace(/\[\/?MATCH\]/g, '**'))}`]),
          `  ${own === null ? `skill_read ${JSON.stringify({ path, file, offset })}` : spellSection(path, own)}`,
        ],
      ),
    ];
    return neutralise([...lines, ...renderRemarks(found)].join('\n'));
  },
});

const run = defineTool({
  name: 'skill_run',
  description:
    'Run a script of a skill in a sandbox and return its output. Use it when the instructions of the skill tell you to run a script.',
  input: z.strictObject({
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
  input: z.strictObject({
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
  input: z.strictObject({
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

/** Diagnostics as lines; they may quote a skill. */
const renderRemarks = ({ diagnostics }: { readonly diagnostics: readonly Diagnostic[] }) =>
  diagnostics.map((diagnostic) => neutralise(renderDiagnostic(diagnostic).trimEnd()));

/** All tools, in the order they are usually called. */
export const sessionTools: readonly SessionTool[] = [
  search,
  load,
  read,
  outline,
  section,
  findIn,
  run,
  tool,
  quiz,
];

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
