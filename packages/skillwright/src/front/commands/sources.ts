// skc sources: the files of a skill.

import * as z from 'zod';
import { formatCount, makeVisible, SkillwrightError } from '../../base/diagnostics/index.ts';
import { budgetFields, budgetOf } from './budget.ts';
import { defineCommand } from './define-command.ts';
import { spellCall } from './spell-call.ts';

const entryShape = () =>
  z.object({
    path: z.string(),
    type: z.enum(['file', 'directory']),
    files: z.number().int().nullable().describe('Files below a directory'),
    expanded: z.boolean().nullable().describe('False for a directory whose content is not listed'),
  });

/** Lists the files of a skill as a tree. */
export const sources = defineCommand({
  input: z.strictObject({
    skill: z.string().describe('A skill by name or path'),
    depth: z.number().int().positive().optional().describe('Levels of directories to show'),
    dir: z.string().optional().describe('Only this directory'),
    limit: z.number().int().positive().default(100).describe('At most this many entries'),
    pattern: z.string().min(1).optional().describe('Only files that match, such as *.md'),
    ...budgetFields,
  }),
  positionals: ['skill'],
  get output() {
    return z.object({
      skill: z.string(),
      root: z.string(),
      entries: z.array(entryShape()),
      total: z.number().int().describe('Entries without the limit'),
      next: z.string().nullable().describe('The first entry the limit left out'),
      evals: z
        .number()
        .int()
        .optional()
        .describe('Files with evals, which are not listed; present when there are some'),
      left_out: z
        .object({
          depth: z.number().int().describe('Levels shown'),
          next: z.array(z.string()).describe('Commands that list more'),
        })
        .optional()
        .describe('Present when the budget was too small for all levels'),
    });
  },
  effect: 'read',
  writes: [],
  touches: { skill: 'skill', operation: 'read' },
  served: () => ({}),
  examples: [
    { line: 'skc sources pdf-forms --depth 2', note: 'list two levels' },
    { line: 'skc sources pdf-forms --pattern "*.md"', note: 'list the Markdown files' },
  ],
  async run(input, context) {
    const [{ budgetSources }, { plainPath }, { listFiles }] = await Promise.all([
      import('../../read/gateway/list-sources.ts'),
      import('../../read/gateway/open-file.ts'),
      import('../../base/files/walk-tree.ts'),
    ]);
    const { skill, dir, depth, limit, pattern } = input;
    const { dir: root, reach } = context.skill!;
    const { allowsName } = await reach(listFiles(root));
    if (dir !== undefined && !allowsName(`${plainPath(dir).replace(/\/+$/, '')}/`))
      throw SkillwrightError.of('E022', { directory: dir });
    const { budgeted, ...listing } = budgetSources(
      root,
      { dir, depth, limit, pattern, allows: allowsName },
      await budgetOf(input, context),
    );
    if (budgeted === undefined) return { skill, ...listing };
    const call = (fields: object) =>
      spellCall(
        { name: 'sources', positionals: ['skill'], input: { skill, dir, pattern, ...fields } },
        context.by,
      );
    const closed = listing.entries.find(({ expanded }) => expanded === false);
    const everything =
      context.by === 'model' ? { budget: Math.ceil(budgeted.tokens / 500) * 500 + 500 } : { all: true };
    const next = [
      ...(closed === undefined ? [] : [call({ dir: closed.path })]),
      call({ depth, limit, ...everything }),
    ];
    return { skill, ...listing, left_out: { depth: budgeted.depth, next } };
  },
  text: (listing) => {
    const { left_out: leftOut, evals = 0 } = listing;
    const tree = `${renderTree(listing)}${evals === 0 ? '' : `... (${formatCount(evals, 'file')} with evals not listed)\n`}`;
    if (leftOut === undefined) return tree;
    const lines = [
      `... (only ${formatCount(leftOut.depth, 'level')} shown; for more:)`,
      ...leftOut.next.map((call) => `  ${call}`),
    ];
    return `${tree}${lines.join('\n')}\n`;
  },
});

interface Listing {
  readonly root: string;
  readonly entries: z.output<ReturnType<typeof entryShape>>[];
  readonly total: number;
  readonly next: string | null;
}

/** The tree; a collapsed directory shows its number of files, and entries beyond the limit are counted where they begin. */
function renderTree({ root, entries, total, next }: Listing): string {
  const shown = [
    ...entries.map((entry) => ({ path: entry.path, label: fileLabel(entry) })),
    ...(next === null ? [] : [{ path: next, label: `... (${total - entries.length} more)` }]),
  ];
  const base = Math.min(...shown.map(depthOf));
  const lines = shown.map(({ label }, index) => {
    const depth = depthOf(shown[index]!) - base;
    // At a cut the next entry is unknown, so the trunk stays open.
    const goesOn = (level: number) =>
      hasLater(shown, index, base + level) || (next !== null && level < depthOf({ path: next }) - base);
    const trunk = Array.from({ length: depth }, (_, level) => (goesOn(level) ? '│   ' : '    '));
    return `${trunk.join('')}${goesOn(depth) ? '├── ' : '└── '}${label}`;
  });
  return `${[`${root}/`, ...lines].join('\n')}\n`;
}

const depthOf = ({ path }: { path: string }) => path.split('/').length - 1;

/** True when another entry of this level follows before its directory ends. */
function hasLater(entries: readonly { path: string }[], index: number, level: number): boolean {
  for (let next = index + 1; next < entries.length; next++) {
    const depth = depthOf(entries[next]!);
    if (depth === level) return true;
    if (depth < level) return false;
  }
  return false;
}

function fileLabel({ path, type, files, expanded }: z.output<ReturnType<typeof entryShape>>): string {
  const name = makeVisible(path.slice(path.lastIndexOf('/') + 1));
  if (type === 'file') return name;
  return expanded ? `${name}/` : `${name}/ (${files} files)`;
}
