// skc open: one file of a skill.

import { catchCoded, makeVisible, SkillwrightError } from '../../base/diagnostics/index.ts';
import { splitLines } from '../../base/files/index.ts';
import type { OpenedSkill } from '../../read/access/index.ts';
import { type OpenedFile, pageText, withMore } from '../../read/gateway/index.ts';
import type { CommandContext } from './command-context.ts';
import { defineCommand } from './define-command.ts';
import { author, integer, skill, text } from './fields.ts';
import { linesServed, PAGE, pageLines, TOKEN_BYTES } from './page-lines.ts';
import { spellCall } from './spell-call.ts';

/** Prints a file of a skill unchanged. */
export const open = defineCommand({
  fields: {
    skill,
    path: text('A file of the skill, such as references/api.md', { required: true }),
    max_lines: integer('At most this many lines', { positive: true }),
    lines: text('A range of lines, such as 10-40', {
      pattern: {
        expression: /^[1-9]\d*(-[1-9]\d*)?$/,
        otherwise: 'must be a line or a range such as 10-40',
      },
      check: { accepts: isAscending, otherwise: 'must be an ascending range such as 10-40' },
    }),
    offset: integer('Skip this many bytes', { min: 0 }),
    limit: integer('With offset: most bytes to print', { positive: true }),
    author,
  },
  positionals: ['skill', 'path'],
  aliases: { file: 'path' },
  output: async () => (await import('./reading-outputs.ts')).openOutput,
  effect: 'read',
  writes: [],
  touches: { skill: 'skill', operation: 'read' },
  served({ path: file, content }, { lines, offset, limit }) {
    if (offset !== undefined || limit !== undefined) {
      const from = offset ?? 0;
      return { parts: [{ file, bytes: [from, from + Buffer.byteLength(content)] }] };
    }
    return { parts: [{ file, lines: linesServed(content, Number(lines?.split('-')[0] ?? 1)) }] };
  },
  examples: {
    'skc open pdf-forms references/fields.md': 'print the whole file',
    'skc open pdf-forms scripts/fill.py --lines 10-40': 'print part of it',
  },
  async run(input, context) {
    const { openFile, pathInside } = await import('../../read/gateway/open-file.ts');
    const isPart = input.offset !== undefined || input.limit !== undefined;
    if (isPart && (input.lines !== undefined || input.max_lines !== undefined))
      throw SkillwrightError.of('E100', { why: '--lines and --offset exclude each other' });
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
    // Asked after reading, because an edit in between closes the gate.
    const place = pathInside(skill.dir, input.path);
    const reach = await skill.reach([place]);
    if (!reach.allowsFile(place)) throw reach.refusal(input.skill, place);
    const { gateway } = await context.workspace.config();
    if (isPart)
      return { skill: input.skill, ...partOf(file, input, { context, budget: gateway.budget * PAGE }) };
    if (!reached) context.note(`${makeVisible(input.path)} ends before line ${from}`);
    if (context.by !== 'model' || input.max_lines !== undefined) return { skill: input.skill, ...file };
    const { content, more, next } = pageLines(
      {
        content: file.content,
        from: from || 1,
        skill: input.skill,
        dir: skill.dir,
        path: input.path,
        by: 'model',
      },
      gateway.budget * PAGE,
    );
    const more_lines = file.more_lines + more;
    return { skill: input.skill, ...file, content, more_lines, ...(next === undefined ? {} : { next }) };
  },
  text: ({ content, more_lines, next }) =>
    `${withMore(content, more_lines)}${next === undefined ? '' : `next: ${next}\n`}`,
});

function isAscending(range: string): boolean {
  const [from, to = from] = range.split('-').map(Number);
  return from! <= to!;
}

type OpenedPart = Omit<OpenedFile, 'reached'>;

/** A part by bytes; a model gets at most one page. */
function partOf(
  { path, content: text }: OpenedPart,
  { skill, offset, limit }: { skill: string; offset?: number | undefined; limit?: number | undefined },
  { context, budget }: { context: CommandContext; budget: number },
): OpenedPart & { next?: string } {
  const most = context.by === 'model' ? budget * TOKEN_BYTES : Number.MAX_SAFE_INTEGER;
  const page = pageText(text, { offset, limit: Math.min(limit ?? most, most) });
  const { content, next_offset } = page;
  if (next_offset === null) return { path, content, more_lines: 0 };
  const call = {
    name: 'open',
    positionals: ['skill', 'path'],
    input: { skill, path, offset: next_offset, limit },
  };
  const rest = pageText(text, { offset: next_offset, limit: Number.MAX_SAFE_INTEGER }).content;
  const next = spellCall(call, context.by);
  return { path, content, more_lines: splitLines(rest).length, next };
}

/** E021 with similar file names. */
async function suggestInstead(skill: OpenedSkill, path: string): Promise<SkillwrightError> {
  const [{ fileNotFound }, { listFiles }] = await Promise.all([
    import('../../read/gateway/open-file.ts'),
    import('../../base/files/walk-tree.ts'),
  ]);
  const files = listFiles(skill.dir);
  const { allowsName } = await skill.reach(files);
  return fileNotFound(path, files.filter(allowsName));
}
