// skc outline: the headings of a skill.

import { join } from 'node:path';
import { formatCount, makeVisible, SkillwrightError } from '../../base/diagnostics/index.ts';
import { isThere } from '../../base/files/index.ts';
import { foldText } from '../../base/markdown/index.ts';
import type { OpenedSkill } from '../../read/access/index.ts';
import {
  budgetOutline,
  type OutlineHeading,
  outlineIndexed,
  UNTITLED,
  withIndex,
} from '../../read/gateway/index.ts';
import type { Reach } from '../../skill/judge/index.ts';
import type { CommandContext } from './command-context.ts';
import { defineCommand } from './define-command.ts';
import { author, budgetFields, integer, skill as skillField, text } from './fields.ts';
import { budgetOf, gatewayOptions } from './gateway-options.ts';
import { spellCall } from './spell-call.ts';

const MAX_LEVEL = 6;
const DEFAULT_LIMIT = 2000;

/** Lists every heading of every Markdown file of a skill. */
export const outline = defineCommand({
  fields: {
    skill: skillField,
    level: integer('Deepest heading level', { min: 1, max: MAX_LEVEL, default: MAX_LEVEL }),
    file: text('Only this file'),
    limit: integer('At most this many headings', { positive: true, default: DEFAULT_LIMIT }),
    ...budgetFields,
    author,
  },
  positionals: ['skill'],
  output: async () => (await import('./reading-outputs.ts')).outlineOutput,
  effect: 'read',
  writes: ['cache'],
  touches: { skill: 'skill', operation: 'read' },
  served: () => ({}),
  examples: {
    'skc outline pdf-forms': 'list every heading',
    'skc outline pdf-forms --level 2': 'list the chapters only',
    'skc outline pdf-forms --file references/fields.md': 'list the headings of one file',
  },
  async run(input, context) {
    const skill = context.skill!;
    const { headings: found, total, diagnostics, unlisted, reach } = await readOutline(skill, input, context);
    const { gate } = reach;
    for (const diagnostic of diagnostics) context.report(diagnostic);
    const others = unlisted.filter(({ file }) => reach.allowsName(file));
    // Headings locked by a quiz are counted; headings of hidden skills are not.
    const known = found.filter(({ file }) => reach.allowsName(file));
    const all =
      input.file === undefined ? known : inFile(known, await matchingFile(skill, input.file, reach));
    const headings = all.filter(reach.allowsSection);
    const fitted = await fitOutline(headings.slice(0, input.limit), input, context);
    return {
      skill: input.skill,
      ...fitted,
      total: headings.length + total - found.length,
      ...(input.file !== undefined || others.length === 0 ? {} : { unlisted: others }),
      ...(gate === undefined ? {} : { behind_quiz: all.length - headings.length }),
      ...(found.length === 0 && (await skill.read()).text.trim() === '' ? { is_empty: true as const } : {}),
    };
  },
  text(outline, { paint, by }) {
    const { skill, headings, total, left_out: leftOut, unlisted = [], behind_quiz: behind } = outline;
    const lines: string[] = [];
    let file: string | undefined;
    const seen = new Set<string>();
    const missing = new Map(leftOut?.by_file.map((entry) => [entry.file, entry.headings]));
    for (const heading of headings) {
      if (heading.file !== file) {
        const more = missing.get(heading.file);
        lines.push(paint.strong(makeVisible(heading.file)) + (more === undefined ? '' : ` (+${more})`));
        seen.clear();
      }
      file = heading.file;
      if (heading.from_line !== undefined)
        lines.push(
          `  (${lineSpan(heading.from_line, heading.start_line - 1)}: text before the first heading)`,
        );
      // The anchor distinguishes the second of two equal headings; `show` accepts the whole line.
      const key = foldText(heading.text);
      const isRepeated = heading.repeated ?? seen.has(key);
      const label = `${heading.text || UNTITLED}${isRepeated ? ` — #${heading.anchor}` : ''}`;
      seen.add(key);
      lines.push(`${'  '.repeat(Math.max(1, heading.level - 1))}${'#'.repeat(heading.level)} ${label}`);
    }
    const rest = total - headings.length - (leftOut?.headings ?? 0);
    if (rest > 0)
      lines.push(`... (${rest} more; use ${by === 'model' ? 'level or limit' : '--level or --limit'})`);
    if (leftOut !== undefined) {
      const files = leftOut.files === 0 ? '' : `, ${formatCount(leftOut.files, 'file')} among them`;
      lines.push(`... (${leftOut.headings} of ${total} headings left out${files}; for more:)`);
      lines.push(...leftOut.next.map((call) => `  ${call}`));
    }
    const kinds = { evals: 'with evals', unreadable: 'that cannot be read' };
    for (const [why, files] of Map.groupBy(unlisted, ({ why }) => why))
      lines.push(
        `... (not listed: ${formatCount(files.length, 'file')} ${kinds[why]}, such as ${makeVisible(files[0]!.file)})`,
      );
    if (behind !== undefined) {
      const quiz = spellCall({ name: 'quiz', positionals: ['skill'], input: { skill } }, by);
      lines.push(`... (${behind} more behind the quiz; take it with: ${quiz})`);
    }
    if (outline.is_empty) {
      const lint = spellCall({ name: 'lint', positionals: ['paths'], input: { paths: [skill] } }, by);
      lines.push(
        `SKILL.md is empty: give it a name, a description and instructions, and check it with: ${lint}`,
      );
    } else if (lines.length === 0) {
      const input = { skill, path: 'SKILL.md' };
      lines.push(
        `no headings; read the text with: ${spellCall({ name: 'open', positionals: ['skill', 'path'], input }, by)}`,
      );
    }
    return lines;
  },
});

const lineSpan = (from: number, to: number) => (from === to ? `line ${from}` : `lines ${from}-${to}`);

const inFile = (headings: readonly OutlineHeading[], file: string) =>
  headings.filter((heading) => heading.file === file);

/** The file of the skill at a path. E012 when the path leads out of the skill, E021 when the file is missing or hidden. */
async function matchingFile(
  skill: OpenedSkill,
  path: string,
  reach: Pick<Reach, 'allowsName'>,
): Promise<string> {
  const { pathInside } = await import('../../read/gateway/open-file.ts');
  const file = pathInside(skill.dir, path);
  if (!isThere(join(skill.dir, file)) || !reach.allowsName(file))
    throw SkillwrightError.of('E021', { file: path });
  return file;
}

interface Fitting {
  readonly skill: string;
  readonly file?: string | undefined;
  readonly level: number;
  readonly limit: number;
  readonly budget?: number | undefined;
  readonly all: boolean;
}

/** The headings that fit the budget, and how to get the rest. */
async function fitOutline(headings: readonly OutlineHeading[], input: Fitting, context: CommandContext) {
  const isChosen = input.level < MAX_LEVEL || input.limit !== DEFAULT_LIMIT;
  const budget = await budgetOf(input, context, isChosen);
  const { headings: kept, leftOut } = budgetOutline(headings, budget);
  if (leftOut === undefined) return { headings: kept };
  const { skill, file } = input;
  const call = (fields: object) =>
    spellCall({ name: 'outline', positionals: ['skill'], input: { skill, file, ...fields } }, context.by);
  // A model sets a larger budget; a person asks for everything.
  const everything = context.by === 'model' ? { budget: roundUp(leftOut.tokens) } : { all: true };
  const fullest = leftOut.byFile[0]!.file;
  const shown = new Set(kept.map((heading) => heading.file));
  const sources = spellCall({ name: 'sources', positionals: ['skill'], input: { skill } }, context.by);
  return {
    headings: markRepeated(kept, headings),
    left_out: {
      headings: leftOut.headings,
      files: leftOut.files,
      by_file: leftOut.byFile.filter((entry) => shown.has(entry.file)),
      next: [
        ...(file === undefined ? [call({ file: fullest })] : []),
        ...(leftOut.files > 0 ? [sources] : []),
        call(everything),
      ],
    },
  };
}

const roundUp = (tokens: number) => Math.ceil(tokens / 500) * 500 + 500;

/** Marks headings equal to an earlier one in the same file, because the earlier one may be left out. */
function markRepeated(kept: readonly OutlineHeading[], all: readonly OutlineHeading[]) {
  const files = new Set(kept.map(({ file }) => file));
  const seen = new Set<string>();
  const repeated = new Set<OutlineHeading>();
  for (const heading of all) {
    if (!files.has(heading.file)) continue;
    const key = `${heading.file}\0${foldText(heading.text)}`;
    if (seen.has(key)) repeated.add(heading);
    seen.add(key);
  }
  return kept.map((heading) => (repeated.has(heading) ? { ...heading, repeated: true as const } : heading));
}

/** From the index if it is fresh, else from the files: an outline works for skills that were never built. */
async function readOutline(
  skill: OpenedSkill,
  { level: maxLevel, limit, file }: { level: number; limit: number; file?: string | undefined },
  context: CommandContext,
) {
  const options = { ...(await gatewayOptions({ fresh: false }, context)), fresh: false };
  try {
    return await withIndex(skill, options, (opened) => ({
      ...outlineIndexed(opened, { maxLevel, limit: file === undefined ? limit : undefined }),
      reach: opened.reach,
    }));
  } catch (error) {
    // On any failure of the index, read the files.
    if (!(error instanceof SkillwrightError)) throw error;
  }
  const { outlineSkill } = await import('../../read/gateway/outline-skill.ts');
  const outline = outlineSkill(skill.dir, { maxLevel });
  return { ...outline, reach: await skill.reach(outline.headings.map(({ file }) => file)) };
}
