// skc open: one file of a skill.

import * as z from 'zod';
import { catchCoded, makeVisible, SkillwrightError } from '../../base/diagnostics/index.ts';
import { estimateTokens } from '../../base/tokens/index.ts';
import type { OpenedSkill } from '../../read/access/index.ts';
import { type OpenedFile, withMore } from '../../read/gateway/index.ts';
import { author } from './author-flag.ts';
import { defineCommand } from './define-command.ts';
import { spellCall } from './spell-call.ts';

/** Prints a file of a skill as it is. */
export const open = defineCommand({
  input: z.strictObject({
    skill: z.string().describe('A skill by name or path'),
    path: z.string().describe('A file of the skill, such as references/api.md'),
    max_lines: z.number().int().positive().optional().describe('At most this many lines'),
    lines: z
      .string()
      .regex(/^[1-9]\d*(-[1-9]\d*)?$/, 'must be a line or a range such as 10-40')
      .refine((range) => {
        const [from, to = from] = range.split('-').map(Number);
        return from! <= to!;
      }, 'must be a range that goes up, such as 10-40')
      .optional()
      .describe('A range of lines, such as 10-40'),
    author,
  }),
  positionals: ['skill', 'path'],
  aliases: { file: 'path' },
  get output() {
    return z.object({
      skill: z.string(),
      path: z.string(),
      content: z.string(),
      more_lines: z.number().int().describe('Lines left out at the end'),
      next: z
        .string()
        .optional()
        .describe('Present when the file goes on for a model: what gives the next part'),
    });
  },
  effect: 'read',
  writes: [],
  usersOwn: { author: false },
  touches: { skill: 'skill', operation: 'read' },
  served: ({ path }) => ({ files: [path] }),
  examples: [
    { line: 'skc open pdf-forms references/fields.md', note: 'print the whole file' },
    { line: 'skc open pdf-forms scripts/fill.py --lines 10-40', note: 'print part of it' },
  ],
  async run(input, context) {
    const { openFile, pathInside } = await import('../../read/gateway/open-file.ts');
    const [from, to = from] = (input.lines ?? '').split('-').map(Number) as [number, number?];
    const lines = input.lines === undefined ? undefined : ([from, to] as const);
    const skill = context.skill!;
    const opened = await catchCoded(
      () => openFile(skill.dir, { path: input.path, maxLines: input.max_lines, lines }),
      (error) =>
        error.code === 'E021' && error.help === undefined ? suggestInstead(skill, input.path) : error,
    );
    if (opened instanceof SkillwrightError) throw opened;
    const { reached, ...file } = opened;
    // Asked after reading: whatever was edited in between has closed the gate.
    const place = pathInside(skill.dir, input.path);
    const reach = await skill.reach([place]);
    if (!reach.allowsFile(place)) throw reach.refusal(input.skill, place);
    if (!reached) context.note(`${makeVisible(input.path)} ends before line ${from}`);
    if (context.by !== 'model' || input.max_lines !== undefined) return { skill: input.skill, ...file };
    const { gateway } = await context.workspace.config();
    return {
      skill: input.skill,
      ...pageOf(file, { ...input, from: from || 1, budget: gateway.budget * PAGE }),
    };
  },
  text: ({ content, more_lines, next }) =>
    `${withMore(content, more_lines)}${next === undefined ? '' : `next: ${next}\n`}`,
});

/** A page of a file may cost this many times what an outline may. */
const PAGE = 4;

interface Page {
  readonly skill: string;
  readonly from: number;
  readonly budget: number;
}

/** As many lines as the budget pays for, one at least, and the call for those that follow. */
function pageOf(file: OpenedPart, { skill, from, budget }: Page): OpenedPart & { next?: string } {
  const { path, content, more_lines } = file;
  if (estimateTokens(content) <= budget) return file;
  const lines = content.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
  let left = budget;
  const end = lines.findIndex((line) => {
    left -= estimateTokens(line);
    return left < 0;
  });
  const kept = Math.max(1, end === -1 ? lines.length : end);
  if (kept === lines.length) return file;
  const range = `${from + kept}-${from + lines.length - 1}`;
  const next = spellCall(
    { name: 'open', positionals: ['skill', 'path'], input: { skill, path, lines: range } },
    'model',
  );
  return { path, content: lines.slice(0, kept).join(''), more_lines: more_lines + lines.length - kept, next };
}

type OpenedPart = Omit<OpenedFile, 'reached'>;

/** E021 with files of nearly that name. */
async function suggestInstead(skill: OpenedSkill, path: string): Promise<SkillwrightError> {
  const [{ fileNotFound }, { listFiles }] = await Promise.all([
    import('../../read/gateway/suggest-files.ts'),
    import('../../base/files/walk-tree.ts'),
  ]);
  const files = listFiles(skill.dir);
  const { allowsName } = await skill.reach(files);
  return fileNotFound(path, files.filter(allowsName));
}
