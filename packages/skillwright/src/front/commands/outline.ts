// skc outline: the headings of a skill.

import * as z from 'zod';
import { quoteWord } from '../../base/diagnostics/index.ts';
import { author } from './author-flag.ts';
import { defineCommand } from './define-command.ts';

const Heading = z.object({
  level: z.number().int().min(1).max(6),
  text: z.string(),
  file: z.string(),
  anchor: z.string(),
  start_line: z.number().int(),
  end_line: z.number().int(),
});

/** Lists every heading of every Markdown file of a skill. */
export const outline = defineCommand({
  input: z.strictObject({
    skill: z.string().describe('A skill by name or path'),
    level: z.number().int().min(1).max(6).default(6).describe('Deepest heading level to list'),
    limit: z.number().int().positive().default(2000).describe('Most headings to list'),
    author,
  }),
  positionals: ['skill'],
  short: { level: 'l' },
  output: z.object({
    skill: z.string(),
    headings: z.array(Heading),
    total: z.number().int().describe('Headings there are without the limit'),
    behind_quiz: z
      .number()
      .int()
      .optional()
      .describe(
        'Present while a quiz keeps the skill closed: headings that are not listed before it is passed',
      ),
  }),
  effect: 'read',
  writes: [],
  usersOwn: { author: false },
  touches: { skill: 'skill', operation: 'read' },
  served: () => ({}),
  examples: [
    { line: 'skc outline pdf-forms', note: 'everything' },
    { line: 'skc outline pdf-forms --level 2', note: 'chapters alone' },
  ],
  async run(input, context) {
    const { outlineSkill } = await import('../../read/gateway/outline-skill.ts');
    const skill = context.skill!;
    const found = outlineSkill(skill.dir, { maxLevel: input.level });
    const reach = await skill.reach(found.map(({ file }) => file));
    const { gate } = reach;
    // What a quiz keeps closed is counted; what lies in a skill that is hidden is not even that.
    const all = found.filter(({ file }) => reach.allowsName(file));
    const headings = all.filter(reach.allowsSection);
    return {
      skill: input.skill,
      headings: headings.slice(0, input.limit),
      total: headings.length,
      ...(gate === undefined ? {} : { behind_quiz: all.length - headings.length }),
    };
  },
  text({ skill, headings, total, behind_quiz: behind }, { paint }) {
    const lines: string[] = [];
    let file: string | undefined;
    for (const heading of headings) {
      if (heading.file !== file) lines.push(paint.strong(heading.file));
      file = heading.file;
      lines.push(
        `${'  '.repeat(Math.max(1, heading.level - 1))}${'#'.repeat(heading.level)} ${heading.text}`,
      );
    }
    if (total > headings.length) lines.push(`... (${total - headings.length} more; use --level or --limit)`);
    if (behind !== undefined)
      lines.push(`... (${behind} more behind the quiz; take it with: skc quiz ${quoteWord(skill)})`);
    return `${lines.length === 0 ? 'no headings' : lines.join('\n')}\n`;
  },
});
