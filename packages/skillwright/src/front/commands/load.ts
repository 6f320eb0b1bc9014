// skc load: a whole skill as an agent receives it.

import * as z from 'zod';
import { quoteWord, SkillwrightError } from '../../base/diagnostics/index.ts';
import { LoadResult } from '../../host/answers/index.ts';
import { QuizView } from '../../skill/quiz/index.ts';
import { requireUsable, SKILL_FILE } from '../../skill/skill/index.ts';
import { defineCommand } from './define-command.ts';
import { author, integer, text } from './fields.ts';
import { spellCall } from './spell-call.ts';

/** Loads one skill of the catalog. */
export const load = defineCommand({
  fields: {
    skill: text('A skill by name or path'),
    name: text('Another way to name the skill'),
    path: text('The path of its SKILL.md; wins over the name'),
    offset: integer('Skip this many bytes: next_offset of the last part', { min: 0 }),
    author,
  },
  positionals: ['skill'],
  aliases: { name: 'skill' },
  output: LoadResult.omit({ diagnostics: true }).extend({
    text: z.string().describe('The skill, a reminder that it was loaded before, or the quiz that locks it'),
    quiz: QuizView.optional().describe('With status quiz: the questions'),
  }),
  effect: 'read',
  writes: [],
  touches: { skills: 'read' },
  // A quiz or a reminder is not part of the file.
  served: ({ status, next_offset: next }, { offset = 0 }) => ({
    parts: status === 'loaded' ? [{ file: SKILL_FILE, bytes: [offset, next], ofBody: true }] : [],
  }),
  about:
    'Prints the text, the base directory and the files of the skill. Permission rules apply to the skill that is really loaded.\nWithin one MCP connection a skill is sent once; after that you get a reminder.',
  examples: {
    'skc load pdf-forms': 'print what goes into the context of an agent',
  },
  async run({ skill: word, name, path, offset, author: byAuthor }, context) {
    const wanted = path ?? word ?? name;
    if (wanted === undefined) throw SkillwrightError.of('E100', { why: 'missing <skill>' });
    const { access, by } = context;
    const { openSession } = await import('./open-session.ts');
    const session = await openSession(context);
    // Found as in every other command; the session then loads that record.
    const skill = await access.open(wanted, { operation: 'read', author: byAuthor });
    // The catalog omits skills that nobody can use; a caller who names the path gets the reason.
    if (by === 'user') requireUsable(await skill.read());
    const call = (command: string, input: object) =>
      spellCall({ name: command, positionals: ['skill'], input: { skill: wanted, ...input } }, by);
    const loading = session.load(
      { path: skill.dir },
      {
        by,
        author: byAuthor,
        operation: 'read',
        confirmed: true,
        offset,
        calls: {
          sections: [],
          next: (place) => call('load', { offset: place }),
          list: (directory) => call('sources', directory === '' ? {} : { dir: directory }),
        },
      },
    );
    const { diagnostics, ...result } = await loading.catch((error: unknown) => {
      const isUnseen = by === 'user' && error instanceof SkillwrightError && error.code === 'E001';
      throw isUnseen
        ? error.withHelp(`agents do not see it yet; run 'skc build ${quoteWord(wanted)}' first`)
        : error;
    });
    // Nothing here raises the events that its hooks watch, and without a budget there are no stubs.
    for (const diagnostic of diagnostics) if (diagnostic.code !== 'W060') context.report(diagnostic);
    return result;
  },
  text: ({ text }) => (text.endsWith('\n') ? text : `${text}\n`),
});
