// skc sources: the files of a skill.

import type * as z from 'zod';
import { formatCount, makeVisible, SkillwrightError } from '../../base/diagnostics/index.ts';
import { defineQuickCommand } from './define-command.ts';
import { budgetFields, skill } from './fields.ts';
import { budgetOf } from './gateway-options.ts';
import type { sourcesOutput } from './reading-outputs.ts';
import { spellCall } from './spell-call.ts';

const DEFAULT_LIMIT = 100;

/** Lists the files of a skill as a tree. */
export const sources = defineQuickCommand({
  fields: {
    skill,
    depth: { type: 'integer', positive: true, optional: true, about: 'Levels of directories to show' },
    dir: { type: 'string', optional: true, about: 'Only this directory' },
    limit: { type: 'integer', positive: true, default: DEFAULT_LIMIT, about: 'At most this many entries' },
    pattern: { type: 'string', min: 1, optional: true, about: 'Only files like *.md' },
    ...budgetFields,
  },
  positionals: ['skill'],
  output: async () => (await import('./reading-outputs.ts')).sourcesOutput,
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
      { dir, depth, limit, pattern, allows: allowsName, evals: input.all },
      await budgetOf(input, context, limit !== DEFAULT_LIMIT),
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
  text: (listing, { by }) => {
    const { left_out: leftOut, evals = 0 } = listing;
    const tree = `${renderTree(listing)}${evals === 0 ? '' : `... (${formatCount(evals, 'file')} with evals not listed; use ${by === 'model' ? 'all' : '--all'})\n`}`;
    if (leftOut === undefined) return tree;
    const lines = [
      listing.entries.some(({ expanded }) => expanded === false)
        ? `... (only ${formatCount(leftOut.depth, 'level')} shown; for more:)`
        : '... (cut to save tokens; for more:)',
      ...leftOut.next.map((call) => `  ${call}`),
    ];
    return `${tree}${lines.join('\n')}\n`;
  },
});

type Listing = z.output<typeof sourcesOutput>;

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

function fileLabel({ path, type, files, expanded }: Listing['entries'][number]): string {
  const name = makeVisible(path.slice(path.lastIndexOf('/') + 1));
  if (type === 'file') return name;
  return expanded ? `${name}/` : `${name}/ (${files} files)`;
}
